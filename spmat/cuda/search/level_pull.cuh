// The pulls of a search on several GPUs, by warps, as those on one GPU (search_pull.cuh): a row's hub
// neighbor is tested for all rows in step. Rows that miss are collected in a buffer of the warp, which scans
// 32 of them at a time (scan_missed_rows). Rows still not found go to the list of open rows, long ones first
// to pull_deferred. Data that is written once is stored by __stcs, so that the cache is left to the
// frontier's bitmap.
#ifndef GRID_LEVEL_PULL_CUH
#define GRID_LEVEL_PULL_CUH
#include "spmat/cuda/search/level.cuh"

namespace {

enum : uint32_t {
  PULL_THREADS = 512,
  PULL_WARPS = PULL_THREADS / 32,
  PULL_BLOCKS = 2,           // a multiprocessor
  MISSES = 32 * SWEEP + 32,  // rows in a warp's buffer for scan_missed_rows
  DEFERRED_BLOCKS = 4,
};
constexpr uint32_t ONE_ENTRY = GRID_LEVEL_ONE_ENTRY;

struct pull_shared {
  uint2 miss[PULL_WARPS][MISSES];
  uint2 remaining[PULL_WARPS][REMAINING];
  uint32_t nremaining, position;
};

// The state of a warp in a pull.
struct pull_state {
  const uint32_t *probe;      // the frontier
  const uint32_t *coarse;     // its nonempty words of 64; NULL: unknown
  const uint32_t *delegates;  // its delegates
  uint32_t marked;            // the bit that marks delegates in first entries; 0: there are none
  uint32_t *next;             // local bits of the rows found
  uint2 *miss, *remaining, *list;
  uint32_t *list_count;  // length of the list
  uint32_t misses, nremaining;
  uint32_t found, inspected;  // of the lane
};

__device__ inline int open_list_written(const grid_level_step &step) {
  return step.first ? step.open : 1 - step.open;
}

__device__ inline pull_state pull_begin(const level_search &s, const grid_level_step &step, pull_shared &sh) {
  const int to = open_list_written(step);
  return {s.bits[step.from],
          step.coarse ? s.coarse : NULL,
          s.delegates.bits,
          s.delegates.per_process ? GRID_LEVEL_DELEGATE : 0,
          local_bits(s, 1 - step.from),
          sh.miss[warp()],
          sh.remaining[warp()],
          (uint2 *)s.open[to],
          &s.counters->open[to],
          0,
          0,
          0,
          0};
}

// Consecutive numbers are on different multiprocessors, so that little work is spread, too.
__device__ inline uint32_t pull_warp() {
  return warp() * gridDim.x + blockIdx.x;
}
__device__ inline uint32_t pull_warps() {
  return gridDim.x * PULL_WARPS;
}

// ---- vertex look-up ---------------------------------------------------------------------------------------
// A bitmap of 2^28 vertices exceeds the cache; that of its words fits. In a sparse frontier most look-ups end
// there. The delegates' bitmap always fits; delegates have numbers in first entries only.

constexpr uint32_t COARSE_SHIFT = 6;

__device__ inline const uint32_t *first_of(const level_search &s) {
  return s.delegates.per_process ? s.delegates.hub_neighbor : s.graph.in_hub_neighbor;
}
__device__ inline bool is_delegate(const pull_state &p, uint32_t u) {
  return u & p.marked;
}
__device__ inline uint32_t vertex_of(const level_search &s, const pull_state &p, uint32_t u) {
  return is_delegate(p, u) ? __ldg(s.delegates.vertex + (u & ~p.marked)) : u;
}

// The frontier's words of the vertices u[], 0 for inactive ones.
template <uint32_t COUNT>
__device__ inline void probe_words(const uint32_t *probe, const uint32_t *coarse, const bool *active,
                                   const uint32_t *u, uint32_t *word) {
  if (coarse)
    load_frontier_words_sparse<COUNT>(coarse, COARSE_SHIFT, probe, active, u, word);
  else
    load_frontier_words<COUNT>(probe, active, u, word);
}

// The words in which first entries of active rows are looked up, SWEEP rows at a time.
template <grid_level_phase PHASE>
__device__ inline void first_words(const pull_state &p, const bool *active, const uint32_t *u,
                                   uint32_t *word) {
  bool is_probed[SWEEP];
#pragma unroll
  for (uint32_t k = 0; k < SWEEP; k++)
    is_probed[k] =
        active[k] && PHASE != (is_delegate(p, u[k]) ? GRID_LEVEL_NONDELEGATES : GRID_LEVEL_DELEGATES);
  if (PHASE != GRID_LEVEL_DELEGATES && p.coarse) {
#pragma unroll
    for (uint32_t k = 0; k < SWEEP; k++)
      word[k] = load_if(is_probed[k] && !is_delegate(p, u[k]), p.coarse + (u[k] >> COARSE_SHIFT >> 5));
#pragma unroll
    for (uint32_t k = 0; k < SWEEP; k++)
      is_probed[k] = is_probed[k] && (is_delegate(p, u[k]) || has(word[k], u[k] >> COARSE_SHIFT));
  }
#pragma unroll
  for (uint32_t k = 0; k < SWEEP; k++) {
    const uint32_t *bits = is_delegate(p, u[k]) ? p.delegates : p.probe;
    word[k] = load_if(is_probed[k], bits + ((u[k] & ~p.marked) >> 5));
  }
}

// ---- the warp's buffers ---------------------------------------------------------------------------------

// Makes room for `more` rows that stay open.
__device__ inline void reserve_remaining(pull_state &p, uint32_t more) {
  reserve_slots(more, p.remaining, &p.nremaining, p.list, p.list_count);
}
__device__ inline void append_remaining(pull_state &p, bool active, uint2 row) {
  gather(p.remaining, &p.nremaining, active, row);
}
__device__ inline void gather_miss(pull_state &p, bool active, uint32_t v, uint32_t first) {
  gather(p.miss, &p.misses, active, make_uint2(v, first));
}

// ---- a row's entries ------------------------------------------------------------------------------------

__device__ inline void mark_found(const level_search &s, const grid_level_step &step, pull_state &p,
                                  uint32_t v) {
  write_level(s, step, v);
  atomicOr(p.next + (v >> 5), 1u << (v & 31));
  p.found++;
}

// Leaves a row to pull_deferred: `more` entries remain to be inspected.
__device__ inline void defer_row(const level_search &s, uint32_t v, uint32_t more) {
  if (more > SEGMENT)
    s.deferred[s.deferred_capacity - 1 - atomicAdd(&s.counters->deferred_block_rows, 1u)] = v;
  else
    s.deferred[atomicAdd(&s.counters->deferred, 1u)] = v;
}

// Scans the entries of the newest rows (up to 32) whose hub neighbor missed.
__device__ void scan_missed_rows(const level_search &s, const grid_level_step &step, pull_state &p) {
  bool on;
  const uint2 row = pop_row(p.miss, &p.misses, &on);
  const row_rest rest = load_rest_of_row(s.graph.in_ptr, on, row.x);
  const uint32_t v = row.x, stop = rest.end - rest.at > SCAN ? rest.at + SCAN : rest.end;
  const uint32_t parent = scan_row(s.graph.in_idx, rest.at, stop, &p.inspected,
                                   [&](const bool *active, const uint32_t *u, uint32_t *word) {
                                     probe_words<TILE>(p.probe, p.coarse, active, u, word);
                                   });
  const bool open = on && parent == NO_ROW;
  if (on && parent != NO_ROW) {
    write_parent(s, v, parent);
    mark_found(s, step, p, v);
  }
  if (open && stop < rest.end) defer_row(s, v, rest.end - stop);
  reserve_remaining(p, 32);
  append_remaining(p, open && stop == rest.end, make_uint2(rest.is_single ? v | ONE_ENTRY : v, row.y));
}

// Empties the buffers and adds the counts. All threads of the block call.
__device__ void pull_end(const level_search &s, const grid_level_step &step, pull_shared &sh, pull_state &p) {
#pragma unroll 1
  while (p.misses) scan_missed_rows(s, step, p);
  if (threadIdx.x == 0) sh.nremaining = 0;
  __syncthreads();
  uint32_t before = 0;
  if (lane() == 0 && p.nremaining) before = atomicAdd(&sh.nremaining, p.nremaining);
  __syncthreads();
  if (threadIdx.x == 0) sh.position = sh.nremaining ? atomicAdd(p.list_count, sh.nremaining) : 0;
  __syncthreads();
  empty_rows(p.remaining, &p.nremaining, p.list, sh.position + __shfl_sync(ALL, before, 0));
  const tally t = {p.found, 0, p.inspected};
  add_tally(&s.message[1 - step.from][s.k].head, t);
}

// ---- all local rows ---------------------------------------------------------------------------------------

// Flags of the 1024 rows of a warp: bit j of lane l is for row l of word j.
struct sweep_words {
  uint32_t fresh;  // not visited
  uint32_t row;    // and has entries
};

__device__ inline sweep_words sweep_load(const level_search &s, uint32_t w, uint32_t words) {
  const uint32_t n = (uint32_t)s.graph.n, remaining = w < words && 32 * w < n ? n - 32 * w : 0,
                 valid = remaining >= 32 ? ALL : (1u << remaining) - 1,
                 fresh = remaining ? ~s.visited[w] & valid : 0;
  return {transposed(fresh),
          transposed(remaining ? fresh & __ldg((const uint32_t *)s.graph.nonempty + w) : 0)};
}

// SWEEP words, one row of each a lane. Returns the hits of word j + k to lane j + k.
__device__ inline uint32_t sweep_step(const level_search &s, const grid_level_step &step, pull_state &p,
                                      const sweep_words &of, uint32_t v0, uint32_t j) {
  uint32_t u[SWEEP], word[SWEEP], hits = 0;
  bool row[SWEEP];
#pragma unroll
  for (uint32_t k = 0; k < SWEEP; k++) {
    row[k] = of.row >> (j + k) & 1;
    u[k] = load_if(row[k], first_of(s) + (v0 + 32 * k + lane()));
  }
  __syncwarp();  // else the compiler waits for one load before it issues the next
  first_words<GRID_LEVEL_FRONTIER>(p, row, u, word);
  __syncwarp();
#pragma unroll
  for (uint32_t k = 0; k < SWEEP; k++) {
    const uint32_t v = v0 + 32 * k + lane();
    const bool fresh = of.fresh >> (j + k) & 1;
    const bool hit = has(word[k], u[k]);  // word is 0 where there is no row
    const uint32_t mask = __ballot_sync(ALL, hit);
    if (lane() == j + k) hits = mask;
    gather_miss(p, row[k] && !hit, v, u[k]);
    // the first entry, found or not: so the parent is in place if the row is found by it later
    if (fresh) write_parent(s, v, vertex_of(s, p, u[k]));
    if (hit)
      write_level(s, step, v);
    else if (fresh)
      __stcs(s.level + v, (uint8_t)0);
  }
  return hits;
}

// In order. Writes every word of the found bits, and every level of a row that was not visited.
__global__ void __launch_bounds__(PULL_THREADS, PULL_BLOCKS)
    pull_first(const __grid_constant__ level_search s, const __grid_constant__ grid_level_step step) {
  __shared__ pull_shared sh;
  pull_state p = pull_begin(s, step, sh);
  const uint32_t words = (uint32_t)(s.q / 32);
#pragma unroll 1
  for (uint32_t w0 = pull_warp() * 32; w0 < words; w0 += pull_warps() * 32) {
    const uint32_t w = w0 + lane();
    const sweep_words of = sweep_load(s, w, words);
    uint32_t hits = 0;
    p.inspected += __popc(of.row);
    if (w < words) p.next[w] = 0;
    __syncwarp();  // the atomics of scan_missed_rows come after
#pragma unroll 1
    for (uint32_t j = 0; j < 32; j += SWEEP) {
      hits |= sweep_step(s, step, p, of, (w0 + j) * 32, j);
      __syncwarp();  // its writes for these rows come after
#pragma unroll 1
      while (p.misses >= 32) scan_missed_rows(s, step, p);
    }
    if (hits) {
      atomicOr(p.next + w, hits);
      p.found += __popc(hits);
    }
  }
  pull_end(s, step, sh, p);
}

// ---- rows left open by the previous pull ------------------------------------------------------------------

// SWEEP times 32 of them. With delegates only, just the first entry is tested.
template <grid_level_phase PHASE>
__device__ inline void open_step(const level_search &s, const grid_level_step &step, pull_state &p,
                                 const uint2 *rows, uint32_t i0, uint32_t size) {
  uint2 row[SWEEP];
  uint32_t u[SWEEP], word[SWEEP];
  bool on[SWEEP];
#pragma unroll
  for (uint32_t k = 0; k < SWEEP; k++) {
    const uint32_t i = i0 + 32 * k + lane();
    on[k] = i < size;
    row[k] = on[k] ? rows[i] : make_uint2(0, 0);
    u[k] = row[k].y;
  }
  first_words<PHASE>(p, on, u, word);
  if (step.open_stale) {
#pragma unroll
    for (uint32_t k = 0; k < SWEEP; k++) on[k] = on[k] && !bit_of(s.visited, row[k].x & ~ONE_ENTRY);
  }
  reserve_remaining(p, 32 * SWEEP);
#pragma unroll
  for (uint32_t k = 0; k < SWEEP; k++) {
    const uint32_t v = row[k].x & ~ONE_ENTRY;
    const bool hit = has(word[k], u[k]),
               remains = PHASE == GRID_LEVEL_DELEGATES || row[k].x & ONE_ENTRY;  // after this test
    p.inspected +=
        on[k] && (PHASE == GRID_LEVEL_FRONTIER || is_delegate(p, u[k]) == (PHASE == GRID_LEVEL_DELEGATES));
    if (on[k] && hit) mark_found(s, step, p, v);  // pull_first has written that parent
    if (PHASE != GRID_LEVEL_DELEGATES) gather_miss(p, on[k] && !hit && !remains, v, u[k]);
    append_remaining(p, on[k] && !hit && remains, row[k]);
  }
}

template <grid_level_phase PHASE>
__global__ void __launch_bounds__(PULL_THREADS, PULL_BLOCKS)
    pull_open(const __grid_constant__ level_search s, const __grid_constant__ grid_level_step step) {
  __shared__ pull_shared sh;
  pull_state p = pull_begin(s, step, sh);
  const uint2 *rows = (const uint2 *)s.open[step.open];
  const uint32_t size = s.counters->open[step.open];
#pragma unroll 1
  for (uint32_t i0 = pull_warp() * 32 * SWEEP; i0 < size; i0 += pull_warps() * 32 * SWEEP) {
    open_step<PHASE>(s, step, p, rows, i0, size);
    __syncwarp();
#pragma unroll 1
    while (p.misses >= 32) scan_missed_rows(s, step, p);
  }
  pull_end(s, step, sh, p);
}

// ---- long rows ------------------------------------------------------------------------------------------

// For a block: TILE entries of a row at .. end - 1 for each thread; returns one that is in the frontier, or
// NO_ROW.
__device__ inline uint32_t scan_block_entries(const level_search &s, const grid_level_step &step, uint32_t at,
                                              uint32_t end, tally *t) {
  uint32_t u[TILE], word[TILE], parent = NO_ROW;
  bool active[TILE];
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++) {
    const uint32_t e = threadIdx.x + k * THREADS;
    active[k] = e < end - at;
    u[k] = active[k] ? __ldg(s.graph.in_idx + at + e) : 0;
    t->inspected += active[k];
  }
  probe_words<TILE>(s.bits[step.from], step.coarse ? s.coarse : NULL, active, u, word);
#pragma unroll
  for (uint32_t k = TILE; k-- > 0;)
    if (has(word[k], u[k])) parent = u[k];
  return parent;
}

// By one thread, after row v has been scanned: u was in the frontier, or is NO_ROW.
__device__ void end_deferred_row(const level_search &s, const grid_level_step &step, uint32_t v, uint32_t u,
                                 tally *t) {
  if (u != NO_ROW) {
    atomicOr(local_bits(s, 1 - step.from) + (v >> 5), 1u << (v & 31));
    record_found(s, step, v, u, t);
    return;
  }
  const int to = open_list_written(step);
  const grid_level_open row = {v, first_of(s)[v]};
  s.open[to][atomicAdd(&s.counters->open[to], 1u)] = row;
}

// By a warp: rows with up to SEGMENT entries beyond those that a lane has inspected.
__device__ inline void scan_row_by_warp(const level_search &s, const grid_level_step &step, uint32_t v,
                                        tally *t) {
  const uint32_t end = __ldg(s.graph.in_ptr + v + 1), at = __ldg(s.graph.in_ptr + v) + SCAN;
  uint32_t inspected = 0;
  const uint32_t u = scan_by_warp(
      s.graph.in_idx, at, end, &inspected, [&](const bool *active, const uint32_t *x, uint32_t *word) {
        probe_words<TILE>(s.bits[step.from], step.coarse ? s.coarse : NULL, active, x, word);
      });
  t->inspected += inspected;
  if (lane() == 0) end_deferred_row(s, step, v, u, t);
}

// By a block: any row.
__device__ inline void scan_row_by_block(const level_search &s, const grid_level_step &step, uint32_t v,
                                         uint32_t *winner, tally *t) {
  const uint32_t end = __ldg(s.graph.in_ptr + v + 1);
  uint32_t at = __ldg(s.graph.in_ptr + v) + SCAN;
  if (threadIdx.x == 0) *winner = NO_ROW;
  bool in_frontier = false;
#pragma unroll 1
  while (!in_frontier && at < end) {
    const uint32_t u = scan_block_entries(s, step, at, end, t);
    in_frontier = __syncthreads_or(u != NO_ROW);
    if (u != NO_ROW) atomicMin(winner, u);
    at = end - at < THREADS * TILE ? end : at + THREADS * TILE;
  }
  __syncthreads();
  if (threadIdx.x == 0) end_deferred_row(s, step, v, *winner, t);
}

__global__ void __launch_bounds__(THREADS, DEFERRED_BLOCKS)
    pull_deferred(const __grid_constant__ level_search s, const __grid_constant__ grid_level_step step) {
  __shared__ uint32_t winner;
  tally t = {0, 0, 0};
  const uint32_t longs = s.counters->deferred_block_rows, rows = s.counters->deferred;
#pragma unroll 1
  for (uint32_t r = blockIdx.x; r < longs; r += gridDim.x)
    scan_row_by_block(s, step, s.deferred[s.deferred_capacity - 1 - r], &winner, &t);
#pragma unroll 1
  for (uint32_t r = warp() * gridDim.x + blockIdx.x; r < rows; r += gridDim.x * (THREADS / 32))
    scan_row_by_warp(s, step, s.deferred[r], &t);
  add_tally(&s.message[1 - step.from][s.k].head, t);
}

}  // namespace
#endif
