/* The threads of a search, and where they meet.
 *
 * Each thread is a search of its own (search.h), with its batches, its counters and its frontier or log,
 * on a store that all have together. A crew is all of them. Its lock is taken where something rare happens:
 *
 *   - a barrier: somebody could not get the room that it needs (shared.h), or the level is done
 *     (levels.h). Everybody comes, with no batch that has looked at the tables; the last one presides,
 *     and may give all of them something to do;
 *   - depth first, work is given from one to another (parcel.h): those who have none wait, and others
 *     look at how many wait once a batch;
 *   - a violation is told, or progress.
 *
 * A search begins with one thread. The others come once it is large (WHORL_THREADS_AT), and after the
 * survey, which gives the tree its shape.
 */
#ifndef WHORL_CREW_H
#define WHORL_CREW_H

#include "search/levels.h"
#include "search/parcel.h"

#define WHORL_MOST_THREADS 256

typedef struct whorl_search whorl_search;

struct whorl_crew {
  whorl_search *workers[WHORL_MOST_THREADS]; /* the first is that of main */
  pthread_t threads[WHORL_MOST_THREADS];
  uint32_t count;

  _Alignas(WHORL_LINE) _Atomic uint32_t call;   /* everybody is to come to a barrier, or to stop */
  _Atomic uint32_t hungry;                      /* depth first: so many more parcels are wanted */
  _Atomic uint32_t stop;                        /* why, if it is to end */
  _Alignas(WHORL_LINE) _Atomic uint64_t states; /* taken of those that are allowed */

  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint32_t arrived;
  uint32_t idle;    /* of those who have arrived: they have no work in this level */
  uint64_t barrier; /* its number */
  void (*job)(whorl_search *s);
  uint64_t jobs;
  uint32_t working; /* at the job, but for the one who presides */
  uint32_t waiting; /* depth first: for work */
  whorl_parcel *parcels;
  uint32_t parcel_count;
  bool done;           /* everything has been expanded */
  _Atomic bool is_cut; /* of a search for cycles: the depth limit left something out */

  uint32_t level;
  whorl_state target; /* the state to which the way is looked for (trace.h) */

  pthread_mutex_t printing; /* who prints or ends the process */
};

typedef struct whorl_crew whorl_crew;

/* Where the time of a thread goes, in seconds, but for what is spent on the search itself. */
typedef struct {
  double waited; /* at barriers, for others */
  double moved;  /* what is stored, to larger tables */
  double idle;   /* depth first: without work */
  double alone;  /* of the first: before the others came */
} whorl_shares;

static _Thread_local whorl_search *whorl_self;

#endif
