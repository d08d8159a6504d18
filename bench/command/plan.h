/* What a search would inspect, send and take on a process grid, layout by layout, without having it: one
 * search is done on the processes that there are, its levels are counted (plan_search.c), and from that
 * follows what each layout would do (Grid_layouts; docs/design.md, "The choice"). */
#ifndef GRID_PLAN_H
#define GRID_PLAN_H
#include "bench/program/program.h"

typedef Grid_Level plan_level;
typedef struct {
  Grid_Search s;
  int64_t threshold; /* of a delegate's degree; -1: none are wanted */
  uint64_t capacity; /* for levels */
} plan;

/* All levels of a search from source, for P processes and delegates of more than o->delegates entries, or, if
 * that is for the program to choose, the fewest that leave a tenth of the entries outside. */
int plan_count(plan *t, const graph *g, uint64_t source, const options *o, int P);
void plan_free(plan *t);

/* One product that sees every entry, as a search of one level (plan_product.c). */
int plan_product(plan *t, const graph *g, int P);

/* What is sent and looked at as the library does it here, and what it takes: the least of some. */
typedef struct {
  double bytes, inspected, calls, seconds;
  double local; /* of a product: of its seconds, those of the slowest process's own part */
} plan_measured;
/* A search with delegates as given; a product. */
int plan_measure(plan_measured *m, const graph *g, uint64_t source, int32_t delegates);
int plan_product_measure(plan_measured *m, const graph *g);

#endif
