/* What the C of a model needs around it: see native/embedded/foreign.py.
 *
 * Include it first. In a verifier (WHORL_FOREIGN_BYTES is then how many bytes of C data there are,
 * all blocks together) the rest of the runtime must not share its standard output with that C: the
 * runtime speaks through `whorl_out`, and what the model's C prints is lost.
 */
#ifndef WHORL_FOREIGN_H
#define WHORL_FOREIGN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copies C data from and to the bytes of a state. It may not be there yet: a pointer to it is then
 * null, and its bytes are zero. */
static inline void whorl_c_load(void *data, const uint8_t **bytes, size_t size) {
  if (data) memcpy(data, *bytes, size);
  *bytes += size;
}

static inline void whorl_c_save(const void *data, uint8_t **bytes, size_t size) {
  if (data)
    memcpy(*bytes, data, size);
  else
    memset(*bytes, 0, size);
  *bytes += size;
}

#ifdef WHORL_FOREIGN_BYTES

static FILE *whorl_out;
static uint8_t whorl_c_initial[WHORL_FOREIGN_BYTES + 1];

static void whorl_c_begin(uint8_t *at);

/* Before main. */
__attribute__((constructor)) static void whorl_foreign_begin(void) {
  int nothing = open("/dev/null", O_WRONLY);
  whorl_out = fdopen(dup(1), "w");
  if (nothing < 0 || !whorl_out || dup2(nothing, 1) < 0) abort();
  whorl_c_begin(whorl_c_initial);
}

/* Undone before the model's own text. */
#pragma push_macro("stdout")
#pragma push_macro("printf")
#pragma push_macro("putchar")
#undef stdout
#undef printf
#undef putchar
#define stdout whorl_out
#define printf(...) fprintf(whorl_out, __VA_ARGS__)
#define putchar(character) fputc(character, whorl_out)

#endif
#endif
