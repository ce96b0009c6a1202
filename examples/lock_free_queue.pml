/*
 * The lock-free queue of Michael and Scott, with nodes that are used again.
 *
 * The queue is a linked list that begins with a dummy node. To enqueue is to swing the `next` of
 * the last node, and then `tail`, which may lag behind; to dequeue is to swing `head` to the next
 * node, which becomes the dummy. Each is done by a compare-and-swap (CAS), and tried again if
 * another thread was faster. A node that is not in the list any more is free, and may be
 * allocated again.
 *
 * What to notice: that a CAS finds the old pointer does not mean that nothing has happened. A
 * thread reads that head is A and the node after it is B, and sleeps. Others dequeue A and B, and
 * use A again: head is A once more (ABA). The CAS of the thread succeeds, and head is B, which is
 * free. With -DFIXED=1 pointers are counted, as in the paper: every CAS that succeeds adds one to
 * the count beside the pointer. A word is ten times the count, and the pointer: 21 is node 1 at
 * the count 2.
 *
 * The channel `contents` is what the queue should be. What is dequeued must come out of it too,
 * and a thread that finds the queue empty must be right at some moment since it began
 * (linearizability).
 *
 * Expect: violated (assertion)
 * Expect with -DFIXED=1: holds
 * Expect with -DFIXED=1 -DOPERATIONS=6: holds
 * Try: whorl check -DFIXED=1 examples/lock_free_queue.pml
 */

#ifndef FIXED
#define FIXED 0
#endif
#ifndef OPERATIONS
#define OPERATIONS 4 /* of all threads together */
#endif
#define NODES 3
#define NULL 0

#define ptr(word) ((word) % 10)
#define swung(word, node) ((FIXED -> ((word) / 10 + 1) * 10 : 0) + (node))

byte head = 1, tail = 2; /* words */
byte next[NODES + 1] = { 0, 2, 0, 0 };
byte value[NODES + 1];
bool used[NODES + 1] = { 0, 1, 1, 0 }; /* whether a node is allocated */
byte begun; /* operations */

chan contents = [NODES] of { byte };
bool was_empty[2]; /* the queue, since a thread began to dequeue */

inline allocate() {
    if
    :: !used[1] -> node = 1
    :: !used[2] -> node = 2
    :: !used[3] -> node = 3
    fi;
    used[node] = true
}

inline swing_tail(to) {
    atomic {
        if
        :: tail == my_tail -> tail = swung(my_tail, to)
        :: else
        fi
    }
}

/* Lines E1 to E17 of the paper. */
inline enqueue(data) {
    value[node] = data;
    next[node] = next[node] - ptr(next[node]); /* NULL, at the count that it has */
    do
    ::  my_tail = tail;
        my_next = next[ptr(my_tail)];
        if
        ::  my_tail != tail
        ::  my_tail == tail && ptr(my_next) != NULL -> swing_tail(ptr(my_next))
        ::  my_tail == tail && ptr(my_next) == NULL ->
            if
            ::  atomic {
                    next[ptr(my_tail)] == my_next ->
                    next[ptr(my_tail)] = swung(my_next, node);
                    contents!data /* here it takes effect */
                }
                break
            ::  next[ptr(my_tail)] != my_next
            fi
        fi
    od;
    swing_tail(node)
}

inline take_out(data) {
    assert(contents?[eval(data)]);
    if
    :: contents?_
    :: empty(contents) /* the assertion has failed */
    fi;
    if
    ::  empty(contents) ->
        was_empty[0] = true;
        was_empty[1] = true
    ::  nempty(contents)
    fi
}

/* Lines D1 to D19. */
inline dequeue() {
    do
    ::  my_head = head;
        my_tail = tail;
        my_next = next[ptr(my_head)];
        if
        ::  my_head != head
        ::  my_head == head && ptr(my_head) == ptr(my_tail) && ptr(my_next) == NULL ->
            assert(was_empty[me]);
            break
        ::  my_head == head && ptr(my_head) == ptr(my_tail) && ptr(my_next) != NULL ->
            swing_tail(ptr(my_next))
        ::  my_head == head && ptr(my_head) != ptr(my_tail) ->
            data = value[ptr(my_next)];
            if
            ::  atomic {
                    head == my_head ->
                    head = swung(my_head, ptr(my_next));
                    take_out(data) /* here it takes effect */
                }
                used[ptr(my_head)] = false;
                break
            ::  head != my_head
            fi
        fi
    od
}

proctype thread(bit me) {
    byte node, my_head, my_tail, my_next, data;

    do
    ::  atomic {
            begun < OPERATIONS && !(used[1] && used[2] && used[3]) ->
            begun++;
            data = begun;
            allocate()
        }
        enqueue(data);
        node = NULL
    ::  atomic {
            begun < OPERATIONS ->
            begun++;
            was_empty[me] = empty(contents)
        }
        dequeue()
    ::  begun == OPERATIONS -> break
    od
}

/* At first the dummy is node 1, and there is the value 0 in node 2. */
init {
    atomic {
        contents!0;
        run thread(0);
        run thread(1)
    }
}
