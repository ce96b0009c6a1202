/* Runs the C of a model for another process, which asks over a pipe: see native/embedded/embedding.py.
 *
 * Include it last, after the text that native/embedded/foreign.py writes. What the model's C prints goes to
 * a file of its own, and into the answer; it cannot disturb the conversation.
 *
 *   hello     the sizes of all blocks, then their initial bytes
 *   request   fragment, type, pid, running; g; l; block; mine; loose
 *   answer    holds, value, length of the output; g; l; block; mine; loose; the output
 *
 * Numbers are 32 bits, in the order of this machine.
 */
#ifndef WHORL_FRAGMENTS_H
#define WHORL_FRAGMENTS_H

#include <fcntl.h>

static int whorl_ask_fd, whorl_answer_fd;

static bool whorl_read_all(void *to, size_t count) {
  char *at = (char *)to;
  while (count > 0) {
    ssize_t got = read(whorl_ask_fd, at, count);
    if (got <= 0) return false;
    at += got;
    count -= (size_t)got;
  }
  return true;
}

static void whorl_write_all(const void *from, size_t count) {
  const char *at = (const char *)from;
  while (count > 0) {
    ssize_t put = write(whorl_answer_fd, at, count);
    if (put <= 0) _exit(1);
    at += put;
    count -= (size_t)put;
  }
}

static void *whorl_room(size_t count) {
  void *room = calloc(count + 1, 1);
  if (!room) abort();
  return room;
}

int main(void) {
  whorl_ask_fd = dup(0);
  whorl_answer_fd = dup(1);
  int nothing = open("/dev/null", O_RDONLY);
  FILE *printed = tmpfile();
  if (whorl_ask_fd < 0 || whorl_answer_fd < 0 || nothing < 0 || !printed) return 1;
  dup2(nothing, 0);
  dup2(fileno(printed), 1);

  uint32_t sizes[WHORL_C_TYPES + 2];
  size_t total = 0, largest = 0, seen = 0;
  sizes[0] = (uint32_t)whorl_c_size_block();
  for (int type = 0; type < WHORL_C_TYPES; type++) {
    sizes[1 + type] = (uint32_t)whorl_c_size_local(type);
    if (sizes[1 + type] > largest) largest = sizes[1 + type];
    if (whorl_c_seen_local(type) > seen) seen = whorl_c_seen_local(type);
  }
  sizes[1 + WHORL_C_TYPES] = (uint32_t)whorl_c_size_loose();
  for (int i = 0; i < WHORL_C_TYPES + 2; i++) total += sizes[i];
  uint8_t *initial = (uint8_t *)whorl_room(total);
  whorl_c_begin(initial);
  whorl_write_all(sizes, sizeof sizes);
  whorl_write_all(initial, total);

  int32_t *g = (int32_t *)whorl_room(WHORL_C_SEEN * sizeof *g);
  int32_t *l = (int32_t *)whorl_room(seen * sizeof *l);
  uint8_t *block = (uint8_t *)whorl_room(sizes[0]);
  uint8_t *mine = (uint8_t *)whorl_room(largest);
  uint8_t *loose = (uint8_t *)whorl_room(sizes[1 + WHORL_C_TYPES]);
  int32_t request[4];
  while (whorl_read_all(request, sizeof request)) {
    int type = request[1];
    bool known = type >= 0 && type < WHORL_C_TYPES;
    size_t own = known ? whorl_c_seen_local(type) * sizeof *l : 0;
    size_t local = known ? sizes[1 + type] : 0;
    if (!whorl_read_all(g, WHORL_C_SEEN * sizeof *g) || !whorl_read_all(l, own) ||
        !whorl_read_all(block, sizes[0]) || !whorl_read_all(mine, local) ||
        !whorl_read_all(loose, sizes[1 + WHORL_C_TYPES]))
      return 0;
    whorl_c_put(type, request[2], request[3], g, l, block, mine, loose);
    int32_t answer[3] = {whorl_c_holds(request[0]), 0, 0};
    if (answer[0]) answer[1] = whorl_c_run(request[0]);
    whorl_c_get(type, g, l, block, mine, loose);
    fflush(stdout);
    off_t length = lseek(1, 0, SEEK_CUR);
    answer[2] = length > 0 ? (int32_t)length : 0;
    whorl_write_all(answer, sizeof answer);
    whorl_write_all(g, WHORL_C_SEEN * sizeof *g);
    whorl_write_all(l, own);
    whorl_write_all(block, sizes[0]);
    whorl_write_all(mine, local);
    whorl_write_all(loose, sizes[1 + WHORL_C_TYPES]);
    if (answer[2] > 0) {
      char *output = (char *)whorl_room((size_t)answer[2]);
      lseek(1, 0, SEEK_SET);
      ssize_t got = read(1, output, (size_t)answer[2]);
      (void)got;
      whorl_write_all(output, (size_t)answer[2]);
      free(output);
      lseek(1, 0, SEEK_SET);
      if (ftruncate(1, 0) != 0) return 1;
    }
  }
  return 0;
}

#endif
