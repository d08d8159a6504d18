// Gather and scatter by a vector of indices, and scatter with an operator for equal indices. Values are moved
// in units of 1, 2, 4 or 8 bytes, whatever their type.
//
// Assign marks the named positions first, which counts them: if none is named twice, values are written
// directly, else the last entry of each position is found before. Scatter with an operator sorts the entries
// by position (stable) and combines equal positions in their order, so the result does not depend on the
// order of threads.
#include "spmat/cuda/build/keys.cuh"
extern "C" {
#include "spmat/cuda/gather/gather_route.h"
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/vec_source.h"
#include "spmat/vector/peer_exchange.h"
extern const grid_device_sparse_exchange grid_cuda_sparse_exchange;
}
#include "spmat/cuda/gather/index_values.cuh"

namespace {

enum { THREADS = GRID_TILE_THREADS, BATCH = 8 };

// ---- gather ----------------------------------------------------------------------------------------------

// z(k) = x(index k), where u, with bits or full, has it; z NULL: bits only. t (or NULL): the bits of z.
template <typename unit>
__global__ void gather(position_list p, const uint32_t *__restrict__ u, uint64_t units, unit *__restrict__ z,
                       const unit *__restrict__ x, uint32_t *t, grid_tally tally) {
  const unsigned lane = threadIdx.x & 31;
  grid_counter found = 0;
  bool wrong = false;
  GRID_TILES(w, p.n) {
    const uint32_t s = grid_word32(p.bits, p.n, w);
    const unsigned present = __ballot_sync(~0u, s != 0);
    uint32_t lane_word = 0;
    for (unsigned from = 0; from < 32; from += BATCH) {
      uint64_t at[BATCH];
      bool in[BATCH];
      if (!(present >> from & ((1u << BATCH) - 1))) continue;
        // several loads are in flight
#pragma unroll
      for (unsigned j = 0; j < BATCH; j++) {
        in[j] = grid_tile_bit(s, from + j);
        at[j] = in[j] ? position_at(p, grid_tile_index(w, from + j)) : 0;
      }
#pragma unroll
      for (unsigned j = 0; j < BATCH; j++) {
        const bool out = in[j] && at[j] >= p.limit;
        wrong |= out;
        in[j] = in[j] && !out && has(u, at[j]);
      }
      if (z && units == 1) {
        unit v[BATCH];
#pragma unroll
        for (unsigned j = 0; j < BATCH; j++)
          if (in[j]) v[j] = x[at[j]];
#pragma unroll
        for (unsigned j = 0; j < BATCH; j++)
          if (in[j]) z[grid_tile_index(w, from + j)] = v[j];
      } else if (z) {
#pragma unroll
        for (unsigned j = 0; j < BATCH; j++)
          for (uint64_t q = 0; in[j] && q < units; q++)
            z[grid_tile_index(w, from + j) * units + q] = x[at[j] * units + q];
      }
#pragma unroll
      for (unsigned j = 0; j < BATCH; j++) {
        const uint32_t word = __ballot_sync(~0u, in[j]);
        if (lane == from + j) lane_word = word;
      }
    }
    if (t && w < grid_words32(p.n)) t[w] = lane_word;
    found += __popc(lane_word);
  }
  grid_publish_count(tally, found + (wrong ? WRONG : 0));
}

// ---- scatter ---------------------------------------------------------------------------------------------

// named: the bits of all indices; t (or NULL): of those for which u, a bitmap, has an entry. Counts the
// indices.
__global__ void mark_positions(position_list p, const uint32_t *u, uint32_t *named, uint32_t *t,
                               grid_tally tally) {
  grid_counter fresh = 0;
  bool wrong = false;
  GRID_TILES(w, p.n) {
    const uint32_t s = grid_word32(p.bits, p.n, w);
    GRID_FOR_TILE_LANE(k, s) {
      const bool in = grid_tile_bit(s, k);
      const uint64_t i = grid_tile_index(w, k), at = in ? position_at(p, i) : 0;
      wrong |= at >= p.limit;
      if (in && at < p.limit) {
        const uint32_t bit = 1u << (at & 31);
        fresh += !(atomicOr(named + (at >> 5), bit) & bit);
        if (t && has(u, i)) atomicOr(t + (at >> 5), bit);
      }
    }
  }
  grid_publish_count(tally, fresh + (wrong ? WRONG : 0));
}

// last[index] = the largest k + 1 with an entry in u.
__global__ void find_last(position_list p, const uint32_t *u, unsigned *last) {
  GRID_FOR(k, p.n)
  if (has(p.bits, k) && has(u, k)) atomicMax(last + position_at(p, k), (unsigned)k + 1);
}

// z(index k) = x(k), where u has it; last (or NULL): only the last entry of an index.
template <typename unit>
__global__ void scatter(position_list p, const uint32_t *u, const unsigned *last, uint64_t units,
                        unit *__restrict__ z, const unit *__restrict__ x) {
  GRID_FOR(k, p.n) {
    if (!has(p.bits, k) || !has(u, k)) continue;
    const uint64_t at = position_at(p, k);
    if (last && last[at] != (unsigned)k + 1) continue;
    for (uint64_t q = 0; q < units; q++) z[at * units + q] = x[k * units + q];
  }
}

// ---- equal indices combined -------------------------------------------------------------------------------

// Number of entries that both have, for each tile of 1024.
__global__ void count_tiles(uint64_t n, const uint32_t *a, const uint32_t *b, uint64_t *count) {
  GRID_FULL_TILES(w, n) {
    const uint32_t s = grid_word32(a, n, w) & grid_word32(b, n, w);
    const unsigned sum = __reduce_add_sync(~0u, (unsigned)__popc(s));
    if ((threadIdx.x & 31) == 0) count[w / 32] = sum;
  }
}

// Their indices, with their numbers k; before: number of entries before each tile.
__global__ void list_positions(position_list p, const uint32_t *u, const uint64_t *before, uint64_t *key,
                               uint32_t *number, grid_tally tally) {
  const unsigned below = (1u << (threadIdx.x & 31)) - 1;
  bool wrong = false;
  GRID_FULL_TILES(w, p.n) {
    const uint32_t s = grid_word32(p.bits, p.n, w) & grid_word32(u, p.n, w);
    uint64_t at = before[w / 32];
    GRID_FOR_TILE_LANE(k, s) {
      const uint32_t word = __shfl_sync(~0u, s, k);
      if (word >> (threadIdx.x & 31) & 1) {
        const uint64_t i = grid_tile_index(w, k), e = at + __popc(word & below);
        key[e] = position_at(p, i);
        number[e] = (uint32_t)i;
        wrong |= key[e] >= p.limit;
      }
      at += __popc(word);
    }
  }
  grid_publish_count(tally, wrong ? WRONG : 0);
}

// For sorted keys: start[e] = the first key equal to key[e]; bits of the keys; facts[0]: number of distinct
// keys, [1]: longest run of equal ones.
__global__ void find_runs(const uint64_t *key, uint64_t m, uint32_t *start, uint32_t *bits,
                          grid_counter *facts) {
  grid_counter heads = 0;
  unsigned longest = 0;
  GRID_FOR(e, m) {
    const uint64_t index = key[e];
    uint64_t from = 0, to = e;
    if (e && key[e - 1] != index) from = e;
    while (from < to) {
      const uint64_t middle = (from + to) / 2;
      if (key[middle] < index)
        from = middle + 1;
      else
        to = middle;
    }
    start[e] = (uint32_t)from;
    if (from == e) {
      heads++;
      atomicOr(bits + (index >> 5), 1u << (index & 31));
    }
    longest = max(longest, (unsigned)(e - from) + 1);
  }
  longest = __reduce_max_sync(__activemask(), longest);
  atomicMax(facts + 1, (grid_counter)longest);
  grid_add_count(facts, heads);
}

// ---- launches ---------------------------------------------------------------------------------------------

unsigned block_count(uint64_t n) {
  return grid_cuda_blocks(n, THREADS, 16 * (unsigned)grid_cuda_multiprocessors());
}

GrB_Info read_count(const grid_tally &tally, uint64_t *count, bool *bad) {
  GrB_Info info = grid_cuda_wait_count(&tally, count, NULL);
  *bad = *count >= WRONG;
  return info;
}

// Copies the value of an iso u.
GrB_Info copy_one(grid_chunk *t, const grid_chunk *u) {
  t->iso = true;
  memcpy(t->host_value, u->host_value, sizeof t->host_value);
  return grid_cuda_fill(t->val, t->host_value, t->type->size, 1);
}

GrB_Info zero_bits(grid_chunk *t) {
  return grid_device_zero(t->bits, grid_words(t->n) * sizeof *t->bits);
}

}  // namespace

static GrB_Info gather_entries(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, bool *bad) {
  GrB_Info info = GrB_SUCCESS;
  const bool full = u->nvals && u->format == GRID_FULL && where->format == GRID_FULL, iso = u->iso;
  const position_list p = position_list_of(where, u->n);
  grid_tally tally;
  *bad = false;
  TRY(grid_chunk_reserve_device(t, !full, iso));
  TRY(grid_cuda_tally(&tally));
  call_by_unit(t->type->size, [&](auto *unit, uint64_t units) {
    gather<<<grid_cuda_tile_blocks(p.n), THREADS, 0, grid_cuda_stream()>>>(
        p, bits_of(u), units, (decltype(unit))(iso ? NULL : t->val), (decltype(unit))u->val,
        full ? NULL : (uint32_t *)t->bits, tally);
  });
  TRY(grid_cuda_check_launch("gathering entries"));
  TRY(read_count(tally, &t->nvals, bad));
  t->format = full ? GRID_FULL : GRID_BITMAP, t->iso = false;
  if (iso && u->nvals) TRY(copy_one(t, u));
done:
  return info;
}

// Scatters the values of u to t; `distinct`: indices are distinct.
static GrB_Info scatter_values(grid_chunk *t, const grid_chunk *u, const position_list &p, bool distinct) {
  GrB_Info info = GrB_SUCCESS;
  unsigned *last = NULL;
  if (!distinct) {
    last = (unsigned *)grid_device_malloc(t->n, sizeof *last);
    if (!last) TRY(grid_device_fail_memory(NULL, "the last entry of each index", t->n, sizeof *last));
    TRY(grid_device_zero(last, t->n * sizeof *last));
    find_last<<<block_count(p.n), THREADS, 0, grid_cuda_stream()>>>(p, bits_of(u), last);
  }
  call_by_unit(t->type->size, [&](auto *unit, uint64_t units) {
    scatter<<<block_count(p.n), THREADS, 0, grid_cuda_stream()>>>(
        p, bits_of(u), last, units, (decltype(unit))t->val, (decltype(unit))u->val);
  });
  TRY(grid_cuda_check_launch("scattering entries"));
done:
  grid_device_free(last);
  return info;
}

static GrB_Info scatter_entries(grid_chunk *t, grid_chunk *named, const grid_chunk *u,
                                const grid_chunk *where, bool *bad) {
  static const bool yes = true;
  GrB_Info info = GrB_SUCCESS;
  const bool all = u && u->nvals && u->format == GRID_FULL, present = u && u->nvals && !all;
  const position_list p = position_list_of(where, named->n);
  uint64_t count = 0;
  grid_tally tally;
  bool distinct;
  *bad = false;
  if (p.n >= UINT32_MAX) return GRID_UNSUPPORTED;
  TRY(grid_chunk_reserve_device(named, true, true));
  TRY(zero_bits(named));
  if (u) TRY(grid_chunk_reserve_device(t, true, u->iso));
  if (present) TRY(zero_bits(t));
  TRY(grid_cuda_tally(&tally));
  mark_positions<<<grid_cuda_tile_blocks(p.n), THREADS, 0, grid_cuda_stream()>>>(
      p, present ? bits_of(u) : NULL, (uint32_t *)named->bits, present ? (uint32_t *)t->bits : NULL, tally);
  TRY(grid_cuda_check_launch("marking indices"));
  TRY(read_count(tally, &count, bad));
  if (*bad) return info;
  named->nvals = count, named->format = GRID_BITMAP, named->iso = true;
  memcpy(named->host_value, &yes, sizeof yes);
  TRY(grid_cuda_fill(named->val, &yes, sizeof yes, 1));
  if (all) TRY(grid_device_copy(t->bits, named->bits, grid_words(t->n) * sizeof *t->bits));
  if (!all && !present) return info;
  t->nvals = count, t->format = GRID_BITMAP, t->iso = false;
  distinct = where->nvals == count;
  if (present && distinct) t->nvals = u->nvals;
  if (present && !distinct) TRY(grid_cuda_combine(NULL, t->bits, NULL, GRID_AND, t->n, &t->nvals));
  TRY(u->iso ? copy_one(t, u) : scatter_values(t, u, p, distinct));
done:
  return info;
}

// ---- with an operator -------------------------------------------------------------------------------------

namespace {

struct sorted {  // the entries by index, equal ones in their original order
  grid_keys key;
  uint32_t *number, *other, *start;
  uint64_t distinct, longest;
};

void sorted_free(sorted *s) {
  grid_cuda_keys_free(&s->key);
  grid_device_free(s->number);
  grid_device_free(s->other);
  grid_device_free(s->start);
}

// Allocates m keys.
GrB_Info allocate_sorted(sorted *s, uint64_t m) {
  s->key.n = m;
  s->key.at = (uint64_t *)grid_device_malloc(m, sizeof *s->key.at);
  s->key.other = (uint64_t *)grid_device_malloc(m, sizeof *s->key.other);
  s->number = (uint32_t *)grid_device_malloc(m, sizeof *s->number);
  s->other = (uint32_t *)grid_device_malloc(m, sizeof *s->other);
  s->start = (uint32_t *)grid_device_malloc(m, sizeof *s->start);
  if (s->key.at && s->key.other && s->number && s->other && s->start) return GrB_SUCCESS;
  return grid_device_fail_memory(NULL, "indices to be sorted", m, 28);
}

// The entries that where and u both have, sorted.
GrB_Info sort_positions(sorted *s, const position_list &p, const grid_chunk *u, bool *bad) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t tiles = (p.n + 1023) / 1024;
  uint64_t m = 0, none;
  grid_tally tally;
  uint64_t *before = (uint64_t *)grid_device_malloc(tiles + 1, sizeof *before);
  if (!before) TRY(grid_device_fail_memory(NULL, "counts of entries", tiles + 1, sizeof *before));
  TRY(grid_device_zero(before + tiles, sizeof *before));
  count_tiles<<<grid_cuda_tile_blocks(p.n), THREADS, 0, grid_cuda_stream()>>>(p.n, p.bits, bits_of(u),
                                                                              before);
  TRY(grid_cuda_check_launch("counting indices"));
  TRY(grid_cuda_exclusive_sums(before, tiles + 1));
  TRY(grid_cuda_fetch(&m, before + tiles));
  TRY(allocate_sorted(s, m));
  if (m == 0) goto done;
  TRY(grid_cuda_tally(&tally));
  list_positions<<<grid_cuda_tile_blocks(p.n), THREADS, 0, grid_cuda_stream()>>>(p, bits_of(u), before,
                                                                                 s->key.at, s->number, tally);
  TRY(grid_cuda_check_launch("listing indices"));
  TRY(read_count(tally, &none, bad));
  if (!*bad) TRY(grid_cuda_sort_pairs(&s->key, 0, grid_cuda_bits(p.limit), &s->number, &s->other));
done:
  grid_device_free(before);
  return info;
}

// The bits of t, and the facts about runs.
GrB_Info find_positions(sorted *s, grid_chunk *t) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t facts[2] = {0, 0};
  grid_counter *at = (grid_counter *)grid_device_malloc(2, sizeof *at);
  if (!at) TRY(grid_device_fail_memory(NULL, "counters", 2, sizeof *at));
  TRY(grid_device_zero(at, sizeof facts));
  TRY(zero_bits(t));
  find_runs<<<block_count(s->key.n), THREADS, 0, grid_cuda_stream()>>>(s->key.at, s->key.n, s->start,
                                                                       (uint32_t *)t->bits, at);
  TRY(grid_cuda_check_launch("finding equal indices"));
  TRY(grid_device_get(facts, at, sizeof facts));
  s->distinct = facts[0], s->longest = facts[1];
done:
  grid_device_free(at);
  return info;
}

// The values: loaded, combined in runs of 2, 4, 8, ... (kernels/combine_sorted.cuh), stored.
GrB_Info combine_values(grid_chunk *t, const grid_chunk *u, const sorted *s, void *kernel, size_t size) {
  GrB_Info info = GrB_SUCCESS;
  grid_combine_args a = {
      .m = s->key.n, .key = s->key.at, .start = s->start, .number = s->number, .iso = u->iso};
  void *sum = grid_device_malloc(s->key.n, size);
  void *args[] = {&a, &sum, (void *)&u->val, &t->val};
  if (!sum) TRY(grid_device_fail_memory(NULL, "values of one index", s->key.n, size));
  a.step = GRID_COMBINE_LOAD;
  TRY(grid_jit_launch(kernel, block_count(a.m), THREADS, args, "combining entries"));
  a.step = GRID_COMBINE_REDUCE;
  for (a.distance = 1; a.distance < s->longest; a.distance *= 2)
    TRY(grid_jit_launch(kernel, block_count(a.m), THREADS, args, "combining entries"));
  a.step = GRID_COMBINE_STORE;
  TRY(grid_jit_launch(kernel, block_count(a.m), THREADS, args, "combining entries"));
done:
  grid_device_free(sum);
  return info;
}

}  // namespace

// For few entries, in two kernels (exchange_sparse.cu).
static GrB_Info combine_sparse(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, GrB_BinaryOp dup,
                               uint64_t entries, bool *bad) {
  grid_sparse_sums s = {};
  uint64_t ticket;
  bool twice;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_cuda_sparse_exchange.sums(&s, t->type, u->type, dup, entries));
  TRY(grid_chunk_reserve_device(t, true, false));
  TRY(grid_cuda_sparse_exchange.scatter(NULL, &s, t, u, where, t->n, t->n, &ticket));
  TRY(grid_cuda_sparse_exchange.wait_result(ticket, &t->nvals, bad, &twice));
  *bad = *bad || (twice && !dup);
  if (*bad) t->nvals = 0;
  if (t->nvals) t->format = GRID_BITMAP, t->iso = false;
done:
  grid_device_free(s.buffer);
  return info;
}

static GrB_Info combine_entries(grid_chunk *t, const grid_chunk *u, const grid_chunk *where, GrB_BinaryOp dup,
                                bool *bad) {
  GrB_Info info = GrB_SUCCESS;
  const position_list p = position_list_of(where, t->n);
  grid_jit_source source;
  sorted s = {};
  void *kernel = NULL;
  *bad = false;
  if (p.n >= UINT32_MAX || t->n >= UINT32_MAX) return GRID_UNSUPPORTED;
  const uint64_t entries = where->nvals < u->nvals ? where->nvals : u->nvals;
  if (entries && grid_fits_sparse_exchange(entries, u->type->size, t->n > p.n ? t->n : p.n))
    return combine_sparse(t, u, where, dup, entries, bad);
  grid_source_combine(&source, t->type, u->type, dup);
  TRY(grid_jit_kernel(&kernel, &source, "combine_sorted.cuh", "grid_combine"));
  TRY(sort_positions(&s, p, u, bad));
  if (*bad || s.key.n == 0) goto done;
  TRY(grid_chunk_reserve_device(t, true, false));
  TRY(find_positions(&s, t));
  *bad = !dup && s.longest > 1;
  if (*bad) goto done;
  TRY(combine_values(t, u, &s, kernel, dup ? dup->z->size : t->type->size));
  t->nvals = s.distinct, t->format = GRID_BITMAP, t->iso = false;
done:
  sorted_free(&s);
  return info;
}

static GrB_Info sort_entries(grid_sorted_positions *to, const grid_chunk *where, const grid_chunk *u,
                             uint64_t limit, bool *bad) {
  const position_list p = position_list_of(where, limit);
  sorted s = {};
  GrB_Info info = GrB_SUCCESS;
  *bad = false;
  *to = {};
  if (p.n >= UINT32_MAX) return GRID_UNSUPPORTED;
  if (where->nvals == 0 || (u && u->nvals == 0)) return info;
  info = u ? sort_positions(&s, p, u, bad) : sort_positions(&s, p, where, bad);
  if (info == GrB_SUCCESS && !*bad) {
    *to = {s.key.n, s.key.at, s.number};
    s.key.at = NULL, s.number = NULL;
  }
  sorted_free(&s);
  return info;
}

extern "C" const grid_device_lists grid_cuda_lists = {gather_entries,
                                                      scatter_entries,
                                                      combine_entries,
                                                      sort_entries,
                                                      grid_cuda_list_find_owners,
                                                      grid_cuda_list_gather_at,
                                                      grid_cuda_list_receive};
