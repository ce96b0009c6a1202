/* A survey: where to cut the states of this model.
 *
 * Tree compression (tree.h) shares much where each part of a state takes few values, and little
 * where one part nearly determines the state: then there is a node for nearly every state. Where to
 * cut depends on the model and on how its state is laid out. So some thousand states are looked at,
 * and for every place to cut it is estimated how many values the two parts take in all states.
 *
 * Half of the states are some of those stored, any of them as likely; but a search that goes deep
 * first has seen one side of the model only. The others are on random walks, which go everywhere,
 * though not far. The walks are the same in every run.
 *
 * A survey takes some milliseconds, which small models need not wait for: a search begins with a
 * tree that is cut anyhow, and is given another one later (search.h).
 */
#ifndef WHORL_SURVEY_H
#define WHORL_SURVEY_H

#include "model/expand.h"
#include "store/hash.h"
#include "store/shape.h"
#include "store/tree.h"

#define WHORL_SURVEY_STATES 8192
/* Under a reduction there are fewer states, each takes longer to expand, and a run goes further. */
#define WHORL_SURVEY_STRIDE (WHORL_REDUCES ? 1 : 4) /* steps from one state looked at to the next */
#define WHORL_SURVEY_STEPS (WHORL_REDUCES ? 1 << 13 : 1 << 20) /* no more steps are made */
#define WHORL_SURVEY_WALK 2048                                 /* steps of a walk */
#ifndef WHORL_SURVEY_GAIN
#define WHORL_SURVEY_GAIN 1.1 /* so many times fewer nodes are worth the work */
#endif
#define WHORL_SURVEY_SET (4 * WHORL_SURVEY_STATES)

typedef struct {
  int count; /* states */
  whorl_state states[WHORL_SURVEY_STATES];
  uint64_t hashes[WHORL_SURVEY_STATES]; /* of a part of each state */
  uint32_t set[WHORL_SURVEY_SET];
} whorl_sample;

/* A state that a run from the last expansion ends in, or NULL if there is none. */
static inline const whorl_state *whorl_survey_step(const whorl_context *c, uint64_t random) {
  for (uint32_t i = 0, at = (uint32_t)(random % (c->count ? c->count : 1)); i < c->count; i++) {
    const whorl_step *step = &c->steps[at];
    if (!step->passed && !step->fault) return &c->states[at];
    at = at + 1 == c->count ? 0 : at + 1;
  }
  return NULL;
}

/* On random walks: `wanted` states, or fewer where making them takes too long. */
static void whorl_survey_walk(whorl_sample *sample, const whorl_state *initial, int wanted) {
  whorl_context c;
  whorl_context_init(&c, NULL);
  whorl_state at = *initial;
  uint64_t random = WHORL_HASH_A;
  int walked = 0;
  uint64_t made = 0;
  bool endless;
  sample->count = 0;
  for (int step = 0; step < wanted * WHORL_SURVEY_STRIDE && made <= WHORL_SURVEY_STEPS; step++) {
    if (step % WHORL_SURVEY_STRIDE == 0) sample->states[sample->count++] = at;
    random = whorl_mix(random + WHORL_HASH_B);
    whorl_expand(&c, &at, &endless);
    made += c.count;
    const whorl_state *next = whorl_survey_step(&c, random);
    if (!next || ++walked == WHORL_SURVEY_WALK) {
      next = initial;
      walked = 0;
    }
    at = *next;
  }
  whorl_context_free(&c);
}

/* Of those stored, as many as there is room for. Roots lie in the order of their hashes, so those at
 * even distances are any. */
static void whorl_survey_stored(whorl_sample *sample, const whorl_tree *t) {
  whorl_folded folded;
  uint64_t pairs[WHORL_BUCKET_WORDS];
  assert(whorl_roots_count(&t->roots) > 0);
  for (uint64_t i = 0, wanted = (uint64_t)(WHORL_SURVEY_STATES - sample->count); i < wanted; i++) {
    uint64_t size = whorl_roots_size(&t->roots), at = size * i / wanted;
    while (whorl_roots_pairs(&t->roots, at, pairs) == 0) at = at + 1 == size ? 0 : at + 1;
    whorl_tree_unfold(t, pairs[0], &folded, &sample->states[sample->count++]);
  }
}

/* How many values there are in all, if so many of a whole sample differ: about as many again as there
 * are ways to draw others. Right where few differ, and where nearly all do (by the birthdays). */
static inline double whorl_survey_estimate(uint32_t distinct) {
  double d = distinct, same = (double)WHORL_SURVEY_STATES - d;
  return d * (1 + d / (2 * same + 1));
}

/* How many of the hashes differ, extrapolated. */
static double whorl_survey_values(whorl_sample *sample) {
  uint32_t distinct = 0;
  memset(sample->set, 0, sizeof sample->set);
  for (int i = 0; i < sample->count; i++) {
    uint64_t hash = whorl_mix(sample->hashes[i]);
    uint32_t mark = (uint32_t)hash | 1, at = (uint32_t)(hash >> 32) % WHORL_SURVEY_SET;
    while (sample->set[at] != 0 && sample->set[at] != mark) at = (at + 1) % WHORL_SURVEY_SET;
    distinct += sample->set[at] == 0;
    sample->set[at] = mark;
  }
  return whorl_survey_estimate(distinct);
}

/* Takes one more unit of each state into the part that is looked at. */
static void whorl_survey_extend(whorl_sample *sample, int unit) {
  int first = whorl_unit_byte(unit), last = whorl_unit_byte(unit + 1);
  for (int i = 0; i < sample->count; i++) {
    const uint8_t *bytes = (const uint8_t *)sample->states[i].words;
    for (int byte = first; byte < last; byte++) {
      uint64_t hash = (sample->hashes[i] ^ bytes[byte]) * WHORL_HASH_A;
      sample->hashes[i] = hash ^ hash >> 32;
    }
  }
}

/* Where to cut (shape.h), so that the two parts have the fewest values together. */
static int whorl_survey_cut(void *about, int first, int last) {
  whorl_sample *sample = (whorl_sample *)about;
  int length = last - first, best = length / 2;
  double values[WHORL_UNITS], least = -1;
  memset(sample->hashes, 0, sizeof sample->hashes);
  for (int cut = 1; cut < length; cut++) {
    whorl_survey_extend(sample, first + cut - 1);
    values[cut] = whorl_survey_values(sample);
  }
  memset(sample->hashes, 0, sizeof sample->hashes);
  for (int cut = length - 1; cut > 0; cut--) {
    whorl_survey_extend(sample, first + cut);
    double both = values[cut] + whorl_survey_values(sample);
    if (least < 0 || both < least) {
      least = both;
      best = cut;
    }
  }
  return best;
}

/* How many nodes the tree has below its root with this shape, estimated. */
static double whorl_survey_nodes(whorl_sample *sample, const whorl_shape *shape) {
  double nodes = 0;
  int cut = shape->cut;
  for (int side = 0; side < 2; side++) {
    memset(sample->hashes, 0, sizeof sample->hashes);
    for (int unit = 0; unit < WHORL_UNITS; unit++)
      if ((whorl_unit_byte(unit) >= cut) == side) whorl_survey_extend(sample, unit);
    nodes += whorl_survey_values(sample);
  }
  return nodes;
}

/* Whether a shape has so many times fewer nodes than the tree's. */
static bool whorl_survey_gains(whorl_sample *sample, const whorl_shape *shape,
                               const whorl_tree *tree, double times) {
  double before = whorl_survey_nodes(sample, &tree->shape);
  return whorl_survey_nodes(sample, shape) * times < before;
}

/* Finds a shape for the states that can be reached from `initial`, of which those in `tree` have
 * been; on walks alone if that is NULL. Whether it is much better than the tree's, and of those
 * stored alone no worse. */
static bool whorl_survey(const whorl_state *initial, const whorl_tree *tree, whorl_shape *shape) {
  whorl_sample *sample = (whorl_sample *)whorl_taken(sizeof *sample);
  whorl_survey_walk(sample, initial, tree ? WHORL_SURVEY_STATES / 2 : WHORL_SURVEY_STATES);
  if (tree) whorl_survey_stored(sample, tree);
  whorl_shape_init(shape, whorl_survey_cut, sample);
  bool better = !tree || whorl_survey_gains(sample, shape, tree, WHORL_SURVEY_GAIN);
  if (tree && better) {
    sample->count = 0;
    whorl_survey_stored(sample, tree);
    better = whorl_survey_gains(sample, shape, tree, 1);
  }
  whorl_given_back(sample, sizeof *sample);
  return better;
}

#endif
