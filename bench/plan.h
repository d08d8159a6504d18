/* What a search would inspect, send and take on a process grid, layout by layout, without having it: one
 * search is done on the processes that there are, its levels are counted (plan_search.c), and from that
 * follows what each layout would do (plan_layouts.c; docs/design.md, "What a layout would send"). */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H
#include "bench/program/program.h"

enum { PLAN_COLUMNS = 5 }; /* 2, 4, 8, 16, 32 */

/* One level, counted for P chunks, the same on every process. "Outside" is an entry whose column is neither a
 * delegate nor in the row's own chunk. */
typedef struct {
  bool pull;
  uint64_t frontier, inspected;
  double local_seconds;           /* of the slowest process that there is */
  uint64_t *of, *of_delegates;    /* the frontier, its delegates, chunk by chunk */
  uint64_t *waiting;              /* not visited before the level, and with entries */
  double edges, pieces;           /* entries of the frontier; of which process's columns a row has some */
  double normals, pushed, groups; /* the same of normals and what they have outside */
  /* entries outside of rows that delegates and the own chunk left open; of delegates' rows among them, and of
   * delegates that were not visited */
  double open, open_of_delegates, waiting_of_delegates;
  double found;
  double finds[PLAN_COLUMNS]; /* pull: processes that could find a row, if its entries lie on so many */
} plan_level;

typedef struct {
  int P;
  bool directed;
  uint64_t n, q;     /* vertices, in a chunk */
  int64_t threshold; /* of a delegate's degree; -1: none are wanted */
  uint64_t d, *d_of; /* delegates, chunk by chunk */
  plan_level *level;
  uint64_t levels, room;
} plan;

/* All levels of a search from source, for P processes and delegates of more than o->delegates entries, or, if
 * that is for the program to choose, the fewest that leave a tenth of the entries outside. */
int plan_count(plan *t, const graph *g, uint64_t source, const options *o, int P);
void plan_free(plan *t);

/* What a search sends and looks at as the library does it here, with delegates as given. */
int plan_measure(double *bytes, double *inspected, const graph *g, uint64_t source, int32_t delegates);

typedef struct {
  char name[48];
  int C;
  bool questions;
  double bytes, inspected; /* of all processes */
  double calls, seconds;   /* of a process */
} plan_layout;

/* Entries that a pull looks at if C processes share each row, against one that has it whole. Local. */
double plan_looks(int C);

/* Those that the library has; *best: the quickest. latency: of a call, in seconds; bandwidth: bytes a second
 * that a process receives; told: the library knows both (GRIDBLAS_NETWORK). Returns how many. Local. */
enum { PLAN_LAYOUTS = 2 + PLAN_COLUMNS };
int plan_layouts(plan_layout to[PLAN_LAYOUTS], int *best, const plan *t, double latency, double bandwidth,
                 bool told);
#endif
