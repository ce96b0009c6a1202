/* What kernels are written in: the same names on a GPU and, for tests, on the processor.
 *
 *   WHORL_KERNEL                 begins the definition of a kernel
 *   whorl_thread()               the number of this thread, of all that the kernel was launched with
 *   whorl_load(at)               a word that other threads may be changing
 *   whorl_store(at, value)       the same, to write it
 *   whorl_read(at)               a word that another thread has written, if that is known and fenced
 *   whorl_write(at, value)       writes such a word, which nobody knows yet
 *   whorl_put_first(at, value)   writes a word if it is 0. Returns what was there. What this thread wrote
 *                                before can then be seen by whoever has seen the word and fenced
 *   whorl_fence()                what others wrote before a word that was loaded can be seen
 *   whorl_next(counter)          counts one, and returns what the count was
 *   whorl_sum(counter, value)    adds to a counter; all threads of a kernel have to come here
 *   whorl_mark(bits, number)     sets a bit
 *   whorl_colour(at), whorl_recolour(at, before, value), whorl_add_colour(at, value)
 *                                of 32 bits that other threads may be changing: reads them, changes them
 *                                if they are as before, adds to them. The last two return what was there
 *   WHORL_OUT_OF_LINE                  of a function that is not inlined: a GPU's compiler
 *                                takes its time, and the steps of a model are most of it
 *   WHORL_RECALLED, WHORL_NOTE   read and write what is only remembered: any of the values will do
 *
 * On a GPU the model and the headers that it includes are compiled as they are: NVRTC takes a function
 * or a table without a word on where it is for one of the device (docs/decisions/0080).
 */
#ifndef WHORL_PLATFORM_H
#define WHORL_PLATFORM_H

#ifndef WHORL_OUT_OF_LINE
#define WHORL_OUT_OF_LINE __attribute__((noinline))
#endif

#ifdef __CUDACC__
#include "gpu/cuda.h"
#else
#include "gpu/processor.h"
#endif

/* As memcmp of so many words, on machines that keep the least byte of a word first. */
static inline int whorl_compare_bytes(const uint64_t *a, const uint64_t *b, int words) {
  for (int i = 0; i < words; i++) {
    uint64_t differ = a[i] ^ b[i];
    if (differ == 0) continue;
    int shift = __builtin_ctzll(differ) & ~7;
    return (a[i] >> shift & 255) < (b[i] >> shift & 255) ? -1 : 1;
  }
  return 0;
}

#endif
