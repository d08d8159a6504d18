/* Where GPUs see each other x goes through windows in one kernel (spmat/vector/peer_exchange.h): as a list,
 * where a slot holds it, else, unless it has most of all places, as its bitmap and the entries' values side
 * by side. Without windows, or room in them, few entries travel as lists: places and values, in no order; of
 * more, but not most of all, bitmap and values by messages. */
#ifndef GRID_EXCHANGE_SPARSE_DEVICE_H
#define GRID_EXCHANGE_SPARSE_DEVICE_H
#include "dist/product/dist_product.h"

typedef struct {
  uint64_t *count; /* of each process of the gather set; NULL: x travels as a bitmap and dense values */
  uint64_t inline_count[64], all; /* those of a small set; their sum */
  bool by_slots, forwarded;       /* through windows, few or any number: nothing of what follows */
  bool packed;                    /* a bitmap and values side by side, not lists */
  /* in device memory: own places in the gathered x, those of all, the values beside both; a counter; where
   * the values of each stretch begin, of all processes */
  uint64_t *idx, *all_idx, *counter;
  void *val, *all_val;
  uint32_t *start;
} grid_device_lists_of_x;

/* Decides, and tells each how many entries the others have. `size`: bytes of a value, 0 where none travel.
 * Collective in the gather set where they are told, which all know alike. */
GrB_Info grid_device_lists_begin(grid_device_lists_of_x *l, const grid_product *p, size_t size);
/* Room for them; not agreed on. */
GrB_Info grid_device_lists_allocate(grid_device_lists_of_x *l, const grid_product *p, size_t size);
/* In what follows, what has failed here alone (info) keeps no process from the messages that the others wait
 * for; it is returned. The gathered x from an x that was packed, whose own bits and values are in their
 * places.
 */
GrB_Info grid_device_gather_packed(const grid_device_lists_of_x *l, grid_product *p, GrB_Info info,
                                   const grid_device_transport *transport, size_t size, uint64_t *bits,
                                   void *val);
/* bits and val (NULL: none) of the gathered x from everybody's lists. */
GrB_Info grid_device_lists_gather(const grid_device_lists_of_x *l, grid_product *p, GrB_Info info,
                                  const grid_device_transport *transport, size_t size, uint64_t *bits,
                                  void *val);
/* The same of what goes through windows, few entries or any number. Agreed on. */
GrB_Info grid_device_slots_gather(grid_product *p, GrB_Info info, size_t size, uint64_t *bits, void *val);
GrB_Info grid_device_gather_forwarded(grid_product *p, GrB_Info info, size_t size, uint64_t *bits, void *val);
/* May contributions with so many entries in all go through windows? Then they do: segments are those that
 * have come. Agreed on. */
bool grid_device_fits_slots(const grid_product *p, uint64_t all, size_t size);
GrB_Info grid_device_slots_fold(grid_product *p, GrB_Info info, size_t size, const uint64_t *bits,
                                const void *val, uint64_t *segments, void *segment_val);
void grid_device_lists_free(grid_device_lists_of_x *l);
#endif
