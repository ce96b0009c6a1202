/* A survey: what varies in the states of this model, by random walks before the search.
 *
 * Tree compression (tree.h) shares much where each half of a state takes few values, and little
 * where one half nearly determines the state: then there is a node for nearly every state. Where to
 * cut depends on the model and on how its state is laid out. So a few thousand states are looked at
 * first, and every leaf gets a weight, about the logarithm of how many values it took; the tree is
 * then balanced by weight rather than by the number of leaves.
 *
 * The walks are the same in every run.
 */
#ifndef WHORL_SURVEY_H
#define WHORL_SURVEY_H

#include "expand.h"
#include "hash.h"
#include "tree.h"

#define WHORL_SURVEY_STATES 4096
#define WHORL_SURVEY_STRIDE 4    /* steps from one state looked at to the next */
#define WHORL_SURVEY_WALK 2048   /* steps of a walk */

static int whorl_compare_leaves(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* 16 times the binary logarithm, roughly. */
static inline uint32_t whorl_weight(uint32_t distinct) {
  uint32_t log = 31 - (uint32_t)__builtin_clz(distinct);
  return 16 * log + (uint32_t)(((uint64_t)distinct << 4 >> log) & 15);
}

/* A state that a run from the last expansion ends in, or NULL if there is none. */
static inline const whorl_state *whorl_survey_step(const whorl_context *c, uint64_t random) {
  for (uint32_t i = 0, at = (uint32_t)(random % (c->count ? c->count : 1)); i < c->count; i++) {
    const whorl_step *step = &c->steps[at];
    if (!step->passed && !step->fault) return &c->states[at];
    at = at + 1 == c->count ? 0 : at + 1;
  }
  return NULL;
}

/* Weights for all leaves. */
static void whorl_survey(const whorl_state *initial, uint32_t weights[WHORL_LEAVES]) {
  uint32_t *seen = (uint32_t *)malloc(sizeof(uint32_t) * WHORL_SURVEY_STATES * WHORL_LEAVES);
  whorl_context c;
  whorl_context_init(&c);
  if (!seen) abort();
  whorl_state at = *initial;
  uint64_t random = WHORL_HASH_A;
  int walked = 0;
  bool endless;
  for (int step = 0; step < WHORL_SURVEY_STATES * WHORL_SURVEY_STRIDE; step++) {
    if (step % WHORL_SURVEY_STRIDE == 0)
      for (int leaf = 0; leaf < WHORL_LEAVES; leaf++)
        seen[leaf * WHORL_SURVEY_STATES + step / WHORL_SURVEY_STRIDE] =
            (uint32_t)(at.words[leaf / 2] >> (leaf % 2 ? 0 : 32));
    random = whorl_mix(random + WHORL_HASH_B);
    whorl_expand(&c, &at, &endless);
    const whorl_state *next = whorl_survey_step(&c, random);
    if (!next || ++walked == WHORL_SURVEY_WALK) {
      next = initial;
      walked = 0;
    }
    at = *next;
  }
  for (int leaf = 0; leaf < WHORL_LEAVES; leaf++) {
    uint32_t *column = seen + leaf * WHORL_SURVEY_STATES;
    qsort(column, WHORL_SURVEY_STATES, sizeof *column, whorl_compare_leaves);
    uint32_t distinct = 1;
    for (int i = 1; i < WHORL_SURVEY_STATES; i++) distinct += column[i] != column[i - 1];
    weights[leaf] = whorl_weight(distinct);
  }
  whorl_context_free(&c);
  free(seen);
}

#endif
