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
// Several GPUs (MANY) search together, each the rows of its vertices, and meet with their numbers after each
// phase (search_peers.cuh). A push leaves each GPU's found vertices in a list of its own, from which all of
// them fetch the next frontier when they measure it; the first pull sends its own words of the bitmap to the
// others as it goes, later ones leave them, and all fetch them before the next pull. No block does levels
// alone.
//
// Until the first sweep a push writes one word for each vertex it finds: the parent with the level in its
// high bits. The sweep gives these their places, and writes level 0 everywhere else. A search that only
// pushes is swept at its end, or when there are no bits for more levels.
#include <new>

#include "spmat/cuda/search/least.cuh"
#include "spmat/cuda/search/search_pull.cuh"
#include "spmat/cuda/search/search_push.cuh"

struct grid_search {
  grid_search_graph g;
  search_args args;
  void *memory;
  search_set *sets;           // two, in memory
  uint32_t *tags;             // in memory too
  volatile uint64_t *record;  // pinned
  volatile uint32_t *stop;    // in the same memory
  unsigned blocks;
  uint32_t run, max_levels;  // runs started; of the last one
  bool running;
};

namespace {

// ---- the kernel -----------------------------------------------------------------------------------------

// Entries of the own rows that are not visited at the start, about.
__device__ uint64_t first_unvisited(const search_args &a) {
  const search_set &set = *a.set;
  if (!set.open) return a.nvals;
  return a.nvals - (a.nvals / a.n * set.seen + a.nvals % a.n * set.seen / a.n);
}

// Thread 0, after `begin`: `size` vertices in the frontier, of `rows` rows with `nvals` entries.
__device__ void first_state(const search_args &a, search_now &now, uint32_t size, uint64_t unvisited,
                            uint64_t rows, uint64_t nvals) {
  const uint32_t turn = now.turn;
  now = {};
  now.turn = turn;
  now.level = 1;
  now.size = size;
  now.queued = true;
  now.bits = a.direction == GRID_SEARCH_PULL ? 0 : -1;
  now.unvisited = unvisited;
  now.mean = (uint32_t)(rows ? (nvals + rows - 1) / rows : 1);
  if (blockIdx.x == 0) now.clock = clock_ns();
}

template <bool MANY>
__device__ void begin_phase(const search_args &a, search_shared &sh) {
  begin(a, sh);
  const search_set &set = *a.set;
  if constexpr (MANY) {
    if (meet_peers(a, sh, [&](uint64_t *note) {
          note[0] = set.at[0].found;
          note[1] = first_unvisited(a);
          note[2] = a.rows;
          note[3] = a.nvals;
        })) {
      const uint64_t *sum = sh.told.sum;
      first_state(a, sh.now, lists_told(a, sh), sum[1], sum[2], sum[3]);
    }
  } else if (meet(a)) {
    first_state(a, sh.now, set.at[0].found, first_unvisited(a), a.rows, a.nvals);
    sh.now.closed = a.symmetric && !set.open;
  }
  __syncthreads();
}

template <bool MANY>
constexpr uint32_t RULE = MANY ? GRID_SEARCH_PULL_RULE_MANY : GRID_SEARCH_PULL_RULE;

// Does it take no counting to see that this level is a pull?
template <bool MANY>
__device__ bool surely_pull(const search_args &a, const search_now &now) {
  if (a.direction != GRID_SEARCH_AUTO) return a.direction == GRID_SEARCH_PULL;
  return (uint64_t)now.size * now.mean * RULE<MANY> > 2 * now.unvisited && now.size > TINY_VERTICES;
}
template <bool MANY>
__device__ bool pull_pays(const search_args &a, const search_now &now) {
  return a.direction == GRID_SEARCH_AUTO && now.edges * RULE<MANY> > now.unvisited;
}
// After a pull: is the next level a pull too?
__device__ bool pull_goes_on(const search_args &a, const search_now &now) {
  return a.direction == GRID_SEARCH_PULL || (uint64_t)now.size * GRID_SEARCH_PUSH_RULE >= now.rows_left;
}

// What is told where the others only need to know that something is done.
__device__ inline void nothing_to_tell(uint64_t *) {}

template <bool MANY>
__device__ void back_to_queue(const search_args &a, search_shared &sh) {
  list_frontier(a, sh);
  if (MANY ? meet_peers(a, sh, nothing_to_tell) : meet(a)) {
    sh.now.bits = -1;
    sh.now.queued = true;
    sh.now.stale = true;
    sh.now.base = 0;  // what was in the queue is long done
  }
  __syncthreads();
}

template <bool MANY, class offset>
__device__ void settle_tags(const search_args &a, search_shared &sh) {
  sweep<MANY, offset>(a, sh, true, false, NULL, NULL, NULL);
  if (meet(a)) sh.now.merged = true;
  __syncthreads();
}

template <class offset>
__device__ void tiny_phase(const search_args &a, search_shared &sh) {
  if (blockIdx.x == 0) tiny_levels<offset>(a, sh);
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

template <bool MANY, class offset>
__device__ void measure_phase(const search_args &a, search_shared &sh) {
  const search_counts &c = a.set->at[sh.now.level];
  const bool ask = MANY && sh.now.size > ALWAYS_PUSHED;
  measure<MANY, offset>(a, sh, sh.now.base, sh.now.size, sh.now.level, grid_warp(), grid_warps());
  if (ask ? meet_peers(a, sh, [&](uint64_t *note) { note[1] = c.edges; }) : meet(a)) {
    sh.now.measured = true;
    sh.now.edges = ask ? sh.told.sum[1] : MANY ? 0 : c.edges;
    sh.now.items = c.items;
  }
  __syncthreads();
}

template <bool MANY, class offset>
__device__ void push_level(const search_args &a, search_shared &sh) {
  const search_counts &c = a.set->at[sh.now.level];
  push_items<offset>(a, sh);
  if (MANY ? meet_peers(a, sh, [&](uint64_t *note) { note[0] = c.found, note[1] = c.edges; }) : meet(a)) {
    search_now &now = sh.now;
    if (MANY) now.edges = sh.told.sum[1];
    const uint32_t found = MANY ? lists_told(a, sh) : c.found;
    if (blockIdx.x == 0) now.clock = report(a, now.level, false, found, c.found, c.edges, now.clock);
    now.unvisited -= now.edges < now.unvisited ? now.edges : now.unvisited;
    if (!MANY) now.base += now.size;
    now.size = found;
    now.level++;
    now.measured = false;
  }
  __syncthreads();
}

// The frontier as a bitmap, made from the queue.
__device__ void back_to_bits(const search_args &a, search_shared &sh) {
  if (!sh.now.listed) {  // else list_frontier has cleared it
    clear_bits(a.bits, a.words);
    meet(a);
    __syncthreads();
  }
  spread_list(a.queue + sh.now.base, sh.now.size, a.bits, 0);
  if (meet(a)) sh.now.bits = 0;
  __syncthreads();
}

// Several GPUs: from the queue if all of a short frontier is there, else everybody's own words first.
__device__ void share_bits(const search_args &a, search_shared &sh) {
  const bool whole = sh.now.measured && sh.now.size <= SPREAD;
  uint32_t *bits = a.bits + (whole ? 0 : a.own_word);
  clear_bits(bits, whole ? a.all_words : a.words);
  meet(a);
  __syncthreads();
  spread_list(whole ? a.queue : found_of(a, sh.now.level - 1), whole ? sh.now.size : own_list(a, sh), bits,
              0);
  // it was clear at the start, and is used once
  const bool sparse = whole && a.coarse && !sh.now.listed && sh.now.size < COARSE / SPARSE;
  if (sparse) spread_list(a.queue, sh.now.size, a.coarse, a.coarse_shift);
  if (whole ? meet(a) : meet_peers(a, sh, nothing_to_tell)) {
    sh.now.bits = 0;
    sh.now.there = whole;
    sh.now.sparse = sparse;
  }
  __syncthreads();
}

// Are there so few rows left that others' words need not be fetched?
__device__ inline bool few_look(const search_args &a, const search_now &now) {
  return now.listed && now.rows < (a.all_words - a.words) / FAR;
}

// The others' words of the frontier's bitmap.
__device__ void complete_bits(const search_args &a, search_shared &sh) {
  fetch_bits(a, a.bits + sh.now.bits * a.stride);
  if (meet(a)) sh.now.there = true;
  __syncthreads();
}

// Thread 0: a pull is over.
template <bool MANY>
__device__ void pulled(const search_args &a, search_shared &sh, int32_t next) {
  search_now &now = sh.now;
  const search_counts &c = a.set->at[now.level];
  const uint32_t found = MANY ? lists_told(a, sh) : c.found;
  if (blockIdx.x == 0) now.clock = report(a, now.level, true, found, c.found, c.looked, now.clock);
  now.there = MANY && !now.listed;  // a sweep has sent its words
  now.list = now.listed ? now.list ^ 1 : 0;
  now.rows = c.rows;
  now.rows_left = MANY ? sh.told.sum[1] : c.rows;
  now.unvisited = now.rows_left * GRID_SEARCH_REST;
  now.size = found;
  now.bits = next;
  now.level++;
  now.queued = now.measured = now.stale = now.sparse = false;
  now.listed = now.merged = true;
  now.longs = 0;
}

// What a row's entries are looked up in: the frontier's bitmap if there is one. If there is none, the
// frontier is in the queue and in visited, and `visited` itself serves where `closed` holds: the pattern is
// symmetric and, at the start, nothing visited but the frontier bordered on anything unvisited. Then an
// unvisited vertex v has no neighbour u that was visited before the frontier: u was part of a frontier once,
// v a neighbour of it, so v would have been found in the level after. So a visited neighbour is one in the
// frontier, and the level and the parent are right. No bit of visited changes while it is looked at; what is
// found goes to `next`.
template <bool MANY, class offset>
__device__ void pull_level(const search_args &a, search_shared &sh) {
  if constexpr (MANY) {
    if (sh.now.bits < 0) share_bits(a, sh);
    if (!sh.now.there && !few_look(a, sh.now)) complete_bits(a, sh);
  } else if (sh.now.bits < 0 && !sh.now.closed) {
    back_to_bits(a, sh);
  }
  const int32_t from = sh.now.bits, to = (from + 1) % 3;
  const uint32_t *probe = !MANY && from < 0 ? a.visited : a.bits + from * a.stride;
  uint32_t *own = a.bits + a.own_word, *next = own + to * a.stride, *clear = own + (to + 1) % 3 * a.stride;
  if (sh.now.listed)
    pull_list<MANY, offset>(a, sh, probe, next, clear, sh.now.queued ? NULL : probe + a.own_word);
  else
    sweep<MANY, offset>(a, sh, !sh.now.merged, true, probe, next, clear);
  if (meet(a)) {
    const uint32_t longs = a.set->at[sh.now.level].longs;
    sh.now.longs = longs < a.work_room ? longs : a.work_room;
    if (!MANY && longs == 0) pulled<false>(a, sh, to);
  }
  __syncthreads();
  if (!MANY && sh.now.longs == 0) return;
  if (sh.now.longs) pull_long<MANY, offset>(a, sh, probe, next);
  const search_counts &c = a.set->at[sh.now.level];
  const auto counts = [&](uint64_t *note) { note[0] = c.found, note[1] = c.rows; };
  if (MANY ? meet_peers(a, sh, counts, sh.now.longs == 0) : meet(a)) pulled<MANY>(a, sh, to);
  __syncthreads();
}

// Every phase is called from one place only: all are compiled into the kernel, which should stay small.
template <bool MANY, class offset>
__device__ void one_step(const search_args &a, search_shared &sh) {
  const search_now &now = sh.now;
  if (!now.queued && !pull_goes_on(a, now)) back_to_queue<MANY>(a, sh);
  bool pull = !now.queued || surely_pull<MANY>(a, now) || (MANY && now.size > a.queue_room);
  if (!pull) {
    if (!now.measured) {
      if (!MANY && now.size <= TINY_VERTICES) return tiny_phase<offset>(a, sh);
      measure_phase<MANY, offset>(a, sh);
    }
    pull = pull_pays<MANY>(a, now);
  }
  if (pull)
    pull_level<MANY, offset>(a, sh);
  else
    push_level<MANY, offset>(a, sh);
}

// Everything in its place; the last block to be ready says so.
__device__ void finish(const search_args &a, search_shared &sh) {
  const search_now &now = sh.now;
  if (!now.queued && now.size > 0)  // stopped after a pull: what it found is not in visited yet
    for (uint32_t w = grid_thread(); w < a.words; w += grid_threads())
      a.visited[w] |= a.bits[now.bits * a.stride + a.own_word + w];
  __syncthreads();
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<uint32_t, cuda::thread_scope_device> finished(a.set->finished);
  if (finished.fetch_add(1, cuda::std::memory_order_acq_rel) + 1 < gridDim.x) return;
  if (a.processes > 1) a.window[a.process]->turn = now.turn;
  // the last level counted found nothing, unless max_levels stopped it
  const uint32_t run = now.level - 1, with_found = now.size > 0 || run == 0 ? run : run - 1;
  tell(a, 0, (now.size > 0 ? FLAG : 0) | with_found);
}

template <bool MANY, class offset>
__global__ void __launch_bounds__(THREADS, BLOCKS) search_kernel(const __grid_constant__ search_args a) {
  __shared__ search_shared sh;
  if (threadIdx.x == 0) sh.now.turn = MANY ? a.window[a.process]->turn : 0;
  begin_phase<MANY>(a, sh);
  for (;;) {
    const bool over = sh.now.size == 0 || sh.now.level > a.max_levels;
    if (!sh.now.merged && (over || sh.now.level > tag_levels(a))) settle_tags<MANY, offset>(a, sh);
    if (over) break;
    one_step<MANY, offset>(a, sh);
  }
  finish(a, sh);
}

// ---- the workspace --------------------------------------------------------------------------------------

uint64_t padded(uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

// The longest frontier that is pushed. Several GPUs pull a longer one whatever is asked for: who asks for
// nothing but pushes gets the other engine (dist/ahead/ahead.c).
uint64_t queue_room(const grid_search_graph *g) {
  const uint64_t all = (uint64_t)g->P * g->q, some = UINT64_C(1) << 20, part = g->q > some ? g->q : some;
  return g->P == 1 ? g->n : all < part ? all : part;
}

// Pieces of a push: one for each group of 32 vertices, and one for each ITEM entries.
uint64_t work_room(const grid_search_graph *g) {
  return queue_room(g) / 32 + g->nvals / ITEM + 64;
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
  const uint64_t n = s->g.own, words = 2 * grid_words(n);
  uint64_t at = 0;
  a->work_room = (uint32_t)work_room(&s->g);
  s->sets = (search_set *)part(s->memory, &at, 2 * sizeof(search_set));
  a->visited = (uint32_t *)part(s->memory, &at, 4 * words);
  if (s->g.P == 1) a->bits = (uint32_t *)part(s->memory, &at, 3 * 4 * (uint64_t)a->stride);
  a->level = (uint8_t *)part(s->memory, &at, n);
  a->queue = (uint32_t *)part(s->memory, &at, 4 * (uint64_t)a->queue_room);
  if (s->g.P == 1) a->found = a->queue;
  s->tags = (uint32_t *)part(s->memory, &at, 4 * n);
  if (s->g.P > 1 && s->g.n >= s->g.large) a->coarse = (uint32_t *)part(s->memory, &at, COARSE / 8);
  a->list = (uint2 *)part(s->memory, &at, 2 * sizeof(uint2) * (rows ? rows : 1));
  a->work = (uint2 *)part(s->memory, &at, sizeof(uint2) * (uint64_t)a->work_room);
  return at;
}

void set_graph(search_args *a, const grid_search_graph *g, uint64_t rows) {
  a->n = (uint32_t)g->own;
  a->words = (uint32_t)(2 * grid_words(g->own));
  a->nvals = g->nvals;
  a->rows = (uint32_t)rows;
  a->processes = (uint32_t)g->P;
  a->process = (uint32_t)g->k;
  a->q = (uint32_t)g->q;
  a->all_words = (uint32_t)((uint64_t)g->P * g->q / 32);
  a->own_word = (uint32_t)((uint64_t)g->k * g->q / 32);
  a->stride = (uint32_t)(padded(4 * (uint64_t)a->all_words) / 4);
  a->queue_room = (uint32_t)queue_room(g);
  while (((uint64_t)g->P * g->q - 1) >> a->coarse_shift >= COARSE) a->coarse_shift++;
  a->id_bits = GRID_SEARCH_ID_BITS;
  while (g->n - 1 >> a->id_bits) a->id_bits++;
  a->out_ptr = g->out_wide ? (const void *)g->out_wide : g->out_ptr;
  a->out_idx = g->out_idx;
  a->in_ptr = g->in_wide ? (const void *)g->in_wide : g->in_ptr;
  a->in_idx = g->in_idx;
  a->in_first = g->in_first;
  a->nonempty = (const uint32_t *)g->nonempty;
  a->symmetric = a->out_ptr == a->in_ptr && g->out_idx == g->in_idx;
}

// Its address, as the launch wants it.
const void *kernel_of(const grid_search *s) {
  if (s->g.in_wide) return (const void *)search_kernel<false, uint64_t>;
  return s->g.P > 1 ? (const void *)search_kernel<true, uint32_t>
                    : (const void *)search_kernel<false, uint32_t>;
}

GrB_Info make_room(grid_search *s, uint64_t rows) {
  void *record = NULL, *mapped = NULL;
  int per = 0;
  GrB_Info info;
  const size_t words = 32 * (GRID_SEARCH_LEVELS + 2);
  const uint64_t bytes = lay_out(s, rows);
  s->memory = grid_device_malloc(bytes, 1);
  if (!s->memory) TRY(grid_device_fail_memory(NULL, "the workspace of a search", bytes, 1));
  lay_out(s, rows);
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

// ---- listening ------------------------------------------------------------------------------------------

// Was this said by the run under way? The low bits of what it said.
bool said(const grid_search *s, uint64_t word) {
  return (word & (SAID | RUN)) == (SAID | (uint64_t)s->args.run << 32);
}
uint64_t content(uint64_t word) {
  return word & ~(SAID | RUN);
}

// Asks the driver now and then whether the kernel still lives, and whether all other processes do, whom it
// may be waiting for.
GrB_Info heard(grid_search *s, uint32_t spins, bool *alive) {
  if (spins % 65536 != 65535) return GrB_SUCCESS;
  GrB_Info info = s->g.P > 1 ? grid_device_check() : GrB_SUCCESS;
  if (info != GrB_SUCCESS) {
    *s->stop = 1;
    s->running = false;
    return info;
  }
  const cudaError_t e = cudaStreamQuery(grid_cuda_stream());
  *alive = e == cudaErrorNotReady;
  if (*alive) (void)cudaGetLastError();  // else a later launch would be told of it
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
  const uint64_t most = g->in_wide && g->P == 1 ? UINT64_C(1) << 40 : UINT32_MAX - UINT64_C(1);
  if (g->n == 0 || g->P > GRID_WINDOWS || g->n > GRID_SEARCH_VERTICES || g->nvals > most ||
      !g->in_wide != !g->out_wide || (g->in_wide && g->P > 1))
    return grid_fail(
        NULL, GrB_INVALID_VALUE,
        "a search on the GPU takes 1 to 2^30 vertices, up to 2^32 - 2 entries (more on one GPU alone) and up "
        "to %d GPUs, not %llu, %llu and %d",
        GRID_WINDOWS, (unsigned long long)g->n, (unsigned long long)g->nvals, g->P);
  grid_search *s = new (std::nothrow) grid_search();
  if (!s) return grid_fail_memory(NULL, "a search", 1, sizeof *s);
  s->g = *g;
  TRY(grid_cuda->chunks->combine(NULL, g->nonempty, g->nonempty, GRID_AND, g->own, &rows));  // with entries
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
  for (uint32_t p = 0; a->processes > 1 && p < a->processes; p++)
    a->window[p] = (search_window *)job->windows[p];
  if (a->processes > 1) {
    a->bits = (uint32_t *)((char *)a->window[a->process] + WINDOW_HEAD);
    a->found = a->bits + 3 * (uint64_t)a->stride;
    a->found_turn = a->q;
  }
  a->set = s->sets + s->run % 2;
  a->other = s->sets + (s->run + 1) % 2;
  a->run = (s->run & 255) << 22;  // in the high half of a word of the record
}

// In a window; behind it the levels of all, where least parents are wanted.
uint64_t search_window_part(const grid_search *s) {
  return WINDOW_HEAD + 3 * 4 * (uint64_t)s->args.stride + 2 * 4 * s->g.q;
}

void search_abandon(grid_search *s) {
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
  if (s->g.P > 1 && job->least)
    info = grid_cuda_share_levels(&s->g, s->args.level, job, search_window_part(s), s->args.stop);
  if (info != GrB_SUCCESS) search_abandon(s);  // what runs waits for others, who will be told to stop
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

GrB_Info search_own(grid_search *s, uint32_t k, uint64_t *count) {
  *count = 0;
  return k < 1 || k > s->max_levels ? GrB_SUCCESS : listen(s, 4 * k + 3, count);
}

const uint8_t *search_levels(const grid_search *s) {
  return s->args.level;
}

// The run goes to its end by itself.
GrB_Info search_pause(grid_search *s, uint32_t) {
  return search_wait(s);
}

uint64_t search_window_bytes(const grid_search *s, bool least) {
  return search_window_part(s) + (least ? grid_cuda_share_bytes(&s->g) : 0);
}

// In stream order behind the run.
GrB_Info search_least(grid_search *s, const grid_search_job *job, uint32_t last) {
  uint64_t pushed[GRID_SEARCH_LEVELS + 1] = {0}, count;  // edges, of the levels that were pushed
  for (uint32_t k = 1; k <= last && k <= s->max_levels; k++) {
    grid_search_level what;
    GrB_Info info = search_count(s, k, &count, &what);
    if (info != GrB_SUCCESS) return info;
    if (!what.pull) pushed[k] = what.inspected;
  }
  return grid_cuda_least_parents(&s->g, s->args.level, job, search_window_part(s), last, pushed);
}

}  // namespace

extern "C" const grid_search_engine grid_cuda_search = {
    search_make,  search_free,          search_start, search_count,   search_own,          search_wait,
    search_pause, search_levels,        NULL,         search_abandon, search_window_bytes, NULL,
    search_least, grid_cuda_own_indices};
