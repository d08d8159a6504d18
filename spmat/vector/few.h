/* Few entries that go from GPU to GPU, each way in one kernel: it lists them, writes them into the others'
 * windows (spmat/window.h), meets the others, and puts what has come in its place; no count comes to the host
 * between. All lies in device memory, in stream order. Whoever starts one agrees with the others that all
 * have (grid_window_met) before anybody waits for it. Chunks have q places each, at most GRID_FEW_PLACES. */
#ifndef GRID_VECTOR_FEW_H
#define GRID_VECTOR_FEW_H
#include "spmat/device/meeting.h"
#include "spmat/vector/chunk.h"

/* In a meeting there are so many entries in all, at most. */
#define GRID_FEW_ENTRIES UINT64_C(16384)
#define GRID_FEW_PLACES  (UINT64_C(1) << 30)
/* ... and no more than this; tests change it. */
extern uint64_t grid_few_most;

/* May n entries, in all, with values of so many bytes, go this way, between chunks of q places? */
bool grid_are_few(uint64_t n, size_t size, uint64_t q);

/* Entries of any number pass over trays (GRID_TRAY_MOST): a bitmap, where the values of each stretch of
 * GRID_PACKED_STRETCH places begin, and the values side by side, room for all; of a chunk of q places. */
typedef struct {
  uint64_t start, val, bytes; /* where these two lie in the tray, and all of it */
} grid_pass_places;
grid_pass_places grid_pass_tray(uint64_t q, size_t size);
/* They may; tests change it. */
extern bool grid_may_pass;

/* What combines values that come to one place: the kernel, and memory. */
typedef struct {
  void *kernel, *room;
  uint64_t entries;
} grid_few_sums;

typedef struct grid_device_few {
  /* The chunks of all of m's processes, one behind the other: bits and values of `size` bytes (NULL: none). x
   * is the own one. */
  GrB_Info (*gather)(const grid_meeting *m, const grid_chunk *x, size_t size, uint64_t q, uint64_t *bits,
                     void *val);
  /* The same of any number of entries, over trays of grid_pass_tray's length; bits not NULL. Two turns. */
  GrB_Info (*pass)(const grid_meeting *m, const grid_chunk *x, size_t size, uint64_t q, uint64_t *bits,
                   void *val);
  /* Piece r of bits and values goes to rank r; those that come, one behind the other. val NULL: bits alone.
   */
  GrB_Info (*deal)(const grid_meeting *m, const uint64_t *bits, const void *val, size_t size, uint64_t q,
                   uint64_t *pieces, void *piece_val);
  /* t(k) = u(where(k)), indices below limit; t's arrays are there, as a bitmap's. Two turns. */
  GrB_Info (*ask)(const grid_meeting *m, const grid_chunk *t, const grid_chunk *u, const grid_chunk *where,
                  uint64_t q, uint64_t limit, uint64_t *ticket);
  /* t(where(k)) = u(k), those of one place combined by dup in the order of processes and k; as above, one
   * turn. m NULL: one process. s from sums, with room for as many entries as there are in all. */
  GrB_Info (*sums)(grid_few_sums *s, GrB_Type t, GrB_Type u, GrB_BinaryOp dup, uint64_t entries);
  GrB_Info (*tell)(const grid_meeting *m, const grid_few_sums *s, const grid_chunk *t, const grid_chunk *u,
                   const grid_chunk *where, uint64_t q, uint64_t limit, uint64_t *ticket);
  /* Waits: how many entries t has; did any process have an index that is no place (the same everywhere); did
   * two come to one place here? */
  GrB_Info (*told)(uint64_t ticket, uint64_t *nvals, bool *wrong, bool *twice);
} grid_device_few;
#endif
