/* Few entries that go from GPU to GPU, each way in one kernel: it lists them, writes them into the others'
 * windows (spmat/window.h), meets the others, and puts what has come in its place; no count comes to the host
 * between. All lies in device memory, in stream order. Whoever starts one agrees with the others that all
 * have (grid_window_barrier_agree) before anybody waits for it. Chunks have q places each, at most
 * GRID_SPARSE_EXCHANGE_LENGTH. */
#ifndef GRID_PEER_EXCHANGE_H
#define GRID_PEER_EXCHANGE_H
#include "spmat/device/device_barrier.h"
#include "spmat/vector/chunk.h"

/* In a barrier there are so many entries in all, at most. */
#define GRID_SPARSE_EXCHANGE_ENTRIES UINT64_C(16384)
#define GRID_SPARSE_EXCHANGE_LENGTH  (UINT64_C(1) << 30)

/* May n entries, in all, with values of so many bytes, go this way, between chunks of q places? */
bool grid_fits_sparse_exchange(uint64_t n, size_t size, uint64_t q);

/* Entries of any number pass over receive buffers (GRID_RECV_BUFFER_MAX): a bitmap, where the values of each
 * stretch of GRID_PACKED_STRETCH places begin, and the values side by side, room for all; of a chunk of q
 * places. */
typedef struct {
  uint64_t start, val, bytes; /* where these two lie in the receive buffer, and all of it */
} grid_pass_layout;
grid_pass_layout grid_pass_buffer_layout(uint64_t q, size_t size);

/* What combines values that come to one place: the kernel, and memory. */
typedef struct {
  void *kernel, *buffer;
  uint64_t entries;
} grid_sparse_sums;

typedef struct grid_device_sparse_exchange {
  /* The chunks of all of m's processes, one behind the other: bits and values of `size` bytes (NULL: none). x
   * is the own one. */
  GrB_Info (*gather)(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q,
                     uint64_t *bits, void *val);
  /* The same of any number of entries, over receive buffers of grid_pass_buffer_layout's length; bits not
   * NULL. Two turns. */
  GrB_Info (*pass)(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q, uint64_t *bits,
                   void *val);
  /* Segment r of bits and values goes to rank r; those that come, one behind the other. val NULL: bits alone.
   */
  GrB_Info (*distribute)(const grid_device_barrier *m, const uint64_t *bits, const void *val, size_t size,
                         uint64_t q, uint64_t *segments, void *segment_val);
  /* t(k) = u(where(k)), indices below limit; t's arrays are there, as a bitmap's. Two turns. */
  GrB_Info (*request_values)(const grid_device_barrier *m, const grid_chunk *t, const grid_chunk *u,
                             const grid_chunk *where, uint64_t q, uint64_t limit, uint64_t *ticket);
  /* t(where(k)) = u(k), those of one place combined by dup in the order of processes and k; as above, one
   * turn. m NULL: one process. s from sums, with room for as many entries as there are in all. */
  GrB_Info (*sums)(grid_sparse_sums *s, GrB_Type t, GrB_Type u, GrB_BinaryOp dup, uint64_t entries);
  GrB_Info (*scatter)(const grid_device_barrier *m, const grid_sparse_sums *s, const grid_chunk *t,
                      const grid_chunk *u, const grid_chunk *where, uint64_t q, uint64_t limit,
                      uint64_t *ticket);
  /* Waits: how many entries t has; did any process have an index that is no place (the same everywhere); did
   * two come to one place here? */
  GrB_Info (*wait_result)(uint64_t ticket, uint64_t *nvals, bool *wrong, bool *twice);
} grid_device_sparse_exchange;
#endif
