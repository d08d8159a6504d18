// Making an orientation's strips (spmat/matrix/balanced_tiles.h) for a pull that sums over all of its
// entries.
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "semiring/support/tuning.h"
#include "spmat/cuda/product/cuda_product.h"
#include "spmat/matrix/balanced_tiles.h"
#include "spmat/matrix/column_panels.h"
}
#include "spmat/cuda/build/keys.cuh"

#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/product.cuh"

namespace {

enum { THREADS = 256 };

// sums[0] += the entries of longer vectors; sums[1] = those of the longest, if more.
__global__ void count_long(const uint32_t *ptr, uint64_t n, unsigned long long *sums) {
  uint64_t thread_sum = 0;
  uint32_t longest = 0;
  GRID_FOR(v, n) {
    const uint32_t entries = ptr[v + 1] - ptr[v];
    if (entries > GRID_BALANCED_LONG_ROW) thread_sum += entries;
    if (entries > longest) longest = entries;
  }
  thread_sum = grid_warp_sum(thread_sum);
  longest = __reduce_max_sync(~0u, longest);
  if (threadIdx.x & 31) return;
  if (thread_sum) atomicAdd(sums, (unsigned long long)thread_sum);
  if (longest) atomicMax(sums + 1, (unsigned long long)longest);
}

__global__ void mark_vector_starts(const uint32_t *ptr, uint64_t n, uint32_t *begins) {
  GRID_FOR(v, n)
  if (ptr[v + 1] > ptr[v]) atomicOr(begins + ptr[v] / 32, 1u << (ptr[v] & 31));
}

__global__ void count_vectors(const uint64_t *nonempty, uint64_t words, uint64_t *count) {
  GRID_FOR(w, words) count[w] = (uint64_t)__popcll(nonempty[w]);
}

// at[w]: number of nonempty vectors before word w.
__global__ void list_vectors(const uint64_t *nonempty, uint64_t words, const uint64_t *at, uint32_t *vector) {
  GRID_FOR(w, words) {
    uint64_t k = at[w];
    for (uint64_t left = nonempty[w]; left; left &= left - 1)
      vector[k++] = (uint32_t)(64 * w + (uint64_t)__ffsll((long long)left) - 1);
  }
}

// before[s] = the vectors of the list that begin before entry s * GRID_BALANCED_TILE.
__global__ void count_before(const uint32_t *ptr, const uint32_t *vector, uint32_t vectors,
                             uint64_t balanced_tiles, uint32_t *before) {
  GRID_FOR(s, balanced_tiles + 1) {
    uint32_t lo = 0, hi = vectors;
    while (lo < hi) {
      const uint32_t mid = lo + (hi - lo) / 2;
      if (ptr[vector[mid]] < s * GRID_BALANCED_TILE)
        lo = mid + 1;
      else
        hi = mid;
    }
    before[s] = lo;
  }
}

GrB_Info fill(const grid_job *J, grid_balanced_tiles *s, uint64_t *count) {
  const grid_compressed *m = J->m;
  const uint64_t words = grid_words(J->ny),
                 balanced_tiles = (J->entries + GRID_BALANCED_TILE - 1) / GRID_BALANCED_TILE;
  cudaStream_t stream = grid_cuda_stream();
  uint64_t vectors = 0;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_device_zero(s->row_start, balanced_tiles * GRID_BALANCED_TILE / 8));
  mark_vector_starts<<<grid_cuda_blocks_for(J->ny), THREADS, 0, stream>>>(m->ptr, J->ny, s->row_start);
  TRY(grid_device_zero(count + words, sizeof *count));
  count_vectors<<<grid_cuda_blocks_for(words), THREADS, 0, stream>>>(m->nonempty, words, count);
  TRY(grid_cuda_exclusive_sums(count, words + 1));
  TRY(grid_cuda_fetch(&vectors, count + words));
  s->vector = (uint32_t *)grid_device_malloc(vectors, sizeof *s->vector);
  if (!s->vector)
    TRY(grid_device_fail_memory(NULL, "balanced tiles of a matrix", vectors, sizeof *s->vector));
  list_vectors<<<grid_cuda_blocks_for(words), THREADS, 0, stream>>>(m->nonempty, words, count, s->vector);
  count_before<<<grid_cuda_blocks_for(balanced_tiles), THREADS, 0, stream>>>(
      m->ptr, s->vector, (uint32_t)vectors, balanced_tiles, s->before);
  TRY(grid_cuda_check_launch("balanced tiles of a matrix"));
  s->n = balanced_tiles, s->vectors = vectors;
  s->bytes = balanced_tiles * GRID_BALANCED_TILE / 8 + (balanced_tiles + 1 + vectors) * sizeof *s->vector;
done:
  return info;
}

GrB_Info make(const grid_job *J, grid_balanced_tiles *s) {
  const uint64_t balanced_tiles = (J->entries + GRID_BALANCED_TILE - 1) / GRID_BALANCED_TILE;
  uint64_t *count = NULL;
  GrB_Info info = GrB_SUCCESS;
  count = (uint64_t *)grid_device_malloc(grid_words(J->ny) + 1, sizeof *count);
  s->row_start = (uint32_t *)grid_device_malloc(balanced_tiles, GRID_BALANCED_TILE / 8);
  s->before = (uint32_t *)grid_device_malloc(balanced_tiles + 1, sizeof *s->before);
  if (!count || !s->row_start || !s->before)
    TRY(grid_device_fail_memory(NULL, "balanced tiles of a matrix", balanced_tiles, GRID_BALANCED_TILE / 8));
  TRY(fill(J, s, count));
done:
  grid_device_free(count);
  return info;
}

// ---- order by degree --------------------------------------------------------------------------------------

__global__ void count_ends(const uint32_t *idx, uint64_t entries, uint32_t *count) {
  GRID_FOR(e, entries) atomicAdd(count + idx[e], 1u);
}

// Keys that sort ends by descending count, equal ones by ascending index. *used: number of ends with entries.
__global__ void write_keys(const uint32_t *count, uint64_t n, uint64_t *key, unsigned long long *used) {
  uint64_t thread_sum = 0;
  GRID_FOR(k, n) {
    key[k] = (uint64_t)~count[k] << 32 | k;
    thread_sum += count[k] != 0;
  }
  thread_sum = grid_warp_sum(thread_sum);
  if ((threadIdx.x & 31) == 0 && thread_sum) atomicAdd(used, (unsigned long long)thread_sum);
}

// sum[p] = the entries of panel p of `columns` ends, a block a panel.
__global__ void sum_panel_entries(const uint64_t *key, uint64_t n, uint64_t columns,
                                  unsigned long long *sum) {
  const uint64_t first = blockIdx.x * columns, last = first + columns < n ? first + columns : n;
  uint64_t thread_sum = 0;
  for (uint64_t k = first + threadIdx.x; k < last; k += blockDim.x) thread_sum += (uint32_t) ~(key[k] >> 32);
  thread_sum = grid_warp_sum(thread_sum);
  if ((threadIdx.x & 31) == 0 && thread_sum) atomicAdd(sum + blockIdx.x, (unsigned long long)thread_sum);
}

__global__ void write_ends(const uint64_t *key, uint64_t ends, uint32_t *end) {
  GRID_FOR(k, ends) end[k] = (uint32_t)key[k];
}

__global__ void write_rank_of(const uint32_t *end, uint64_t ends, uint32_t *rank_of) {
  GRID_FOR(k, ends) rank_of[end[k]] = (uint32_t)k;
}

__global__ void write_ranks(const uint32_t *idx, uint64_t entries, const uint32_t *rank_of, uint32_t *rank) {
  GRID_FOR(e, entries) rank[e] = __ldg(rank_of + idx[e]);
}

// Counts of the ends in order of degree: those with entries, and the entries of each column panel.
struct end_counts {
  unsigned long long ends, panel[GRID_COLUMN_PANELS];
};

// How many ends a panel has, whose elements of x fit shared memory.
uint64_t panel_columns_of(const grid_job *J) {
  const uint64_t size = J->x_type->size, fit = grid_cuda_hub_bytes() / (size < 4 ? 4 : size);
  return fit < grid_tune.tiles_panel_columns ? fit : grid_tune.tiles_panel_columns;
}

GrB_Info sort_ends(const grid_job *J, uint32_t *count, grid_keys *key, end_counts *sums) {
  cudaStream_t stream = grid_cuda_stream();
  const uint64_t n = J->nx;
  end_counts *device_sums = (end_counts *)grid_device_malloc(1, sizeof *device_sums);
  GrB_Info info =
      device_sums ? GrB_SUCCESS : grid_device_fail_memory(NULL, "counters", 1, sizeof *device_sums);
  TRY(info);
  TRY(grid_device_zero(device_sums, sizeof *device_sums));
  TRY(grid_device_zero(count, n * sizeof *count));
  count_ends<<<grid_cuda_blocks_for(J->entries), THREADS, 0, stream>>>(J->m->idx, J->entries, count);
  write_keys<<<grid_cuda_blocks_for(n), THREADS, 0, stream>>>(count, n, key->at, &device_sums->ends);
  TRY(grid_cuda_check_launch("counting columns"));
  TRY(grid_cuda_sort(key, 32, 32));
  sum_panel_entries<<<GRID_COLUMN_PANELS, THREADS, 0, stream>>>(key->at, n, panel_columns_of(J),
                                                                device_sums->panel);
  TRY(grid_cuda_check_launch("counting the entries of column panels"));
  TRY(grid_device_get(sums, device_sums, sizeof *sums));
done:
  grid_device_free(device_sums);
  return info;
}

// A panel pays for the loads of its x by all multiprocessors with some number of entries, and for its sums of
// each output with some share of them. One alone is faster together with the rest, whose vectors are then not
// divided.
uint32_t panels_that_pay(const grid_job *J, const end_counts *sums) {
  const uint64_t share = J->entries / 64,
                 least = share > grid_tune.tiles_panel_entries ? share : grid_tune.tiles_panel_entries;
  uint32_t n = 1;
  while (n < GRID_COLUMN_PANELS && sums->panel[n] > least) n++;
  return n;
}

// s->end, unless few entries meet the hubs.
GrB_Info make_ends(const grid_job *J, grid_balanced_tiles *s) {
  grid_keys key = {NULL, NULL, J->nx};
  uint32_t *count = (uint32_t *)grid_device_malloc(J->nx, sizeof *count);
  end_counts sums;
  GrB_Info info = GrB_SUCCESS;
  key.at = (uint64_t *)grid_device_malloc(J->nx, sizeof *key.at);
  key.other = (uint64_t *)grid_device_malloc(J->nx, sizeof *key.other);
  if (!count || !key.at || !key.other)
    TRY(grid_device_fail_memory(NULL, "ranks of columns", J->nx, 2 * sizeof *key.at));
  TRY(sort_ends(J, count, &key, &sums));
  s->no_degree_order = (double)sums.panel[0] < grid_tune.tiles_hub_share * (double)J->entries;
  if (s->no_degree_order) goto done;
  s->end = (uint32_t *)grid_device_malloc(sums.ends, sizeof *s->end);
  if (!s->end) TRY(grid_device_fail_memory(NULL, "ranks of columns", sums.ends, sizeof *s->end));
  write_ends<<<grid_cuda_blocks_for(sums.ends), THREADS, 0, grid_cuda_stream()>>>(key.at, sums.ends, s->end);
  TRY(grid_cuda_check_launch("ranks of columns"));
  s->ends = sums.ends, s->panels = panels_that_pay(J, &sums),
  s->panel_columns = (uint32_t)panel_columns_of(J);
  s->bytes += s->ends * sizeof *s->end;
done:
  grid_cuda_keys_free(&key);
  grid_device_free(count);
  return info;
}

GrB_Info make_ranks(const grid_job *J, grid_balanced_tiles *s, const uint32_t *rank_of) {
  uint32_t *rank = (uint32_t *)grid_device_malloc(J->entries, sizeof *rank);
  if (!rank) return grid_device_fail_memory(NULL, "ranks of columns", J->entries, sizeof *rank);
  write_ranks<<<grid_cuda_blocks_for(J->entries), THREADS, 0, grid_cuda_stream()>>>(J->m->idx, J->entries,
                                                                                    rank_of, rank);
  s->rank = rank;
  s->bytes += J->entries * sizeof *rank;
  return grid_cuda_check_launch("ranks of columns");
}

// The entries in order of degree: by panels of columns, or by rows for M's values.
GrB_Info order_entries(const grid_job *J, grid_balanced_tiles *s, bool by_panels) {
  uint32_t *rank_of = (uint32_t *)grid_device_malloc(J->nx, sizeof *rank_of);
  GrB_Info info =
      rank_of ? GrB_SUCCESS : grid_device_fail_memory(NULL, "ranks of columns", J->nx, sizeof *rank_of);
  TRY(info);
  write_rank_of<<<grid_cuda_blocks_for(s->ends), THREADS, 0, grid_cuda_stream()>>>(s->end, s->ends, rank_of);
  TRY(grid_cuda_check_launch("ranks of columns"));
  info = by_panels ? grid_cuda_column_panels(J, s, rank_of) : make_ranks(J, s, rank_of);
done:
  grid_device_free(rank_of);
  return info;
}

// Do x's values count, and not M's? Sums of 4 or 8 bytes have room for a tile's number.
bool is_by_panels(const grid_job *J, const grid_balanced_tiles *s) {
  const size_t z = J->s->mul->z->size;
  return s->panels && (J->a_step == 0 || !grid_product_a_used(J)) && (z == 4 || z == 8);
}

// Are x's values worth an order of their own, and does M have that order, or get it now?
GrB_Info find_degree_order(const grid_job *J, grid_balanced_tiles *s, grid_product_method *method) {
  const bool values = grid_product_x_used(J) && J->x_step != 0 && J->s->mul->op != GRID_OP_SECONDI &&
                      J->x_type->size <= sizeof(uint64_t);
  GrB_Info info = GrB_SUCCESS;
  if (!values || s->no_degree_order || J->entries < grid_tune.tiles_order_entries) return info;
  if (!s->end) {
    if (s->degree_order_pulls++ < grid_tune.tiles_order_pulls) return info;
    TRY(make_ends(J, s));
  }
  if (s->no_degree_order) return info;
  if (is_by_panels(J, s) && !s->column_panels) info = order_entries(J, s, true);
  if (info == GrB_OUT_OF_MEMORY) s->panels = 0, info = GrB_SUCCESS;
  TRY(info);
  if (!is_by_panels(J, s) && !s->rank) TRY(order_entries(J, s, false));
  *method = is_by_panels(J, s) ? GRID_METHOD_COLUMN_PANELS : GRID_METHOD_DEGREE_ORDERED;
done:
  if (info != GrB_SUCCESS) s->no_degree_order = true;
  return info == GrB_OUT_OF_MEMORY ? GrB_SUCCESS : info;
}

// The tiles of M, built now if there is room; lack of memory is no error.
GrB_Info choose_tiles(const grid_job *J, grid_balanced_tiles *s, grid_product_method *method) {
  GrB_Info info = GrB_SUCCESS;
  if ((uintptr_t)J->m->idx % sizeof(uint4)) return info;  // a slab that begins anywhere
  if (!s->n) {
    info = make(J, s);
    if (info != GrB_SUCCESS) {
      grid_balanced_tiles_drop(s);
      s->counted = s->refused = true;
      return info == GrB_OUT_OF_MEMORY ? GrB_SUCCESS : info;
    }
  }
  *method = GRID_METHOD_TILES;
  return find_degree_order(J, s, method);
}

}  // namespace

// The first-level cache, which has the rest of a multiprocessor's memory, keeps x's further values: on an
// H100 160 of the 227 KiB were best.
extern "C" uint64_t grid_cuda_hub_bytes(void) {
  return grid_cuda_limits().shared / 227 * 160;
}

extern "C" GrB_Info grid_cuda_count_lengths(const grid_compressed *m, uint64_t n, uint64_t entries) {
  enum { SUMS = 2 };
  grid_balanced_tiles *const s = m->balanced_tiles;
  unsigned long long *sums = (unsigned long long *)grid_device_malloc(SUMS, sizeof *sums), got[SUMS];
  GrB_Info info = sums ? GrB_SUCCESS : grid_device_fail_memory(NULL, "counters", SUMS, sizeof *sums);
  TRY(info);
  TRY(grid_device_zero(sums, SUMS * sizeof *sums));
  count_long<<<grid_cuda_blocks_for(n), THREADS, 0, grid_cuda_stream()>>>(m->ptr, n, sums);
  TRY(grid_cuda_check_launch("counting long rows"));
  TRY(grid_device_get(got, sums, sizeof got));
  s->longest = (uint32_t)got[1];
  s->even = (double)got[1] * (double)n < grid_tune.even_rows_ratio * (double)entries;
  s->refused = (double)got[0] < grid_tune.tiles_long_share * (double)entries;
done:
  s->counted = true;
  grid_device_free(sums);
  return info;
}

extern "C" GrB_Info grid_cuda_choose_pull(const grid_job *J, grid_product_method *method,
                                          const grid_balanced_tiles **caches) {
  grid_balanced_tiles *s = J->m->balanced_tiles;
  GrB_Info info = GrB_SUCCESS;
  *caches = s;
  *method = GRID_METHOD_ROWS;
  if (!s || J->entries < grid_tune.tiles_entries) return info;
  if (!s->n) {  // a page comes with tiles
    if (s->pulls++ < grid_tune.tiles_pulls) return info;
    if (!s->counted) TRY(grid_cuda_count_lengths(J->m, J->ny, J->entries));
  }
  if (s->even && J->s->mul->z->size <= sizeof(uint64_t))
    *method = GRID_METHOD_ROW_BLOCKS;
  else if (!s->refused)
    info = choose_tiles(J, s, method);
done:
  return info == GrB_OUT_OF_MEMORY ? GrB_SUCCESS : info;
}
