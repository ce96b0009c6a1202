/* What makes searches of a swarm differ, on its own: reads commands from its arguments.
 *
 *   order ARRANGEMENT SEED TIMES PID ...
 *                                     the places of successors of these processes, as arranged,
 *                                     so many times
 *   draw SEED MOST COUNT              random numbers
 *   least NUMBER ...                  what a sketch keeps of these numbers, in ascending order
 */
#ifndef WHORL_WORDS
#define WHORL_WORDS 1
#endif
#define WHORL_TRANSITIONS 1
#define WHORL_SITES 0

#include <inttypes.h>
#include <stdio.h>

#include "search/arrange.h"
#include "store/sketch.h"

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int main(int count, char **words) {
  whorl_arranger a = {WHORL_WRITTEN, 0, 0};
  if (strcmp(words[1], "least") == 0) {
    whorl_sketch sketch;
    sketch.count = 0;
    for (int i = 2; i < count; i++) whorl_sketch_add(&sketch, strtoull(words[i], NULL, 10));
    qsort(sketch.hashes, sketch.count, sizeof *sketch.hashes, compare);
    for (uint32_t i = 0; i < sketch.count; i++) printf("%" PRIu64 "\n", sketch.hashes[i]);
    return 0;
  }
  if (strcmp(words[1], "draw") == 0) {
    a.seed = strtoull(words[2], NULL, 10);
    uint64_t most = strtoull(words[3], NULL, 10);
    for (int i = atoi(words[4]); i > 0; i--) printf("%" PRIu64 "\n", whorl_draw(&a, most));
    return 0;
  }
  while (strcmp(words[2], whorl_arrangement_names[a.arrangement]) != 0)
    a.arrangement = (whorl_arrangement)(a.arrangement + 1);
  a.seed = strtoull(words[3], NULL, 10);
  whorl_context c;
  whorl_state states[64];
  whorl_step steps[64];
  whorl_successor made[64];
  memset(&c, 0, sizeof c);
  memset(steps, 0, sizeof steps);
  memset(made, 0, sizeof made);
  c.states = states;
  c.steps = steps;
  int number = count - 5;
  for (int i = 0; i < number; i++) steps[i].pid = (int16_t)atoi(words[i + 5]);
  for (int times = atoi(words[4]); times > 0; times--) {
    for (int i = 0; i < number; i++) made[i].state = &states[i];
    whorl_arrange(&a, &c, made, (uint32_t)number);
    for (int i = 0; i < number; i++)
      printf("%d%c", (int)(made[i].state - states), i < number - 1 ? ' ' : '\n');
  }
  return 0;
}
