/* A graph that is read from the environment, as a model with a claim: for testing searches alone.
 *
 *   GRAPH="good ... / from to process, ..."     node 0 is where it begins
 *
 * `good` are the nodes that the search is about. With CLAIM 0 they are accepting by a label, with 1
 * the claim, of two states, says that there are good nodes again and again, and with 2, of three
 * states, that from some point on there is nothing else. In fig5 they are without progress. An edge
 * with two processes is a handshake.
 *
 * With CLAIM 3 the claim is given too, behind another `/`: for each of four states whether it is
 * accepting, its component and the kind of that, and for each letter how many targets and which. */
#ifndef WHORL_WORDS
#define WHORL_WORDS 2
#endif
#ifndef CLAIM
#define CLAIM 0
#endif
#ifndef WHORL_FAIR
#define WHORL_FAIR 0
#endif
#ifndef WHORL_INFINITE_RUNS
#define WHORL_INFINITE_RUNS 0
#endif
#define WHORL_TRANSITIONS 256
#define WHORL_SITES 0
#define WHORL_GROWS 0
#define WHORL_ASKS_TIMEOUT 0
#define WHORL_ASKS_PROGRESS 0
#define WHORL_FAULTY 0
#define WHORL_STOPS 0
#define WHORL_PROGRAM_ACCEPTS (CLAIM == 0)
#define WHORL_CLAIM_STATES (CLAIM + 1) /* four, where it is given */
#define WHORL_CLAIM_INITIAL 0
#define WHORL_CLAIM_SAME 0
#define WHORL_CLAIM_FOREVER 0

#include "model/context.h"

enum { WHORL_PROCESSES = 3, NODES = 64, EDGES = 256 };

static const uint8_t whorl_site_kinds[WHORL_SITES + 1] = {0};

static bool good[NODES];
static struct {
  int from, to, process, partner;
} edges[EDGES];
static int edge_count;

#if CLAIM == 3
static uint8_t whorl_claim_accepting[4], whorl_claim_kind[4];
static uint16_t whorl_claim_component[4], moves[4][2][5];

static void read_claim(char *text) {
  for (int state = 0; state < 4; state++) {
    whorl_claim_accepting[state] = (uint8_t)strtol(text, &text, 10);
    whorl_claim_component[state] = (uint16_t)strtol(text, &text, 10);
    whorl_claim_kind[state] = (uint8_t)strtol(text, &text, 10);
    for (int letter = 0; letter < 2; letter++) {
      uint16_t *row = moves[state][letter];
      row[0] = (uint16_t)strtol(text, &text, 10);
      for (int i = 1; i <= row[0]; i++) row[i] = (uint16_t)strtol(text, &text, 10);
    }
  }
}
#else
static void read_claim(char *text) { (void)text; }
#endif

static void read_graph(void) {
  char *text = getenv("GRAPH");
  if (!text) abort();
  edge_count = 0;
  memset(good, 0, sizeof good);
  for (;;) {
    while (*text == ' ') text++;
    if (*text == '/') break;
    good[strtol(text, &text, 10)] = true;
  }
  for (text++; *text && *text != '/'; text += *text == ',') {
    edges[edge_count].from = (int)strtol(text, &text, 10);
    edges[edge_count].to = (int)strtol(text, &text, 10);
    edges[edge_count].process = (int)strtol(text, &text, 10);
    bool alone = *text == ',' || *text == '/' || !*text;
    edges[edge_count++].partner = alone ? WHORL_NOBODY : (int)strtol(text, &text, 10);
  }
  if (*text) read_claim(text + 1);
}

static void whorl_initial(whorl_context *c, whorl_state *s) {
  (void)c;
  read_graph();
  s->words[WHORL_WORDS - 1] = 0;
}

static int node_of(const whorl_state *s) { return (int)s->words[WHORL_WORDS - 1]; }

static int whorl_processes(const whorl_state *s) {
  (void)s;
  return WHORL_PROCESSES;
}

static bool whorl_valid_end(const whorl_state *s) {
  (void)s;
  return true;
}

static void whorl_steps(whorl_context *c, const whorl_state *s, int first, int last) {
  for (int pid = last; pid >= first; pid--)
    for (int i = 0; i < edge_count; i++) {
      if (edges[i].from != node_of(s) || edges[i].process != pid) continue;
      whorl_reserve(c);
      c->states[c->count] = *s;
      c->states[c->count].words[WHORL_WORDS - 1] = (uint64_t)edges[i].to;
      int partner = edges[i].partner;
      whorl_commit(c, pid, i, partner, partner == WHORL_NOBODY ? -1 : i, WHORL_NOBODY);
    }
}

#include "model/expand.h"

static uint32_t whorl_letter(whorl_context *c, const whorl_state *s, bool stuck, bool stuttering,
                             int32_t *sites) {
  (void)c, (void)stuck, (void)stuttering, (void)sites;
  return good[node_of(s)];
}

static bool whorl_flag(const whorl_state *s) { return good[node_of(s)]; }

static const uint32_t whorl_claim_support[] = {1, 1, 1, 1};
static const uint8_t whorl_claim_ends[] = {0, 0, 0, 0};

#if CLAIM == 0
static const uint8_t whorl_claim_accepting[] = {0};
static const uint16_t whorl_claim_component[] = {0};
static const uint8_t whorl_claim_kind[] = {0};
static const uint16_t moves[][2][4] = {{{1, 0}, {1, 0}}};
#elif CLAIM == 1
static const uint8_t whorl_claim_accepting[] = {0, 1};
static const uint16_t whorl_claim_component[] = {0, 0};
static const uint8_t whorl_claim_kind[] = {2, 2};
static const uint16_t moves[][2][4] = {{{1, 0}, {1, 1}}, {{1, 0}, {1, 1}}};
#elif CLAIM == 2
static const uint8_t whorl_claim_accepting[] = {0, 1, 1};
static const uint16_t whorl_claim_component[] = {0, 1, 1};
static const uint8_t whorl_claim_kind[] = {0, 1, 1};
static const uint16_t moves[][2][4] = {{{1, 0}, {2, 0, 1}}, {{0}, {1, 2}}, {{0}, {2, 1, 2}}};
#endif

static const uint16_t *whorl_targets(uint32_t state, uint32_t letter) {
  return moves[state][letter];
}

#define WHORL_SAFETY 0

#include "search/verifier.h"
