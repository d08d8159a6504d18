// A whole search in one launch (spmat/search.h): a persistent kernel. Its blocks synchronise between the
// phases of a level, and all draw the same conclusions from the counters. The host only starts it and polls
// its record.
//
//   begin            copies visited, and converts the frontier's bits to the queue
//   run_tiny_levels  while the frontier is small: block 0 alone, level after level
//   measure          counts the frontier's edges and divides them into segments, and so decides between
//   push_items       and the pulls: sweep (the first one, over all rows) or pull_list (over the rows left),
//   pull_long        followed by the rows that they left to whole warps
//   list_frontier    converts the bitmap that a pull leaves to the queue that a push needs
//
// Several GPUs (MULTI_GPU) search together, each the rows of its own vertices, and exchange counts after each
// phase (search_peers.cuh). A push leaves each GPU's found vertices in a list of its own, from which all of
// them fetch the next frontier when they measure it. The first pull sends its own words of the bitmap to the
// others as it proceeds; later ones do not, and all fetch them before the next pull. No block computes levels
// alone.
//
// Until the first sweep a push writes one word for each vertex it finds: the parent with the level in its
// high bits. The sweep separates the two, and writes level 0 everywhere else. A search that only pushes is
// swept at its end, or when there are no bits for more levels.
#include "spmat/cuda/search/least_parent.cuh"
#include "spmat/cuda/search/search_pull.cuh"
#include "spmat/cuda/search/search_push.cuh"

struct grid_search {
  grid_search_graph g;
  search_args args;
  void *memory;
  search_set *sets;           // two, in device memory
  uint32_t *tags;             // in device memory
  volatile uint64_t *record;  // pinned
  volatile uint32_t *stop;    // in the same memory
  unsigned blocks;
  uint32_t run, max_levels;  // number of runs started; of the last one
  bool running;
};

namespace {

// ---- the kernel -----------------------------------------------------------------------------------------

// Approximate number of entries in own rows that are not visited at the start.
__device__ uint64_t first_unvisited(const search_args &a) {
  const search_set &set = *a.set;
  if (!set.open) return a.nvals;
  return a.nvals - (a.nvals / a.n * set.seen + a.nvals % a.n * set.seen / a.n);
}

// Thread 0, after `begin`: the frontier has `size` vertices, and `rows` rows have `nvals` entries.
__device__ void first_state(const search_args &a, search_state &state, uint32_t size, uint64_t unvisited,
                            uint64_t rows, uint64_t nvals) {
  const uint32_t turn = state.turn;
  state = {};
  state.turn = turn;
  state.level = 1;
  state.size = size;
  state.queued = true;
  state.bits = a.direction == GRID_SEARCH_PULL ? 0 : -1;
  state.unvisited = unvisited;
  state.mean = (uint32_t)(rows ? (nvals + rows - 1) / rows : 1);
  if (blockIdx.x == 0) state.clock = clock_ns();
}

template <bool MULTI_GPU>
__device__ void run_begin_phase(const search_args &a, search_shared &sh) {
  begin(a, sh);
  const search_set &set = *a.set;
  if constexpr (MULTI_GPU) {
    if (peer_barrier(a, sh, [&](uint64_t *flag_words) {
          flag_words[0] = set.at[0].found;
          flag_words[1] = first_unvisited(a);
          flag_words[2] = a.rows;
          flag_words[3] = a.nvals;
        })) {
      const uint64_t *sum = sh.received.sum;
      first_state(a, sh.state, prefix_lists(a, sh), sum[1], sum[2], sum[3]);
    }
  } else if (device_barrier(a)) {
    first_state(a, sh.state, set.at[0].found, first_unvisited(a), a.rows, a.nvals);
    sh.state.closed = a.symmetric && !set.open;
  }
  __syncthreads();
}

template <bool MULTI_GPU>
constexpr uint32_t RULE = MULTI_GPU ? GRID_SEARCH_PULL_RULE_MULTI : GRID_SEARCH_PULL_RULE;

// Is this level a pull without counting edges?
template <bool MULTI_GPU>
__device__ bool should_pull_uncounted(const search_args &a, const search_state &state) {
  if (a.direction != GRID_SEARCH_AUTO) return a.direction == GRID_SEARCH_PULL;
  return (uint64_t)state.size * state.mean * RULE<MULTI_GPU> > 2 * state.unvisited &&
         state.size > TINY_VERTICES;
}
template <bool MULTI_GPU>
__device__ bool should_pull(const search_args &a, const search_state &state) {
  return a.direction == GRID_SEARCH_AUTO && state.edges * RULE<MULTI_GPU> > state.unvisited;
}
// After a pull: is the next level a pull, too?
__device__ bool should_keep_pulling(const search_args &a, const search_state &state) {
  return a.direction == GRID_SEARCH_PULL || (uint64_t)state.size * GRID_SEARCH_PUSH_RULE >= state.rows_left;
}

// The message of a phase whose end is the only information.
__device__ inline void send_nothing(uint64_t *) {}

template <bool MULTI_GPU>
__device__ void bits_to_queue(const search_args &a, search_shared &sh) {
  list_frontier(a, sh);
  if (MULTI_GPU ? peer_barrier(a, sh, send_nothing) : device_barrier(a)) {
    sh.state.bits = -1;
    sh.state.queued = true;
    sh.state.stale = true;
    sh.state.base = 0;  // the queue's contents are no longer needed
  }
  __syncthreads();
}

template <bool MULTI_GPU, class offset>
__device__ void resolve_tags(const search_args &a, search_shared &sh) {
  sweep<MULTI_GPU, offset>(a, sh, true, false, NULL, NULL, NULL);
  if (device_barrier(a)) sh.state.merged = true;
  __syncthreads();
}

template <class offset>
__device__ void run_tiny_phase(const search_args &a, search_shared &sh) {
  if (blockIdx.x == 0) run_tiny_levels<offset>(a, sh);
  if (device_barrier(a)) {
    search_state &state = sh.state;
    const search_handover &handover = a.set->handover;
    state.unvisited = handover.unvisited;
    state.level = handover.level;
    state.base = handover.base;
    state.size = handover.size;
    state.measured = handover.measured;
    state.edges = a.set->at[state.level].edges;
    state.items = a.set->at[state.level].items;
  }
  __syncthreads();
}

template <bool MULTI_GPU, class offset>
__device__ void run_measure_phase(const search_args &a, search_shared &sh) {
  const search_counts &c = a.set->at[sh.state.level];
  const bool is_counted = MULTI_GPU && sh.state.size > UNCOUNTED_PUSH;
  measure<MULTI_GPU, offset>(a, sh, sh.state.base, sh.state.size, sh.state.level, grid_warp(), grid_warps());
  if (is_counted ? peer_barrier(a, sh, [&](uint64_t *flag_words) { flag_words[1] = c.edges; })
                 : device_barrier(a)) {
    sh.state.measured = true;
    sh.state.edges = is_counted ? sh.received.sum[1] : MULTI_GPU ? 0 : c.edges;
    sh.state.items = c.items;
  }
  __syncthreads();
}

template <bool MULTI_GPU, class offset>
__device__ void push_level(const search_args &a, search_shared &sh) {
  const search_counts &c = a.set->at[sh.state.level];
  push_items<offset>(a, sh);
  if (MULTI_GPU ? peer_barrier(
                      a, sh, [&](uint64_t *flag_words) { flag_words[0] = c.found, flag_words[1] = c.edges; })
                : device_barrier(a)) {
    search_state &state = sh.state;
    if (MULTI_GPU) state.edges = sh.received.sum[1];
    const uint32_t found = MULTI_GPU ? prefix_lists(a, sh) : c.found;
    if (blockIdx.x == 0) state.clock = report(a, state.level, false, found, c.found, c.edges, state.clock);
    state.unvisited -= state.edges < state.unvisited ? state.edges : state.unvisited;
    if (!MULTI_GPU) state.base += state.size;
    state.size = found;
    state.level++;
    state.measured = false;
  }
  __syncthreads();
}

// Makes the frontier's bitmap from the queue.
__device__ void queue_to_bits(const search_args &a, search_shared &sh) {
  if (!sh.state.is_list) {  // else list_frontier has cleared it
    clear_bits(a.bits, a.words);
    device_barrier(a);
    __syncthreads();
  }
  list_to_bits(a.queue + sh.state.base, sh.state.size, a.bits, 0);
  if (device_barrier(a)) sh.state.bits = 0;
  __syncthreads();
}

// Several GPUs: from the queue if it has all of a short frontier, else the own words of every GPU first.
__device__ void share_bits(const search_args &a, search_shared &sh) {
  const bool is_range_complete = sh.state.measured && sh.state.size <= FULL_LIST_MAX;
  uint32_t *bits = a.bits + (is_range_complete ? 0 : a.local_word);
  clear_bits(bits, is_range_complete ? a.words_all : a.words);
  device_barrier(a);
  __syncthreads();
  list_to_bits(is_range_complete ? a.queue : found_list(a, sh.state.level - 1),
               is_range_complete ? sh.state.size : local_list(a, sh), bits, 0);
  // it was clear at the start, and is used once
  const bool sparse =
      is_range_complete && a.coarse && !sh.state.is_list && sh.state.size < COARSE / COARSE_BITS_PER_VERTEX;
  if (sparse) list_to_bits(a.queue, sh.state.size, a.coarse, a.coarse_shift);
  if (is_range_complete ? device_barrier(a) : peer_barrier(a, sh, send_nothing)) {
    sh.state.bits = 0;
    sh.state.is_complete = is_range_complete;
    sh.state.sparse = sparse;
  }
  __syncthreads();
}

// Are so few rows left that others' words need not be fetched?
__device__ inline bool small_look(const search_args &a, const search_state &state) {
  return state.is_list && state.rows < (a.words_all - a.words) / REMOTE_RULE;
}

// The others' words of the frontier's bitmap.
__device__ void complete_bits(const search_args &a, search_shared &sh) {
  fetch_bits(a, a.bits + sh.state.bits * a.stride);
  if (device_barrier(a)) sh.state.is_complete = true;
  __syncthreads();
}

// Thread 0: ends a pull.
template <bool MULTI_GPU>
__device__ void end_pull(const search_args &a, search_shared &sh, int32_t next) {
  search_state &state = sh.state;
  const search_counts &c = a.set->at[state.level];
  const uint32_t found = MULTI_GPU ? prefix_lists(a, sh) : c.found;
  if (blockIdx.x == 0) state.clock = report(a, state.level, true, found, c.found, c.inspected, state.clock);
  state.is_complete = MULTI_GPU && !state.is_list;  // a sweep has sent its words
  state.list = state.is_list ? state.list ^ 1 : 0;
  state.rows = c.rows;
  state.rows_left = MULTI_GPU ? sh.received.sum[1] : c.rows;
  state.unvisited = state.rows_left * GRID_SEARCH_REST;
  state.size = found;
  state.bits = next;
  state.level++;
  state.queued = state.measured = state.stale = state.sparse = false;
  state.is_list = state.merged = true;
  state.longs = 0;
}

// The set in which a row's entries are looked up: the frontier's bitmap if it exists. Otherwise the frontier
// is in the queue and in visited, and `visited` itself serves if `closed` holds: the pattern is symmetric
// and, at the start, only visited vertices of the frontier had unvisited neighbors. Then an unvisited vertex
// v has no neighbor u that was visited before the frontier: u was in an earlier frontier, so that v would
// have been found in the level after it. So a visited neighbor is in the frontier, and level and parent are
// right. No bit of visited changes meanwhile; found vertices go to `next`.
template <bool MULTI_GPU, class offset>
__device__ void pull_level(const search_args &a, search_shared &sh) {
  if constexpr (MULTI_GPU) {
    if (sh.state.bits < 0) share_bits(a, sh);
    if (!sh.state.is_complete && !small_look(a, sh.state)) complete_bits(a, sh);
  } else if (sh.state.bits < 0 && !sh.state.closed) {
    queue_to_bits(a, sh);
  }
  const int32_t from = sh.state.bits, to = (from + 1) % 3;
  const uint32_t *probe = !MULTI_GPU && from < 0 ? a.visited : a.bits + from * a.stride;
  uint32_t *own = a.bits + a.local_word, *next = own + to * a.stride, *clear = own + (to + 1) % 3 * a.stride;
  if (sh.state.is_list)
    pull_list<MULTI_GPU, offset>(a, sh, probe, next, clear, sh.state.queued ? NULL : probe + a.local_word);
  else
    sweep<MULTI_GPU, offset>(a, sh, !sh.state.merged, true, probe, next, clear);
  if (device_barrier(a)) {
    const uint32_t longs = a.set->at[sh.state.level].longs;
    sh.state.longs = longs < a.work_capacity ? longs : a.work_capacity;
    if (!MULTI_GPU && longs == 0) end_pull<false>(a, sh, to);
  }
  __syncthreads();
  if (!MULTI_GPU && sh.state.longs == 0) return;
  if (sh.state.longs) pull_long<MULTI_GPU, offset>(a, sh, probe, next);
  const search_counts &c = a.set->at[sh.state.level];
  const auto counts = [&](uint64_t *flag_words) { flag_words[0] = c.found, flag_words[1] = c.rows; };
  if (MULTI_GPU ? peer_barrier(a, sh, counts, sh.state.longs == 0) : device_barrier(a))
    end_pull<MULTI_GPU>(a, sh, to);
  __syncthreads();
}

// Every phase is called from one place only: all are inlined into the kernel, which should stay small.
template <bool MULTI_GPU, class offset>
__device__ void run_level(const search_args &a, search_shared &sh) {
  const search_state &state = sh.state;
  if (!state.queued && !should_keep_pulling(a, state)) bits_to_queue<MULTI_GPU>(a, sh);
  bool pull = !state.queued || should_pull_uncounted<MULTI_GPU>(a, state) ||
              (MULTI_GPU && state.size > a.queue_capacity);
  if (!pull) {
    if (!state.measured) {
      if (!MULTI_GPU && state.size <= TINY_VERTICES) return run_tiny_phase<offset>(a, sh);
      run_measure_phase<MULTI_GPU, offset>(a, sh);
    }
    pull = should_pull<MULTI_GPU>(a, state);
  }
  if (pull)
    pull_level<MULTI_GPU, offset>(a, sh);
  else
    push_level<MULTI_GPU, offset>(a, sh);
}

// Finishes all results; the last block reports that.
__device__ void finish(const search_args &a, search_shared &sh) {
  const search_state &state = sh.state;
  if (!state.queued && state.size > 0)  // stopped after a pull: what it found is not in visited yet
    for (uint32_t w = grid_thread(); w < a.words; w += grid_threads())
      a.visited[w] |= a.bits[state.bits * a.stride + a.local_word + w];
  __syncthreads();
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<uint32_t, cuda::thread_scope_device> finished(a.set->finished);
  if (finished.fetch_add(1, cuda::std::memory_order_acq_rel) + 1 < gridDim.x) return;
  if (a.processes > 1) a.window[a.process]->turn = state.turn;
  // the last level counted found nothing, unless max_levels ended the search
  const uint32_t run = state.level - 1, with_found = state.size > 0 || run == 0 ? run : run - 1;
  publish_word(a, 0, (state.size > 0 ? FLAG : 0) | with_found);
}

template <bool MULTI_GPU, class offset>
__global__ void __launch_bounds__(THREADS, BLOCKS) search_kernel(const __grid_constant__ search_args a) {
  __shared__ search_shared sh;
  if (threadIdx.x == 0) sh.state.turn = MULTI_GPU ? a.window[a.process]->turn : 0;
  run_begin_phase<MULTI_GPU>(a, sh);
  for (;;) {
    const bool over = sh.state.size == 0 || sh.state.level > a.max_levels;
    if (!sh.state.merged && (over || sh.state.level > tag_levels(a))) resolve_tags<MULTI_GPU, offset>(a, sh);
    if (over) break;
    run_level<MULTI_GPU, offset>(a, sh);
  }
  finish(a, sh);
}

// ---- the workspace --------------------------------------------------------------------------------------

uint64_t padded(uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

// The longest frontier that is pushed. Several GPUs pull a longer one in any case; with pushes only, the
// other engine is used (dist/lookahead/lookahead.c).
uint64_t queue_capacity(const grid_search_graph *g) {
  const uint64_t all = (uint64_t)g->P * g->q, some = UINT64_C(1) << 20, carve = g->q > some ? g->q : some;
  return g->P == 1 ? g->n : all < carve ? all : carve;
}

// Segments of a push: one for each group of 32 vertices, and one for each ITEM entries.
uint64_t work_capacity(const grid_search_graph *g) {
  return queue_capacity(g) / 32 + g->nvals / ITEM + 64;
}

// Takes `bytes` of `memory` at *at; memory NULL: only measures.
void *carve(void *memory, uint64_t *at, uint64_t bytes) {
  void *p = memory ? (char *)memory + *at : NULL;
  *at += padded(bytes);
  return p;
}

// Lays out the workspace; returns its size.
uint64_t compute_layout(grid_search *s, uint64_t rows) {
  search_args *a = &s->args;
  const uint64_t n = s->g.n_local, words = 2 * grid_words(n);
  uint64_t at = 0;
  a->work_capacity = (uint32_t)work_capacity(&s->g);
  s->sets = (search_set *)carve(s->memory, &at, 2 * sizeof(search_set));
  a->visited = (uint32_t *)carve(s->memory, &at, 4 * words);
  if (s->g.P == 1) a->bits = (uint32_t *)carve(s->memory, &at, 3 * 4 * (uint64_t)a->stride);
  a->level = (uint8_t *)carve(s->memory, &at, n);
  a->queue = (uint32_t *)carve(s->memory, &at, 4 * (uint64_t)a->queue_capacity);
  if (s->g.P == 1) a->found = a->queue;
  s->tags = (uint32_t *)carve(s->memory, &at, 4 * n);
  if (s->g.P > 1 && s->g.n >= s->g.large) a->coarse = (uint32_t *)carve(s->memory, &at, COARSE / 8);
  a->list = (uint2 *)carve(s->memory, &at, 2 * sizeof(uint2) * (rows ? rows : 1));
  a->work = (uint2 *)carve(s->memory, &at, sizeof(uint2) * (uint64_t)a->work_capacity);
  return at;
}

void set_graph(search_args *a, const grid_search_graph *g, uint64_t rows) {
  a->n = (uint32_t)g->n_local;
  a->words = (uint32_t)(2 * grid_words(g->n_local));
  a->nvals = g->nvals;
  a->rows = (uint32_t)rows;
  a->processes = (uint32_t)g->P;
  a->process = (uint32_t)g->k;
  a->q = (uint32_t)g->q;
  a->words_all = (uint32_t)((uint64_t)g->P * g->q / 32);
  a->local_word = (uint32_t)((uint64_t)g->k * g->q / 32);
  a->stride = (uint32_t)(padded(4 * (uint64_t)a->words_all) / 4);
  a->queue_capacity = (uint32_t)queue_capacity(g);
  while (((uint64_t)g->P * g->q - 1) >> a->coarse_shift >= COARSE) a->coarse_shift++;
  a->id_bits = GRID_SEARCH_ID_BITS;
  while (g->n - 1 >> a->id_bits) a->id_bits++;
  a->out_ptr = g->out_offsets64 ? (const void *)g->out_offsets64 : g->out_ptr;
  a->out_idx = g->out_idx;
  a->in_ptr = g->in_offsets64 ? (const void *)g->in_offsets64 : g->in_ptr;
  a->in_idx = g->in_idx;
  a->in_hub_neighbor = g->in_hub_neighbor;
  a->nonempty = (const uint32_t *)g->nonempty;
  a->symmetric = a->out_ptr == a->in_ptr && g->out_idx == g->in_idx;
}

// The kernel's address for the launch.
const void *kernel_of(const grid_search *s) {
  if (s->g.in_offsets64) return (const void *)search_kernel<false, uint64_t>;
  return s->g.P > 1 ? (const void *)search_kernel<true, uint32_t>
                    : (const void *)search_kernel<false, uint32_t>;
}

GrB_Info allocate_workspace(grid_search *s, uint64_t rows) {
  void *record = NULL, *mapped = NULL;
  int per = 0;
  GrB_Info info;
  const size_t words = 32 * (GRID_SEARCH_LEVELS + 2);
  const uint64_t bytes = compute_layout(s, rows);
  s->memory = grid_device_malloc(bytes, 1);
  if (!s->memory) TRY(grid_device_fail_memory(NULL, "the workspace of a search", bytes, 1));
  compute_layout(s, rows);
  TRY(grid_device_zero(s->sets, 2 * sizeof(search_set)));
  TRY(grid_cuda_check(cudaHostAlloc(&record, words + sizeof *s->stop, cudaHostAllocMapped),
                      "pinned memory for a search's counts"));
  s->record = (volatile uint64_t *)record;
  TRY(grid_cuda_check(cudaHostGetDevicePointer(&mapped, record, 0), "mapping a search's counts"));
  s->args.record = (uint64_t *)mapped;
  s->stop = (volatile uint32_t *)((char *)record + words);
  s->args.stop = (uint32_t *)((char *)mapped + words);
  TRY(grid_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, kernel_of(s), THREADS, 0),
                      "asking how many blocks of a search fit"));
  if (per < 1) TRY(grid_fail(NULL, GrB_PANIC, "a block of the search kernel does not fit on this GPU"));
  s->blocks = (unsigned)(per < (int)BLOCKS ? per : (int)BLOCKS) * (unsigned)grid_cuda_multiprocessors();
  if (s->g.blocks && s->g.blocks < s->blocks) s->blocks = s->g.blocks;
done:
  return info;
}

// ---- host side --------------------------------------------------------------------------------------------

// Was this word written by the current run? Then its low bits are the value.
bool is_written(const grid_search *s, uint64_t word) {
  return (word & (WRITTEN | RUN)) == (WRITTEN | (uint64_t)s->args.run << 32);
}
uint64_t value_of(uint64_t word) {
  return word & ~(WRITTEN | RUN);
}

// Queries the driver at intervals whether the kernel still runs, and whether all other processes do, for
// which it may wait.
GrB_Info check_alive(grid_search *s, uint32_t spins, bool *alive) {
  if (spins % 65536 != 65535) return GrB_SUCCESS;
  GrB_Info info = s->g.P > 1 ? grid_device_check() : GrB_SUCCESS;
  if (info != GrB_SUCCESS) {
    *s->stop = 1;
    s->running = false;
    return info;
  }
  const cudaError_t e = cudaStreamQuery(grid_cuda_stream());
  *alive = e == cudaErrorNotReady;
  if (*alive) (void)cudaGetLastError();  // else a later launch would report it
  if (e == cudaSuccess || e == cudaErrorNotReady) return GrB_SUCCESS;
  s->running = false;
  return grid_cuda_check(e, "a search");
}

// Waits until the device has written `word`, or the search is over. *value: of `word`, or 0.
GrB_Info wait_record(grid_search *s, uint32_t word, uint64_t *value) {
  bool alive = true;
  for (uint32_t spins = 0;; spins++) {
    const uint64_t end =
        s->record[0];  // read before the word: all that was written before the end is visible then
    const uint32_t level = word / 4;
    uint64_t x = s->record[word];
    if (is_written(s, x)) return *value = value_of(x), GrB_SUCCESS;
    if (is_written(s, end) && level > (uint32_t)(end & ALL)) return *value = 0, GrB_SUCCESS;
    if (!alive) {
      s->running = false;
      return grid_fail(NULL, GrB_PANIC, "a search on the GPU ended without a result");
    }
    GrB_Info info = check_alive(s, spins, &alive);
    if (info != GrB_SUCCESS) return info;
  }
}

GrB_Info search_wait(grid_search *s) {
  uint64_t end;
  if (!s->running) return GrB_SUCCESS;
  GrB_Info info = wait_record(s, 0, &end);
  s->running = false;
  return info;
}

// ---- the engine's table -----------------------------------------------------------------------------------

void search_free(grid_search *s) {
  if (!s) return;
  (void)search_wait(s);
  if (s->record) {
    cudaStreamSynchronize(grid_cuda_stream());  // the device may still be writing
    cudaFreeHost((void *)s->record);
  }
  grid_device_free(s->memory);
  delete s;
}

GrB_Info search_make(grid_search **out, const grid_search_graph *g) {
  uint64_t rows = 0;
  GrB_Info info;
  *out = NULL;
  const uint64_t most = g->in_offsets64 && g->P == 1 ? UINT64_C(1) << 40 : UINT32_MAX - UINT64_C(1);
  if (g->n == 0 || g->P > GRID_WINDOWS || g->n > GRID_SEARCH_VERTICES || g->nvals > most ||
      !g->in_offsets64 != !g->out_offsets64 || (g->in_offsets64 && g->P > 1))
    return grid_fail(
        NULL, GrB_INVALID_VALUE,
        "a search on the GPU takes 1 to 2^30 vertices, up to 2^32 - 2 entries (more on one GPU alone) and up "
        "to %d GPUs, not %llu, %llu and %d",
        GRID_WINDOWS, (unsigned long long)g->n, (unsigned long long)g->nvals, g->P);
  grid_search *s = new (std::nothrow) grid_search();
  if (!s) return grid_fail_memory(NULL, "a search", 1, sizeof *s);
  s->g = *g;
  TRY(grid_cuda->chunks->combine(NULL, g->nonempty, g->nonempty, GRID_AND, g->n_local,
                                 &rows));  // with entries
  set_graph(&s->args, g, rows);
  TRY(allocate_workspace(s, rows));
  *out = s;
done:
  if (info != GrB_SUCCESS) search_free(s);
  return info;
}

void set_job(grid_search *s, const grid_search_job *job) {
  search_args *a = &s->args;
  a->max_levels = job->max_levels;
  a->direction = job->direction;
  a->frontier = (const uint32_t *)job->frontier;
  memcpy(a->short_list, job->short_list, sizeof a->short_list);
  a->nshort_list = job->nshort_list;
  a->visited_before = (const uint32_t *)job->visited;
  a->parent32 = job->parent_bytes == 4 ? (int32_t *)job->parent : NULL;
  a->parent64 = job->parent_bytes == 8 ? (int64_t *)job->parent : NULL;
  a->tags = a->parent32 ? (uint32_t *)a->parent32 : s->tags;  // a sweep removes the tags in place
  for (uint32_t p = 0; a->processes > 1 && p < a->processes; p++)
    a->window[p] = (search_window *)job->windows[p];
  if (a->processes > 1) {
    a->bits = (uint32_t *)((char *)a->window[a->process] + WINDOW_HEAD);
    a->found = a->bits + 3 * (uint64_t)a->stride;
    a->found_stride = a->q;
  }
  a->set = s->sets + s->run % 2;
  a->other = s->sets + (s->run + 1) % 2;
  a->run = (s->run & 255) << 22;  // in the high half of a word of the record
}

// In a window; the levels of all GPUs follow if least parents are requested.
uint64_t search_window_share(const grid_search *s) {
  return WINDOW_HEAD + 3 * 4 * (uint64_t)s->args.stride + 2 * 4 * s->g.q;
}

void search_abort(grid_search *s) {
  *s->stop = 1;
  (void)search_wait(s);
}

GrB_Info search_start(grid_search *s, const grid_search_job *job) {
  GrB_Info info;
  if (job->max_levels < 1 || job->max_levels > GRID_SEARCH_LEVELS)
    return grid_fail(NULL, GrB_INVALID_VALUE, "a search runs 1 to %d levels ahead, not %u",
                     GRID_SEARCH_LEVELS, job->max_levels);
  TRY(search_wait(s));
  set_job(s, job);
  memset((void *)s->record, 0, 32 * ((uint64_t)job->max_levels + 2));
  *s->stop = 0;
  {
    void *args[] = {&s->args};
    TRY(grid_cuda_check(cudaLaunchCooperativeKernel(kernel_of(s), dim3(s->blocks), dim3(THREADS), args, 0,
                                                    grid_cuda_stream()),
                        "starting a search"));
  }
  s->run++;
  s->max_levels = job->max_levels;
  s->running = true;
  if (s->g.P > 1 && job->min_parents)
    info = grid_cuda_share_levels(&s->g, s->args.level, job, search_window_share(s), s->args.stop);
  if (info != GrB_SUCCESS) search_abort(s);  // stops the kernel, which waits for other processes
done:
  return info;
}

GrB_Info search_count(grid_search *s, uint32_t k, uint64_t *count, grid_search_level *what) {
  uint64_t word = 0, edges = 0, ns = 0;
  GrB_Info info = GrB_SUCCESS;
  *count = 0;
  if (what) *what = {};
  if (k < 1 || k > s->max_levels) goto done;
  TRY(wait_record(s, 4 * k, &word));
  *count = word & ALL;
  if (!what || *count == 0) goto done;
  TRY(wait_record(s, 4 * k + 1, &edges));
  TRY(wait_record(s, 4 * k + 2, &ns));
  *what = {(word & FLAG) != 0, edges, ns / 1e3};
done:
  return info;
}

GrB_Info search_count_local(grid_search *s, uint32_t k, uint64_t *count) {
  *count = 0;
  return k < 1 || k > s->max_levels ? GrB_SUCCESS : wait_record(s, 4 * k + 3, count);
}

const uint8_t *search_levels(const grid_search *s) {
  return s->args.level;
}

// The run goes to its end anyway.
GrB_Info search_pause(grid_search *s, uint32_t) {
  return search_wait(s);
}

uint64_t search_window_bytes(const grid_search *s, bool min_parents) {
  return search_window_share(s) + (min_parents ? grid_cuda_share_bytes(&s->g) : 0);
}

// In stream order after the run.
GrB_Info search_min_parents(grid_search *s, const grid_search_job *job, uint32_t last) {
  uint64_t pushed[GRID_SEARCH_LEVELS + 1] = {0}, count;  // edges, of the levels that were pushed
  for (uint32_t k = 1; k <= last && k <= s->max_levels; k++) {
    grid_search_level what;
    GrB_Info info = search_count(s, k, &count, &what);
    if (info != GrB_SUCCESS) return info;
    if (!what.pull) pushed[k] = what.inspected;
  }
  return grid_cuda_min_parents(&s->g, s->args.level, job, search_window_share(s), last, pushed);
}

}  // namespace

extern "C" const grid_search_engine grid_cuda_search = {search_make,
                                                        search_free,
                                                        search_start,
                                                        search_count,
                                                        search_count_local,
                                                        search_wait,
                                                        search_pause,
                                                        search_levels,
                                                        NULL,
                                                        search_abort,
                                                        search_window_bytes,
                                                        NULL,
                                                        search_min_parents,
                                                        grid_cuda_check_identity};
