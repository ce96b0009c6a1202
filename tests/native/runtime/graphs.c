/* As graph.c, for many graphs: one a line of the standard input.
 *
 * For each a line comes back: the violation, if there is one, or `null`. What a search leaves behind
 * is lost with the process, which therefore searches a few graphs only. */
#define main whorl_main
#include "graph.c"
#undef main

#include <sys/wait.h>

#ifndef BATCH
#define BATCH 24 /* searched by a process: addresses that one reserves are not given back */
#endif
enum { LINE = 4096 };

static void search_graph(int count, char **arguments, const char *line) {
  static whorl_search search;
  static whorl_product product;
  memset(&search, 0, sizeof search);
  memset(&product, 0, sizeof product);
  if (!whorl_read_options(&search.options, count, arguments)) exit(2);
  setenv("GRAPH", line, 1);
#if WHORL_THREADS
  whorl_crew_begin(&search);
#endif
  whorl_product_start(&product, &search);
#if WHORL_ALGORITHM == WHORL_CNDFS
  whorl_cndfs_search(&product);
#elif WHORL_ALGORITHM == WHORL_SCC
  whorl_components_search(&product);
#elif WHORL_ALGORITHM == WHORL_OWCTY
  whorl_elimination_search(&product);
#else
  whorl_nested_search(&product);
#endif
  if (search.stopped && search.stopped != WHORL_STOP_VIOLATION) exit(4); /* at a limit */
  if (!search.stopped) printf("null\n");
}

int main(int count, char **arguments) {
  static char lines[BATCH][LINE];
  for (;;) {
    int read = 0;
    while (read < BATCH && fgets(lines[read], LINE, stdin)) {
      lines[read][strcspn(lines[read], "\n")] = '\0';
      read++;
    }
    if (read == 0) return 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < read; i++) search_graph(count, arguments, lines[i]);
      fflush(stdout);
      _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 3;
  }
}
