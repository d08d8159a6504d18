/* The device's rows `chunks` and `lists` (spmat/device/backend.h): what vectors' chunks in device memory
 * need. */
#ifndef GRID_SPMAT_VECTOR_BACKEND_H
#define GRID_SPMAT_VECTOR_BACKEND_H
#include "spmat/device/backend.h"
#include "spmat/vector/chunk_write.h"

/* Lists up to this length are passed as kernel parameters. */
#define GRID_SHORT_LIST 8
/* Indices whose values are packed together (grid_device_chunks, pack). */
#define GRID_PACKED_STRETCH 1024

/* Operations on sets of indices below n, stored as bitmaps; NULL: all indices. */
typedef enum { GRID_AND, GRID_AND_NOT, GRID_OR } grid_bitmap_op;

/* Used by spmat/vector/chunk*.c and mask.c. Bitmaps have words(n) words with tail
 * bits 0. `bits`, `val`, `to`, `a` and `b` are on the device, `x` on the host. All rows that return no number
 * run in stream order. */
typedef struct grid_device_chunks {
  /* to[k] = *x for k < count */
  GrB_Info (*fill)(void *to, const void *x, size_t size, uint64_t count);
  /* Converts a list to a bitmap: bits (zero before) and values; idx and packed lie on the device. val NULL:
   * bits only. scatter_short_list takes at most GRID_SHORT_LIST entries from host memory, which may be reused
   * at once. bits (of n) need not be zero, and values have 1, 2, 4 or 8 bytes. */
  GrB_Info (*scatter_short_list)(uint64_t *bits, void *val, uint64_t n, const uint64_t *idx,
                                 const void *packed, uint32_t nvals, size_t size);
  GrB_Info (*scatter)(uint64_t *bits, void *val, const uint64_t *idx, const void *packed, uint64_t nvals,
                      size_t size);
  /* The reverse, in no order: idx = first + the indices of a bitmap's entries (bits NULL: all n); packed
   * (NULL: none) = their values. *counter, on the device, is 0 before, and their number afterwards. */
  GrB_Info (*list)(uint64_t *idx, void *packed, const uint64_t *bits, const void *val, size_t size,
                   uint64_t n, uint64_t first, uint64_t *counter);
  /* to[i] = val[i] for the entries i of a bitmap of n */
  GrB_Info (*copy_values)(void *to, const uint64_t *bits, const void *val, size_t size, uint64_t n);
  /* Packs the values of a bitmap's entries (bits NULL: all n) by stretches of GRID_PACKED_STRETCH indices.
   * Those of stretch s begin at packed[start[s]], in order. The stretches are in no order. *counter is 0
   * before. All on the device. */
  GrB_Info (*pack)(void *packed, uint32_t *start, uint32_t *counter, const uint64_t *bits, const void *val,
                   size_t size, uint64_t n);
  /* The reverse; values of absent entries do not change. */
  GrB_Info (*unpack)(void *val, const uint64_t *bits, const uint32_t *start, const void *packed, size_t size,
                     uint64_t n);
  /* Sets (is_present) or clears bit i, and val[k] = *x. bits or val may be NULL. */
  GrB_Info (*entry)(uint64_t *bits, void *val, uint64_t k, uint64_t i, const void *x, size_t size,
                    bool is_present);
  /* to = a (how) b; to may be a, b or NULL. *count (unless NULL) = the number of bits in the result. */
  GrB_Info (*combine)(uint64_t *to, const uint64_t *a, const uint64_t *b, grid_bitmap_op how, uint64_t n,
                      uint64_t *count);
  /* Waits for the number that was counted under a ticket. *known false: it is too old, and must be counted
   * again. */
  GrB_Info (*wait_count)(uint64_t ticket, uint64_t *count, bool *known);
  /* to = those of bits whose values, of a predefined type, are true */
  GrB_Info (*select_true)(uint64_t *to, const uint64_t *bits, const void *val, GrB_Type type, uint64_t n);
  /* The two steps of a write (chunk_write.h). t and the mask are on the device (or t is iso and full). plan
   * moves c and sets p->path; run writes c. */
  GrB_Info (*write_plan)(grid_write *p);
  GrB_Info (*write_run)(grid_write *p);
} grid_device_chunks;

/* Indices that an integer chunk contains, in ascending order, equal ones by their positions in the chunk
 * (`number`). In device memory; the caller frees them. */
typedef struct {
  uint64_t n, *position;
  uint32_t *number;
} grid_sorted_positions;

/* `where` is a chunk of integer indices. All lies on the device, and t is empty. *bad: an index is out of
 * range or, without a dup, occurs twice; t and named are empty then. */
typedef struct grid_device_lists {
  /* t(k) = u(where(k)) */
  GrB_Info (*gather)(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad);
  /* named = the set of all where(k), and t(where(k)) = u(k); of equal indices the last one counts; u NULL:
   * named only */
  GrB_Info (*scatter)(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const grid_chunk *where,
                      bool *bad);
  /* t(where(k)) = u(k), with equal indices combined by dup in the order of k */
  GrB_Info (*combine)(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, GrB_BinaryOp dup,
                      bool *bad);
  /* The next rows serve entries that are exchanged with the owners of their indices. s = the indices where(k)
   * below limit, of those k for which u (NULL: any) has an entry. */
  GrB_Info (*sort)(grid_sorted_positions *s, const grid_chunk *where, const grid_chunk *u, uint64_t limit,
                   bool *bad);
  /* first[r], r <= P, on the host = where the indices in chunk r begin. A chunk has q indices or, where
   * bounds (of P + 1 elements, on the host) is not NULL, those from bounds[r] to bounds[r + 1]. The indices
   * become local to their chunks. */
  GrB_Info (*owners)(grid_sorted_positions *s, uint64_t q, const uint64_t *bounds, uint64_t P,
                     uint64_t *first);
  /* to[e] = u(at[e]) where u has an entry, which present[e] tells (NULL: it has all); at has 4 or 8 bytes an
   * element, or is NULL: e */
  GrB_Info (*gather_at)(void *to, uint8_t *present, const void *at, size_t width, uint64_t n,
                        const grid_chunk *u);
  /* t(at[e]) = from[e] where present[e]; indices are distinct; at NULL: t(e), whose values may be in place
   * already */
  GrB_Info (*store_received)(grid_chunk *t, const uint32_t *at, uint64_t n, const void *from,
                             const uint8_t *present);
} grid_device_lists;
#endif
