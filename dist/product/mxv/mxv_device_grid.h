/* A product whose operands, messages and result are in device memory: what its files share. */
#ifndef GRID_MXV_DEVICE_GRID_H
#define GRID_MXV_DEVICE_GRID_H
#include "dist/product/exchange/exchange_sparse_device.h"
#include "dist/product/mxv/mxv.h"
#include "spmat/backend.h"

/* The arrays of a product beside p->input, allocated before the messages, in one piece, since each allocation
 * costs a call. NULL: not needed. */
typedef struct {
  void *memory;
  uint64_t *mask;               /* over the block's local outputs: gathered */
  uint64_t *ybits, *segments;   /* contributions over the local outputs; those received from all */
  void *y, *segment_values;     /* their values */
  uint64_t *xat, *maskat, *yat; /* the same three over hypersparse axes */
  void *xat_values, *yat_values;
} grid_device_buffers;

/* The next array; memory NULL: only *used advances. */
static inline void *grid_suballocate(void *memory, uint64_t *used, uint64_t count, size_t size) {
  const uint64_t at = *used, alignment = 256; /* for values of any type, and for memory transactions */
  *used += (count * size + alignment - 1) / alignment * alignment;
  return memory ? (char *)memory + at : NULL;
}

static inline bool grid_device_has_gather(const grid_product *p) {
  return grid_set_size(p->in.set) > 1;
}
static inline bool grid_device_has_fold(const grid_product *p) {
  return grid_set_size(p->out.set) > 1;
}
static inline size_t grid_device_x_size(const grid_product *p) {
  return p->values.uses_x ? p->x->type->size : 0;
}

/* ---- mxv_device_input.c: x and the mask over the block's axes, gathered from the grid ---- */

/* Chooses the form in which x is gathered, once a product. */
GrB_Info grid_device_input_begin(const grid_product *p);
/* p->input's arrays; the outcome is not agreed on. */
GrB_Info grid_device_input_allocate(const grid_product *p);
/* *in = x over the axis, gathered unless that is done. Collective, with the outcome so far. */
GrB_Info grid_device_expand_input(grid_product *p, const grid_axis *axis, const grid_device_buffers *r,
                                  GrB_Info info, grid_input *in);
/* *a = the mask over the axis. Collective, with the outcome so far. */
GrB_Info grid_device_spread_mask(grid_product *p, const grid_device_transport *t, const grid_axis *axis,
                                 const grid_device_buffers *r, GrB_Info info, grid_kernel_mask *a);
#endif
