/* One call of GrB_mxv or GrB_vxm, as its steps and methods see it (docs/how/product.md). */
#ifndef GRID_MXV_H
#define GRID_MXV_H
#include "dist/plan/method.h"
#include "dist/product/dist_product.h"
#include "dist/product/piggybacked_counts.h"

/* A row of the table. Its flags determine which messages x and the contributions are sent in. */
typedef struct {
  grid_method method;
  bool pull;          /* else a push */
  bool passes_rows;   /* rows are sent along the processes that share them (pull_ring.h) */
  bool pushes_rows;   /* contributions are the targets of a push along rows (push_along_rows.h) */
  bool uses_requests; /* bits of delegates are sent in place of x (owner_requests.h) */
} grid_mxv_method;

/* w<mask> accum= M u. */
typedef struct {
  grid_plan plan;
  grid_product p;
  grid_product_call a; /* its vectors */
  grid_desc d;
  grid_chunk cast; /* u in the type of the multiplier, if it had to be converted */
  grid_chunk t;    /* the result, in the type of the monoid */
} grid_mxv_call;

static inline const grid_product *grid_mxv_product(const grid_plan *plan) {
  return &((const grid_mxv_call *)plan)->p;
}

/* mxv_choose.c: the table; and the choice of a method and of p.choice by the counts p.n. Local, the same on
 * every process. */
extern const grid_method_table grid_mxv_methods;
void grid_mxv_choose(grid_mxv_call *x);
/* Can the product be a push, or a pull, in steps of the host (device: with all operands on the device)? */
bool grid_mxv_may_push(const grid_product *p, bool device);
bool grid_mxv_may_pull(const grid_product *p, bool device);
/* Cost of a push and of a pull, in entries inspected by a pull. */
double grid_mxv_push_cost(const grid_plan *plan);
double grid_mxv_pull_cost(const grid_plan *plan);

/* mxv_count.c: moves the operands to the memory in which the product is computed, and sums the counts over
 * the grid, in one message with the outcome. Collective, agreed on. */
GrB_Info grid_mxv_count(grid_mxv_call *x);
/* This process's terms of those sums: entries of M that meet p->x; for chunk x whether it has entries, is
 * iso, and is iso with the value true. */
uint64_t grid_mxv_count_edges(const grid_product *p);
void grid_mxv_count_values(const grid_product *p, const grid_chunk *x, uint64_t v[3]);
/* Predicts the sums from this process's terms, in the order of a count. */
grid_counts grid_mxv_predict_counts(const uint64_t v[7], const grid_remote_edges *o, uint64_t rows);

/* mxv_finish.c: w<mask> accum= t. masked: t has only entries that the mask allows. info: the outcome so far.
 * In a loop the counts of the next product, and perhaps its x, are sent with the outcome. Collective, agreed
 * on. */
GrB_Info grid_mxv_finish(grid_mxv_call *x, bool masked, GrB_Info info);

/* mxv_block.c: the steps of the block's product after expand. */
typedef struct {
  grid_input in; /* x over the block's inputs */
  grid_kernel_mask mask;
  grid_output y;     /* contributions that are not written to t, */
  grid_chunk sparse; /* or, as a list, of a sparse push */
  bool direct;       /* contributions are written to t */
  bool is_sparse;    /* the push is sparse */
} grid_mxv_block;
/* Mask and local product. info: the outcome of expand, not agreed on. */
GrB_Info grid_mxv_block_multiply(grid_product *p, GrB_Info info, grid_mxv_block *b, grid_chunk *t);
/* Sends contributions to their owners, which add them into t. */
GrB_Info grid_mxv_block_fold(grid_product *p, GrB_Info info, grid_mxv_block *b, grid_chunk *t);
void grid_mxv_block_free(grid_mxv_block *b);

/* mxv_add_to_w.c: may the kernels of the device add to w's values? And may they with this axis of outputs,
 * where p->w is set? Then t starts as a copy of w; the last function, after the kernels, makes it full and
 * sets p->w to NULL. */
bool grid_product_can_add_to_w(const grid_mxv_call *x);
bool grid_product_adds_to_w(const grid_product *p, const grid_axis *out_axis);
GrB_Info grid_product_start_from_w(const grid_product *p, grid_chunk *t);
void grid_product_added_to_w(grid_product *p, grid_chunk *t);

/* mxv_device.c: sets p->where, the same on all processes; u: the type of u. Reports fallbacks. */
GrB_Info grid_product_choose_where(grid_product *p, GrB_Type u);
/* The same of an out-of-core matrix, whose pages are sent to the device if it can compute the product. */
void grid_product_choose_where_paged(grid_product *p, GrB_Type u, bool is_masked);
/* Moves block and u to the device, and sets p->x. */
GrB_Info grid_product_to_device(grid_product *p, const grid_chunk *u);
/* Counts the entries that meet x, the outputs that the mask allows, and those of them whose row holds
 * entries. info: the outcome so far. */
GrB_Info grid_product_count_device(grid_product *p, GrB_Info info, uint64_t *edges, uint64_t *allowed,
                                   uint64_t *nonempty_count);
/* mxv_device_grid.c: the same on several processes, with messages between device memories. x may be gathered
 * meanwhile: collective; the outcome is not agreed on. */
bool grid_product_fits_grid(const grid_product *p);
GrB_Info grid_product_count_grid(grid_product *p, GrB_Info info, uint64_t *edges, uint64_t *allowed,
                                 uint64_t *nonempty_count);
GrB_Info grid_product_multiply_grid(grid_product *p, grid_chunk *t);
/* mxv_prefetch.c: how x can be sent with the counts of its product. Collective. */
void grid_payload_begin(const grid_product *p, grid_prefetched *c);
/* Writes the part of `chunk` that a method needs into A's communication buffers: the method chosen for the
 * sums `predicted`. n: the numbers sent with it. False: nothing was written. Local; the statistics count the
 * bytes. */
bool grid_payload_write(grid_mxv_call *x, const grid_chunk *chunk, const grid_counts *predicted, size_t n,
                        grid_prefetched *c);
/* grid_agree_sum of n numbers, of which the last is c's, together with the payload if it was written.
 * Collective, agreed on. */
GrB_Info grid_payload_agree(grid_product *p, grid_head *head, GrB_Info info, uint64_t *v, size_t n,
                            bool written, grid_prefetched *c);
/* After the choice: sets which form of p->prefetched the product uses. Local, the same on every process. */
void grid_payload_use(grid_product *p);
#endif
