/*
 * Two processors that order memory accesses as HP's PA-RISC does, on a split-transaction snooping
 * bus like Runway, and a test automaton for one of Collier's architectural rules.
 *
 * The rows WA, UPO and ROWO of Table 1 of Nalumasu and Gopalakrishnan's Two phase paper check such
 * a system. Their models are not to be had: this is a rebuild, from what the paper says of them and
 * from what is publicly known of PA-8000 and Runway. Its numbers are its own.
 *
 * A row is a macro:
 *   -D WA    write atomicity: no two processors see two writes in different orders. Each writes its
 *            own line, reads it, and reads the other's. (the default)
 *   -D UPO   uniprocessor order: a processor reads what it wrote last.
 *   -D ROWO  read order and write order: one processor writes line 0, then line 1; the other one
 *            reads line 1, then line 0, and must not find line 1 newer.
 * All hold. The values are 0 and 1, as data independence allows, and the programs run for ever.
 *
 * One rule at a time is violated with
 *   -D BROKEN=write_buffer  a store retires into a write buffer before the processor owns the line,
 *                           and its own loads see it there: violates WA alone
 *   -D BROKEN=load_bypass   a load passes an older store to the same line: violates UPO alone
 *   -D BROKEN=store_bypass  a store passes an older store to another line: violates ROWO alone
 *
 * What is modelled. A processor has an address reorder buffer of W instructions and a cache of two
 * lines (MESI). It tries every instruction as soon as it can: loads are executed out of order, as
 * hits pass misses, and lines are asked for early; but instructions retire in order, a store writes
 * when it retires, and a load whose line is invalidated before it retires is executed again. So to
 * others all seems to happen in program order. A transaction on the bus has an address phase, that
 * all see in one order; each processor answers it when the ones before it are done; then comes the
 * data, from memory or straight from the cache that has the line dirty. Up to four transactions are
 * under way. With -D DROPS=1 a processor may drop a clean line at any time.
 *
 * What is left out: write-backs of dirty lines, lines of more than one word, bus arbitration but
 * for a free choice, flow control (queues are long enough), DMA, semaphores, weakly ordered pages.
 *
 * Sizes: -D W=1, -D W=2 (as it is), -D W=3; -D DROPS=1, ten times as large; -D ONCE runs each test
 * automaton once, so that all ends in a state where nothing moves (--no-end-states); -D TESTS=1
 * starts only the first one (of WA and UPO).
 *
 * States that were stored (x = ROWO, UPO, WA):
 *   spin -Dx -o1 -o2 -o3 -a, cc -O2 -DSAFETY, ./pan -m3000000     383,268  2,433,955  855,802
 *   whorl check -D x --no-merge --por two-phase                   188,148    216,428  194,819
 *   whorl check -D x --no-merge --por two-phase --cache selective   4,487      6,274    5,778
 */
#if !defined(WA) && !defined(UPO) && !defined(ROWO)
#define WA
#endif
#ifndef W
#define W 2
#endif
#ifndef DROPS
#define DROPS 0
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#ifndef TESTS
#define TESTS 2
#endif
#define write_buffer 1
#define load_bypass 2
#define store_bypass 3

/* States of a line in a cache; from CLEAN on the processor may write it. */
#define INVALID 0
#define SHARED 1
#define CLEAN 2
#define DIRTY 3

#define NONE 2 /* no line, no value */
#define ME (_pid % 2)
#define OTHER (1 - _pid % 2)

mtype = { load, store };              /* instructions */
mtype = { read_shar, read_priv };     /* transactions: the line to read, the line to write */
mtype = { coh_ok, coh_shr, coh_cpy }; /* answers: I have no copy, I share it, I send it */

chan issues[2] = [1] of { mtype, bit, byte }; /* test to processor: instruction, line, value */
chan results[2] = [2] of { bit };             /* back: what a load has read */
chan requests[2] = [2] of { mtype, bit };     /* processor to bus: transaction, line */
chan snoops[2] = [4] of { mtype, bit, bit };  /* bus to processor: transaction, line, whose */
chan orders = [4] of { bit, bit };            /* bus to memory: line, whose */
chan answers[2] = [1] of { mtype, bit };      /* processor to memory: answer, value */
chan fills[2] = [2] of { bit, bit, bit };     /* memory to processor: line, value, shared? */
chan copies[2] = [2] of { bit, bit, bit };    /* the other processor to processor: the same */

active proctype bus()
{
    mtype t;
    bit l;
    chan request0 = requests[0];
    chan request1 = requests[1];
    chan snoop0 = snoops[0];
    chan snoop1 = snoops[1];
    xr request0;
    xr request1;
    xs snoop0;
    xs snoop1;
    xs orders;
    do
    :: request0 ? t, l ->
        snoop0 ! t, l, 0;
        snoop1 ! t, l, 0;
        orders ! l, 0;
        t = 0;
        l = 0
    :: request1 ? t, l ->
        snoop0 ! t, l, 1;
        snoop1 ! t, l, 1;
        orders ! l, 1;
        t = 0;
        l = 0
    od
}

active proctype memory()
{
    bit value[2];
    mtype a;
    bit l, who, v;
    chan answer0 = answers[0];
    chan answer1 = answers[1];
    chan fill0 = fills[0];
    chan fill1 = fills[1];
    xr orders;
    xr answer0;
    xr answer1;
    xs fill0;
    xs fill1;
    do
    :: orders ? l, who ->
        if
        :: who == 0 -> answer0 ? coh_ok, 0; answer1 ? a, v
        :: else -> answer1 ? coh_ok, 0; answer0 ? a, v
        fi;
        if
        :: a == coh_cpy -> value[l] = v; v = 0
        :: a != coh_cpy && who == 0 -> fill0 ! l, value[l], (a == coh_shr)
        :: else -> fill1 ! l, value[l], (a == coh_shr)
        fi;
        l = 0;
        who = 0;
        a = 0
    od
}

#if defined(ROWO)
active proctype writer()
{
    bit v;
    chan issue = issues[0];
    xs issue;
    do
    :: issue ! store, 0, v;
        issue ! store, 1, v;
        if
        :: v = 1
        :: skip
        fi
#ifdef ONCE
        ;
        break
#endif
    od
}

active proctype reader()
{
    bit old, new;
    chan issue = issues[1];
    chan result = results[1];
    xs issue;
    xr result;
    do
    :: issue ! load, 1, NONE;
        issue ! load, 0, NONE;
        result ? old;
        result ? new;
        assert(old <= new);
        old = 0;
        new = 0
#ifdef ONCE
        ;
        break
#endif
    od
}
#else
#ifdef WA
bool before[2]; /* that processor has seen its own write, and not yet the other's */
#endif

active [TESTS] proctype test()
{
    bit v, own, others;
    chan issue = issues[ME];
    chan result = results[ME];
    xs issue;
    xr result;
    do
    :: issue ! store, ME, v;
        issue ! load, ME, NONE;
        issue ! load, OTHER, NONE;
        result ? own;
        result ? others;
#ifdef UPO
        assert(own == v);
        own = 0;
        others = 0;
        if
        :: v = 1 - v
        :: skip
        fi
#else
        if
        :: own && !others ->
            before[ME] = true;
            assert(!(before[0] && before[1]))
        :: else
        fi;
        own = 0;
        others = 0;
        if
        :: v = 1
        :: skip
        fi
#endif
#ifdef ONCE
        ;
        break
#endif
    od
}
#endif

/* Whether instruction i is a load that waits for an older store to its line. */
#if BROKEN == load_bypass
#define held(i) false
#elif W == 2
#define held(i) (i == 1 && op[0] == store && line[0] == line[i])
#elif W == 3
#define held(i) \
    (i > 0 && op[0] == store && line[0] == line[i] \
     || i > 1 && op[1] == store && line[1] == line[i])
#else
#define held(i) false
#endif

#define tried(i) (i < n && op[i] == load && val[i] == NONE && !held(i))
#define owned(x) (state[x] >= CLEAN)
#if BROKEN == write_buffer
#define buffered(x) (pending && slot == x)
#define may_write(x) (owned(x) && !pending)
#else
#define buffered(x) false
#define may_write(x) owned(x)
#endif

active [2] proctype processor()
{
    byte state[2];       /* the cache */
    bit value[2];
    bool asked[2];       /* a transaction of ours for the line is under way */
    byte waiting = NONE; /* the line whose data comes next */
    byte n;              /* the address reorder buffer, from the oldest instruction on */
    mtype op[W];
    bit line[W];
    byte val[W];         /* of a load that was not executed: NONE */
    mtype t;             /* scratch */
    bit l, who, shared;
    byte i;
#if BROKEN == write_buffer
    bool pending;
    bit slot, kept;
#endif
    chan issue = issues[ME];
    chan result = results[ME];
    chan request = requests[ME];
    chan snoop = snoops[ME];
    chan answer = answers[ME];
    chan fill = fills[ME];
    chan copy = copies[ME];
    chan send = copies[OTHER];
    xr issue;
    xr snoop;
    xr fill;
    xr copy;
    xs result;
    xs request;
    xs answer;
    xs send;

ready:
    if
    :: n < W && waiting == NONE ->
        if
        :: issue ? op[n], line[n], val[n] -> goto issued
        :: snoop ? t, l, who -> goto snooped
#if DROPS
        :: state[0] == SHARED || state[0] == CLEAN -> state[0] = INVALID; value[0] = 0; goto ready
        :: state[1] == SHARED || state[1] == CLEAN -> state[1] = INVALID; value[1] = 0; goto ready
#endif
        fi
    :: n == W && waiting == NONE -> snoop ? t, l, who; goto snooped
    :: n < W && waiting != NONE ->
        if
        :: issue ? op[n], line[n], val[n] -> goto issued
        :: fill ? eval(waiting), value[waiting], shared -> goto filled
        :: copy ? eval(waiting), value[waiting], shared -> goto filled
        fi
    :: else ->
        if
        :: fill ? eval(waiting), value[waiting], shared -> goto filled
        :: copy ? eval(waiting), value[waiting], shared -> goto filled
        fi
    fi;

issued:
    n++;
    goto execute;

filled:
    state[waiting] = (shared -> SHARED : CLEAN);
    asked[waiting] = false;
    waiting = NONE;
    shared = false;
    goto execute;

snooped:
    if
    :: who == ME -> answer ! coh_ok, 0; waiting = l
    :: who != ME && t == read_shar ->
        if
        :: state[l] == DIRTY ->
            answer ! coh_cpy, value[l];
            send ! l, value[l], true;
            state[l] = SHARED
        :: state[l] == CLEAN || state[l] == SHARED -> answer ! coh_shr, 0; state[l] = SHARED
        :: else -> answer ! coh_ok, 0
        fi
    :: who != ME && t == read_priv ->
        if
        :: state[l] == DIRTY -> answer ! coh_cpy, value[l]; send ! l, value[l], false
        :: else -> answer ! coh_ok, 0
        fi;
        state[l] = INVALID;
        value[l] = 0;
        do /* loads of it that have not retired are executed again */
        :: i < n -> val[i] = (op[i] == load && line[i] == l -> NONE : val[i]); i++
        :: else -> i = 0; break
        od
    fi;
    t = 0;
    l = 0;
    who = 0;

execute:
    do
    :: tried(i) && buffered(line[i]) ->
#if BROKEN == write_buffer
        val[i] = kept;
#endif
        i++
    :: tried(i) && !buffered(line[i]) && state[line[i]] != INVALID ->
        val[i] = value[line[i]];
        i++
    :: tried(i) && !buffered(line[i]) && state[line[i]] == INVALID ->
        if
        :: !asked[line[i]] -> asked[line[i]] = true; request ! read_shar, line[i]
        :: else
        fi;
        i++
    :: i < n && op[i] == store && !owned(line[i]) ->
        if
        :: !asked[line[i]] -> asked[line[i]] = true; request ! read_priv, line[i]
        :: else
        fi;
        i++
    :: i < n && !tried(i) && (op[i] == load || owned(line[i])) -> i++
    :: else -> i = 0; break
    od;

    /* retire */
    if
    :: n > 0 && op[0] == load && val[0] != NONE -> result ! val[0]
    :: n > 0 && op[0] == store && may_write(line[0]) ->
        value[line[0]] = val[0];
        state[line[0]] = DIRTY
#if BROKEN == write_buffer
    :: pending && owned(slot) ->
        value[slot] = kept;
        state[slot] = DIRTY;
        pending = false;
        goto execute
    :: pending && !owned(slot) && !asked[slot] -> /* it was asked for to be read */
        asked[slot] = true;
        request ! read_priv, slot;
        goto ready
    :: n > 0 && op[0] == store && !pending && !owned(line[0]) ->
        pending = true;
        slot = line[0];
        kept = val[0]
#elif BROKEN == store_bypass
    :: n > 1 && op[0] == store && op[1] == store && line[0] != line[1] && !owned(line[0]) &&
       owned(line[1]) ->
        value[line[1]] = val[1];
        state[line[1]] = DIRTY;
        i = 1
#endif
    :: else -> goto ready
    fi;
    n--;
    do
    :: i < n ->
        op[i] = op[i + 1];
        line[i] = line[i + 1];
        val[i] = val[i + 1];
        i++
    :: else -> op[i] = 0; line[i] = 0; val[i] = 0; i = 0; break
    od;
    goto execute
}
