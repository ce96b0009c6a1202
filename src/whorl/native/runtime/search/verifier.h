/* The verifier: a generated model, this runtime, and a main that reads options and prints JSON
 * lines.
 *
 *   {"type":"progress", ...}     about five a second
 *   {"type":"violation", ...}    the site (-1: invalid end state) and the choices that lead there;
 *                                of a claim (-2), also the choice from which they come again
 *   {"type":"done", ...}         always the last, with all figures; then the exit status is 0
 *
 * Include it last in the generated file. Beside what context.h asks for, the model has
 *
 *   whorl_site_kinds[]           a byte a failure site: 0 an assertion, else a fault
 *
 * or a macro WHORL_SITE_KINDS with the initialiser of that array. One that was written for several
 * claims (native/weave.py) has WHORL_CLAIMS, their number, and whorl_chosen, which of them it is.
 */
#ifndef WHORL_VERIFIER_H
#define WHORL_VERIFIER_H

#include "model/context.h"

#ifdef WHORL_SITE_KINDS
static const uint8_t whorl_site_kinds[WHORL_SITES + 1] = WHORL_SITE_KINDS;
#endif

#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifdef WHORL_CLAIM_STATES
#include "search/emptiness.h"
#else
#include "search/search.h"
#endif

#ifdef WHORL_PARTITION /* a part of a search on several machines, as a library */
#ifdef WHORL_CLAIM_STATES
#include "cluster/claims.h"
#else
#include "cluster/partition.h"
#endif
#else

/* One row an option: its name, how its value is read, and what it does. */
typedef enum {
  WHORL_OPTION_STORE,
  WHORL_OPTION_ORDER,
  WHORL_OPTION_MAX_STATES,
  WHORL_OPTION_MAX_DEPTH,
  WHORL_OPTION_MEMORY,
  WHORL_OPTION_SECONDS,
  WHORL_OPTION_BITS,
  WHORL_OPTION_GRAPH,
  WHORL_OPTION_THREADS,
  WHORL_OPTION_CLAIM,
  WHORL_OPTION_NO_ASSERTIONS,
  WHORL_OPTION_NO_END_STATES,
  WHORL_OPTION_ALL_ERRORS,
  WHORL_OPTION_SEED,
  WHORL_OPTION_ARRANGE
} whorl_option;

typedef struct {
  const char *name;
  whorl_option option;
  const char *value; /* what to write for it; NULL where there is none */
  const char *help;
} whorl_option_row;

static const whorl_option_row whorl_option_rows[] = {
    {"--store", WHORL_OPTION_STORE, "KIND", "exact, tree, hash-compact or bitstate"},
    {"--order", WHORL_OPTION_ORDER, "ORDER", "dfs or bfs"},
    {"--max-states", WHORL_OPTION_MAX_STATES, "N", "store no more states than this"},
    {"--max-depth", WHORL_OPTION_MAX_DEPTH, "N", "expand no state at this depth"},
    {"--memory", WHORL_OPTION_MEMORY, "BYTES", "use no more memory than this"},
    {"--seconds", WHORL_OPTION_SECONDS, "S", "search no longer than this"},
    {"--bits", WHORL_OPTION_BITS, "N", "bitstate: 2^N bits"},
#if WHORL_THREADS
    {"--threads", WHORL_OPTION_THREADS, "N", "search with so many threads"},
#endif
#if WHORL_GRAPH
    {"--graph", WHORL_OPTION_GRAPH, "FILE", "write the graph that is stored"},
#endif
#ifdef WHORL_CLAIMS
    {"--claim", WHORL_OPTION_CLAIM, "N", "which of its claims, from 0"},
#endif
#if WHORL_SWARM
    {"--seed", WHORL_OPTION_SEED, "N", "of the hash function and of random orders"},
    {"--arrange", WHORL_OPTION_ARRANGE, "ORDER", "written, reversed, shuffled or by-process"},
#endif
    {"--no-assertions", WHORL_OPTION_NO_ASSERTIONS, NULL, "assertions may fail"},
    {"--no-end-states", WHORL_OPTION_NO_END_STATES, NULL, "any state may be the last"},
    {"--all-errors", WHORL_OPTION_ALL_ERRORS, NULL, "go on after a violation"},
};

#define WHORL_OPTION_COUNT (sizeof whorl_option_rows / sizeof whorl_option_rows[0])

static void whorl_usage(FILE *out) {
  for (size_t i = 0; i < WHORL_OPTION_COUNT; i++) {
    const whorl_option_row *row = &whorl_option_rows[i];
    fprintf(out, "  %-16s %-6s %s\n", row->name, row->value ? row->value : "", row->help);
  }
}

static bool whorl_read_number(const char *text, uint64_t *number) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  *number = strtoull(text, &end, 10);
  return *end == '\0';
}

static bool whorl_read_seconds(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  return end != text && *end == '\0' && *seconds >= 0;
}

static bool whorl_read_value(whorl_options *o, whorl_option option, const char *text) {
  uint64_t number;
  switch (option) {
    case WHORL_OPTION_STORE:
      for (int kind = WHORL_EXACT; kind <= WHORL_BITSTATE; kind++)
        if (strcmp(text, whorl_kind_names[kind]) == 0) {
          o->store = (whorl_kind)kind;
          return WHORL_HAS(o->store);
        }
      return false;
    case WHORL_OPTION_ORDER:
      o->order = strcmp(text, "bfs") == 0 ? WHORL_BFS : WHORL_DFS;
      return strcmp(text, "bfs") == 0 || strcmp(text, "dfs") == 0;
    case WHORL_OPTION_MAX_STATES:
      return whorl_read_number(text, &o->max_states);
    case WHORL_OPTION_MAX_DEPTH:
      return whorl_read_number(text, &o->max_depth);
    case WHORL_OPTION_MEMORY:
      return whorl_read_number(text, &o->memory);
    case WHORL_OPTION_SECONDS:
      return whorl_read_seconds(text, &o->seconds);
    case WHORL_OPTION_BITS:
      if (!whorl_read_number(text, &number) || number < 10 || number > 50) return false;
      o->bits = (unsigned)number;
      return true;
#if WHORL_THREADS
    case WHORL_OPTION_THREADS:
      if (!whorl_read_number(text, &number) || number < 1 || number > WHORL_MOST_THREADS)
        return false;
      o->threads = (uint32_t)number;
      return true;
#endif
    case WHORL_OPTION_GRAPH:
      o->graph = fopen(text, "w");
      return o->graph != NULL;
#ifdef WHORL_CLAIMS
    case WHORL_OPTION_CLAIM:
      if (!whorl_read_number(text, &number) || number >= WHORL_CLAIMS) return false;
      whorl_chosen = (int)number;
      return true;
#endif
#if WHORL_SWARM
    case WHORL_OPTION_SEED:
      return whorl_read_number(text, &o->seed);
    case WHORL_OPTION_ARRANGE:
      for (int i = 0; i < WHORL_ARRANGEMENTS; i++)
        if (strcmp(text, whorl_arrangement_names[i]) == 0) {
          o->arrangement = (whorl_arrangement)i;
          return true;
        }
      return false;
#endif
    default:
      return false;
  }
}

static void whorl_set_flag(whorl_options *o, whorl_option option) {
  if (option == WHORL_OPTION_NO_ASSERTIONS) o->assertions = false;
  if (option == WHORL_OPTION_NO_END_STATES) o->end_states = false;
  if (option == WHORL_OPTION_ALL_ERRORS) o->all_errors = true;
}

/* The size of a bitstate array if none is asked for: a quarter of the memory, at most 1 GiB, since
 * a small model touches all of it too. */
static unsigned whorl_default_bits(uint64_t memory) {
  uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  if (memory < bytes) bytes = memory;
  unsigned bits = 20;
  while (bits < 33 && (UINT64_C(1) << (bits + 1) >> 3) <= bytes / 4) bits++;
  return bits;
}

/* Reads the options; false after a message on standard error. */
static bool whorl_read_options(whorl_options *o, int count, char **arguments) {
  memset(o, 0, sizeof *o);
#ifdef WHORL_ONLY
  o->store = WHORL_ONLY;
#endif
  o->threads = 1;
  o->max_states = UINT64_MAX;
  o->max_depth = INT32_MAX;
  o->memory = SIZE_MAX;
  o->seconds = DBL_MAX;
  o->assertions = o->end_states = true;
  for (int i = 1; i < count; i++) {
    const whorl_option_row *row = NULL;
    for (size_t j = 0; j < WHORL_OPTION_COUNT; j++)
      if (strcmp(arguments[i], whorl_option_rows[j].name) == 0) row = &whorl_option_rows[j];
    if (!row) {
      fprintf(stderr, "unknown option: %s\n", arguments[i]);
      whorl_usage(stderr);
      return false;
    }
    if (!row->value) {
      whorl_set_flag(o, row->option);
      continue;
    }
    const char *text = ++i < count ? arguments[i] : "";
    if (!whorl_read_value(o, row->option, text)) {
      fprintf(stderr, "%s: not a value for it: \"%s\"\n", row->name, text);
      return false;
    }
  }
  if (o->max_depth > INT32_MAX) o->max_depth = INT32_MAX;
  if (o->bits == 0) o->bits = whorl_default_bits(o->memory);
  return true;
}

static void whorl_interrupt(int signal_number) {
  (void)signal_number;
  whorl_interrupted = 1;
}

static void whorl_catch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = whorl_interrupt;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody is there for the figures any more */
#endif
}

/* The most memory that was in use. On Linux not from getrusage, which would count the process that
 * started this one as well, from before it became the verifier. */
static uint64_t whorl_peak_memory(void) {
  FILE *status = fopen("/proc/self/status", "r");
  if (status) {
    char line[256];
    unsigned long long kilobytes = 0;
    while (fgets(line, sizeof line, status))
      if (sscanf(line, "VmHWM: %llu kB", &kilobytes) == 1) break;
    fclose(status);
    if (kilobytes) return kilobytes * 1024;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return (uint64_t)usage.ru_maxrss;
#else
  return (uint64_t)usage.ru_maxrss * 1024;
#endif
}

static double whorl_cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

#if WHORL_THREADS
/* What the system took, mostly for pages that are touched for the first time. */
static double whorl_system_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
}
#endif

static void whorl_print_done(const whorl_search *s) {
  whorl_kind kind = WHORL_CHOSEN(s->options.store);
  printf("{\"type\":\"done\",\"stopped\":%s,\"truncated\":%s,\"endless\":%s,\"states\":%" PRIu64
         ",\"transitions\":%" PRIu64 ",\"depth\":%" PRIu32
         ",\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"memory_bytes\":%" PRIu64
         ",\"store\":\"%s\""
         ",\"store_bytes\":%zu",
         whorl_stop_names[s->stopped], whorl_json_bool(s->truncated), whorl_json_bool(s->endless),
         s->states, s->transitions, s->depth, whorl_now() - s->started, whorl_cpu_seconds(),
         whorl_peak_memory(), whorl_kind_names[kind], s->store_bytes);
#if WHORL_THREADS
  printf(",\"threads\":%" PRIu32
         ",\"shares\":{\"waited\":%.6f,\"moved\":%.6f,\"idle\":%.6f,"
         "\"alone\":%.6f,\"system\":%.6f}",
         s->crew->count, s->shares.waited, s->shares.moved, s->shares.idle, s->shares.alone,
         whorl_system_seconds());
#endif
#ifdef WHORL_TWO_PHASE_H
  printf(",\"largest_list\":%" PRIu64, s->largest_list);
#endif
  if (kind == WHORL_HASH_COMPACT || kind == WHORL_BITSTATE)
    printf(",\"collision\":%.9g", whorl_visited_collision(&s->visited, kind));
#if WHORL_SWARM
  printf(",\"sample\":[");
  for (uint32_t i = 0; i < s->sketch.count; i++)
    printf("%s%" PRIu64, i ? "," : "", s->sketch.hashes[i]);
  putchar(']');
#endif
  if (s->stopped == WHORL_STOP_MEMORY)
    printf(",\"refused\":\"%s\"", whorl_refusal_names[s->account.refused]);
  printf(",\"met\":[");
  for (int32_t site = 0, first = 1; site < WHORL_SITES; site++) {
    if (s->met[site] == 0) continue;
    printf("%s[%" PRId32 ",%" PRId32 "]", first ? "" : ",", site, s->met[site] - 1);
    first = 0;
  }
  printf("],\"reached\":");
  static uint8_t reached[WHORL_TRANSITIONS + 1];
  for (int i = 0; i < WHORL_TRANSITIONS; i++) reached[i] = s->reached[0][i] | s->reached[1][i];
  whorl_json_bitmap(stdout, reached, WHORL_TRANSITIONS);
  printf(",\"finished\":"); /* of them, those that did not fault each time */
  whorl_json_bitmap(stdout, s->reached[0], WHORL_TRANSITIONS);
  printf("}\n");
  fflush(stdout);
}

static whorl_search whorl_the_search; /* zeroed, and too large for some stacks */

/* For whorl_should_stop: in the middle of an expansion. */
static whorl_stop whorl_look_in_between(void) {
#if WHORL_THREADS
  whorl_search *s = whorl_self;
#else
  whorl_search *s = &whorl_the_search;
#endif
  if (whorl_interrupted) return WHORL_STOP_INTERRUPTED;
  whorl_look_at_clock(s);
  return s->stopped;
}

/* For whorl_at_stop: the figures, from wherever the search is. A violation that was being told is
 * ended there; it does not count. */
static void whorl_stop_here(whorl_stop why) {
  whorl_search *s = &whorl_the_search;
  bool telling = s->telling;
#if WHORL_THREADS
  telling = whorl_self->telling;
  if (!telling) pthread_mutex_lock(&s->crew->printing); /* for good */
  whorl_crew_add_up(s, true);
#endif
  s->stopped = why;
  if (telling) printf("],\"cut\":true}\n");
  whorl_print_done(s);
  exit(0);
}

int main(int count, char **arguments) {
  whorl_search *search = &whorl_the_search;
  if (!whorl_read_options(&search->options, count, arguments)) return 2;
  whorl_catch_signals();
  whorl_should_stop = whorl_look_in_between;
  whorl_at_stop = whorl_stop_here;
#ifdef WHORL_CLAIM_STATES
  whorl_emptiness_run(search);
#else
  whorl_search_run(search);
  search->store_bytes = whorl_visited_bytes(&search->visited, WHORL_CHOSEN(search->options.store));
#endif
  if (search->options.graph && fclose(search->options.graph) != 0) return 2;
  whorl_print_done(search);
  return 0;
}

#endif /* WHORL_PARTITION */
#endif
