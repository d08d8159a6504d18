/* Leads: of each own output of a product the input of highest degree that it meets anywhere, not in this
 * process's segment of the row alone. On R-MAT graphs one input in fifteen leads somebody, and nine in ten
 * outputs that a pull finds are found by their lead. So where several processes share each row its owner
 * tries the leads of its rows first, and only what they leave open goes to the others (pull_ring.c). Leads
 * are numbered, process by process, so that those in x are a bitmap of their own, which all get. */
#ifndef GRID_ROW_HUBS_H
#define GRID_ROW_HUBS_H
#include "dist/grid/hooks.h"
#include "dist/product/dist_product.h"

typedef struct grid_row_hubs {
  bool transposed; /* outputs are columns */
  uint64_t d;      /* leads; 0: too many, nobody has one, or no memory, and nothing else is there */
  uint64_t *start; /* process k's are numbered from start[k] on, a multiple of 64; start[P]: no lead */
  uint32_t *own;   /* the own ones, ascending: indices of the chunk */
  uint64_t nown;   /* so many */
  uint32_t *number, *input;    /* of each own output: its lead's number, start[P] where it has none; and which
                                  input that is, of all */
  struct grid_row_hubs *aside; /* those of the other direction, if there were any; they have nobody aside */
} grid_row_hubs;

/* May p, whose rows are passed on, try leads? Any hit will do, and x has no values. The same everywhere. */
bool grid_can_try_row_hubs(const grid_product *p);
/* A->leads for such a product; the block has heads. Where some process has no memory for them there are none:
 * products can do without. Collective, agreed on. */
GrB_Info grid_row_hubs_make(GrB_Matrix A, bool transposed);

/* x as the block sees it (as grid_expand), and bits of the leads in it: in *bits, to be freed if it is *own.
 * Collective over the grid. */
GrB_Info grid_expand_row_hubs(grid_product *p, grid_input *in, const uint64_t **bits, void **own);
/* Those of the own outputs in `tries` whose lead is in x: their hits and values (NULL: structural). Returns
 * how many. */
uint64_t grid_try_row_hubs(const grid_product *p, const uint64_t *bits, const uint64_t *tries, uint64_t *hits,
                           char *val);

extern const grid_cached_property grid_row_hubs_form;
#endif
