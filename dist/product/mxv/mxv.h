/* mxv.h: one call of GrB_mxv or GrB_vxm, as its steps and methods see it (docs/how/product.md). */
#ifndef GRID_MXV_H
#define GRID_MXV_H
#include "dist/plan/method.h"
#include "dist/product/dist_product.h"
#include "dist/product/piggybacked_counts.h"

/* A row of the table: how x and the contributions travel follows from it. */
typedef struct {
  grid_method method;
  bool pull;          /* rows look for inputs; else inputs push along their entries */
  bool passes_rows;   /* rows travel along the processes that share them */
  bool pushes_rows;   /* contributions travel as targets of a push along rows */
  bool uses_requests; /* bits of delegates travel in place of x */
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

/* mxv_choose.c: the table; the choice by p.n, and all else that follows from p.n. Local, the same on every
 * process. */
extern const grid_method_table grid_mxv_methods;
void grid_mxv_choose(grid_mxv_call *x);
/* May the method that `m` is be a push, or (pull) a pull, on the host, or (device) all on the device? */
bool grid_mxv_has_direction(const grid_product *p, bool pull, bool device);
/* What a push, a pull costs, in entries that a pull inspects. */
double grid_mxv_push_cost(const grid_plan *plan);
double grid_mxv_pull_cost(const grid_plan *plan);

/* mxv_count.c: brings the operands to where the product is computed, and sums over the grid what decisions
 * need, in one message with the outcome. Collective, agreed on. */
GrB_Info grid_mxv_count(grid_mxv_call *x);
/* What this process contributes to those sums for chunk x: entries of M that meet it; whether it has entries,
 * one value, and that true. */
uint64_t grid_mxv_count_edges(const grid_product *p);
void grid_mxv_count_values(const grid_product *p, const grid_chunk *x, uint64_t v[3]);
/* An estimate of the sums by what this process contributes, in the order of a count. */
grid_counts grid_mxv_predict_counts(const uint64_t v[7], const grid_remote_edges *o, uint64_t rows);

/* mxv_finish.c: w<mask> accum= t. masked: t has nothing that the mask does not allow. info: the outcome so
 * far. Sends the counts of a next product, and perhaps its x, with the outcome. Collective, agreed on. */
GrB_Info grid_mxv_finish(grid_mxv_call *x, bool masked, GrB_Info info);

/* mxv_block.c: the steps between expand and result, for the block. */
typedef struct {
  grid_input in; /* x over the block's inputs */
  grid_kernel_mask mask;
  grid_output y;     /* contributions, if t is not where they belong */
  grid_chunk sparse; /* ... as a list */
  bool direct, is_sparse;
} grid_mxv_block;
/* Mask and local product. info: the outcome of expanding, which only this process may know. */
GrB_Info grid_mxv_block_multiply(grid_product *p, GrB_Info info, grid_mxv_block *b, grid_chunk *t);
/* Contributions go to their owners. */
GrB_Info grid_mxv_block_fold(grid_product *p, GrB_Info info, grid_mxv_block *b, grid_chunk *t);
void grid_mxv_block_free(grid_mxv_block *b);

/* mxv_device.c: p->where, where the product of u may be done, the same on all processes; the fallbacks are
 * reported. */
GrB_Info grid_product_choose_where(grid_product *p, GrB_Type u);
/* All on the device: brings block and u there, and sets p->x. */
GrB_Info grid_product_to_device(grid_product *p, const grid_chunk *u);
/* ... entries that meet x, outputs that the mask allows, those of them with entries. */
GrB_Info grid_product_count_device(const grid_product *p, uint64_t *edges, uint64_t *allowed,
                                   uint64_t *nonempty_count);
/* mxv_device_grid.c: the same on several processes, with messages between device memories. */
bool grid_product_fits_grid(const grid_product *p);
GrB_Info grid_product_count_grid(const grid_product *p, uint64_t *edges, uint64_t *allowed,
                                 uint64_t *nonempty_count);
GrB_Info grid_product_multiply_grid(grid_product *p, grid_chunk *t);
/* mxv_prefetch.c: how a payload can travel with counts. Collective. */
void grid_payload_begin(const grid_product *p, grid_prefetched *c);
/* Writes into A's communication buffers what of `chunk` the method needs that is chosen if `predicted` are
 * the sums, of which there are n. False: nothing is there. Local; what is sent is counted in the statistics.
 */
bool grid_payload_write(grid_mxv_call *x, const grid_chunk *chunk, const grid_counts *predicted, size_t n,
                        grid_prefetched *c);
/* grid_agree_sum of n numbers, the last of which is c's own, with the payload if it has been written.
 * Collective, agreed on. */
GrB_Info grid_payload_agree(grid_product *p, grid_head *head, GrB_Info info, uint64_t *v, size_t n,
                            bool written, grid_prefetched *c);
/* After the choice: which of p->prefetched does p use? Local, the same on every process. */
void grid_payload_use(grid_product *p);
#endif
