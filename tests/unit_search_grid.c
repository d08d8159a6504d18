/* Searches on several GPUs, through messages (dist/lookahead/search_grid.c) and windows
 * (spmat/cuda/search/search_peers.cuh, search_matrix_block.cuh), on one process as well. Levels and parents
 * are compared with a plain search on the host. GRIDBLAS_GRID: the shape; GRID_TEST_TRANSPOSED: blocks are
 * used transposed. On one column also with uneven partitions (GRIDBLAS_TUNE=uneven_partition). Exit status 77
 * where there is no GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "spmat/backend.h"

#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "dist/comm/device_transport.h"
#include "dist/grid/layout.h"
#include "dist/lookahead/search_engine.h"
#include "dist/lookahead/search_grid.h"
#include "dist/comm/peer_windows.h"
#include "dist/matrix/matrix_require.h"
#include "tests/gpu_present.h"
#include "tests/start_mpi.h"
#include "spmat/vector/bits.h"

static const grid_search_engine *engine; /* the one that is tested */
static bool
    oversubscribed; /* more than two processes a GPU, which wait for each other at each step of a level */
static bool through_host; /* no NCCL: messages go through host memory */
static bool transposed;   /* the block's rows are the frontier's, as in a product with the transpose */
static bool
    share_gpu_by_turns; /* GRIDBLAS_SHARE_GPU=peer: kernels wait for each other on a GPU they get by turns */

/* ---- a graph, the same on every process ---- */

typedef struct {
  uint64_t n, m;
  uint32_t *from, *to;  /* edges, in both directions where the graph is symmetric */
  uint32_t *ptr, *ends; /* the same by `from`, once the plain search has needed them */
  bool directed;
} graph;

static void edge(graph *g, uint64_t u, uint64_t v, bool both) {
  g->from[g->m] = (uint32_t)u, g->to[g->m++] = (uint32_t)v;
  if (both) g->from[g->m] = (uint32_t)v, g->to[g->m++] = (uint32_t)u;
  g->directed = g->directed || !both;
}

static graph new_graph(uint64_t n, uint64_t edges) {
  return (graph){.n = n, .from = malloc(2 * edges * 4 + 4), .to = malloc(2 * edges * 4 + 4)};
}

static void free_graph(graph *g) {
  free(g->from), free(g->to), free(g->ptr), free(g->ends);
}

/* Ends drawn so that low numbers get most of the edges: a few long rows, many short and empty ones. */
static graph make_skewed(uint64_t n, uint64_t edges, bool both) {
  graph g = new_graph(n, edges);
  for (uint64_t e = 0; e < edges; e++)
    edge(&g, draw(draw(draw(n) + 1) + 1), draw(3) ? draw(n) : draw(draw(n) + 1), both);
  return g;
}

static graph make_path(uint64_t n) {
  graph g = new_graph(n, n);
  for (uint64_t v = 0; v + 1 < n; v++) edge(&g, v, v + 1, true);
  return g;
}

/* A vertex that reaches all others, which reach a few. */
static graph star(uint64_t n) {
  graph g = new_graph(n, 2 * n);
  for (uint64_t v = 0; v < n; v++) {
    if (v != n / 2) edge(&g, n / 2, v, true);
    edge(&g, v, draw(n), true);
  }
  return g;
}

/* A vertex that reaches one in 18, each of which reaches those up to the next: a level that is too long for
 * messages and short enough for lists. */
static graph make_broom(uint64_t n) {
  graph g = new_graph(n, 2 * n);
  for (uint64_t v = 1; v < n; v++) edge(&g, v % 18 ? v / 18 * 18 : 0, v, true);
  return g;
}

/* ---- this process's local matrix, on the device -------------------------------------------------------- */

/* ptr and idx by `key`, which is below n, ascending; other ends as they come. */
static void sort_by_key(uint64_t n, uint64_t m, const uint32_t *key, const uint32_t *other, uint32_t *ptr,
                        uint32_t *idx) {
  memset(ptr, 0, 4 * (n + 1));
  for (uint64_t e = 0; e < m; e++) ptr[key[e] + 1]++;
  for (uint64_t v = 0; v < n; v++) ptr[v + 1] += ptr[v];
  uint32_t *at = malloc(4 * n + 4);
  memcpy(at, ptr, 4 * n);
  for (uint64_t e = 0; e < m; e++) idx[at[key[e]]++] = other[e];
  free(at);
}

static void *to_device(const void *host, uint64_t bytes) {
  void *p = grid_device_malloc(bytes, 1);
  assert_non_null(p);
  assert_int_equal(grid_device_write(p, host, bytes), GrB_SUCCESS);
  return p;
}

/* The local index of vertex v of n among those of a set's processes; or UINT64_MAX. */
static uint64_t local_index(const grid_search_members *set, bool rows, uint64_t n, uint64_t v) {
  uint64_t offset;
  const uint32_t k = (uint32_t)grid_owner(n, v, &offset);
  for (uint32_t m = 0; m < set->n; m++)
    if (k == set->first + m * set->stride) return grid_chunk_offset(n, rows, (int)k) + offset;
  return UINT64_MAX;
}

static uint64_t longest_chunk(uint64_t n) {
  uint64_t q = 64;
  for (int k = 0; k < grid_ctx.P; k++)
    if (grid_chunk_padded_size(n, k) > q) q = grid_chunk_padded_size(n, k);
  return q;
}

static grid_search_graph share_of(const graph *g) {
  const grid_partition *partition = grid_partition_of(g->n);
  const uint64_t q = longest_chunk(g->n);
  const grid_search_members expand = grid_search_members_of(!transposed),
                            fold = grid_search_members_of(transposed);
  const uint64_t rows = grid_block_length(g->n, !transposed), cols = q * expand.n;
  const bool fold_rows = !transposed, expand_rows = transposed;
  uint32_t *row = malloc(4 * g->m + 4), *col = malloc(4 * g->m + 4), *idx = malloc(4 * g->m + 4),
           *ptr = malloc(4 * (rows > cols ? rows : cols) + 8), *firsts = calloc(rows + 1, 4);
  uint64_t *nonempty = calloc(rows / 64 + 1, 8), m = 0;
  for (uint64_t e = 0; e < g->m; e++)
    if (local_index(&fold, fold_rows, g->n, g->to[e]) < rows &&
        local_index(&expand, expand_rows, g->n, g->from[e]) < cols) {
      row[m] = (uint32_t)local_index(&fold, fold_rows, g->n, g->to[e]);
      col[m++] = (uint32_t)local_index(&expand, expand_rows, g->n, g->from[e]);
    }
  grid_search_graph s = {.n = g->n,
                         .nvals = m,
                         .n_local = grid_chunk_length(g->n, grid_ctx.k),
                         .q = q,
                         .first = partition ? partition->first : NULL,
                         .rows = rows,
                         .columns = grid_block_length(g->n, transposed),
                         .expand = expand,
                         .fold = fold,
                         .P = grid_ctx.P,
                         .k = grid_ctx.k};
  sort_by_key(cols, m, col, row, ptr, idx);
  s.out_ptr = to_device(ptr, 4 * (cols + 1));
  s.out_idx = to_device(idx, 4 * m);
  sort_by_key(rows, m, row, col, ptr, idx);
  for (uint64_t v = 0; v < rows; v++)
    if (ptr[v] < ptr[v + 1]) {
      nonempty[v / 64] |= UINT64_C(1) << v % 64;
      firsts[v] = idx[ptr[v]];
    }
  s.in_ptr = to_device(ptr, 4 * (rows + 1));
  s.in_idx = to_device(idx, 4 * m);
  s.in_hub_neighbor = to_device(firsts, 4 * rows);
  s.nonempty = to_device(nonempty, 8 * grid_words(rows));
  free(row), free(col), free(idx), free(ptr), free(firsts), free(nonempty);
  return s;
}

static void free_share(grid_search_graph *s) {
  const void *array[] = {s->out_ptr, s->out_idx, s->in_ptr, s->in_idx, s->in_hub_neighbor, s->nonempty};
  for (int k = 0; k < 6; k++) grid_device_free((void *)(uintptr_t)array[k]);
}

/* ---- the plain search ---- */

static void order_edges(graph *g) {
  if (g->ptr) return;
  g->ptr = malloc(4 * (g->n + 1));
  g->ends = malloc(4 * g->m + 4);
  sort_by_key(g->n, g->m, g->from, g->to, g->ptr, g->ends);
}

/* level: 0 for the start, k, or -1; visited: -2 */
static void search_reference(graph *g, int32_t *level, uint64_t *count, uint32_t most) {
  uint32_t *queue = malloc(4 * g->n + 4);
  uint64_t size = 0;
  order_edges(g);
  memset(count, 0, (most + 2) * sizeof *count);
  for (uint64_t v = 0; v < g->n; v++)
    if (level[v] == 0) queue[size++] = (uint32_t)v;
  for (uint64_t at = 0; at < size; at++) {
    const uint32_t u = queue[at];
    if (level[u] == (int32_t)most) break;
    for (uint32_t e = g->ptr[u]; e < g->ptr[u + 1]; e++) {
      const uint32_t v = g->ends[e];
      if (level[v] != -1) continue;
      level[v] = level[u] + 1;
      count[level[v]]++;
      queue[size++] = v;
    }
  }
  free(queue);
}

static void fail_all(bool bad, const char *what, uint64_t at, int64_t got, int64_t want) {
  uint64_t sum = bad;
  if (bad)
    printf("process %d: %s at %llu is %lld, not %lld\n", grid_ctx.k, what, (unsigned long long)at,
           (long long)got, (long long)want);
  assert_int_equal(Grid_sum(&sum, 1), GrB_SUCCESS);
  assert_int_equal(sum, 0);
}

/* Is there an edge u -> v? */
static bool has_edge(const graph *g, int64_t u, uint64_t v) {
  for (uint32_t e = g->ptr[u]; e < g->ptr[u + 1]; e++)
    if (g->ends[e] == v) return true;
  return false;
}

/* Vertices that more than `threshold` others reach; none when that is Grid_DELEGATES_OFF. */
static uint64_t count_delegates(const graph *g, int64_t threshold) {
  uint32_t *reached = calloc(g->n, sizeof *reached);
  uint64_t d = 0;
  for (uint64_t e = 0; e < g->m; e++) reached[g->to[e]]++;
  for (uint64_t v = 0; v < g->n; v++) d += threshold >= 0 && reached[v] > (uint64_t)threshold;
  free(reached);
  return d;
}

typedef struct {
  grid_search_direction direction;
  int parent_bytes;
  uint32_t most, stop; /* levels; the program stops calling after `stop` */
  uint64_t sources, blocked;
} kind;

enum { LISTED = 40 }; /* values of listed vertices */

/* What the engine has filled: the visited vertices by `level`, and the listed values. */
static void check_visited(const graph *g, const grid_search_job *job, const uint8_t *level) {
  const uint64_t first = grid_chunk_first(g->n, grid_ctx.k), rows = grid_chunk_length(g->n, grid_ctx.k),
                 words = grid_words(rows);
  uint64_t *bits = malloc(8 * words + 8), bad = UINT64_MAX;
  uint8_t *value = malloc(rows + 1);
  assert_int_equal(grid_device_get(bits, job->after.bits, 8 * words), GrB_SUCCESS);
  assert_int_equal(grid_device_get(value, job->after.values, rows), GrB_SUCCESS);
  for (uint64_t v = 0; v < rows; v++) {
    uint32_t at = 0;
    while (at < job->nvisited_list && job->visited_list[at] != v) at++;
    const bool listed = at < job->nvisited_list;
    if (grid_bit(bits, v) != (listed || level[v]) || value[v] != (listed ? LISTED + at : 0xff)) bad = v;
  }
  fail_all(bad != UINT64_MAX, "visited at the end", first + bad, 0, 0);
  free(bits), free(value);
}

static void check(graph *g, grid_search *s, const kind *c) {
  const uint64_t q = longest_chunk(g->n), first = grid_chunk_first(g->n, grid_ctx.k),
                 rows = grid_chunk_length(g->n, grid_ctx.k), words = grid_words(rows);
  int32_t *want = malloc(4 * g->n);
  uint64_t count[GRID_SEARCH_LEVELS + 2], *front = calloc(q / 64, 8), *reached = calloc(q / 64, 8), got = 0;
  for (uint64_t v = 0; v < g->n; v++) want[v] = -1;
  for (uint64_t b = 0; b < c->blocked; b++) want[draw(g->n)] = -2;
  for (uint64_t b = 0; b < c->sources; b++) want[draw(g->n)] = 0;
  for (uint64_t v = 0; v < rows; v++) {
    if (want[first + v] == 0) front[v / 64] |= UINT64_C(1) << v % 64;
    if (want[first + v] != -1) reached[v / 64] |= UINT64_C(1) << v % 64;
  }
  search_reference(g, want, count, c->most);
  const uint64_t bytes = rows * (uint64_t)c->parent_bytes;
  char *parent = malloc(bytes + 1);
  memset(parent, 0xff, bytes + 1);
  grid_search_job job = {.frontier = to_device(front, 8 * words),
                         .visited = to_device(reached, 8 * words),
                         .parent = to_device(parent, bytes),
                         .parent_bytes = c->parent_bytes,
                         .direction = c->direction,
                         .max_levels = c->most,
                         .windows = grid_window_addresses()};
  if (engine->parents && c->parent_bytes) {
    grid_device_free(job.parent);
    job.parent = engine->parents(s, c->parent_bytes);
    assert_non_null(job.parent);
  }
  if (c->sources == 1) { /* a short frontier may be a list, one of nothing on some processes */
    grid_device_free((void *)(uintptr_t)job.frontier);
    job.frontier = NULL;
    for (uint64_t v = 0; v < rows; v++)
      if (want[first + v] == 0) job.short_list[job.nshort_list++] = (uint32_t)v;
    job.visited_is_listed = c->blocked == 0;
    job.nvisited_list = job.nshort_list;
    memcpy(job.visited_list, job.short_list, sizeof job.visited_list);
  }
  void *values = NULL;
  if (engine->fills_visited && job.visited_is_listed) {
    grid_device_free((void *)(uintptr_t)job.visited);
    job.visited = NULL;
    char *absent = malloc(rows + 1);
    values = to_device(memset(absent, 0xff, rows + 1), rows);
    free(absent);
    job.after = (grid_search_visited){.bits = to_device(front, 8 * words), .values = values, .size = 1};
    for (uint32_t k = 0; k < job.nvisited_list; k++) job.after.value[k] = LISTED + k;
  }
  assert_int_equal(engine->start(s, &job), GrB_SUCCESS);
  uint32_t asked = 0;
  do {
    grid_search_level what;
    asked++;
    assert_int_equal(engine->count(s, asked, &got, &what), GrB_SUCCESS);
    fail_all(got != (asked <= c->most ? count[asked] : 0), "count of level", asked, (int64_t)got,
             (int64_t)count[asked]);
    if (got && c->direction != GRID_SEARCH_AUTO)
      fail_all(what.pull != (c->direction == GRID_SEARCH_PULL), "direction", asked, what.pull, !what.pull);
  } while (got && asked < c->stop);
  assert_int_equal(engine->wait(s), GrB_SUCCESS);
  uint64_t local[GRID_SEARCH_LEVELS + 1] = {0};
  for (uint32_t k = 1; k <= asked && k <= c->most && engine->count_local; k++)
    assert_int_equal(engine->count_local(s, k, &local[k]), GrB_SUCCESS);
  uint8_t *level = malloc(rows + 1);
  assert_int_equal(grid_device_get(level, engine->levels(s), rows), GrB_SUCCESS);
  assert_int_equal(grid_device_get(parent, job.parent, bytes), GrB_SUCCESS);
  uint64_t bad = UINT64_MAX, bad_parent = UINT64_MAX;
  for (uint64_t v = 0; v < rows; v++) {
    const int32_t w = want[first + v] < 0 ? 0 : want[first + v];
    /* a level after the requested ones may have been started or not */
    if (level[v] != w && !(w > (int32_t)asked && level[v] == 0)) bad = v;
    if (level[v] && level[v] <= asked && engine->count_local) local[level[v]]--;
    if (!c->parent_bytes || level[v] > asked) continue;
    const int64_t u = c->parent_bytes == 8 ? ((int64_t *)(void *)parent)[v] : ((int32_t *)(void *)parent)[v];
    const bool given = !engine->parents && (want[first + v] == 0 || want[first + v] == -2);
    if (level[v] == 0 ? given && u != -1
                      : u < 0 || u >= (int64_t)g->n || want[u] != level[v] - 1 ||
                            (v % (61 + rows / 64) == 0 && !has_edge(g, u, first + v)))
      bad_parent = v;
  }
  fail_all(bad != UINT64_MAX, "level", first + bad, bad == UINT64_MAX ? 0 : level[bad],
           bad == UINT64_MAX ? 0 : want[first + bad]);
  for (uint32_t k = 1; k <= asked && k <= c->most; k++)
    fail_all(local[k] != 0, "local vertices", k, (int64_t)local[k], 0);
  fail_all(bad_parent != UINT64_MAX, "parent", first + bad_parent, 0, 0);
  if (values) check_visited(g, &job, level);
  grid_device_free(job.after.bits);
  grid_device_free(values);
  grid_device_free((void *)(uintptr_t)job.frontier);
  grid_device_free((void *)(uintptr_t)job.visited);
  if (!engine->parents || !c->parent_bytes) grid_device_free(job.parent);
  free(want), free(front), free(reached), free(parent), free(level);
}

/* All kinds of searches with one choice of delegates, each from so many starts. */
static void searches_with(graph *g, const grid_search_graph *share, uint32_t most, int rounds) {
  grid_search *s;
  const int64_t live = grid_device_live();
  assert_int_equal(engine->make(&s, share), GrB_SUCCESS);
  if (engine->connect) assert_int_equal(engine->connect(s), GrB_SUCCESS);
  if (grid_ctx.P > 1 && engine->window)
    assert_int_equal(grid_window_grow(engine->window(s, false)), GrB_SUCCESS);
  if (engine->delegates) {
    int64_t threshold;
    const uint64_t d = engine->delegates(s, &threshold);
    assert_int_equal(d, count_delegates(g, share->delegates));
    if (d) assert_int_equal(threshold, share->delegates);
  }
  const kind kinds[] = {
      {GRID_SEARCH_AUTO, 8, most, most + 1, 1, 0},
      {GRID_SEARCH_AUTO, 4, most, most + 1, 1, 0},
      {GRID_SEARCH_PUSH, 8, most, most + 1, 1, 0},
      {GRID_SEARCH_PULL, 8, most, most + 1, 1, 0},
      {GRID_SEARCH_AUTO, 8, most, 2, 1, 0},
      {GRID_SEARCH_AUTO, 8, 2, most + 1, 1, 0},
      {GRID_SEARCH_AUTO, 0, most, most + 1, 3, 5},
      {GRID_SEARCH_AUTO, 8, most, most + 1, g->n / 3, g->n / 7},
      {GRID_SEARCH_PUSH, 4, most, most + 1, g->n / 5, 0},
      {GRID_SEARCH_PULL, 4, most, most + 1, 2, g->n / 2},
      {GRID_SEARCH_AUTO, 8, most, most + 1, 0, 0},
  };
  const size_t step = share_gpu_by_turns && !oversubscribed ? 3 : 1; /* 0, 3, 6, 9: two masks */
  const size_t first = share_gpu_by_turns ? 4 : 3;                   /* each direction */
  for (size_t k = 0; k < (oversubscribed ? first : sizeof kinds / sizeof *kinds); k += step)
    for (int round = 0; round < (k == 0 ? 2 * rounds + 1 : rounds); round++) check(g, s, &kinds[k]);
  engine->free(s);
  assert_int_equal(grid_device_live(), live);
}

/* Out of memory: nothing leaks. */
static void searches_without_memory(const grid_search_graph *share, int64_t blocks) {
  grid_search *s;
  const int64_t live = grid_device_live();
  for (int64_t k = 0; k < blocks; k += 5) {
    if (grid_ctx.k == grid_ctx.P - 1) grid_device_fail_after(k);
    GrB_Info info = engine->make(&s, share);
    grid_device_fail_after(-1);
    const bool is_last = grid_ctx.k == grid_ctx.P - 1;
    fail_all(is_last && (info != GrB_OUT_OF_MEMORY || s || grid_device_live() != live), "out of memory",
             (uint64_t)k, info, GrB_OUT_OF_MEMORY);
    if (!is_last) engine->free(s);
  }
}

/* few: the test is about the number of levels */
static void searches_by_messages(graph *g, grid_search_graph *share, uint32_t most, bool short_list,
                                 int rounds) {
  static const int64_t delegates[] = {Grid_DELEGATES_AUTO, 5, Grid_DELEGATES_OFF, 0, 1000};
  const size_t choices = oversubscribed ? 1
                         : short_list || g->n > 1 << 16 || through_host
                             ? 2
                             : sizeof delegates / sizeof *delegates;
  engine = &grid_search_on_grid;
  for (size_t k = 0; k < choices; k++) {
    share->delegates = delegates[k];
    searches_with(g, share, most, rounds);
  }
  searches_without_memory(share, 14);
}

static void searches(graph g, uint32_t most, bool short_list) {
  grid_search_graph share = share_of(&g);
  /* processes that share a GPU alternate on it, at each step of each level */
  const int rounds = short_list || grid_ctx.P > 2 || through_host ? 1 : 2;
  if (!share_gpu_by_turns && share.fold.n == 1 && !share.first)
    searches_by_messages(&g, &share, most, short_list, rounds);
  if (grid_ctx.P == 1 || grid_window_addresses()) {
    engine = grid_cuda->search;
    share.large = UINT64_MAX;
    searches_with(&g, &share, most, rounds);
    share.large = 0;
    if (grid_ctx.P > 1) searches_with(&g, &share, most, rounds);
    share.blocks = 1; /* a warp visits words more than once */
    if (grid_ctx.P > 1 && !share_gpu_by_turns) searches_with(&g, &share, most, rounds);
    share.blocks = 0;
    if (grid_ctx.P > 1 && !g.directed) { /* pushes go along rows */
      grid_search_graph rows = share;
      rows.out_ptr = rows.in_ptr, rows.out_idx = rows.in_idx;
      rows.retain_from = UINT64_MAX;
      searches_with(&g, &rows, most, rounds);
      rows.retain_from = 100;
      searches_with(&g, &rows, most, rounds);
      rows.large = UINT64_MAX, rows.blocks = 1;
      if (!share_gpu_by_turns) searches_with(&g, &rows, most, 1);
    }
    searches_without_memory(&share, 1);
  }
  free_share(&share);
  free_graph(&g);
}

static void small_graphs(void **state) {
  const uint64_t sizes[] = {1, 2, 63, 64, 65, 130, 257, 1000};
  seed = 1;
  for (int k = 0; k < 8; k += oversubscribed || share_gpu_by_turns ? 3 : 1)
    searches(make_skewed(sizes[k], 3 * sizes[k], true), 20, false);
}
static void long_rows(void **state) {
  seed = 2;
  searches(star(30011), 10, false);
}
static void skewed_graphs(void **state) {
  seed = 3;
  if (oversubscribed) skip();
  searches(make_skewed(40000, 200000, true), 30, false);
  searches(make_skewed(40000, 60000, false), 30, false);
}
static void long_path(void **state) {
  seed = 4;
  if (oversubscribed) skip();
  if (!share_gpu_by_turns) searches(make_path(through_host ? 600 : 2000), GRID_SEARCH_LEVELS, true);
  searches(make_path(100), share_gpu_by_turns ? 30 : GRID_SEARCH_LEVELS, false);
}
/* Levels of many vertices: 16667 of 300000, and most of them at once. */
static void large_levels(void **state) {
  seed = 5;
  if (oversubscribed) skip();
  searches(make_broom(300000), 10, false);
  searches(make_skewed(300000, 600000, true), 40, false);
}

static grid_search *new_search(const grid_search_graph *share) {
  grid_search *s;
  assert_int_equal(engine->make(&s, share), GrB_SUCCESS);
  assert_int_equal(grid_window_grow(engine->window(s, false)), GrB_SUCCESS);
  return s;
}
/* Two graphs searched by turns: the windows that both use have grown, and moved, for the larger one. */
static void window_growth(void **state) {
  const kind c = {GRID_SEARCH_AUTO, 8, 40, 41, 1, 0};
  seed = 6;
  if (!grid_window_addresses()) skip(); /* one process, or processes that share a GPU without windows */
  graph a = make_skewed(5000, 20000, true), b = make_skewed(1500000, 1000000, true);
  grid_search_graph of_a = share_of(&a), of_b = share_of(&b);
  engine = grid_cuda->search;
  grid_search *in_a = new_search(&of_a);
  check(&a, in_a, &c);
  grid_search *in_b = new_search(&of_b);
  check(&b, in_b, &c);
  check(&a, in_a, &c);
  check(&b, in_b, &c);
  engine->free(in_a);
  check(&b, in_b, &c);
  engine->free(in_b);
  free_share(&of_a), free_share(&of_b);
  free_graph(&a), free_graph(&b);
}

/* One process does not start: the others end without it, and once windows are reopened the search continues.
 */
static void missing_start(void **state) {
  const kind c = {GRID_SEARCH_AUTO, 8, 40, 41, 1, 0};
  seed = 7;
  if (!grid_window_addresses()) skip();
  graph g = make_skewed(5000, 20000, true);
  grid_search_graph share = share_of(&g);
  engine = grid_cuda->search;
  grid_search *s = new_search(&share);
  check(&g, s, &c);
  uint64_t *visited = calloc(share.q / 64, 8);
  grid_search_job job = {
      .visited = to_device(visited, share.q / 8), .max_levels = 9, .windows = grid_window_addresses()};
  if (grid_ctx.k < grid_ctx.P - 1) {
    assert_int_equal(engine->start(s, &job), GrB_SUCCESS);
    engine->abandon(s);
  }
  grid_window_close();
  assert_int_equal(grid_window_open(), GrB_SUCCESS);
  assert_int_equal(grid_window_grow(engine->window(s, false)), GrB_SUCCESS);
  check(&g, s, &c);
  engine->free(s);
  grid_device_free((void *)(uintptr_t)job.visited);
  free_share(&share);
  free(visited);
  free_graph(&g);
}

/* A graph that GPUs search through windows has columns only where there are more columns of processes than
 * rows. It is not split, also where the program sets a threshold. */
static void stored_orientations(void **state) {
  (void)state;
  enum { N = 1000, PER_ROW = 8 };
  GrB_Index row[PER_ROW * N], col[PER_ROW * N];
  GrB_Matrix A;
  if (!grid_window_addresses() || grid_partition_of(N)) skip();
  for (GrB_Index e = 0; e < PER_ROW * N; e++) row[e] = e % N, col[e] = (e + 37 * (1 + e / N)) % N;
  assert_int_equal(GrB_Matrix_new(&A, GrB_BOOL, N, N), GrB_SUCCESS);
  assert_int_equal(
      Grid_Matrix_build(A, row, col, NULL, NULL, grid_ctx.k ? 0 : PER_ROW * N, NULL, Grid_MIRROR),
      GrB_SUCCESS);
  assert_int_equal(GrB_set(A, 1, Grid_DELEGATES), GrB_SUCCESS);
  assert_int_equal(grid_matrix_require(A, GRID_READY), GrB_SUCCESS);
  assert_null(A->delegates.split);
  assert_true(A->block.device && A->properties.symmetric);
  assert_int_equal((A->properties.forms & GRID_COLS) != 0, grid_symmetric_reads_columns());
  GrB_Matrix_free(&A);
}

static int start(void **state) {
  const grid_device_transport *t; /* opened before blocks are counted */
  char shape[32];
  if (Grid_init(GrB_NONBLOCKING, NULL, 0, 0) != GrB_SUCCESS) return 1;
  snprintf(shape, sizeof shape, "%d x %d", grid_ctx.R, grid_ctx.C);
  if (Grid_device_set(Grid_CUDA) != GrB_SUCCESS || grid_device_transport_get(&t) != GrB_SUCCESS) {
    fprintf(stderr, "%s: %s\n", shape, Grid_last_error());
    return 1;
  }
  through_host = t == &grid_transport_staged;
  share_gpu_by_turns = through_host && grid_window_addresses();
  grid_device_facts f;
  oversubscribed = through_host && grid_device_describe(&f) == GrB_SUCCESS && grid_ctx.P > 2 * f.count;
  return 0;
}
static int stop(void **state) {
  return GrB_finalize() != GrB_SUCCESS || grid_device_live() != 0 || grid_mem_live() != 0;
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_graphs),  cmocka_unit_test(long_rows),           cmocka_unit_test(skewed_graphs),
      cmocka_unit_test(long_path),     cmocka_unit_test(large_levels),        cmocka_unit_test(window_growth),
      cmocka_unit_test(missing_start), cmocka_unit_test(stored_orientations),
  };
  return cmocka_run_group_tests(tests, start, stop);
}

/* An argument: the tests to run, as a pattern. */
int main(int argc, char **argv) {
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  setenv("GRIDBLAS_SHARE_GPU", "1", 0);
  if (!have_gpu()) return 77;
  setenv("GRIDBLAS_GRID", "", 0); /* one column, where no process sends requests */
  transposed = getenv("GRID_TEST_TRANSPOSED") != NULL;
  if (!start_mpi()) return group();
  int failed = group();
  grid_tune.nccl = false;
  if (!through_host) failed += group(); /* else that is what has been tested */
  stop_mpi();
  return failed;
}
