// Converts the levels of a run to entries of vectors (spmat/search.h, grid_materialize), in one pass over the
// level bytes.
#include "spmat/cuda/device/cuda.cuh"
#include "spmat/cuda/search/warp_bits.cuh"

namespace {

// Sources of values: a table by level, an array by vertex, the vertex numbers.
enum from { FROM_TABLE, FROM_ARRAY, FROM_INDEX, FROM_NONE };

// Values by level, as kernel parameters, without a copy.
template <typename T>
struct level_table {
  T value[GRID_SEARCH_LEVELS + 1];
};

// A warp takes a tile of 32 words of 32 vertices. In round k each lane has the four vertices at 128 k + 4
// lane, so that loads of levels and stores of values are contiguous over the lanes. Afterwards each lane has
// one word.
enum {
  THREADS = 256,
  WARPS = THREADS / 32,
  VERTICES_PER_LANE = 4,
  ROUNDS = 8,
  TILE = 32 * VERTICES_PER_LANE * ROUNDS
};
enum { SECTOR = 32 };  // bytes that memory writes at a time: for less, it has to read the rest first

// A pass: the levels of a job, and the bits of a second vector that gets the same entries (or NULL).
struct pass {
  const uint8_t *level;
  uint32_t from, to;  // four copies of a byte each
  uint64_t n, words;  // of 32 bits: whole words of 64
  uint32_t *bits, *other_bits;
  bool fresh, keep_absent;
  uint64_t number;  // of the first vertex
};

// The levels of the four vertices from `at` on, 0 from `end` on: memory extends to a whole word.
__device__ uint32_t load_four_levels(const uint8_t *level, uint32_t at, uint32_t end) {
  const uint32_t four = at < end ? __ldcs((const uint32_t *)(level + at)) : 0, left = end - at;
  return left < VERTICES_PER_LANE ? four & ((1u << 8 * left) - 1) : four;
}

// Which of four levels are in [from, to].
__device__ uint32_t match_levels(uint32_t four, const pass &p) {
  const uint32_t in = __vcmpgeu4(four, p.from) & __vcmpleu4(four, p.to) & 0x08040201u;
  return (in | in >> 8 | in >> 16 | in >> 24) & 15;
}

// Transposes 4-bit groups among each eight lanes: group k of lane l is swapped with group l of lane k.
__device__ uint32_t transpose(uint32_t x) {
#pragma unroll
  for (uint32_t d = 4; d > 0; d /= 2) {
    const uint32_t upper = d == 4 ? 0xffff0000u : d == 2 ? 0xff00ff00u : 0xf0f0f0f0u;
    const uint32_t y = __shfl_xor_sync(ALL, x, d);
    x = lane() & d ? (x & upper) | (y & upper) >> (4 * d) : (x & ~upper) | (y & ~upper) << (4 * d);
  }
  return x;
}

// The bits of the vertices whose values share a sector with the lane's.
template <typename T>
__device__ uint32_t sector_of() {
  constexpr uint32_t vertices = SECTOR / sizeof(T);
  return ALL >> (32 - vertices) << VERTICES_PER_LANE * lane() % 32 / vertices * vertices;
}

// Four values in as few stores as possible. Explicit vector stores, since the compiler turns an assignment
// into one store a value, each of which writes part of a sector.
template <typename T>
__device__ void write_all(T *val, const T *value) {
  uint32_t x[sizeof(T)];
  memcpy(x, value, sizeof x);
  if constexpr (sizeof(T) == 1) __stcs((uint32_t *)val, x[0]);
  if constexpr (sizeof(T) == 2) __stcs((uint2 *)val, make_uint2(x[0], x[1]));
  if constexpr (sizeof(T) >= 4)
    for (uint32_t k = 0; k < sizeof(T); k += 4)
      __stcs((uint4 *)val + k / 4, make_uint4(x[k], x[k + 1], x[k + 2], x[k + 3]));
}

// The values of the warp's tile from vertex `first` on, of `end` vertices. four: the lane's levels; hits: its
// four hits of each round; part and old: the lane's words of hits and of previous entries. A sector with hits
// but no previous entry is written as a whole if values of absent entries are undefined.
template <typename T, from FROM>
__device__ void materialize_values(T *val, const T *source, const T *by_level, uint64_t first, uint32_t end,
                                   const uint32_t *four, uint32_t hits, uint32_t part, uint32_t old,
                                   const pass &p) {
  const uint32_t sector = sector_of<T>();
  const bool any_old = __any_sync(ALL, old != 0);
#pragma unroll
  for (uint32_t k = 0; k < ROUNDS; k++) {
    const uint32_t owner = lane() / 8 * 8 + k, at = 32 * VERTICES_PER_LANE * k + VERTICES_PER_LANE * lane(),
                   lane_hits = hits >> 4 * k & 15;
    const uint32_t found = __shfl_sync(ALL, part, owner);
    const uint32_t stood = any_old ? __shfl_sync(ALL, old, owner) : 0;
    const bool whole = !p.keep_absent && !(stood & sector) && at + VERTICES_PER_LANE <= end;
    if (!(whole ? found & sector : lane_hits)) continue;
    T value[VERTICES_PER_LANE];
    for (uint32_t b = 0; b < VERTICES_PER_LANE; b++)
      value[b] = FROM == FROM_TABLE   ? by_level[four[k] >> 8 * b & 255]
                 : FROM == FROM_INDEX ? T(p.number + first + at + b)
                 : lane_hits >> b & 1 ? source[first + at + b]
                                      : T(0);
    T *to = val + first + at;
    if (whole)
      write_all(to, value);
    else
      for (uint32_t b = 0; b < VERTICES_PER_LANE; b++)
        if (lane_hits >> b & 1) to[b] = value[b];
  }
}

// The tile of words w0 ... w0 + 31; returns the lane's new words of both vectors.
template <typename T, from FROM>
__device__ uint2 materialize_tile(const pass &p, T *val, const T *source, const T *by_level, uint64_t w0) {
  const uint64_t first = 32 * w0,
                 w = w0 + 4 * (lane() % 8) + lane() / 8;  // the lane's word after transpose
  const uint32_t end = first >= p.n ? 0 : p.n - first < TILE ? (uint32_t)(p.n - first) : TILE;
  const bool in = w < p.words;
  uint32_t four[ROUNDS], hits = 0;
#pragma unroll
  for (uint32_t k = 0; k < ROUNDS; k++)
    four[k] = load_four_levels(p.level + first, 32 * VERTICES_PER_LANE * k + VERTICES_PER_LANE * lane(), end);
  const uint32_t old = in && !p.fresh ? p.bits[w] : 0, other_bits = in && p.other_bits ? p.other_bits[w] : 0;
#pragma unroll
  for (uint32_t k = 0; k < ROUNDS; k++) hits |= match_levels(four[k], p) << 4 * k;
  const uint32_t part = transpose(hits);
  if (in && (p.fresh || part)) {
    p.bits[w] = old | part;
    if (p.other_bits) p.other_bits[w] = other_bits | part;
  }
  if (FROM != FROM_NONE)
    materialize_values<T, FROM>(val, source, by_level, first, end, four, hits, part, old, p);
  return make_uint2(old | part, p.other_bits ? other_bits | part : 0);
}

template <typename T, from FROM>
__global__ void __launch_bounds__(THREADS, 4)
    materialize_kernel(const __grid_constant__ pass p, T *val, const T *source,
                       const __grid_constant__ level_table<T> table, unsigned long long *count) {
  __shared__ T by_level[256];
  __shared__ uint32_t total[2];
  if (threadIdx.x < 2) total[threadIdx.x] = 0;
  if (FROM == FROM_TABLE)
    by_level[threadIdx.x] = threadIdx.x <= (p.to & 255) ? table.value[threadIdx.x] : T(0);
  __syncthreads();
  uint32_t thread_counts[2] = {0, 0};
  const uint64_t first = blockIdx.x * (uint64_t)WARPS + warp(), step = gridDim.x * (uint64_t)WARPS;
  for (uint64_t tile = first; 32 * tile < p.words; tile += step) {
    const uint2 now = materialize_tile<T, FROM>(p, val, source, by_level, 32 * tile);
    thread_counts[0] += __popc(now.x);
    thread_counts[1] += __popc(now.y);
  }
  if (!count) return;
  // by warps, since all sums go to one word
  for (uint32_t k = 0; k < 2; k++) thread_counts[k] = __reduce_add_sync(ALL, thread_counts[k]);
  if (lane() < 2) atomicAdd(&total[lane()], lane() ? thread_counts[1] : thread_counts[0]);
  __syncthreads();
  if (threadIdx.x < 2 && total[threadIdx.x])
    atomicAdd(count + threadIdx.x, (unsigned long long)total[threadIdx.x]);
}

bool has_values_to_write(const grid_materialize *s) {
  return s->val && s->val != s->source;
}

template <typename T>
void launch(const grid_materialize *s, uint64_t *other_bits, unsigned long long *count) {
  level_table<T> table;
  const unsigned blocks = grid_cuda_blocks(s->n, WARPS * TILE, 32 * grid_cuda_multiprocessors());
  const cudaStream_t stream = grid_cuda_stream();
  const pass p = {s->level,
                  s->from * 0x01010101u,
                  s->to * 0x01010101u,
                  s->n,
                  2 * ((s->n + 63) / 64),
                  (uint32_t *)s->bits,
                  (uint32_t *)other_bits,
                  s->fresh,
                  s->keep_absent,
                  s->first};
  T *val = (T *)s->val;
  const T *source = (const T *)s->source;
  memset(&table, 0, sizeof table);
  if (s->table && s->to >= s->from)
    memcpy(table.value + s->from, (const T *)s->table + s->from, (s->to - s->from + 1) * sizeof(T));
  if (!has_values_to_write(s))
    materialize_kernel<T, FROM_NONE><<<blocks, THREADS, 0, stream>>>(p, val, source, table, count);
  else if (s->table)
    materialize_kernel<T, FROM_TABLE><<<blocks, THREADS, 0, stream>>>(p, val, source, table, count);
  else if (s->numbers)
    materialize_kernel<T, FROM_INDEX><<<blocks, THREADS, 0, stream>>>(p, val, source, table, count);
  else
    materialize_kernel<T, FROM_ARRAY><<<blocks, THREADS, 0, stream>>>(p, val, source, table, count);
}

}  // namespace

static void launch_by_size(const grid_materialize *s, uint64_t *other_bits, unsigned long long *count) {
  switch (s->size) {
    case 1:
      launch<uint8_t>(s, other_bits, count);
      break;
    case 2:
      launch<uint16_t>(s, other_bits, count);
      break;
    case 4:
      launch<uint32_t>(s, other_bits, count);
      break;
    default:
      launch<uint64_t>(s, other_bits, count);
  }
}

// Does b get the same entries as a, without values, so that a's pass over the levels serves both?
static bool is_same_pattern_job(const grid_materialize *a, const grid_materialize *b) {
  return !has_values_to_write(b) && !a->fresh && !b->fresh && a->from == b->from && a->to == b->to;
}

// No memory is allocated here: materializing may be local to a process, and must not fail then.
enum { COUNTERS = 8 };

extern "C" GrB_Info grid_cuda_materialize(grid_materialize *job, int jobs) {
  unsigned long long *count = NULL, got[COUNTERS];
  GrB_Info info = GrB_SUCCESS;
  bool wanted = false;
  for (int k = 0; k < jobs; k++) wanted = wanted || job[k].count;
  if (jobs > COUNTERS)
    TRY(grid_fail(NULL, GrB_PANIC, "%d vectors are too many to materialize at once", jobs));
  if (wanted) {
    count = (unsigned long long *)grid_cuda_counters(GRID_VECTOR_COUNTERS);
    TRY(grid_device_zero(count, sizeof got));
  }
  for (int k = 0, two; k < jobs; k += 1 + two) {
    two = k + 1 < jobs && is_same_pattern_job(job + k, job + k + 1);
    launch_by_size(job + k, two ? job[k + 1].bits : NULL, count ? count + k : NULL);
    TRY(grid_cuda_check_launch("materializing a search"));
  }
  if (wanted) TRY(grid_device_get(got, count, jobs * sizeof *count));
  for (int k = 0; k < jobs; k++)
    if (job[k].count) job[k].nvals = got[k];
done:
  return info;
}
