/* Gathers x between device memories, in another form than a bitmap and dense values where that is shorter.
 * GPUs that can read each other's memory do it through windows, in one kernel (spmat/vector/peer_exchange.h):
 * as a list if a slot holds it, else as a bitmap and packed or dense values. Without windows, or memory for
 * them, it takes messages: lists of indices and values, in no order, or a bitmap and packed values. */
#ifndef GRID_EXCHANGE_SPARSE_DEVICE_H
#define GRID_EXCHANGE_SPARSE_DEVICE_H
#include "dist/product/dist_product.h"

typedef struct {
  uint64_t *count; /* entries of each process of the set; NULL: x is sent as a bitmap and dense values */
  uint64_t inline_count[64], all; /* those of a small set; their sum */
  /* through windows: slots; receive buffers, with packed values, or written where products read them; the
   * members below are unused */
  bool by_slots, forwarded, written;
  bool packed; /* a bitmap and packed values, not lists */
  /* in device memory: positions in the gathered x of this process's entries, and of all; their values; a
   * counter; of all processes, the offset of the values of each stretch */
  uint64_t *idx, *all_idx, *counter;
  void *val, *all_val;
  uint32_t *start;
} grid_device_lists_of_x;

/* Chooses the form, the same on all processes, and if it needs them gathers the numbers of entries. `size`:
 * bytes of a value; 0: no values are sent. Collective over the input set; the outcome is not agreed on. */
GrB_Info grid_device_lists_begin(grid_device_lists_of_x *l, const grid_product *p, size_t size);
/* Allocates the arrays; the outcome is not agreed on. */
GrB_Info grid_device_lists_allocate(grid_device_lists_of_x *l, const grid_product *p, size_t size);
/* The calls below are collective. info: the outcome so far; a process that has failed still takes part in the
 * messages, and returns its failure.
 *
 * bits and val = the gathered x, from packed values; this process's own bits and values are already there. */
GrB_Info grid_device_gather_packed(const grid_device_lists_of_x *l, grid_product *p, GrB_Info info,
                                   const grid_device_transport *transport, size_t size, uint64_t *bits,
                                   void *val);
/* bits and val (NULL: none) = the gathered x, from lists. */
GrB_Info grid_device_lists_gather(const grid_device_lists_of_x *l, grid_product *p, GrB_Info info,
                                  const grid_device_transport *transport, size_t size, uint64_t *bits,
                                  void *val);
/* The same through windows: lists in slots, or a bitmap and packed values in receive buffers. Agreed on. */
GrB_Info grid_device_slots_gather(grid_product *p, GrB_Info info, size_t size, uint64_t *bits, void *val);
GrB_Info grid_device_gather_forwarded(grid_product *p, GrB_Info info, size_t size, uint64_t *bits, void *val);
/* ... a bitmap and dense values: *bits (NULL: x is full) and *val (NULL: none) point into the window. */
GrB_Info grid_device_gather_written(grid_product *p, GrB_Info info, size_t size, uint64_t **bits, void **val);
/* Is x full on all processes? Then its bits are neither stored nor read. */
bool grid_is_input_full(const grid_product *p);
/* Do contributions of `all` entries in total fit the slots of windows? */
bool grid_device_fits_slots(const grid_product *p, uint64_t all, size_t size);
/* Exchanges them so: `segments` and `segment_val` get what the processes of the output set sent. Agreed on.
 */
GrB_Info grid_device_slots_fold(grid_product *p, GrB_Info info, size_t size, const uint64_t *bits,
                                const void *val, uint64_t *segments, void *segment_val);
void grid_device_lists_free(grid_device_lists_of_x *l);
#endif
