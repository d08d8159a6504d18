/* The row hub of an output is the input of highest degree in its whole row, over all processes.
 * On R-MAT graphs one input in fifteen is a row hub, and nine in ten outputs that a pull finds are found by
 * their row hub. So where several processes share each row, its owner tries the row hub first, and only rows
 * that stay open go to the others (pull_ring.c). Row hubs are numbered, process by process, so that those in
 * x are a bitmap of their own, which all processes get. */
#ifndef GRID_ROW_HUBS_H
#define GRID_ROW_HUBS_H
#include "dist/grid/hooks.h"
#include "dist/product/dist_product.h"

typedef struct grid_row_hubs {
  bool transposed; /* outputs are columns */
  uint64_t d;      /* row hubs; 0: none, too many, or no memory, and the rest is empty */
  uint64_t *start; /* process k's are numbered from start[k] on, a multiple of 64; start[P]: no row hub */
  uint32_t *local; /* the row hubs in this process's chunk, ascending: indices of the chunk */
  uint64_t nlocal; /* their number */
  /* of each output of this process's chunk: its row hub's number, or start[P] if it has none; that input's
   * global index, or, where 32 bits do not number the inputs, its index in its chunk */
  uint32_t *number, *input;
  struct grid_row_hubs *other_direction; /* or NULL; its own `other_direction` is NULL */
} grid_row_hubs;

/* Can a pull ring of p try row hubs? Any hit suffices, and x has no values. The same everywhere. */
bool grid_can_try_row_hubs(const grid_product *p);
/* Computes A->cached.row_hubs for such a product; the block has its hub neighbors. If memory is short on some
 * process, there are none on any. Collective, agreed on. */
GrB_Info grid_row_hubs_make(GrB_Matrix A, bool transposed);

/* x over the block's inputs (as grid_expand), and bits of the row hubs in it: *bits, to be freed if it is
 * *owned. Collective over the grid. */
GrB_Info grid_expand_row_hubs(grid_product *p, grid_input *in, const uint64_t **bits, void **owned);
/* Of the outputs in `tries`, finds those whose row hub is in x: sets their bits in `hits`, and values (NULL:
 * structural). Returns how many. */
uint64_t grid_try_row_hubs(const grid_product *p, const uint64_t *bits, const uint64_t *tries, uint64_t *hits,
                           char *val);

extern const grid_cached_property grid_row_hubs_form;
#endif
