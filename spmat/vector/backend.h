/* What a backend can do with vectors' chunks: its rows `chunks` and `vectors` (spmat/device/backend.h). */
#ifndef GRID_SPMAT_VECTOR_BACKEND_H
#define GRID_SPMAT_VECTOR_BACKEND_H
#include "spmat/device/backend.h"
#include "spmat/vector/chunk_write.h"

/* A list this short travels as a kernel's parameters. */
#define GRID_SHORT_LIST 8
/* Places whose values are packed side by side (grid_device_chunks, pack). */
#define GRID_PACKED_STRETCH 1024

/* Sets of indices below n as bitmaps, NULL being all of them. */
typedef enum { GRID_AND, GRID_AND_NOT, GRID_OR } grid_bitmap_op;

/* What chunks in device memory need (spmat/vector/chunk_move.c, chunk.c, mask.c, chunk_write.c). Bitmaps are
 * of words(n) words with tail bits 0; `bits`, `val`, `to`, `a` and `b` are on the device, `x` on the host.
 * All but those that give a number back are in stream order. */
typedef struct grid_device_chunks {
  /* to[k] = *x for k < count */
  GrB_Info (*fill)(void *to, const void *x, size_t size, uint64_t count);
  /* A list becomes a bitmap: bits (zero before) and values; idx and packed lie on the device. val NULL: bits
   * alone. */
  /* bits (of n, which need not be clear) become those of at most GRID_SHORT_LIST entries, whose values of 1,
   * 2, 4 or 8 bytes go to val (NULL: none); idx and packed are in host memory, and free again at once */
  GrB_Info (*scatter_short_list)(uint64_t *bits, void *val, uint64_t n, const uint64_t *idx,
                                 const void *packed, uint32_t nvals, size_t size);
  GrB_Info (*scatter)(uint64_t *bits, void *val, const uint64_t *idx, const void *packed, uint64_t nvals,
                      size_t size);
  /* The reverse, in no order: idx = first + the places of a bitmap's entries (bits NULL: of all n), packed
   * (NULL: none) their values. *counter, on the device, is 0 before, and their number then. */
  GrB_Info (*list)(uint64_t *idx, void *packed, const uint64_t *bits, const void *val, size_t size,
                   uint64_t n, uint64_t first, uint64_t *counter);
  /* The values of a bitmap's entries (bits NULL: of all n) side by side, by stretches of GRID_PACKED_STRETCH
   * places: those of stretch s from packed[start[s]] on, in order; the stretches in none. *counter is 0
   * before. All on the device. */
  GrB_Info (*pack)(void *packed, uint32_t *start, uint32_t *counter, const uint64_t *bits, const void *val,
                   size_t size, uint64_t n);
  /* The reverse; what is no entry keeps its value. */
  GrB_Info (*unpack)(void *val, const uint64_t *bits, const uint32_t *start, const void *packed, size_t size,
                     uint64_t n);
  /* Bit i is set (there) or cleared, and val[k] = *x. bits or val may be NULL. */
  GrB_Info (*entry)(uint64_t *bits, void *val, uint64_t k, uint64_t i, const void *x, size_t size,
                    bool is_present);
  /* to = a (how) b; to may be a or b, or NULL. *count (unless NULL) is the number of bits in the result. */
  GrB_Info (*combine)(uint64_t *to, const uint64_t *a, const uint64_t *b, grid_bitmap_op how, uint64_t n,
                      uint64_t *count);
  /* The number that was counted under a ticket: waits. Not known: it is too long ago, and has to be counted
   * once more. */
  GrB_Info (*wait_count)(uint64_t ticket, uint64_t *count, bool *known);
  /* to = those of bits whose value, of a predefined type, is true */
  GrB_Info (*select_true)(uint64_t *to, const uint64_t *bits, const void *val, GrB_Type type, uint64_t n);
  /* The two steps of a write (chunk_write.h): t and the mask are on the device (or t is one value for all);
   * plan moves c and sets p->path. run gives what c holds then. */
  GrB_Info (*write_plan)(grid_write *p);
  GrB_Info (*write_run)(grid_write *p);
} grid_device_chunks;

/* The operations of vec_ops.h on chunks that lie on the device; t is empty. */
typedef struct grid_device_vectors {
  GrB_Info (*ewise)(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op, bool add);
  GrB_Info (*apply)(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op);
  GrB_Info (*apply_first)(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op);
  GrB_Info (*apply_second)(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op);
  GrB_Info (*apply_index)(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                          uint64_t first);
  GrB_Info (*select)(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y, uint64_t first);
  /* *present: u has an entry; it need not be counted, unless it has one value for all */
  GrB_Info (*reduce)(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op);
} grid_device_vectors;

/* Places that a chunk of integers names, in ascending order, equal ones in that of their numbers in the
 * chunk; in device memory, to be freed. */
typedef struct {
  uint64_t n, *position;
  uint32_t *number;
} grid_sorted_positions;

/* Along `where`, a chunk of integers; all lies on the device, t is empty. *bad: an index is no place, or,
 * without a dup, one comes twice; t, and named, hold nothing then. */
typedef struct grid_device_lists {
  /* t(k) = u(where(k)) */
  GrB_Info (*gather)(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad);
  /* named = the set of the where(k), and t(where(k)) = u(k), the last one of a place; u NULL: named alone */
  GrB_Info (*scatter)(grid_chunk *t, grid_chunk *named, const grid_chunk *u, const grid_chunk *where,
                      bool *bad);
  /* t(where(k)) = u(k), those of one place combined by dup in the order of k */
  GrB_Info (*combine)(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, GrB_BinaryOp dup,
                      bool *bad);
  /* For entries that travel to the owners of their places, or from there. s = the places where(k) below
   * limit, of those k for which u (NULL: any) has an entry. */
  GrB_Info (*sort)(grid_sorted_positions *s, const grid_chunk *where, const grid_chunk *u, uint64_t limit,
                   bool *bad);
  /* first[r], r <= P, on the host = where those in chunk r begin, chunks having q places each; they become
   * places in the chunks. */
  GrB_Info (*owners)(grid_sorted_positions *s, uint64_t q, uint64_t P, uint64_t *first);
  /* to[e] = u(at[e]) where there is one, as some[e] tells then (NULL: there are all); at: of 4 or 8 bytes,
   * or NULL: e */
  GrB_Info (*gather_at)(void *to, uint8_t *present, const void *at, size_t width, uint64_t n,
                        const grid_chunk *u);
  /* t(at[e]) = from[e] where some[e]; no place comes twice; at NULL: t(e), whose values may be there already
   */
  GrB_Info (*store_received)(grid_chunk *t, const uint32_t *at, uint64_t n, const void *from,
                             const uint8_t *present);
} grid_device_lists;
#endif
