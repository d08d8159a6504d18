// The kernels of a search on several GPUs (spmat/search_level.h): the start, pushes balanced by entries, and
// the steps between levels. The pulls are in level_pull.cuh.
#include "spmat/cuda/search/level_pull.cuh"

namespace {

// ---- begin ---------------------------------------------------------------------------------------------

// A vertex of the frontier need not be visited: it may then be found like any other.
__global__ void __launch_bounds__(THREADS) begin_kernel(level_search s, grid_search_job job) {
  __shared__ ull visited_sum, open_sum;
  if (threadIdx.x == 0) visited_sum = open_sum = 0;
  __syncthreads();
  uint64_t *local_visited = (uint64_t *)s.visited, *frontier_bits = (uint64_t *)local_bits(s, 0);
  const uint64_t words = grid_words(s.graph.n);
  tally t = {0, 0, 0};
  ull visited_edges = 0, open = 0;
  GRID_FOR(w, s.q / 64) {
    uint64_t f = job.frontier && w < words ? job.frontier[w] : 0;
    for (uint32_t k = 0; !job.frontier && k < job.nshort_list; k++)
      if (job.short_list[k] >> 6 == w) f |= UINT64_C(1) << (job.short_list[k] & 63);
    const uint64_t v = w < words ? job.visited[w] : 0;
    local_visited[w] = v;
    frontier_bits[w] = f;
    if (w >= words) continue;
    open += __popcll(s.graph.nonempty[w] & ~v);
    t.count += __popcll(f);
    for (uint64_t left = f | v; left; left &= left - 1) {
      const uint32_t row = (uint32_t)(64 * w + __ffsll((long long)left) - 1);
      const ull entries = entries_of(s, row);
      if (v >> (row & 63) & 1) {
        s.level[row] = 0;
        visited_edges += entries;
      }
      if (!(f >> (row & 63) & 1)) continue;
      t.edges += entries;
      list_row(s, &s.message[0][s.k], row);
    }
  }
  if (visited_edges) atomicAdd(&visited_sum, visited_edges);
  if (open) atomicAdd(&open_sum, open);
  grid_level_head *head = &s.message[0][s.k].head;
  add_tally(head, t);
  if (blockIdx.x == 0 && threadIdx.x == 0) head->nvals = s.graph.nvals;
  if (threadIdx.x == 0 && visited_sum) atomicAdd((ull *)&head->visited, visited_sum);
  if (threadIdx.x == 0 && open_sum) atomicAdd((ull *)&head->open, open_sum);
}

// ---- push ----------------------------------------------------------------------------------------------

// Local row v is a neighbor of u. Most are visited, which a plain read detects cheaper than an atomic.
__device__ void visit(const level_search &s, const grid_level_step &step, uint32_t v, uint32_t u, tally *t) {
  const uint32_t bit = 1u << (v & 31);
  if (*(volatile uint32_t *)&s.visited[v >> 5] & bit) return;
  if (atomicOr(&s.visited[v >> 5], bit) & bit) return;
  atomicOr(&local_bits(s, 1 - step.from)[v >> 5], bit);
  t->edges += entries_of(s, v);
  record_found(s, step, v, u, t);
}

// Divides a long vector into segments for the next kernel. False: they do not fit; the rest of the buffer is
// filled with empty segments.
__device__ bool append_segments(const level_search &s, uint32_t u, uint32_t start, uint32_t entries) {
  const uint32_t n = (entries - 1) / GRID_LEVEL_SEGMENT + 1;
  // counting far beyond the buffer could wrap at 2^32
  if (*(volatile uint32_t *)&s.counters->segments >= s.segments_capacity) return false;
  const uint32_t at = atomicAdd(&s.counters->segments, n);
  const bool fits = at < s.segments_capacity && n <= s.segments_capacity - at;
  for (uint32_t k = 0; k < n && at + k < s.segments_capacity; k++) {
    grid_level_segment p = {u, fits ? start + k * GRID_LEVEL_SEGMENT : start + entries};
    s.segments[at + k] = p;
  }
  return fits;
}

// before[0 .. THREADS]: exclusive sums of all threads' x; the last is the total.
__device__ void exclusive_sums(uint32_t x, uint32_t *before) {
  __shared__ uint32_t of_warp[THREADS / 32];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  uint32_t sum = x;
  for (unsigned d = 1; d < 32; d *= 2) {
    const uint32_t other = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  uint32_t base = 0;
  for (unsigned w = 0; w < warp; w++) base += of_warp[w];
  before[threadIdx.x] = base + sum - x;
  if (threadIdx.x == THREADS - 1) before[THREADS] = base + sum;
  __syncthreads();
}

// The thread t with before[t] <= x < before[t + 1].
__device__ unsigned owner_of(const uint32_t *before, uint32_t x) {
  unsigned low = 0;
  for (unsigned step = THREADS / 2; step > 0; step /= 2)
    if (before[low + step] <= x) low += step;
  return low;
}

// Each thread of the block brings a vertex (or none); their entries are divided evenly.
__device__ void push_vertices(const level_search &s, const grid_level_step &step, bool in_rows, uint32_t u,
                              tally *t) {
  __shared__ uint32_t before[THREADS + 1], vertex[THREADS], start[THREADS];
  const uint32_t first = in_rows ? s.graph.out_ptr[u] : 0;
  uint32_t entries = in_rows ? s.graph.out_ptr[u + 1] - first : 0;
  if (entries > LONG && append_segments(s, u, first, entries)) entries = 0;
  vertex[threadIdx.x] = u;
  start[threadIdx.x] = first;
  exclusive_sums(entries, before);
  const uint32_t total = before[THREADS];
  for (uint32_t e = threadIdx.x; e < total; e += THREADS) {
    const unsigned o = owner_of(before, e);
    visit(s, step, s.graph.out_idx[start[o] + (e - before[o])], vertex[o], t);
    t->inspected++;
  }
  __syncthreads();
}

// The frontier is the concatenation of the messages' lists.
__global__ void __launch_bounds__(THREADS) push_lists(level_search s, grid_level_step step) {
  tally t = {0, 0, 0};
  const grid_level_message *m = s.message[step.from];
  uint64_t base = 0;
  // the tiles of all messages are distributed to the blocks as one sequence
  for (int p = 0; p < s.P; p++) {
    const uint32_t n = (uint32_t)m[p].head.count, tiles = (n + THREADS - 1) / THREADS;
    const uint32_t shift = (uint32_t)(base % gridDim.x);
    for (uint32_t tile = (blockIdx.x + gridDim.x - shift) % gridDim.x; tile < tiles; tile += gridDim.x) {
      const uint32_t at = tile * THREADS + threadIdx.x;
      push_vertices(s, step, at < n, at < n ? m[p].list[at] : 0, &t);
    }
    base += tiles;
  }
  add_tally(&s.message[1 - step.from][s.k].head, t);
}

__device__ uint32_t nth_bit(uint64_t word, uint32_t n) {
  for (; n > 0; n--) word &= word - 1;
  return (uint32_t)(__ffsll((long long)word) - 1);
}

// The frontier is the bitmap: THREADS words at a time, whose bits are distributed to the threads.
__global__ void __launch_bounds__(THREADS) push_bits(level_search s, grid_level_step step) {
  __shared__ uint32_t before[THREADS + 1];
  __shared__ uint64_t word[THREADS];
  tally t = {0, 0, 0};
  const uint64_t *bits = (const uint64_t *)s.bits[step.from], words = (uint64_t)s.P * s.q / 64;
  for (uint64_t first = blockIdx.x * (uint64_t)THREADS; first < words;
       first += gridDim.x * (uint64_t)THREADS) {
    const uint64_t lane_word = first + threadIdx.x < words ? bits[first + threadIdx.x] : 0;
    word[threadIdx.x] = lane_word;
    exclusive_sums((uint32_t)__popcll(lane_word), before);
    const uint32_t total = before[THREADS];
    for (uint32_t base = 0; base < total; base += THREADS) {
      const uint32_t r = base + threadIdx.x;
      const bool in_rows = r < total;
      const unsigned o = in_rows ? owner_of(before, r) : 0;
      const uint32_t u = in_rows ? (uint32_t)(64 * (first + o)) + nth_bit(word[o], r - before[o]) : 0;
      push_vertices(s, step, in_rows, u, &t);
    }
    __syncthreads();
  }
  add_tally(&s.message[1 - step.from][s.k].head, t);
}

// A warp takes a segment.
__global__ void __launch_bounds__(THREADS) push_segments(level_search s, grid_level_step step) {
  tally t = {0, 0, 0};
  const unsigned lane = threadIdx.x & 31;
  const uint32_t segments =
      s.counters->segments < s.segments_capacity ? s.counters->segments : s.segments_capacity;
  const uint32_t warps = gridDim.x * (THREADS / 32);
  for (uint32_t k = blockIdx.x * (THREADS / 32) + (threadIdx.x >> 5); k < segments; k += warps) {
    const grid_level_segment p = s.segments[k];
    const uint32_t all = s.graph.out_ptr[p.vertex + 1] - p.start,
                   n = all < GRID_LEVEL_SEGMENT ? all : GRID_LEVEL_SEGMENT;
    for (uint32_t at = lane; at < n; at += 4 * 32) {  // four loads in flight
      uint32_t v[4];
      for (int b = 0; b < 4; b++) v[b] = at + 32 * b < n ? s.graph.out_idx[p.start + at + 32 * b] : NO_ROW;
      for (int b = 0; b < 4; b++) {
        if (v[b] != NO_ROW) visit(s, step, v[b], p.vertex, &t);
        t.inspected += v[b] != NO_ROW;
      }
    }
  }
  add_tally(&s.message[1 - step.from][s.k].head, t);
}

// ---- between levels ------------------------------------------------------------------------------------

__global__ void __launch_bounds__(THREADS) set_list_bits_kernel(level_search s, int at, uint64_t stride) {
  for (int p = 0; p < s.P; p++) {
    const uint32_t *list = stride ? s.lists + p * stride : s.message[at][p].list;
    if (p == s.k) continue;
    GRID_FOR(i, s.message[at][p].head.count) atomicOr(&s.bits[at][list[i] >> 5], 1u << (list[i] & 31));
  }
}

// A warp makes a word: 32 words of 64 vertices, one a lane.
__global__ void __launch_bounds__(THREADS) coarse_kernel(level_search s, int from) {
  const uint64_t words = (uint64_t)s.P * s.q / 64, full_words = (words + 31) / 32 * 32;
  GRID_FOR(w, full_words) {  // whole warps
    const bool in_rows = w < words && ((const uint64_t *)s.bits[from])[w];
    const uint32_t mask = __ballot_sync(ALL, in_rows);
    if (lane() == 0) s.coarse[w / 32] = mask;
  }
}

__global__ void __launch_bounds__(THREADS) close_kernel(level_search s, int open) {
  const grid_level_open *rows = s.open[open];
  GRID_FOR(i, s.counters->open[open]) {
    const uint32_t v = rows[i].row & ~ONE_ENTRY;
    atomicAnd(&s.visited[v >> 5], ~(1u << (v & 31)));
  }
}

// One block. Writes the host's record, and clears the counters of the next level.
__global__ void __launch_bounds__(THREADS) publish_kernel(level_search s, grid_level_publish p) {
  enum { WORDS = sizeof(grid_level_head) / 4 };
  grid_level_message *next = &s.message[1 - p.at][s.k];  // also holds the previous level
  if (p.clear) {
    const uint32_t n = (uint32_t)next->head.count, base = (uint32_t)(s.k * s.q);
    uint32_t *bits = local_bits(s, 1 - p.at);
    for (uint32_t i = threadIdx.x; i < n; i += THREADS) {
      const uint32_t v = next->list[i] - base;
      atomicAnd(&bits[v >> 5], ~(1u << (v & 31)));
    }
  }
  for (uint32_t i = threadIdx.x; i < s.P * WORDS; i += THREADS) {
    const grid_level_head *h = p.from_heads ? &s.heads[i / WORDS] : &s.message[p.at][i / WORDS].head;
    ((volatile uint32_t *)&s.record->head[i / WORDS])[i % WORDS] = ((const uint32_t *)h)[i % WORDS];
  }
  __syncthreads();
  if (threadIdx.x < WORDS) ((uint32_t *)&next->head)[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    s.counters->deferred = s.counters->deferred_block_rows = s.counters->segments = 0;
    s.counters->open[p.open_next] = 0;
    *(volatile uint64_t *)&s.record->head[s.k].time = clock_ns();
  }
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *(volatile uint64_t *)&s.record->seq = p.seq;
}

__global__ void __launch_bounds__(THREADS) finish_kernel(level_search s) {
  GRID_FOR(v, s.graph.n) if (!bit_of(s.visited, (uint32_t)v)) s.level[v] = 0;
}

// ---- launches ------------------------------------------------------------------------------------------

unsigned block_count(uint64_t tiles) {
  return grid_cuda_blocks(tiles, 1, 8 * grid_cuda_multiprocessors());
}

GrB_Info pin(void **p, uint64_t bytes) {
  GrB_Info info =
      grid_cuda_check(cudaHostAlloc(p, bytes, cudaHostAllocMapped), "memory that the GPU writes to");
  if (info == GrB_SUCCESS) memset(*p, 0, bytes);
  return info;
}

void unpin(void *p) {
  cudaFreeHost(p);
}

GrB_Info begin(const level_search *s, const grid_search_job *job) {
  cudaStream_t stream = grid_cuda_stream();
  cudaMemsetAsync(&s->message[0][s->k].head, 0, sizeof(grid_level_head), stream);
  cudaMemsetAsync(s->counters, 0, sizeof *s->counters, stream);
  begin_kernel<<<block_count((s->q / 64 + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*s, *job);
  return grid_cuda_check_launch("starting a search");
}

GrB_Info push(const level_search *s, const grid_level_step *step) {
  cudaStream_t stream = grid_cuda_stream();
  const uint64_t most = (uint64_t)s->P * (GRID_LEVEL_LIST / THREADS + 1);
  if (step->from_list)
    push_lists<<<block_count(most), THREADS, 0, stream>>>(*s, *step);
  else
    push_bits<<<block_count((s->P * s->q / 64 + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*s, *step);
  push_segments<<<block_count(s->segments_capacity / (THREADS / 32) + 1), THREADS, 0, stream>>>(*s, *step);
  return grid_cuda_check_launch("a push");
}

GrB_Info pull(const level_search *s, const grid_level_step *step) {
  cudaStream_t stream = grid_cuda_stream();
  const unsigned processors = (unsigned)grid_cuda_multiprocessors();
  const unsigned blocks = grid_cuda_blocks(s->q, 32 * SWEEP, PULL_BLOCKS * processors);
  if (step->coarse && step->phase != GRID_LEVEL_DELEGATES)  // the bitmap may still be in transfer then
    coarse_kernel<<<block_count((s->P * s->q / 64 + THREADS - 1) / THREADS), THREADS, 0, stream>>>(
        *s, step->from);
  if (step->first) {
    pull_first<<<blocks, PULL_THREADS, 0, stream>>>(*s, *step);
  } else if (step->phase == GRID_LEVEL_FRONTIER) {
    pull_open<GRID_LEVEL_FRONTIER><<<blocks, PULL_THREADS, 0, stream>>>(*s, *step);
  } else if (step->phase == GRID_LEVEL_DELEGATES) {
    // messages need multiprocessors meanwhile, so blocks that wait for one should be small
    const unsigned small = grid_cuda_blocks(s->q, 32 * SWEEP, WAVES * PULL_BLOCKS * processors);
    pull_open<GRID_LEVEL_DELEGATES><<<small, PULL_THREADS, 0, stream>>>(*s, *step);
    cudaMemsetAsync(&s->counters->open[step->open], 0, sizeof(uint32_t), stream);  // the rest is listed there
    return grid_cuda_check_launch("a pull");
  } else {
    pull_open<GRID_LEVEL_NONDELEGATES><<<blocks, PULL_THREADS, 0, stream>>>(*s, *step);
  }
  pull_deferred<<<DEFERRED_BLOCKS * processors, THREADS, 0, stream>>>(*s, *step);
  return grid_cuda_check_launch("a pull");
}

GrB_Info lists_to_bits(const level_search *s, int at, uint64_t stride) {
  const unsigned blocks = (unsigned)((stride ? stride : GRID_LEVEL_LIST) / THREADS) + 1;
  set_list_bits_kernel<<<blocks, THREADS, 0, grid_cuda_stream()>>>(*s, at, stride);
  return grid_cuda_check_launch("a frontier's bitmap");
}

GrB_Info close_rows(const level_search *s, int open) {
  cudaMemsetAsync(s->visited, 0xff, s->q / 8, grid_cuda_stream());
  close_kernel<<<block_count((s->graph.n + THREADS - 1) / THREADS), THREADS, 0, grid_cuda_stream()>>>(*s,
                                                                                                      open);
  return grid_cuda_check_launch("the visited rows");
}

GrB_Info publish(const level_search *s, const grid_level_publish *p) {
  publish_kernel<<<1, THREADS, 0, grid_cuda_stream()>>>(*s, *p);
  return grid_cuda_check_launch("the end of a level");
}

GrB_Info wait_seq(const level_search *s, uint64_t seq) {
  const volatile uint64_t *at = &s->record->seq;
  for (unsigned k = 1; *at != seq; k++) {
    if (k % 4096) continue;
    // after an error the number would never change; and a watched wait notices a lost process
    cudaError_t e = cudaStreamQuery(grid_cuda_stream());
    GrB_Info info = GrB_SUCCESS;
    if (e == cudaErrorNotReady)
      (void)cudaGetLastError();
    else
      info = grid_cuda_check(e, "a level of a search");
    if (info == GrB_SUCCESS) info = grid_device_check();
    if (info != GrB_SUCCESS) return info;
  }
  __sync_synchronize();
  return GrB_SUCCESS;
}

GrB_Info finish(const level_search *s) {
  finish_kernel<<<block_count((s->graph.n + THREADS - 1) / THREADS), THREADS, 0, grid_cuda_stream()>>>(*s);
  return grid_cuda_check_launch("the end of a search");
}

}  // namespace

extern "C" const grid_level_kernels grid_cuda_levels = {pin,
                                                        unpin,
                                                        begin,
                                                        push,
                                                        pull,
                                                        lists_to_bits,
                                                        grid_cuda_delegates_frontier,
                                                        grid_cuda_delegates_mark,
                                                        grid_cuda_delegates_number,
                                                        close_rows,
                                                        publish,
                                                        wait_seq,
                                                        finish};
