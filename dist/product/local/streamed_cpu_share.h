/* Chooses how many of the pages that a product needs the CPU multiplies while the device multiplies the
 * others (streamed_product.c). Both shall end at the same time, by the seconds that a page took them the last
 * time. It is none if that was no faster than the device alone. It is measured for each kind of product:
 * semiring, size of x, mask. The device computes the first two products of a kind alone, both compute the
 * next ones. */
#ifndef GRID_STREAMED_CPU_SHARE_H
#define GRID_STREAMED_CPU_SHARE_H
#include "dist/product/dist_product.h"

/* A kind of products. */
typedef struct {
  const void *add, *mul;
  uint64_t bytes;    /* of x's values */
  bool rows, masked; /* over pages of A's rows; under a mask */
} grid_page_costs_key;

/* Times of the products of a kind. */
typedef struct {
  grid_page_costs_key key;
  uint64_t times[2]; /* number of products by the device alone, by both */
  /* seconds for each needed page: the least of the device alone, the sum over products by both */
  double device_only, device_and_cpu;
  /* in the last product by both: the device's seconds for each of its pages, the CPU's for each of its, and
   * those before the CPU could begin */
  double device_page, cpu_page, before;
  bool refused; /* both together are no faster */
} grid_page_costs;

typedef struct grid_pages_share {
  grid_page_costs costs[8]; /* of the kinds met last */
  unsigned next;
} grid_pages_share;

/* The times of p's kind, new if there are none; NULL: out of memory. */
grid_page_costs *grid_page_costs_find(const grid_product *p, bool masked);
/* Must the device compute the next product alone, to measure its time? */
bool grid_pages_device_only_first(const grid_page_costs *u);
/* How many of n pages the CPU gets; less than n. */
uint64_t grid_pages_cpu_share(const grid_page_costs *u, uint64_t n);
/* Times of a product by both: the device's from the beginning, the CPU's from `before` on. cpu_pages 0: no
 * page was the CPU's alone, and it gets none in later products of the kind. */
typedef struct {
  uint64_t device_pages, cpu_pages;
  double device, cpu, before;
} grid_page_timings;
void grid_page_costs_update(grid_page_costs *u, const grid_page_timings *t);
/* Records the seconds of a product that needed n pages, by both (with) or by the device alone. For one by
 * both grid_page_costs_update must have been called. */
void grid_page_costs_record(grid_page_costs *u, uint64_t n, bool with, double seconds);
#endif
