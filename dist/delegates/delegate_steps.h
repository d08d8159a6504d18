/* What delegate_product.c is made of: products with the matrices of the split (delegate_blocks.c), and the
 * merging of their results over the grid (delegate_merge.c). */
#ifndef GRID_DELEGATE_STEPS_H
#define GRID_DELEGATE_STEPS_H
#include "dist/delegates/delegate_split.h"

/* Does the first product of an output suffice? */
static inline bool grid_is_first_enough(const grid_product *p) {
  return p->values.structural || p->s->add->any;
}

/* Bytes of a result; of a structural product 0. */
static inline size_t grid_delegates_size(const grid_product *p) {
  return p->values.structural ? 0 : p->s->mul->z->size;
}

/* M[v, D]: A's nd, or the transpose of its dn. Local, as the next two. */
GrB_Info grid_delegates_run_nd(grid_product *p, const grid_delegates *g, grid_output *y);
/* M[D, v]: A's dn, or the transpose of its nd. */
GrB_Info grid_delegates_run_dn(grid_product *p, const uint64_t *allowed, grid_output *y);
/* M[D, D]. Where it is bit rows: words of outputs first, first + step, ... */
GrB_Info grid_delegates_run_dd(grid_product *p, const grid_delegates *g, const uint64_t *allowed,
                               uint64_t first, uint64_t step, grid_output *y);

/* The results of this process's delegates, in g->found and g->val; info: the outcome so far. Collective,
 * agreed on. Where rows are whole and dd is bit rows: each process computes its own delegates alone. */
GrB_Info grid_delegates_find_local(grid_product *p, grid_delegates *g, GrB_Info info);
/* The same where sums need every product. */
GrB_Info grid_delegates_sum(grid_product *p, grid_delegates *g, GrB_Info info);
/* Those that dd, where it is bit rows, leaves open: one OR over the grid tells to which some process
 * contributes, and carries the outcome so far. */
GrB_Info grid_delegates_find(grid_product *p, grid_delegates *g, GrB_Info info);
#endif
