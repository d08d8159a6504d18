/* Exchanges of few entries between GPUs, each direction in one kernel. It lists the entries, writes them into
 * the others' windows (spmat/window.h), passes a barrier, and stores what it has received. No count is copied
 * to the host in between. All data lies in device memory, in stream order. All processes must have started
 * the exchange (grid_window_barrier_agree) before any waits for it. Chunks have q indices each, at most
 * GRID_SPARSE_EXCHANGE_LENGTH. */
#ifndef GRID_PEER_EXCHANGE_H
#define GRID_PEER_EXCHANGE_H
#include "spmat/device/device_barrier.h"
#include "spmat/vector/chunk.h"

/* Most entries of one exchange over all processes. */
#define GRID_SPARSE_EXCHANGE_ENTRIES UINT64_C(16384)
#define GRID_SPARSE_EXCHANGE_LENGTH  (UINT64_C(1) << 30)

/* Can n entries in all, with values of `size` bytes, be exchanged so, between chunks of q indices? */
bool grid_fits_sparse_exchange(uint64_t n, size_t size, uint64_t q);

/* A receive buffer (GRID_RECV_BUFFER_MAX) for any number of entries of a chunk of q indices: a bitmap, then
 * values from an offset on. The values of each GRID_PASS_TILE indices are packed, and have room for all. */
enum { GRID_PASS_TILE = 512 };
uint64_t grid_pass_values_at(uint64_t q);
uint64_t grid_pass_buffer_bytes(uint64_t q, size_t size);

/* A gathered vector of `count` chunks of q indices in a process's receive buffers: its bits, unless it is
 * full, then values from this offset on. */
uint64_t grid_dense_values_at(uint64_t q, uint64_t count, bool full);
/* Bytes of each receive buffer of `others` that hold it together, with values of `size` bytes. */
uint64_t grid_dense_buffer_bytes(uint64_t q, uint64_t count, size_t size, bool full, uint64_t others);

/* Combines values of equal indices: the kernel, and memory. */
typedef struct {
  void *kernel, *buffer;
  uint64_t entries;
} grid_sparse_sums;

typedef struct grid_device_sparse_exchange {
  /* The chunks of all of m's processes, concatenated: bits and values of `size` bytes (NULL: none). x is the
   * local one. */
  GrB_Info (*gather)(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q,
                     uint64_t *bits, void *val);
  /* The same for any number of entries, through receive buffers; bits not NULL. */
  GrB_Info (*pass)(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q, uint64_t *bits,
                   void *val);
  /* The same with chunks as they are. *bits (NULL: all are full) and *val (NULL: no values) point into the
   * receive buffers, whose next use overwrites them. Two turns. */
  GrB_Info (*gather_dense)(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q,
                           bool full, uint64_t **bits, void **val);
  /* Sends segment r of bits and values to rank r; received segments are concatenated. val NULL: bits only. */
  GrB_Info (*distribute)(const grid_device_barrier *m, const uint64_t *bits, const void *val, size_t size,
                         uint64_t q, uint64_t *segments, void *segment_val);
  /* t(k) = u(where(k)), indices below limit; t's arrays are allocated, as for a bitmap. Two turns. */
  GrB_Info (*request_values)(const grid_device_barrier *m, const grid_chunk *t, const grid_chunk *u,
                             const grid_chunk *where, uint64_t q, uint64_t limit, uint64_t *ticket);
  /* t(where(k)) = u(k), with equal indices combined by dup in the order of processes and k. As above, but one
   * turn. m NULL: one process. s comes from sums, with room for the entries of all processes. */
  GrB_Info (*sums)(grid_sparse_sums *s, GrB_Type t, GrB_Type u, GrB_BinaryOp dup, uint64_t entries);
  GrB_Info (*scatter)(const grid_device_barrier *m, const grid_sparse_sums *s, const grid_chunk *t,
                      const grid_chunk *u, const grid_chunk *where, uint64_t q, uint64_t limit,
                      uint64_t *ticket);
  /* Waits: the number of t's entries; whether any process had an index out of range (the same everywhere);
   * whether two entries had one index here. */
  GrB_Info (*wait_result)(uint64_t ticket, uint64_t *nvals, bool *wrong, bool *twice);
} grid_device_sparse_exchange;
#endif
