/* JSON lines on standard output: what the verifier says, and all that it says. */
#ifndef WHORL_JSON_H
#define WHORL_JSON_H

#include <inttypes.h>
#include <stdio.h>

#include "model/context.h"

static inline const char *whorl_json_bool(bool value) { return value ? "true" : "false"; }

/* One bit a transition, the lowest bit of a byte first, two hexadecimal digits a byte. */
static void whorl_json_bitmap(FILE *out, const uint8_t *reached, size_t count) {
  fputc('"', out);
  for (size_t i = 0; i < count; i += 8) {
    unsigned byte = 0;
    for (size_t bit = 0; bit < 8 && i + bit < count; bit++)
      if (reached[i + bit]) byte |= 1u << bit;
    fprintf(out, "%02x", byte);
  }
  fputc('"', out);
}

/* [pid, transition, partner, partner's transition], -1 for none. */
static inline void whorl_json_choice(FILE *out, const whorl_step *step) {
  fprintf(out, "[%d,%" PRId32 ",%d,%" PRId32 "]", step->pid, step->transition, step->partner,
          step->partner == WHORL_NOBODY ? -1 : step->partner_transition);
}

#endif
