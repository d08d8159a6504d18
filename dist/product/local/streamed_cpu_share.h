/* How many of the pages that a product needs are the CPU's, who works on them while the device fetches the
 * others (streamed_product.c): as many as both are done with at the same time, by what either of them took for a
 * page the last time, and none at all where that was no faster than the device alone. Learnt for each
 * semiring and size of vectors by itself: two products by the device alone, then some by both. */
#ifndef GRID_STREAMED_CPU_SHARE_H
#define GRID_STREAMED_CPU_SHARE_H
#include "dist/product/dist_product.h"

/* Products that are alike. */
typedef struct {
  const void *add, *mul;
  uint64_t bytes;    /* of x's values */
  bool rows, masked; /* over pages of A's rows? under a mask? */
} grid_page_costs_key;

/* What such products took. */
typedef struct {
  grid_page_costs_key key;
  uint64_t times[2]; /* so many by the device alone, by both */
  double device_only,
      device_and_cpu; /* seconds for each page that was needed: the least of the device's, all of both's */
  /* by both, the last time: seconds the device took for each of its pages, the CPU for each of its, and
   * before the CPU could begin */
  double device_page, cpu_page, before;
  bool refused; /* both together are no faster */
} grid_page_costs;

typedef struct grid_pages_share {
  grid_page_costs costs[8]; /* the last ones */
  unsigned next;
} grid_pages_share;

/* What is known of products like p over pages of its matrix' rows or columns; NULL: there is no memory. */
grid_page_costs *grid_page_costs_find(const grid_product *p, bool masked);
/* Is it still to be found out how long the device alone takes? */
bool grid_pages_device_only_first(const grid_page_costs *u);
/* So many of n pages are the CPU's, less than n. */
uint64_t grid_pages_cpu_share(const grid_page_costs *u, uint64_t n);
/* What each took for its pages, from the beginning and from `before` on; `own` 0: the CPU had none, and is
 * not asked again. */
typedef struct {
  uint64_t device_pages, own; /* pages: the device's, the CPU's */
  double device, cpu, before;
} grid_page_timings;
void grid_page_costs_update(grid_page_costs *u, const grid_page_timings *t);
/* A product that needed n pages has taken so long, `with` the CPU or without it; in the first case what is
 * said of the last time in *u has been written there before. */
void grid_page_costs_record(grid_page_costs *u, uint64_t n, bool with, double seconds);
#endif
