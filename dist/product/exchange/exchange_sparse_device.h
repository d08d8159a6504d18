/* Gathers x between device memories, in another form than a bitmap and dense values where that is shorter.
 * GPUs that can read each other's memory do it through windows, in one kernel (spmat/vector/peer_exchange.h).
 * They are sent as a list if a slot holds it, else as a bitmap and packed or dense values. Without windows,
 * or memory for them, it takes messages: lists of indices and values, in no order, or a bitmap and packed
 * values. */
#ifndef GRID_EXCHANGE_SPARSE_DEVICE_H
#define GRID_EXCHANGE_SPARSE_DEVICE_H
#include "dist/product/dist_product.h"

/* The forms, the same on all processes. */
typedef enum {
  GRID_EXPAND_DENSE,     /* messages: a bitmap and dense values */
  GRID_EXPAND_LISTS,     /* messages: lists of indices and values */
  GRID_EXPAND_PACKED,    /* messages: a bitmap and packed values */
  GRID_EXPAND_SLOTS,     /* windows: lists in slots */
  GRID_EXPAND_FORWARDED, /* windows: a bitmap and packed values in receive buffers */
  GRID_EXPAND_WRITTEN    /* windows: a bitmap and dense values, where products read them */
} grid_expand_form;

typedef struct {
  const grid_device_transport *transport;
  grid_expand_form form;
  size_t size; /* bytes of a value; 0: no values are sent */
  /* The members below are for messages of lists or packed values. */
  uint64_t *count;                /* entries of each process of the set */
  uint64_t inline_count[64], all; /* those of a small set; their sum */
  /* in device memory: positions in the gathered x of this process's entries, and of all; their values; a
   * counter; of all processes, the offset of the values of each stretch */
  uint64_t *idx, *all_idx, *counter;
  void *val, *all_val;
  uint32_t *start;
} grid_device_expand;

/* Chooses the form and, if it needs them, gathers the numbers of entries. Collective over the input set; the
 * outcome is not agreed on. */
GrB_Info grid_device_expand_begin(grid_device_expand *e, const grid_product *p,
                                  const grid_device_transport *transport, size_t size);
/* Allocates the arrays that the form needs; the outcome is not agreed on. */
GrB_Info grid_device_expand_allocate(grid_device_expand *e, const grid_product *p);

/* Does the form go through windows, in one kernel? */
static inline bool grid_device_form_has_windows(grid_expand_form form) {
  return form == GRID_EXPAND_SLOTS || form == GRID_EXPAND_FORWARDED || form == GRID_EXPAND_WRITTEN;
}
/* May it, for this dimension? The same on all processes. */
bool grid_device_has_windows(uint64_t n);

/* x over the block's inputs, and how it is gathered. */
typedef struct grid_device_input {
  grid_device_expand expand;
  bool is_begun, is_gathered; /* the form is chosen; x is gathered */
  uint64_t *bits;
  void *val;
  void *memory; /* both, if x was gathered with the counts; not in receive buffers */
} grid_device_input;
void grid_device_input_free(grid_device_input *g);

/* *bits and *val (NULL: none) = the gathered x, in one form. info: the outcome so far; a process that has
 * failed still takes part in the messages, and returns its failure. Collective. */
typedef GrB_Info grid_device_gather(const grid_device_expand *e, grid_product *p, GrB_Info info,
                                    uint64_t **bits, void **val);
grid_device_gather grid_device_gather_lists;
/* The process's own bits and values are already in place. */
grid_device_gather grid_device_gather_packed;
/* Agreed on. */
grid_device_gather grid_device_gather_slots, grid_device_gather_forwarded;
/* *bits (NULL: x is full) and *val point into the window. Agreed on. */
grid_device_gather grid_device_gather_written;

/* Is x full on all processes? Then its bits are neither stored nor read. */
bool grid_is_input_full(const grid_product *p);
/* Do contributions of `all` entries in total fit the slots of windows? */
bool grid_device_fits_slots(const grid_product *p, uint64_t all, size_t size);
/* Exchanges them so: `segments` and `segment_val` get what the processes of the output set sent. Agreed on.
 */
GrB_Info grid_device_slots_fold(grid_product *p, GrB_Info info, size_t size, const uint64_t *bits,
                                const void *val, uint64_t *segments, void *segment_val);
#endif
