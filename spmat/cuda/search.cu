// A whole search in one launch (spmat/search.h): a persistent kernel whose blocks meet between the phases of
// a level and all draw the same conclusions from the counters. What the host has to do is start it and
// listen.
//
//   begin            visited is copied, the frontier goes from bits to the queue
//   tiny_levels      while the frontier is small: block 0 alone, level after level
//   measure          frontier edges, and their division into pieces; this decides between
//   push_items       and the pulls: sweep (the first one, over all rows) or pull_list (over the rows left),
//   pull_long        with what they left to whole warps
//   list_frontier    from the bitmap that a pull leaves to the queue that a push needs
//
// Until the first sweep a push writes one word for each vertex it finds: the parent with the level in its
// high bits. The sweep gives these their places, and writes level 0 everywhere else. A search that only
// pushes is swept at its end, or after TAG_LEVELS levels.
#include <new>

#include "spmat/cuda/search_pull.cuh"
#include "spmat/cuda/search_push.cuh"

struct grid_search {
  grid_search_graph g;
  search_args args;
  void *memory;
  search_set *sets;           // two, in memory
  uint32_t *tags;             // in memory too
  volatile uint64_t *record;  // pinned
  unsigned blocks;
  uint32_t run, max_levels;  // runs started; of the last one
  bool running;
};

namespace {

// ---- the kernel -----------------------------------------------------------------------------------------

// Thread 0, after `begin`.
__device__ void first_state(const search_args &a, search_now &now) {
  const search_set &set = *a.set;
  now = {};
  now.level = 1;
  now.size = set.at[0].found;
  now.queued = true;
  now.bits = a.direction == GRID_SEARCH_PULL ? 0 : -1;
  now.closed = a.symmetric && !set.open;
  now.unvisited = set.open ? a.nvals - (uint64_t)a.nvals * set.seen / a.n : a.nvals;
  if (blockIdx.x == 0) now.clock = clock_ns();
}

// Does it take no counting to see that this level is a pull?
__device__ bool surely_pull(const search_args &a, const search_now &now) {
  if (a.direction != GRID_SEARCH_AUTO) return a.direction == GRID_SEARCH_PULL;
  return (uint64_t)now.size * a.mean * GRID_SEARCH_PULL_RULE > 2 * now.unvisited && now.size > TINY_VERTICES;
}
__device__ bool pull_pays(const search_args &a, const search_now &now) {
  return a.direction == GRID_SEARCH_AUTO && (uint64_t)now.edges * GRID_SEARCH_PULL_RULE > now.unvisited;
}
// After a pull: is the next level a pull too?
__device__ bool pull_goes_on(const search_args &a, const search_now &now) {
  return a.direction == GRID_SEARCH_PULL || (uint64_t)now.size * GRID_SEARCH_PUSH_RULE >= now.rows;
}

__device__ void back_to_queue(const search_args &a, search_shared &sh) {
  list_frontier(a, sh);
  if (meet(a)) {
    sh.now.bits = -1;
    sh.now.queued = true;
    sh.now.stale = true;
    sh.now.base = 0;  // what was in the queue is long done
  }
  __syncthreads();
}

__device__ void settle_tags(const search_args &a, search_shared &sh) {
  sweep(a, sh, true, false, NULL, NULL, NULL);
  if (meet(a)) sh.now.merged = true;
  __syncthreads();
}

__device__ void tiny_phase(const search_args &a, search_shared &sh) {
  if (blockIdx.x == 0) tiny_levels(a, sh);
  if (meet(a)) {
    search_now &now = sh.now;
    const search_hand &hand = a.set->hand;
    now.unvisited = hand.unvisited;
    now.level = hand.level;
    now.base = hand.base;
    now.size = hand.size;
    now.measured = hand.measured;
    now.edges = a.set->at[now.level].edges;
    now.items = a.set->at[now.level].items;
  }
  __syncthreads();
}

__device__ void measure_phase(const search_args &a, search_shared &sh) {
  measure(a, sh, sh.now.base, sh.now.size, sh.now.level, grid_warp(), grid_warps());
  if (meet(a)) {
    sh.now.measured = true;
    sh.now.edges = a.set->at[sh.now.level].edges;
    sh.now.items = a.set->at[sh.now.level].items;
  }
  __syncthreads();
}

__device__ void push_level(const search_args &a, search_shared &sh) {
  push_items(a, sh);
  if (meet(a)) {
    search_now &now = sh.now;
    const uint32_t found = a.set->at[now.level].found;
    if (blockIdx.x == 0) now.clock = report(a, now.level, false, found, now.edges, now.clock);
    now.unvisited -= now.edges < now.unvisited ? now.edges : now.unvisited;
    now.base += now.size;
    now.size = found;
    now.level++;
    now.measured = false;
  }
  __syncthreads();
}

// The frontier as a bitmap, made from the queue.
__device__ void back_to_bits(const search_args &a, search_shared &sh) {
  if (!sh.now.listed) {  // else list_frontier has cleared it
    clear_bits(a, a.bits);
    meet(a);
    __syncthreads();
  }
  spread_queue(a, sh.now, a.bits);
  if (meet(a)) sh.now.bits = 0;
  __syncthreads();
}

// Thread 0: a pull is over.
__device__ void pulled(const search_args &a, search_now &now, int32_t next) {
  const search_counts &c = a.set->at[now.level];
  if (blockIdx.x == 0) now.clock = report(a, now.level, true, c.found, c.looked, now.clock);
  now.list = now.listed ? now.list ^ 1 : 0;
  now.rows = c.rows;
  now.unvisited = (uint64_t)c.rows * GRID_SEARCH_REST;
  now.size = c.found;
  now.bits = next;
  now.level++;
  now.queued = now.measured = now.stale = false;
  now.listed = now.merged = true;
}

// What a row's entries are looked up in: the frontier's bitmap if there is one. If there is none, the
// frontier is in the queue and in visited, and `visited` itself serves where `closed` holds: the pattern is
// symmetric and, at the start, nothing visited but the frontier bordered on anything unvisited. Then an
// unvisited vertex v has no neighbour u that was visited before the frontier: u was part of a frontier once,
// v a neighbour of it, so v would have been found in the level after. So a visited neighbour is one in the
// frontier, and the level and the parent are right. No bit of visited changes while it is looked at; what is
// found goes to `next`.
__device__ void pull_level(const search_args &a, search_shared &sh) {
  if (sh.now.bits < 0 && !sh.now.closed) back_to_bits(a, sh);
  const int32_t from = sh.now.bits, to = (from + 1) % 3;
  const uint32_t *probe = from < 0 ? a.visited : a.bits + from * a.stride;
  uint32_t *next = a.bits + to * a.stride, *clear = a.bits + (to + 1) % 3 * a.stride;
  if (sh.now.listed)
    pull_list(a, sh, probe, next, clear, sh.now.queued ? NULL : probe);
  else
    sweep(a, sh, !sh.now.merged, true, probe, next, clear);
  if (meet(a)) {
    const uint32_t longs = a.set->at[sh.now.level].longs;
    sh.now.longs = longs < a.work_room ? longs : a.work_room;
    if (longs == 0) pulled(a, sh.now, to);
  }
  __syncthreads();
  if (sh.now.longs == 0) return;
  pull_long(a, sh, probe, next);
  if (meet(a)) {
    pulled(a, sh.now, to);
    sh.now.longs = 0;
  }
  __syncthreads();
}

// Every phase is called from one place only: all are compiled into the kernel, which should stay small.
__device__ void one_step(const search_args &a, search_shared &sh) {
  const search_now &now = sh.now;
  if (!now.queued && !pull_goes_on(a, now)) back_to_queue(a, sh);
  bool pull = !now.queued || surely_pull(a, now);
  if (!pull) {
    if (!now.measured) {
      if (now.size <= TINY_VERTICES) return tiny_phase(a, sh);
      measure_phase(a, sh);
    }
    pull = pull_pays(a, now);
  }
  if (pull)
    pull_level(a, sh);
  else
    push_level(a, sh);
}

// Everything in its place; the last block to be ready says so.
__device__ void finish(const search_args &a, search_shared &sh) {
  const search_now &now = sh.now;
  if (!now.queued && now.size > 0)  // stopped after a pull: what it found is not in visited yet
    for (uint32_t w = grid_thread(); w < a.words; w += grid_threads())
      a.visited[w] |= a.bits[now.bits * a.stride + w];
  __syncthreads();
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<uint32_t, cuda::thread_scope_device> finished(a.set->finished);
  if (finished.fetch_add(1, cuda::std::memory_order_acq_rel) + 1 < gridDim.x) return;
  // the last level counted found nothing, unless max_levels stopped it
  const uint32_t run = now.level - 1, with_found = now.size > 0 || run == 0 ? run : run - 1;
  tell(a, 0, (now.size > 0 ? FLAG : 0) | with_found);
}

__global__ void __launch_bounds__(THREADS, BLOCKS) search_kernel(const __grid_constant__ search_args a) {
  __shared__ search_shared sh;
  begin(a, sh);
  if (meet(a)) first_state(a, sh.now);
  __syncthreads();
  for (;;) {
    const bool over = sh.now.size == 0 || sh.now.level > a.max_levels;
    if (!sh.now.merged && (over || sh.now.level > TAG_LEVELS)) settle_tags(a, sh);
    if (over) break;
    one_step(a, sh);
  }
  finish(a, sh);
}

// ---- the workspace --------------------------------------------------------------------------------------

uint64_t padded(uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

// Pieces of a push: one for each group of 32 vertices, and one for each ITEM entries.
uint64_t work_room(const grid_search_graph *g) {
  return g->n / 32 + g->nvals / ITEM + 64;
}

// Gives `bytes` of the slab at *at; a NULL slab only measures.
void *part(void *memory, uint64_t *at, uint64_t bytes) {
  void *p = memory ? (char *)memory + *at : NULL;
  *at += padded(bytes);
  return p;
}

// Lays out the workspace; returns its size.
uint64_t lay_out(grid_search *s, uint64_t rows) {
  search_args *a = &s->args;
  const uint64_t n = s->g.n, words = 2 * grid_words(n);
  uint64_t at = 0;
  a->stride = (uint32_t)(padded(4 * words) / 4);
  a->work_room = (uint32_t)work_room(&s->g);
  s->sets = (search_set *)part(s->memory, &at, 2 * sizeof(search_set));
  a->visited = (uint32_t *)part(s->memory, &at, 4 * words);
  a->bits = (uint32_t *)part(s->memory, &at, 3 * 4 * (uint64_t)a->stride);
  a->level = (uint8_t *)part(s->memory, &at, n);
  a->queue = (uint32_t *)part(s->memory, &at, 4 * n);
  s->tags = (uint32_t *)part(s->memory, &at, 4 * n);
  a->list = (uint2 *)part(s->memory, &at, 2 * sizeof(uint2) * (rows ? rows : 1));
  a->work = (uint2 *)part(s->memory, &at, sizeof(uint2) * (uint64_t)a->work_room);
  return at;
}

void set_graph(search_args *a, const grid_search_graph *g, uint64_t rows) {
  a->n = (uint32_t)g->n;
  a->words = (uint32_t)(2 * grid_words(g->n));
  a->nvals = (uint32_t)g->nvals;
  a->rows = (uint32_t)rows;
  a->mean = (uint32_t)(rows ? (g->nvals + rows - 1) / rows : 1);
  a->out_ptr = g->out_ptr;
  a->out_idx = g->out_idx;
  a->in_ptr = g->in_ptr;
  a->in_idx = g->in_idx;
  a->in_first = g->in_first;
  a->nonempty = (const uint32_t *)g->nonempty;
  a->symmetric = g->out_ptr == g->in_ptr && g->out_idx == g->in_idx;
}

GrB_Info make_room(grid_search *s, uint64_t rows) {
  void *record = NULL, *mapped = NULL;
  int per = 0;
  GrB_Info info;
  const uint64_t bytes = lay_out(s, rows);
  s->memory = grid_device_malloc(bytes, 1);
  if (!s->memory) TRY(grid_device_fail_memory(NULL, "the workspace of a search", bytes, 1));
  lay_out(s, rows);
  TRY(grid_device_zero(s->sets, 2 * sizeof(search_set)));
  TRY(grid_cuda_check(cudaHostAlloc(&record, 32 * (GRID_SEARCH_LEVELS + 2), cudaHostAllocMapped),
                      "pinned memory for a search's counts"));
  s->record = (volatile uint64_t *)record;
  TRY(grid_cuda_check(cudaHostGetDevicePointer(&mapped, record, 0), "mapping a search's counts"));
  s->args.record = (uint64_t *)mapped;
  TRY(grid_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, search_kernel, THREADS, 0),
                      "asking how many blocks of a search fit"));
  if (per < 1) TRY(grid_fail(NULL, GrB_PANIC, "a block of the search kernel does not fit on this GPU"));
  s->blocks = (unsigned)(per < (int)BLOCKS ? per : (int)BLOCKS) * (unsigned)grid_cuda_multiprocessors();
done:
  return info;
}

// ---- listening ------------------------------------------------------------------------------------------

// Was this said by the run under way? The low bits of what it said.
bool said(const grid_search *s, uint64_t word) {
  return (word & (SAID | RUN)) == (SAID | (uint64_t)s->args.run << 32);
}
uint64_t content(uint64_t word) {
  return word & ~(SAID | RUN);
}

// Asks the driver now and then whether the kernel still lives.
GrB_Info heard(grid_search *s, uint32_t spins, bool *alive) {
  if (spins % 65536 != 65535) return GrB_SUCCESS;
  const cudaError_t e = cudaStreamQuery(grid_cuda_stream());
  *alive = e == cudaErrorNotReady;
  if (e == cudaSuccess || e == cudaErrorNotReady) return GrB_SUCCESS;
  s->running = false;
  return grid_cuda_check(e, "a search");
}

// Until the device has said `word`, or that the search is over. *value: of `word`, or 0.
GrB_Info listen(grid_search *s, uint32_t word, uint64_t *value) {
  bool alive = true;
  for (uint32_t spins = 0;; spins++) {
    const uint64_t end = s->record[0];  // before the word: what was said before the end is seen then
    const uint32_t level = word / 4;
    uint64_t x = s->record[word];
    if (said(s, x)) return *value = content(x), GrB_SUCCESS;
    if (said(s, end) && level > (uint32_t)(end & ALL)) return *value = 0, GrB_SUCCESS;
    if (!alive) {
      s->running = false;
      return grid_fail(NULL, GrB_PANIC, "a search on the GPU ended without a result");
    }
    GrB_Info info = heard(s, spins, &alive);
    if (info != GrB_SUCCESS) return info;
  }
}

GrB_Info search_wait(grid_search *s) {
  uint64_t end;
  if (!s->running) return GrB_SUCCESS;
  GrB_Info info = listen(s, 0, &end);
  s->running = false;
  return info;
}

// ---- the engine's row -----------------------------------------------------------------------------------

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
  if (g->n == 0 || g->n > GRID_SEARCH_VERTICES || g->nvals > UINT32_MAX - UINT64_C(1))
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "a search on the GPU takes up to 2^28 vertices and 2^32 - 2 entries, not %llu and %llu",
                     (unsigned long long)g->n, (unsigned long long)g->nvals);
  grid_search *s = new (std::nothrow) grid_search();
  if (!s) return grid_fail_memory(NULL, "a search", 1, sizeof *s);
  s->g = *g;
  TRY(grid_cuda->chunks->combine(NULL, g->nonempty, g->nonempty, GRID_AND, g->n, &rows));  // with entries
  set_graph(&s->args, g, rows);
  TRY(make_room(s, rows));
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
  memcpy(a->few, job->few, sizeof a->few);
  a->nfew = job->nfew;
  a->given = (const uint32_t *)job->visited;
  a->parent32 = job->parent_bytes == 4 ? (int32_t *)job->parent : NULL;
  a->parent64 = job->parent_bytes == 8 ? (int64_t *)job->parent : NULL;
  a->tags = a->parent32 ? (uint32_t *)a->parent32 : s->tags;  // a sweep takes the tags off in place
  a->set = s->sets + s->run % 2;
  a->other = s->sets + (s->run + 1) % 2;
  a->run = (s->run & 255) << 22;  // in the high half of a word of the record
}

GrB_Info search_start(grid_search *s, const grid_search_job *job) {
  GrB_Info info;
  if (job->max_levels < 1 || job->max_levels > GRID_SEARCH_LEVELS)
    return grid_fail(NULL, GrB_INVALID_VALUE, "a search runs 1 to %d levels ahead, not %u",
                     GRID_SEARCH_LEVELS, job->max_levels);
  TRY(search_wait(s));
  set_job(s, job);
  memset((void *)s->record, 0, 32 * ((uint64_t)job->max_levels + 2));
  {
    void *args[] = {&s->args};
    TRY(grid_cuda_check(cudaLaunchCooperativeKernel((const void *)search_kernel, dim3(s->blocks),
                                                    dim3(THREADS), args, 0, grid_cuda_stream()),
                        "starting a search"));
  }
  s->run++;
  s->max_levels = job->max_levels;
  s->running = true;
done:
  return info;
}

GrB_Info search_count(grid_search *s, uint32_t k, uint64_t *count, grid_search_level *what) {
  uint64_t word = 0, edges = 0, ns = 0;
  GrB_Info info = GrB_SUCCESS;
  *count = 0;
  if (what) *what = {};
  if (k < 1 || k > s->max_levels) goto done;
  TRY(listen(s, 4 * k, &word));
  *count = word & ALL;
  if (!what || *count == 0) goto done;
  TRY(listen(s, 4 * k + 1, &edges));
  TRY(listen(s, 4 * k + 2, &ns));
  *what = {(word & FLAG) != 0, edges, ns / 1e3};
done:
  return info;
}

const uint8_t *search_levels(const grid_search *s) {
  return s->args.level;
}

}  // namespace

extern "C" const grid_search_engine grid_cuda_search = {search_make, search_free, search_start, search_count,
                                                        search_wait, NULL,        search_levels};
