/* A sample of the states that a search of a swarm has stored: the least of their hashes.
 *
 * That is a bottom-k sketch (Bar-Yossef, Jayram, Kumar, Sivakumar and Trevisan, 2002; Beyer, Haas,
 * Reinwald, Sismanis and Gemulla, 2007). The hash is the same in all searches, whatever their seeds
 * are, so the samples of several together tell how many different states they have seen, and how
 * many of the sampled ones each has seen alone: native/swarm/sample.py.
 *
 * A heap with the greatest hash at its root: most states cost one comparison with that.
 */
#ifndef WHORL_SKETCH_H
#define WHORL_SKETCH_H

#include "store/hash.h"

#ifndef WHORL_SKETCH
#define WHORL_SKETCH 1024 /* the error of an estimate is about 1 in the root of this */
#endif

typedef struct {
  uint64_t hashes[WHORL_SKETCH];
  uint32_t count;
} whorl_sketch;

/* Puts a hash at the root, in place of the greatest. */
static inline void whorl_sketch_sink(whorl_sketch *m, uint64_t hash) {
  uint32_t at = 0;
  for (uint32_t child; (child = 2 * at + 1) < m->count; at = child) {
    if (child + 1 < m->count && m->hashes[child + 1] > m->hashes[child]) child++;
    if (m->hashes[child] <= hash) break;
    m->hashes[at] = m->hashes[child];
  }
  m->hashes[at] = hash;
}

static inline void whorl_sketch_rise(whorl_sketch *m, uint64_t hash) {
  uint32_t at = m->count++;
  for (; at > 0 && m->hashes[(at - 1) / 2] < hash; at = (at - 1) / 2)
    m->hashes[at] = m->hashes[(at - 1) / 2];
  m->hashes[at] = hash;
}

/* Takes note of a state that has not been noted before. */
static inline void whorl_sketch_add(whorl_sketch *m, uint64_t hash) {
  if (__builtin_expect(m->count < WHORL_SKETCH, 0))
    whorl_sketch_rise(m, hash);
  else if (__builtin_expect(hash < m->hashes[0], 0))
    whorl_sketch_sink(m, hash);
}

#endif
