/* See index_list.h. All threads make two passes: one counts, so that each thread knows its offset in the
 * result, one writes. */
#include "dist/vector/index_list.h"

#include <string.h>

#include "spmat/device/device.h"
#include "semiring/threads/context_section.h"

/* Zeroed counters [thread][process]; *threads: upper bound of the threads used. */
static uint64_t *thread_counts(uint64_t n, int *threads) {
  *threads = grid_word_threads(n / 64);
  return grid_calloc((size_t)*threads * (size_t)grid_ctx.P, sizeof(uint64_t));
}

/* Exclusive prefix sum over processes, then threads: counts become offsets. */
static void counts_to_offsets(uint64_t *counts, uint64_t threads, uint64_t *total) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t at = 0;
  for (uint64_t r = 0; r < P; r++) {
    const uint64_t before = at;
    for (uint64_t t = 0; t < threads; t++) {
      const uint64_t n = counts[t * P + r];
      counts[t * P + r] = at;
      at += n;
    }
    if (total) total[r] = at - before;
  }
}

/* ---- indices of this process ---- */

static uint64_t count_local(const GrB_Index *I, uint64_t from, uint64_t to, uint64_t first, uint64_t length) {
  uint64_t n = 0;
  for (uint64_t k = from; k < to; k++) n += I[k] - first < length;
  return n;
}

/* In small blocks and without a branch, so that one element beyond the result may be written to the block.
 * position may be NULL. */
static void write_local(uint64_t *idx, uint64_t *position, const GrB_Index *I, uint64_t from, uint64_t to,
                        uint64_t first, uint64_t length) {
  enum { BLOCK = 256 };
  uint64_t block[BLOCK + 1], at[BLOCK + 1];
  while (from < to) {
    const uint64_t end = to - from < BLOCK ? to : from + BLOCK;
    size_t n = 0;
    for (; from < end; from++) {
      block[n] = I[from] - first;
      at[n] = from;
      n += block[n] < length;
    }
    memcpy(idx, block, n * sizeof *idx);
    idx += n;
    if (!position) continue;
    memcpy(position, at, n * sizeof *position);
    position += n;
  }
}

GrB_Info grid_select_local_indices(grid_local_indices *local, uint64_t *count, uint64_t **position,
                                   const GrB_Index *I, uint64_t ni, uint64_t dim) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t first = grid_chunk_first(dim, grid_ctx.k), length = grid_chunk_length(dim, grid_ctx.k);
  const uint64_t P = (uint64_t)grid_ctx.P;
  int threads;
  uint64_t *counts = thread_counts(ni, &threads), *begin = grid_calloc((size_t)threads, sizeof *begin);
  *local = (grid_local_indices){0};
  if (!counts || !begin) TRY(grid_fail_memory(NULL, "counts of indices", (uint64_t)threads * P, 8));
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++) {
    GRID_WORKER_SCOPE(context);
    uint64_t k = ni * (uint64_t)t / (uint64_t)threads;
    const uint64_t to = ni * ((uint64_t)t + 1) / (uint64_t)threads;
    while (k < to) {
      const int r = grid_chunk_of(ni, k);
      const uint64_t next = grid_chunk_first(ni, r + 1), end = next < to ? next : to,
                     n = count_local(I, k, end, first, length);
      counts[(uint64_t)t * P + (uint64_t)r] = n;
      begin[t] += n;
      k = end;
    }
  }
  for (uint64_t r = 0; count && r < P; r++) {
    count[r] = 0;
    for (int t = 0; t < threads; t++) count[r] += counts[(uint64_t)t * P + r];
  }
  for (int t = 0; t < threads; t++) {
    const uint64_t n = begin[t];
    begin[t] = local->n;
    local->n += n;
  }
  local->idx = grid_malloc(local->n, sizeof *local->idx);
  if (position) *position = grid_malloc(local->n, sizeof **position);
  if (!local->idx || (position && !*position))
    TRY(grid_fail_memory(NULL, "local indices", local->n, sizeof *local->idx));
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; t++)
    write_local(local->idx + begin[t], position ? *position + begin[t] : NULL, I,
                ni * (uint64_t)t / (uint64_t)threads, ni * ((uint64_t)t + 1) / (uint64_t)threads, first,
                length);
done:
  grid_free(counts);
  grid_free(begin);
  return info;
}

/* ---- ordered by owner ---- */

GrB_Info grid_list_by_owner(uint64_t *order, uint64_t *position, uint64_t *count, const GrB_Index *I,
                            uint64_t n, uint64_t dim) {
  const uint64_t P = (uint64_t)grid_ctx.P, q = grid_even_size(dim);
  const grid_partition *partition = grid_partition_of(dim);
  int threads;
  uint64_t *counts = thread_counts(n, &threads);
  if (!counts) return grid_fail_memory(NULL, "counts of indices", (uint64_t)threads * P, sizeof *counts);
  for (int pass = 0; pass < 2; pass++) {
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
      uint64_t *next = counts + (uint64_t)t * P;
      const uint64_t to = n * ((uint64_t)t + 1) / (uint64_t)threads;
      for (uint64_t k = n * (uint64_t)t / (uint64_t)threads; k < to; k++) {
        const uint64_t p = next[partition ? (uint64_t)grid_partition_chunk(partition, I[k]) : I[k] / q]++;
        if (pass && order) order[p] = k;
        if (pass && position) position[k] = p;
      }
    }
    if (!pass) counts_to_offsets(counts, (uint64_t)threads, count);
  }
  grid_free(counts);
  return GrB_SUCCESS;
}

/* ---- values ---- */

/* One byte per index, since segments of bits would not start at word boundaries. */
static void bits_to_bytes(unsigned char *b, const grid_chunk *c) {
  for (uint64_t i = 0; i < c->n; i++) b[i] = c->nvals && (c->format == GRID_FULL || grid_bit(c->bits, i));
}
static void bytes_to_bits(grid_chunk *c, const unsigned char *b) {
  memset(c->bits, 0, grid_words(c->n) * sizeof *c->bits);
  for (uint64_t i = 0; i < c->n; i++) {
    c->bits[i >> 6] |= (uint64_t)b[i] << (i & 63);
    c->nvals += b[i];
  }
}

/* Converts c to dense values, and sets *present, a byte per index. */
static GrB_Info make_dense(grid_chunk *c, unsigned char **present) {
  GrB_Info info = GrB_SUCCESS;
  if (c->nvals < c->n || c->format == GRID_LIST) TRY(grid_chunk_to_bitmap(c));
  TRY(grid_chunk_expand_iso(c));
  if (c->nvals == 0) TRY(grid_chunk_reserve_dense(c, false));
  *present = grid_malloc(c->n, 1);
  if (!*present) TRY(grid_fail_memory(NULL, "marks of entries", c->n, 1));
  if (c->n) bits_to_bytes(*present, c);
done:
  return info;
}

GrB_Info grid_route_chunk(grid_chunk *to, grid_chunk *from, const uint64_t *count, GrB_Info info) {
  unsigned char *present = NULL;
  void *received = NULL, *val = NULL;
  uint64_t lacking = 0, n = 0;
  if (grid_device_is_on() && grid_device_can_hold(from->type))
    return grid_route_chunk_device(to, from, count, info);
  if (info == GrB_SUCCESS) info = grid_chunk_to_host(from);
  if (info == GrB_SUCCESS) info = make_dense(from, &present);
  if (info == GrB_SUCCESS) lacking = from->n - from->nvals;
  TRY(grid_agree_sum(NULL, info, &lacking, 1));
  if (lacking) TRY(grid_exchange_elements(present, count, 1, &received, &n));
  TRY(grid_exchange_elements(from->val, count, from->type->size, &val, &n));
  grid_chunk_free(to);
  to->n = n;
  if (received) TRY(grid_chunk_reserve_dense(to, true)); /* the caller agrees on the outcome */
  grid_free(to->val);
  to->val = val, to->cap_val = n * to->type->size, val = NULL;
  to->format = received ? GRID_BITMAP : GRID_FULL;
  to->nvals = received ? 0 : n;
  if (received) bytes_to_bits(to, received);
  TRY(grid_chunk_choose_format(to));
done:
  grid_free(present);
  grid_free(received);
  grid_free(val);
  if (info != GrB_SUCCESS) grid_chunk_free(to);
  return info;
}
