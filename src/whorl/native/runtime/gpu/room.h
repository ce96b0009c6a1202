/* The room that a thread has in the device's memory, for the expansion of a whole state. */
#ifndef WHORL_ROOM_H
#define WHORL_ROOM_H

#include "gpu/world.h"
#include "model/expand.h"

#define WHORL_WHOLE_FURTHER 64

/* The bytes of a thread's room for so many steps; native/gpu/world.py has the same. */
#define WHORL_ROOM_BYTES(room) \
  (((room) + 1) * (sizeof(whorl_state) + 32) + WHORL_WHOLE_FURTHER * sizeof(whorl_further))

_Static_assert(sizeof(whorl_step) <= 32, "a step has its room");
_Static_assert(!WHORL_PROVISO && !WHORL_LOOKS_AT_STACK, "the reduction goes by the state alone");

/* A context in the room of this thread. */
static inline void whorl_use_room(const whorl_world *w, whorl_context *c) {
  uint8_t *room = w->scratch + whorl_thread() * WHORL_ROOM_BYTES(w->room);
  whorl_state *states = (whorl_state *)room;
  whorl_further *further = (whorl_further *)(states + w->room + 1);
  whorl_step *steps = (whorl_step *)(further + WHORL_WHOLE_FURTHER);
  whorl_context_place(c, states, steps, (uint32_t)w->room, further, WHORL_WHOLE_FURTHER, w->memo);
}

/* What this thread is to look at. Whether there is anything. */
static inline bool whorl_is_mine(const whorl_world *w, uint64_t *index) {
  uint64_t at = w->from + whorl_thread();
  if (at >= w->to) return false;
  *index = w->list ? w->list[at] : at;
  return !whorl_is_hole(w, *index);
}

#endif
