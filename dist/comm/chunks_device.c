/* Chunks of one dimension in device memory, of equal or unequal lengths (dist/grid/partition.h), exchanged
 * between the processes of a grid row or column. */
#include "dist/comm/device_transport.h"
#include "dist/grid/layout.h"

/* Sizes and offsets of an exchange; those of a small set need no allocation. */
enum { SMALL = 64 };
typedef struct {
  size_t S, inline_sizes[4 * SMALL];
  /* 4 S elements: bytes and offsets of all chunks; bytes and offsets of the copies of the local chunk */
  size_t *bytes;
} chunk_sizes;

static GrB_Info chunk_sizes_make(chunk_sizes *w, grid_set set, uint64_t n, size_t bits) {
  const size_t S = w->S = (size_t)grid_set_size(set), local_bytes = grid_local_padded_size(n) / 8 * bits;
  w->bytes = S <= SMALL ? w->inline_sizes : grid_malloc(4 * S, sizeof *w->bytes);
  if (!w->bytes) return grid_fail_memory(NULL, "message sizes", 4 * S, sizeof *w->bytes);
  for (size_t s = 0; s < S; s++) {
    const uint64_t from = grid_member_offset(set, n, (int)s), to = grid_member_offset(set, n, (int)s + 1);
    w->bytes[s] = (to - from) / 8 * bits, w->bytes[S + s] = from / 8 * bits;
    w->bytes[2 * S + s] = local_bytes, w->bytes[3 * S + s] = s * local_bytes;
  }
  return GrB_SUCCESS;
}

static void chunk_sizes_free(chunk_sizes *w) {
  if (w->bytes != w->inline_sizes) grid_free(w->bytes);
}

GrB_Info grid_device_gather_chunks(const grid_device_transport *t, grid_set set, uint64_t n, size_t bits,
                                   void *all) {
  const size_t me = (size_t)grid_set_rank(set);
  chunk_sizes w;
  const uint64_t at = grid_member_offset(set, n, (int)me) / 8 * bits;
  if (!grid_partition_of(n))
    return t->allgather(set, (char *)all + at, grid_local_padded_size(n) / 8 * bits, all);
  GrB_Info info = chunk_sizes_make(&w, set, n, bits);
  if (info != GrB_SUCCESS) return info;
  size_t *in = w.bytes, *in_at = in + w.S, *out = in_at + w.S, *out_at = out + w.S;
  for (size_t s = 0; s < w.S; s++) out_at[s] = at;
  in[me] = out[me] = 0; /* it is in place */
  info = t->exchange(set, all, out, out_at, all, in, in_at);
  chunk_sizes_free(&w);
  return info;
}

GrB_Info grid_device_exchange_chunks(const grid_device_transport *t, grid_set set, uint64_t n, size_t bits,
                                     const void *all, void *local) {
  chunk_sizes w;
  GrB_Info info = chunk_sizes_make(&w, set, n, bits);
  if (info != GrB_SUCCESS) return info;
  info = t->exchange(set, all, w.bytes, w.bytes + w.S, local, w.bytes + 2 * w.S, w.bytes + 3 * w.S);
  chunk_sizes_free(&w);
  return info;
}
