/* A search on several GPUs that each hold the whole pattern: the rows of all processes are gathered once, and
 * the start of each search. */
#include "dist/lookahead/search_replicated.h"

#include <string.h>

#include "dist/comm/device_transport.h"
#include "dist/grid/layout.h"
#include "spmat/backend.h"

/* A set of vertices of one process: a short list of its own vertices, or a bitmap. */
typedef struct {
  uint32_t count; /* NO_LIST: a bitmap */
  uint32_t vertex[GRID_SEARCH_SHORT_LIST];
} vertex_list;
static const uint32_t NO_LIST = UINT32_MAX;

typedef struct {
  vertex_list frontier, visited;
} start_message;

struct grid_search {
  grid_search_graph local; /* this process's rows */
  grid_search *whole;      /* the search of one GPU in the whole pattern; NULL before connect */
  uint64_t first, n;       /* local vertices begin at `first`; n: all, each process's rounded up to q */
  uint32_t *ptr, *idx, *hub_neighbor;
  uint64_t *nonempty, *frontier, *visited;
  void *parents; /* of all vertices */
  int parent_bytes;
  uint64_t entries; /* of the whole pattern */
  grid_search_job job;
  start_message *messages; /* of all processes */
  uint64_t *counts;        /* entries of each process */
  size_t *bytes;           /* sizes and offsets of an exchange: sent; sent; received; received */
};

/* ---- memory ---- */

static void free_whole(grid_search *s) {
  if (s->whole) grid_cuda->search->free(s->whole);
  grid_device_free(s->ptr);
  grid_device_free(s->idx);
  grid_device_free(s->hub_neighbor);
  grid_device_free(s->nonempty);
  grid_device_free(s->frontier);
  grid_device_free(s->visited);
  s->whole = NULL;
  s->ptr = s->idx = s->hub_neighbor = NULL;
  s->nonempty = s->frontier = s->visited = NULL;
}

static void search_free(grid_search *s) {
  if (!s) return;
  free_whole(s);
  grid_device_free(s->parents);
  grid_free(s->messages);
  grid_free(s->counts);
  grid_free(s->bytes);
  grid_free(s);
}

static GrB_Info search_make(grid_search **made, const grid_search_graph *g) {
  const size_t P = (size_t)g->P;
  grid_search *s = grid_calloc(1, sizeof *s);
  *made = NULL;
  if (!s) return grid_fail_memory(NULL, "a search", 1, sizeof *s);
  s->local = *g;
  s->first = (uint64_t)g->k * g->q;
  s->n = P * g->q;
  s->messages = grid_calloc(P, sizeof *s->messages);
  s->counts = grid_calloc(P, sizeof *s->counts);
  s->bytes = grid_calloc(4 * P, sizeof *s->bytes);
  *made = s;
  if (s->messages && s->counts && s->bytes) return GrB_SUCCESS;
  search_free(s);
  *made = NULL;
  return grid_fail_memory(NULL, "a search's messages", P, sizeof *s->messages);
}

/* The arrays of the whole pattern, if they are a small part of the free memory. */
static GrB_Info make_arrays(grid_search *s) {
  const uint64_t bytes = 4 * (s->entries + 2 * s->n) + 3 * s->n / 8;
  if (bytes > grid_device_free_bytes() / 8) return GRID_UNSUPPORTED;
  s->ptr = grid_device_malloc(s->n + 1, sizeof *s->ptr);
  s->idx = grid_device_malloc(s->entries, sizeof *s->idx);
  s->hub_neighbor = grid_device_malloc(s->n, sizeof *s->hub_neighbor);
  s->nonempty = grid_device_malloc(s->n / 64, sizeof *s->nonempty);
  s->frontier = grid_device_malloc(s->n / 64, sizeof *s->frontier);
  s->visited = grid_device_malloc(s->n / 64, sizeof *s->visited);
  return s->ptr && s->idx && s->hub_neighbor && s->nonempty && s->frontier && s->visited ? GrB_SUCCESS
                                                                                         : GRID_UNSUPPORTED;
}

/* ---- the whole pattern ---- */

/* Offsets of local rows, and of those up to q, among the entries of all processes. */
static GrB_Info write_offsets(grid_search *s, uint32_t before) {
  const uint64_t q = s->local.q, rows = s->local.n_local;
  GrB_Info info = GrB_SUCCESS;
  const uint32_t end = (uint32_t)s->entries;
  uint32_t *ptr = grid_malloc(q + 1, sizeof *ptr);
  if (!ptr) return grid_fail_memory(NULL, "row offsets", q + 1, sizeof *ptr);
  TRY(grid_device_get(ptr, s->local.in_ptr, (rows + 1) * sizeof *ptr));
  for (uint64_t v = rows + 1; v < q; v++) ptr[v] = ptr[rows];
  for (uint64_t v = 0; v < q; v++) ptr[v] += before;
  TRY(grid_device_write(s->ptr + s->first, ptr, q * sizeof *ptr));
  TRY(grid_device_write(s->ptr + s->n, &end, sizeof end));
done:
  grid_free(ptr);
  return info;
}

/* What this process has, where it belongs among all. */
static GrB_Info copy_local(grid_search *s, uint64_t before) {
  const grid_search_graph *g = &s->local;
  const uint64_t words = grid_words(g->n_local);
  GrB_Info info = write_offsets(s, (uint32_t)before);
  TRY(info);
  TRY(grid_device_copy(s->idx + before, g->in_idx, g->nvals * sizeof *s->idx));
  TRY(grid_device_copy(s->hub_neighbor + s->first, g->in_hub_neighbor, g->n_local * sizeof *s->hub_neighbor));
  TRY(grid_device_zero(s->nonempty + s->first / 64, g->q / 8));
  TRY(grid_device_copy(s->nonempty + s->first / 64, g->nonempty, words * sizeof *s->nonempty));
done:
  return info;
}

static GrB_Info gather_entries(const grid_search *s, const grid_device_transport *t) {
  const size_t P = (size_t)s->local.P, me = (size_t)s->local.k;
  size_t *out = s->bytes, *out_at = out + P, *in = out_at + P, *in_at = in + P;
  for (size_t k = 0, at = 0; k < P; at += s->counts[k] * sizeof *s->idx, k++)
    in[k] = s->counts[k] * sizeof *s->idx, in_at[k] = at;
  for (size_t k = 0; k < P; k++) out[k] = in[me], out_at[k] = in_at[me];
  in[me] = out[me] = 0; /* they are in place */
  return t->exchange(GRID_SET_ALL, s->idx, out, out_at, s->idx, in, in_at);
}

static GrB_Info gather_pattern(grid_search *s) {
  const grid_device_transport *t;
  uint64_t before = 0;
  GrB_Info info = grid_device_transport_get(&t);
  TRY(info);
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, &s->local.nvals, sizeof *s->counts, s->counts));
  s->entries = 0;
  for (int k = 0; k < s->local.P; k++) {
    if (k == s->local.k) before = s->entries;
    s->entries += s->counts[k];
  }
  TRY(grid_agree_supported(NULL, make_arrays(s)));
  TRY(grid_agree(NULL, copy_local(s, before)));
  TRY(t->allgather(GRID_SET_ALL, s->ptr + s->first, s->local.q * sizeof *s->ptr, s->ptr));
  TRY(t->allgather(GRID_SET_ALL, s->hub_neighbor + s->first, s->local.q * sizeof *s->ptr, s->hub_neighbor));
  TRY(t->allgather(GRID_SET_ALL, s->nonempty + s->first / 64, s->local.q / 8, s->nonempty));
  TRY(gather_entries(s, t));
done:
  return info;
}

static grid_search_graph describe_whole(const grid_search *s) {
  const grid_search_members alone = {.n = 1, .stride = 1};
  grid_search_graph g = s->local;
  g.n_local = g.rows = g.columns = g.n;
  g.nvals = s->entries;
  g.q = s->n;
  g.expand = g.fold = alone;
  g.P = 1, g.k = 0;
  g.out_ptr = g.in_ptr = s->ptr;
  g.out_idx = g.in_idx = s->idx;
  g.in_hub_neighbor = s->hub_neighbor;
  g.nonempty = s->nonempty;
  return g;
}

/* GRID_UNSUPPORTED: some GPU has too little memory. */
static GrB_Info search_connect(grid_search *s) {
  free_whole(s);
  GrB_Info info = gather_pattern(s);
  if (info == GrB_SUCCESS) {
    const grid_search_graph g = describe_whole(s);
    info = grid_cuda->search->make(&s->whole, &g);
    if (info != GrB_SUCCESS) s->whole = NULL;
    info = grid_agree_supported(NULL, info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info);
  }
  if (info != GrB_SUCCESS) free_whole(s);
  return info;
}

/* ---- the start ---- */

/* The vertices of the processes' lists; returns their number, or NO_LIST if some process has a bitmap or
 * there are more than `most`. */
static uint32_t join_lists(const grid_search *s, size_t member, uint64_t *vertex, uint32_t most) {
  uint32_t n = 0;
  for (int k = 0; k < s->local.P; k++) {
    const vertex_list *list = (const vertex_list *)(const void *)((const char *)&s->messages[k] + member);
    if (list->count == NO_LIST || list->count > most - n) return NO_LIST;
    for (uint32_t i = 0; i < list->count; i++) vertex[n++] = (uint64_t)k * s->local.q + list->vertex[i];
  }
  return n;
}

/* The bitmap `all` of the processes' vertices: local ones are in local_bits or, if that is NULL, in the list.
 */
static GrB_Info gather_bits(const grid_search *s, const uint64_t *local_bits, const vertex_list *local,
                            uint64_t *all) {
  const grid_device_transport *t;
  uint64_t *segment = all + s->first / 64, vertex[GRID_SEARCH_SHORT_LIST];
  GrB_Info info = grid_device_transport_get(&t);
  TRY(info);
  if (local_bits) {
    TRY(grid_device_zero(segment, s->local.q / 8));
    TRY(grid_device_copy(segment, local_bits, grid_words(s->local.n_local) * sizeof *segment));
  } else {
    for (uint32_t i = 0; i < local->count; i++) vertex[i] = local->vertex[i];
    TRY(grid_cuda->chunks->scatter_short_list(segment, NULL, s->local.q, vertex, NULL, local->count, 1));
  }
  TRY(t->allgather(GRID_SET_ALL, segment, s->local.q / 8, all));
done:
  return info;
}

static start_message describe_start(const grid_search_job *job) {
  start_message m = {.frontier.count = job->frontier ? NO_LIST : job->nshort_list,
                     .visited.count = job->visited_is_listed ? job->nvisited_list : NO_LIST};
  memcpy(m.frontier.vertex, job->short_list, sizeof m.frontier.vertex);
  memcpy(m.visited.vertex, job->visited_list, sizeof m.visited.vertex);
  return m;
}

/* The same search as `job` of all processes, from all of their vertices. */
static GrB_Info gather_job(grid_search *s, const grid_search_job *job) {
  const start_message message = describe_start(job);
  uint64_t vertex[GRID_SEARCH_SHORT_LIST];
  s->job = *job;
  s->job.visited = s->visited;
  s->job.parent = s->parents;
  s->job.windows = NULL;
  GrB_Info info = grid_ctx.transport->allgather(GRID_SET_ALL, &message, sizeof message, s->messages);
  TRY(info);
  uint32_t n = join_lists(s, offsetof(start_message, visited), vertex, GRID_SHORT_LIST);
  TRY(n == NO_LIST ? gather_bits(s, job->visited, &message.visited, s->visited)
                   : grid_cuda->chunks->scatter_short_list(s->visited, NULL, s->n, vertex, NULL, n, 1));
  n = join_lists(s, offsetof(start_message, frontier), vertex, GRID_SEARCH_SHORT_LIST);
  s->job.frontier = n == NO_LIST ? s->frontier : NULL;
  s->job.nshort_list = n == NO_LIST ? 0 : n;
  for (uint32_t i = 0; i < s->job.nshort_list; i++) s->job.short_list[i] = (uint32_t)vertex[i];
  if (n == NO_LIST) TRY(gather_bits(s, job->frontier, &message.frontier, s->frontier));
done:
  return info;
}

static GrB_Info search_start(grid_search *s, const grid_search_job *job) {
  GrB_Info info = gather_job(s, job);
  return info == GrB_SUCCESS ? grid_cuda->search->start(s->whole, &s->job) : info;
}

/* The array is of all vertices; its own part is returned. */
static void *search_parents(grid_search *s, int bytes) {
  if (s->parent_bytes != bytes) {
    grid_device_free(s->parents);
    s->parents = grid_device_malloc(s->n, (size_t)bytes);
    s->parent_bytes = s->parents ? bytes : 0;
  }
  return s->parents ? (char *)s->parents + s->first * (uint64_t)bytes : NULL;
}

/* ---- the rest of the table: the search of one GPU ---- */

static GrB_Info search_count(grid_search *s, uint32_t k, uint64_t *count, grid_search_level *what) {
  return grid_cuda->search->count(s->whole, k, count, what);
}

static GrB_Info search_wait(grid_search *s) {
  return grid_cuda->search->wait(s->whole);
}

static GrB_Info search_pause(grid_search *s, uint32_t k) {
  return grid_cuda->search->pause(s->whole, k);
}

static const uint8_t *search_levels(const grid_search *s) {
  return grid_cuda->search->levels(s->whole) + s->first;
}

static void search_abandon(grid_search *s) {
  (void)search_wait(s); /* it waits for no process */
}

static GrB_Info search_min_parents(grid_search *s, const grid_search_job *job, uint32_t last) {
  (void)job;
  return grid_cuda->search->min_parents(s->whole, &s->job, last);
}

static uint64_t search_bytes(const grid_search *s) {
  return s->whole ? 4 * (s->entries + 2 * s->n) + s->n / 8 : 0;
}

const grid_search_engine grid_search_replicated = {
    .make = search_make,
    .free = search_free,
    .connect = search_connect,
    .start = search_start,
    .parents = search_parents,
    .count = search_count,
    .wait = search_wait,
    .pause = search_pause,
    .levels = search_levels,
    .abandon = search_abandon,
    .min_parents = search_min_parents,
    .bytes = search_bytes,
    .alone = true,
};
