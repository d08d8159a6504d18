// The engine that runs a whole search in one launch (spmat/search.h), from the host: the workspace, the
// start, and the record that the kernel writes. search_levels.cuh and search_matrix_block.cuh have the
// kernels.
#include "spmat/cuda/search/least_parent.cuh"
#include "spmat/cuda/search/search_levels.cuh"
#include "spmat/cuda/search/search_matrix_block.cuh"

struct grid_search {
  grid_search_graph g;
  search_args args;
  void *memory;
  search_set *sets;           // two, in device memory
  uint32_t *tags;             // in device memory
  volatile uint64_t *record;  // pinned
  volatile uint32_t *stop;    // in the same memory
  unsigned blocks;
  uint64_t window_used;      // bytes of a window
  uint32_t run, max_levels;  // number of runs started; of the last one
  bool running;
};

namespace {

// ---- the workspace --------------------------------------------------------------------------------------

uint64_t padded(uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

search_layout layout_of(const grid_search_graph *g) {
  return g->P == 1 ? ONE_GPU : g->fold.n == 1 ? WHOLE_ROWS : MATRIX_BLOCK;
}

// Several GPUs: has each only rows, of a symmetric pattern?
bool has_rows_only(const grid_search_graph *g) {
  return g->P > 1 && g->out_ptr == g->in_ptr && g->out_idx == g->in_idx;
}
bool pushes_local_rows(const grid_search_graph *g) {
  return has_rows_only(g) && layout_of(g) == WHOLE_ROWS;
}
// Whose vertices a push starts from and finds, by their lists.
bool pushes_block_rows(const grid_search_graph *g) {
  return has_rows_only(g) && layout_of(g) == MATRIX_BLOCK;
}
const grid_search_members *push_from(const grid_search_graph *g) {
  return pushes_block_rows(g) ? &g->fold : &g->expand;
}
const grid_search_members *push_to(const grid_search_graph *g) {
  return pushes_block_rows(g) ? &g->expand : &g->fold;
}

// The longest frontier that is pushed. Several GPUs pull a longer one in any case; with pushes only, the
// other engine is used (dist/lookahead/lookahead.c). Local vertices all fit.
uint64_t queue_capacity(const grid_search_graph *g) {
  if (pushes_local_rows(g)) return g->q;
  const uint64_t all = push_from(g)->n * g->q, least = UINT64_C(1) << 20, carve = g->q > least ? g->q : least;
  return g->P == 1 ? g->n : all < carve ? all : carve;
}

uint32_t entries_of_item(const grid_search_graph *g) {
  return pushes_local_rows(g) ? ROW_ITEM : ITEM;
}

// Segments of a push: one for each group of 32 vertices, and one for each item's entries.
uint64_t work_capacity(const grid_search_graph *g) {
  return queue_capacity(g) / 32 + g->nvals / entries_of_item(g) + 64;
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
  const search_layout layout = layout_of(&s->g);
  const uint64_t n = s->g.n_local, words = 2 * grid_words(n), chunk = s->g.q / 8;
  uint64_t at = 0;
  a->work_capacity = (uint32_t)work_capacity(&s->g);
  s->sets = (search_set *)carve(s->memory, &at, 2 * sizeof(search_set));
  if (!pushes_local_rows(&s->g))
    a->visited = (uint32_t *)carve(s->memory, &at, layout == MATRIX_BLOCK ? s->g.fold.n * chunk : 4 * words);
  if (layout == ONE_GPU) a->bits = (uint32_t *)carve(s->memory, &at, 3 * 4 * (uint64_t)a->stride);
  if (layout == MATRIX_BLOCK) {
    if (s->g.expand.n > 1) a->bits = (uint32_t *)carve(s->memory, &at, s->g.expand.n * chunk);
    a->block.reached =
        pushes_block_rows(&s->g) ? (uint32_t *)carve(s->memory, &at, s->g.expand.n * chunk) : a->visited;
  } else if (!pushes_local_rows(&s->g)) {
    s->tags = (uint32_t *)carve(s->memory, &at, 4 * n);
  }
  a->level = (uint8_t *)carve(s->memory, &at, n);
  if (!pushes_local_rows(&s->g))
    a->queue = (uint32_t *)carve(s->memory, &at, 4 * (uint64_t)a->queue_capacity);
  if (layout == ONE_GPU) a->found = a->queue;
  if (layout == WHOLE_ROWS && s->g.n >= s->g.large) a->coarse = (uint32_t *)carve(s->memory, &at, COARSE / 8);
  a->list = (uint2 *)carve(s->memory, &at, 2 * sizeof(uint2) * (rows ? rows : 1));
  a->work = (uint2 *)carve(s->memory, &at, sizeof(uint2) * (uint64_t)a->work_capacity);
  return at;
}

void compute_layout_of_ends(char *window, uint64_t *at, uint64_t q, search_ends *ends) {
  ends->finder = (uint32_t *)carve(window, at, ends->planes * (q / 8));
  ends->parent = (uint32_t *)carve(window, at, 4 * ends->to.n * q);
}

// Lays out the local window; returns the bytes used, the same on every GPU. What least_parent.cu shares
// follows if least parents are requested.
uint64_t compute_window_layout(grid_search *s) {
  search_args *a = &s->args;
  const uint64_t q = s->g.q, rows = s->g.fold.n * q;
  uint64_t at = WINDOW_HEAD;
  char *window = (char *)a->window[a->process];
  if (layout_of(&s->g) == WHOLE_ROWS) {
    a->bits = (uint32_t *)carve(window, &at, 3 * 4 * (uint64_t)a->stride);
    a->found = (uint32_t *)carve(window, &at, 2 * 4 * q);
    a->found_stride = a->q;
    if (!pushes_local_rows(&s->g)) return at;
    a->reached = (uint32_t *)carve(window, &at, 4 * (uint64_t)a->words_all);
    a->visited = a->reached + a->local_word;
    a->tags = (uint32_t *)carve(window, &at, 4 * q);
    a->queue = (uint32_t *)carve(window, &at, 4 * q);
    a->sent_tags = (uint32_t *)carve(window, &at, 4 * 32 * (uint64_t)a->words_all);
    return at;
  }
  a->block.local_visited = (uint32_t *)carve(window, &at, q / 8);
  a->block.local_found = (uint32_t *)carve(window, &at, q / 8);
  if (s->g.expand.n == 1) a->bits = a->block.local_found;
  a->block.found = (uint32_t *)carve(window, &at, rows / 8);
  a->found = (uint32_t *)carve(window, &at, 4 * q);
  a->block.found_list = (uint32_t *)carve(window, &at, 4 * a->block.push.to.n * q);
  compute_layout_of_ends(window, &at, q, &a->block.pull);
  if (pushes_block_rows(&s->g))
    compute_layout_of_ends(window, &at, q, &a->block.push);
  else
    a->block.push = a->block.pull;
  return at;
}

// The vertices of each GPU, in whole words, or the numbers in a matrix block of each member of a set.
void set_first(search_args *a, const grid_search_graph *g) {
  const bool uneven = layout_of(g) == WHOLE_ROWS && g->first;
  for (int k = 0; k <= g->P && k <= GRID_WINDOWS; k++)
    a->first[k] = (uint32_t)(uneven ? 64 * grid_words(g->first[k]) : (uint64_t)k * g->q);
  a->words_all = a->first[g->P] / 32;
  a->local_word = a->first[g->k] / 32;
}

search_ends ends_of(const grid_search_members *from, const grid_search_members *to) {
  search_ends ends = {};
  ends.from = *from, ends.to = *to;
  while (to->n - 1 >> ends.planes) ends.planes++;
  return ends;
}

void set_graph(search_args *a, const grid_search_graph *g, uint64_t rows) {
  a->n = (uint32_t)g->n_local;
  a->words = (uint32_t)(2 * grid_words(g->n_local));
  a->nvals = g->nvals;
  a->rows = (uint32_t)rows;
  a->processes = (uint32_t)g->P;
  a->process = (uint32_t)g->k;
  a->q = (uint32_t)g->q;
  set_first(a, g);
  a->stride = (uint32_t)(padded(4 * (uint64_t)a->words_all) / 4);
  a->queue_capacity = (uint32_t)queue_capacity(g);
  a->longest_push =
      queue_capacity(g) < push_from(g)->n * g->q && !pushes_local_rows(g) ? a->queue_capacity : UINT32_MAX;
  a->item = entries_of_item(g);
  a->retain_from = g->retain_from;
  a->expand = g->expand;
  a->fold = g->fold;
  a->push_from = *push_from(g);
  a->block.pull = ends_of(&g->expand, &g->fold);
  a->block.push = ends_of(push_from(g), push_to(g));
  a->block.words = (uint32_t)(2 * grid_words(g->rows));
  a->block.first_word = (uint32_t)(g->fold.at * g->q / 32);
  while ((32 * (uint64_t)a->words_all - 1) >> a->coarse_shift >= COARSE) a->coarse_shift++;
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
  if (s->g.in_offsets64) return (const void *)search_kernel<ONE_GPU, uint64_t>;
  switch (layout_of(&s->g)) {
    case ONE_GPU:
      return (const void *)search_kernel<ONE_GPU, uint32_t>;
    case WHOLE_ROWS:
      return (const void *)search_kernel<WHOLE_ROWS, uint32_t>;
    default:
      return (const void *)search_on_grid_kernel;
  }
}

// Words that a warp of the first pull processes at a time: 32, or fewer so that every warp has some.
uint32_t words_of_sweep(const grid_search *s) {
  const uint32_t warps = s->blocks * WARPS, even = (s->args.words + warps - 1) / warps;
  return even < 32 ? (even + SWEEP - 1) / SWEEP * SWEEP : 32;
}

// Blocks of a search kernel that fit a multiprocessor. The first call loads the kernel.
GrB_Info count_resident_blocks(const void *kernel, int *blocks) {
  return grid_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, THREADS, 0),
                         "asking how many blocks of a search fit");
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
  TRY(count_resident_blocks(kernel_of(s), &per));
  if (per < 1) TRY(grid_fail(NULL, GrB_PANIC, "a block of the search kernel does not fit on this GPU"));
  s->blocks = (unsigned)(per < (int)BLOCKS ? per : (int)BLOCKS) * (unsigned)grid_cuda_multiprocessors();
  if (s->g.blocks && s->g.blocks < s->blocks) s->blocks = s->g.blocks;
  s->args.sweep_words = words_of_sweep(s);
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
    grid_cuda_finish_stream();  // the device may still be writing
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
  TRY(grid_cuda->chunks->combine(NULL, g->nonempty, g->nonempty, GRID_AND, g->rows, &rows));  // with entries
  set_graph(&s->args, g, rows);
  s->window_used = compute_window_layout(s);
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
  memcpy(a->visited_list, job->visited_list, sizeof a->visited_list);
  a->nvisited_list = job->nvisited_list;
  a->after = job->after;
  a->parent32 = job->parent_bytes == 4 ? (int32_t *)job->parent : NULL;
  a->parent64 = job->parent_bytes == 8 ? (int64_t *)job->parent : NULL;
  a->tags = a->parent32 ? (uint32_t *)a->parent32 : s->tags;  // a sweep removes the tags in place
  for (uint32_t p = 0; a->processes > 1 && p < a->processes; p++)
    a->window[p] = (search_window *)job->windows[p];
  if (a->processes > 1) (void)compute_window_layout(s);
  a->set = s->sets + s->run % 2;
  a->other = s->sets + (s->run + 1) % 2;
  a->run = (s->run & 255) << 22;  // in the high half of a word of the record
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
    info = grid_cuda_share_levels(&s->g, s->args.level, job, s->window_used, s->args.stop);
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
  return s->window_used + (min_parents ? grid_cuda_share_bytes(&s->g) : 0);
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
  return grid_cuda_min_parents(&s->g, s->args.level, job, s->window_used, last, pushed);
}

}  // namespace

// Loads the kernel of most searches.
extern "C" void grid_cuda_load_search(void) {
  int blocks;
  (void)count_resident_blocks((const void *)search_kernel<ONE_GPU, uint32_t>, &blocks);
}

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
                                                        grid_cuda_check_identity,
                                                        NULL,
                                                        NULL,
                                                        true};
