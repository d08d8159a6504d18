// The levels of a run become entries of vectors (spmat/search.h, grid_settle): one pass over the level bytes.
#include "spmat/cuda/cuda.cuh"

namespace {

// Values by level, as kernel parameters: no copy, no wait.
template <typename T>
struct level_table {
  T value[GRID_SEARCH_LEVELS + 1];
};

enum { THREADS = 256, EACH = 4, LANES = 32 / EACH };  // LANES threads share a word of 32 vertices
enum { FLIGHT = 8 };                                  // loads of levels that a thread has under way

// What a pass does: the levels of a job, and the bits of a second vector that gets the same entries (or
// NULL).
struct pass {
  const uint8_t *level;
  uint32_t from, to;  // four times the same byte each
  uint64_t n, words;  // of 32 bits: whole words of 64
  uint32_t *bits, *also;
  bool fresh;
};

// The levels of vertices v .. v + 3, 0 beyond n.
__device__ uint32_t four_levels(const uint8_t *level, uint64_t v, uint64_t n) {
  if (v + EACH <= n) return __ldcs((const uint32_t *)(level + v));
  uint32_t r = 0;
  for (int b = 0; b < EACH; b++)
    if (v + b < n) r |= (uint32_t)level[v + b] << (8 * b);
  return r;
}

// Which of four levels are in [from, to].
__device__ uint32_t hits_of(uint32_t four, const pass &p) {
  const uint32_t in = __vcmpgeu4(four, p.from) & __vcmpleu4(four, p.to) & 0x08040201u;
  return (in | in >> 8 | in >> 16 | in >> 24) & 15;
}

template <typename T>
__device__ void write_four(T *val, const T *value, uint64_t v, uint64_t n, uint32_t hits, bool alone) {
  struct alignas(EACH * sizeof(T) > 16 ? 16 : EACH * sizeof(T)) four {
    T x[EACH];
  };
  if (alone && v + EACH <= n) {  // no entry stands here yet, so what is no hit may be written too
    four f;
    for (int b = 0; b < EACH; b++) f.x[b] = value[b];
    *(four *)(val + v) = f;
    return;
  }
  for (int b = 0; b < EACH; b++)
    if (hits >> b & 1) val[v + b] = value[b];
}

// The thread's four vertices of word w, whose entries so far are `old`; returns the word that is there now.
template <typename T, bool TABLE, bool VALUES>
__device__ uint32_t settle_four(const pass &p, T *val, const T *source, const T *by_level, uint64_t w,
                                unsigned lane, uint32_t old, uint32_t also, uint32_t four) {
  const uint64_t v = 32 * w + EACH * lane;
  const uint32_t hits = hits_of(four, p);
  uint32_t part = hits << (EACH * lane);
  for (int d = LANES / 2; d > 0; d /= 2) part |= __shfl_xor_sync(~0u, part, d);
  if (VALUES && hits) {
    T value[EACH];
    for (int b = 0; b < EACH; b++)
      value[b] = TABLE ? by_level[four >> (8 * b) & 255] : hits >> b & 1 ? source[v + b] : T(0);
    write_four(val, value, v, p.n, hits, !(old >> (EACH * lane) & 15));
  }
  if (lane == 0 && w < p.words && (p.fresh || part)) {
    p.bits[w] = old | part;
    if (p.also) p.also[w] = also | part;
  }
  return old | part;
}

template <typename T, bool TABLE, bool VALUES>
__global__ void __launch_bounds__(THREADS)
    settle_kernel(const __grid_constant__ pass p, T *val, const T *source,
                  const __grid_constant__ level_table<T> table, unsigned long long *count) {
  __shared__ T by_level[256];
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) total = 0;
  if (TABLE) by_level[threadIdx.x] = threadIdx.x <= GRID_SEARCH_LEVELS ? table.value[threadIdx.x] : T(0);
  __syncthreads();
  const uint64_t words = p.words, stride = (uint64_t)gridDim.x * (THREADS / LANES);
  const unsigned lane = threadIdx.x % LANES;
  unsigned long long mine = 0;
  // all threads of a warp take part in every round, for their shuffles
  for (uint64_t first = blockIdx.x * (uint64_t)(THREADS / LANES); first < words; first += FLIGHT * stride) {
    uint32_t old[FLIGHT], also[FLIGHT], four[FLIGHT];
#pragma unroll
    for (int k = 0; k < FLIGHT; k++) {
      const uint64_t w = first + k * stride + threadIdx.x / LANES, v = 32 * w + EACH * lane;
      old[k] = w < words && !p.fresh ? p.bits[w] : 0;
      also[k] = w < words && p.also ? p.also[w] : 0;
      four[k] = w < words && v < p.n ? four_levels(p.level, v, p.n) : 0;
    }
#pragma unroll
    for (int k = 0; k < FLIGHT; k++) {
      const uint64_t w = first + k * stride + threadIdx.x / LANES;
      const uint32_t word =
          settle_four<T, TABLE, VALUES>(p, val, source, by_level, w, lane, old[k], also[k], four[k]);
      if (count && lane == 0) mine += __popc(word);  // 0 beyond the end
    }
  }
  if (mine) atomicAdd(&total, mine);
  __syncthreads();
  if (threadIdx.x == 0 && total) atomicAdd(count, total);
}

bool writes_values(const grid_settle *s) {
  return s->val && s->val != s->source;
}

template <typename T>
void launch(const grid_settle *s, uint64_t *also, unsigned long long *count) {
  level_table<T> table;
  const uint64_t per_block = THREADS * EACH * FLIGHT;
  const unsigned blocks =
      grid_cuda_blocks((s->n + per_block - 1) / per_block, 1, 16 * grid_cuda_multiprocessors());
  const cudaStream_t stream = grid_cuda_stream();
  const pass p = {s->level,
                  s->from * 0x01010101u,
                  s->to * 0x01010101u,
                  s->n,
                  2 * ((s->n + 63) / 64),
                  (uint32_t *)s->bits,
                  (uint32_t *)also,
                  s->fresh};
  T *val = (T *)s->val;
  const T *source = (const T *)s->source;
  memset(&table, 0, sizeof table);
  if (s->table && s->to >= s->from)
    memcpy(table.value + s->from, (const T *)s->table + s->from, (s->to - s->from + 1) * sizeof(T));
  if (!writes_values(s))
    settle_kernel<T, false, false><<<blocks, THREADS, 0, stream>>>(p, val, source, table, count);
  else if (s->table)
    settle_kernel<T, true, true><<<blocks, THREADS, 0, stream>>>(p, val, source, table, count);
  else
    settle_kernel<T, false, true><<<blocks, THREADS, 0, stream>>>(p, val, source, table, count);
}

}  // namespace

static void launch_by_size(const grid_settle *s, uint64_t *also, unsigned long long *count) {
  switch (s->size) {
    case 1:
      launch<uint8_t>(s, also, count);
      break;
    case 2:
      launch<uint16_t>(s, also, count);
      break;
    case 4:
      launch<uint32_t>(s, also, count);
      break;
    default:
      launch<uint64_t>(s, also, count);
  }
}

// Does b get the same entries as a, without values to write, so that a's pass over the levels serves both?
static bool rides_along(const grid_settle *a, const grid_settle *b) {
  return !writes_values(b) && !a->fresh && !b->fresh && !b->count && a->from == b->from && a->to == b->to;
}

// No memory is asked for here: settling may be local to a process, and must not fail there.
enum { COUNTERS = 8 };
static __device__ unsigned long long counters[COUNTERS];

extern "C" GrB_Info grid_cuda_settle(grid_settle *job, int jobs) {
  unsigned long long *count = NULL, got[COUNTERS];
  GrB_Info info = GrB_SUCCESS;
  bool wanted = false;
  for (int k = 0; k < jobs; k++) wanted = wanted || job[k].count;
  if (jobs > COUNTERS) TRY(grid_fail(NULL, GrB_PANIC, "%d vectors are too many to settle at once", jobs));
  if (wanted) {
    TRY(grid_cuda_check(cudaGetSymbolAddress((void **)&count, counters), "the counters of vectors"));
    TRY(grid_device_zero(count, sizeof counters));
  }
  for (int k = 0; k < jobs; k++) {
    const bool taken =
        k > 0 && k % 2 == 1 && rides_along(job + k - 1, job + k);  // as `also` of the one before
    if (taken) continue;
    uint64_t *also = k % 2 == 0 && k + 1 < jobs && rides_along(job + k, job + k + 1) ? job[k + 1].bits : NULL;
    launch_by_size(job + k, also, job[k].count ? count + k : NULL);
    TRY(grid_cuda_launched("settling a search"));
  }
  if (wanted) TRY(grid_device_get(got, count, jobs * sizeof *count));
  for (int k = 0; k < jobs; k++)
    if (job[k].count) job[k].nvals = got[k];
done:
  return info;
}
