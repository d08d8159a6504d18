/* See delegate_index.h. */
#include "dist/delegates/delegate_index.h"

#include <string.h>

#include "dist/plan/layout_cost.h"
#include "dist/comm/comm_buffers.h"
#include "dist/grid/layout.h"
#include "dist/plan/network.h"
#include "spmat/device/device.h"
#include "spmat/vector/bitmap_words.h"

bool grid_can_index_delegates(GrB_Matrix A) {
  return !grid_device_is_on() && grid_ctx.C == 1 && grid_ctx.P > 1 && A->properties.symmetric &&
         grid_chunks_fit32(A->nrows);
}

/* ---- the threshold: the fewest delegates that leave few remote edges ---- */

enum { CLASSES = GRID_DEGREE_CLASSES };

/* In a matrix of more than LARGE entries one row in STRIDE is sampled. */
enum { STRIDE = 8, LARGE = 1 << 20 };

typedef struct {
  uint64_t vertices[CLASSES];     /* of each class of degrees: vertices, */
  uint64_t entries[CLASSES];      /* their entries, */
  uint64_t remote_edges[CLASSES]; /* and entries to other processes, by the higher class of both ends */
  uint64_t inspected;             /* entries in the sampled rows */
} class_counts;

/* The classes of this process's vertices, and of the block's columns by position; the caller frees both. */
typedef struct {
  uint8_t *local;
  void *col;
} vertex_classes;

/* Collective, agreed on. */
static GrB_Info gather_classes(GrB_Matrix A, vertex_classes *class) {
  const uint64_t n = grid_chunk_length(A->nrows, grid_ctx.k), q = grid_local_padded_size(A->nrows);
  class->local = grid_calloc(q, 1);
  const GrB_Info info =
      grid_agree(&A->head, class->local ? GrB_SUCCESS : grid_fail_memory(NULL, "classes of vertices", q, 1));
  if (info != GrB_SUCCESS) return info;
  for (uint64_t v = 0; v < n; v++) class->local[v] = (uint8_t)grid_degree_class(A->degrees.row[v]);
  return grid_gather_for_axis(A->nrows, false, class->local, 1, &A->block.col, &class->col);
}

/* This process's columns: the position of the first, and their number. */
typedef struct {
  uint64_t first, n;
} column_range;

static column_range find_local_columns(GrB_Matrix A) {
  const uint64_t low = grid_chunk_offset(A->nrows, false, grid_ctx.k),
                 first = grid_axis_bound(&A->block.col, low);
  return (column_range){first,
                        grid_axis_bound(&A->block.col, low + grid_local_padded_size(A->nrows)) - first};
}

static void count_remote(GrB_Matrix A, const vertex_classes *class, class_counts *t) {
  const grid_compressed *c = &A->block.by_row;
  const uint8_t *col = class->col;
  const column_range columns = find_local_columns(A);
  const uint64_t n = grid_chunk_length(A->nrows, grid_ctx.k), step = A->nvals > LARGE ? STRIDE : 1;
  for (uint64_t v = 0; v < n; v++)
    t->vertices[class->local[v]]++, t->entries[class->local[v]] += A->degrees.row[v];
  for (uint64_t v = 0; v < n && A->block.nvals; v += step) {
    const uint64_t from = grid_vector_start(c, v), to = grid_vector_start(c, v + 1);
    t->inspected += to - from;
    for (uint64_t e = from; e < to; e++) {
      const uint64_t u = c->idx[e];
      if (u - columns.first >= columns.n)
        t->remote_edges[col[u] > class->local[v] ? col[u] : class->local[v]]++;
    }
  }
}

/* *gain: grid_estimate_delegate_gain with the vertices of class `first` and above as delegates. */
static GrB_Info estimate_gain(GrB_Matrix A, const class_counts *t, unsigned first, const Grid_Network *net,
                              double *gain) {
  double number[CLASSES], degree[CLASSES];
  const grid_degree_classes c = {CLASSES, (int)first, number, degree, false};
  for (unsigned k = 0; k < CLASSES; k++) {
    number[k] = (double)t->vertices[k];
    degree[k] = t->vertices[k] ? (double)t->entries[k] / number[k] : (double)grid_degree_class_min(k);
  }
  return grid_estimate_delegate_gain(gain, &c, A->nrows, grid_ctx.P, 1, net);
}

/* Tries STEPS thresholds, STEP classes apart, from the highest one that leaves few enough remote edges. */
enum { STEP = 4, STEPS = 4 };

/* *min_degree = the least degree of a delegate; unchanged if no threshold pays. The same on every process,
 * since it follows from sums. */
static GrB_Info choose(GrB_Matrix A, const class_counts *t, const Grid_Network *net, uint64_t *min_degree) {
  uint64_t left = 0, d = A->nrows;
  unsigned most = 0;
  double best = 0, gain;
  for (unsigned class = 0; class < CLASSES && d > 0; class ++) { /* delegates: this class and above */
    if (d <= A->nrows / GRID_VERTICES_PER_DELEGATE &&
        (double)left <= GRID_MAX_REMOTE_SHARE * (double)t->inspected)
      most = class;
    left += t->remote_edges[class];
    d -= t->vertices[class];
  }
  GrB_Info info = GrB_SUCCESS;
  for (unsigned k = 0; k < STEPS && most > STEP * k && info == GrB_SUCCESS; k++) {
    info = estimate_gain(A, t, most - STEP * k, net, &gain);
    if (info == GrB_SUCCESS && gain > best) best = gain, *min_degree = grid_degree_class_min(most - STEP * k);
  }
  return grid_agree(&A->head, info);
}

/* Collective, agreed on. */
static GrB_Info choose_threshold(GrB_Matrix A, uint64_t *min_degree) {
  vertex_classes class = {0};
  class_counts t = {0};
  Grid_Network net;
  GrB_Info info = GrB_SUCCESS;
  if (A->nrows < GRID_MIN_VERTICES) return info;
  TRY(grid_network_cost(&net));
  /* the whole bitmaps of a search take 0.3 n bytes: if that is less than a call, requests cannot gain */
  if (0.3 * (double)A->nrows < grid_call_bytes(&net)) goto done;
  TRY(gather_classes(A, &class));
  count_remote(A, &class, &t);
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, (uint64_t *)&t, sizeof t / sizeof(uint64_t), GRID_SUM));
  TRY(choose(A, &t, &net, min_degree));
  /* different machines may round differently */
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, min_degree, sizeof *min_degree, 0));
done:
  grid_free(class.local);
  grid_free(class.col);
  return info;
}

/* ---- numbering ---- */

static void free_arrays(grid_delegate_index *g) {
  grid_free(g->col_start);
  grid_free(g->is_col);
  grid_free(g->is_local);
  grid_free(g->start);
  grid_free(g->col);
  grid_free(g->local);
  grid_free(g->remote_edges);
  *g = (grid_delegate_index){.delegates_setting = g->delegates_setting};
}

static uint64_t column_words(GrB_Matrix A) {
  return A->block.col.ids ? grid_words(A->block.col.n) : grid_block_cols(A->ncols) / 64;
}

/* Allocates what does not depend on the number of delegates, and sets g->col_start and g->is_local. Returns
 * the number of this process's delegates. */
static GrB_Info mark_local(GrB_Matrix A, grid_delegate_index *g, uint64_t *count) {
  const uint64_t n = grid_chunk_length(A->nrows, grid_ctx.k), q = grid_local_padded_size(A->nrows),
                 P = (uint64_t)grid_ctx.P;
  g->col_start = grid_malloc(P + 1, sizeof *g->col_start);
  g->start = grid_calloc(P + 1, sizeof *g->start);
  g->is_col = grid_calloc(column_words(A), sizeof *g->is_col);
  g->is_local = grid_calloc(q / 64, sizeof *g->is_local);
  g->remote_edges = grid_calloc(q, sizeof *g->remote_edges);
  if (!g->col_start || !g->start || !g->is_col || !g->is_local || !g->remote_edges)
    return grid_fail_memory(NULL, "marks of delegates", q, sizeof *g->remote_edges);
  for (uint64_t k = 0; k <= P; k++)
    g->col_start[k] = grid_axis_bound(&A->block.col, grid_block_offset(A->nrows, false, (int)k));
  for (uint64_t v = 0; v < n; v++)
    if (A->degrees.row[v] >= g->min_degree) g->is_local[v >> 6] |= UINT64_C(1) << (v & 63), ++*count;
  return GrB_SUCCESS;
}

static GrB_Info list_local(grid_delegate_index *g, uint64_t words, uint64_t count) {
  uint64_t at = 0;
  g->local = grid_malloc(count, sizeof *g->local);
  if (!g->local) return grid_fail_memory(NULL, "delegates", count, sizeof *g->local);
  for (uint64_t w = 0; w < words; w++)
    for (uint64_t bits = g->is_local[w]; bits; bits &= bits - 1)
      g->local[at++] = (uint32_t)(64 * w + grid_low_bit(bits));
  return GrB_SUCCESS;
}

/* Sets g->start from the messages of all processes, and allocates g->col. */
static GrB_Info count_delegates(grid_delegate_index *g, const grid_received *got) {
  for (int k = 0; k < grid_ctx.P; k++)
    g->start[k + 1] = g->start[k] + grid_received_message(got, (size_t)k).count;
  g->d = g->start[grid_ctx.P];
  g->col = grid_malloc(g->d, sizeof *g->col);
  return g->col ? GrB_SUCCESS : grid_fail_memory(NULL, "delegates", g->d, sizeof *g->col);
}

/* Sets g->col and g->is_col: the columns of the delegates that the messages list. */
static void find_columns(GrB_Matrix A, grid_delegate_index *g, const grid_received *got) {
  uint64_t t = 0, at = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    const uint64_t first = grid_chunk_offset(A->nrows, false, k);
    grid_message m = grid_received_message(got, (size_t)k);
    for (grid_message_iter it = grid_message_begin(&m); grid_message_next(&it); t++) {
      const uint64_t c = grid_axis_find_next(&A->block.col, &at, first + it.i);
      g->col[t] = c == UINT64_MAX ? GRID_NO_COLUMN : (uint32_t)c;
      if (c != UINT64_MAX) g->is_col[c >> 6] |= UINT64_C(1) << (c & 63);
    }
  }
}

static void count_remote_edges(GrB_Matrix A, grid_delegate_index *g) {
  const grid_compressed *c = &A->block.by_row;
  const column_range columns = find_local_columns(A);
  const uint64_t rows = A->block.nvals ? grid_chunk_length(A->nrows, grid_ctx.k) : 0;
#pragma omp parallel for schedule(dynamic, 256)
  for (uint64_t v = 0; v < rows; v++) {
    uint32_t n = 0;
    for (uint64_t e = grid_vector_start(c, v); e < grid_vector_start(c, v + 1); e++)
      n += c->idx[e] - columns.first >= columns.n && !grid_bit(g->is_col, c->idx[e]);
    g->remote_edges[v] = n;
  }
}

/* Numbers the delegates: every process sends its own to all. Collective, agreed on. */
static GrB_Info number_delegates(GrB_Matrix A, grid_delegate_index *g) {
  const uint64_t words = grid_local_padded_size(A->nrows) / 64;
  grid_comm_buffers buffers = {0};
  grid_received got;
  grid_entries_out e = {.n = grid_chunk_length(A->nrows, grid_ctx.k)};
  uint64_t sent = 0;
  GrB_Info info = mark_local(A, g, &e.count);
  if (info == GrB_SUCCESS) info = list_local(g, words, e.count);
  TRY(grid_agree(&A->head, info));
  TRY(grid_comm_buffers_make(&buffers));
  e.bits = g->is_local;
  info = grid_allgather_messages(&buffers, GRID_SET_ALL, info, &e, &got, &sent);
  if (info == GrB_SUCCESS) info = count_delegates(g, &got);
  TRY(grid_agree(&A->head, info));
  find_columns(A, g, &got);
  count_remote_edges(A, g);
done:
  grid_comm_buffers_free(&buffers);
  return info;
}

/* Sets the costs of calls, the same on every process. */
static GrB_Info measure_network(GrB_Matrix A, grid_delegate_index *g) {
  Grid_Network net;
  bool configured = true;
  GrB_Info info = GrB_SUCCESS;
  g->call_bytes = g->request_overhead_bytes = 0;
  if (A->hints.delegates >= 0) TRY(grid_network_is_configured(&configured));
  if (!configured) return info;
  TRY(grid_network_cost(&net));
  g->call_bytes = (uint64_t)grid_call_bytes(&net);
  if (g->call_bytes)
    g->request_overhead_bytes = (uint64_t)grid_request_overhead_bytes(&net, (double)A->nrows, grid_ctx.P);
done:
  return info;
}

/* *yes: on every process the block is on the host by row, and lists no rows: those are the vertices. */
static GrB_Info check_eligible(GrB_Matrix A, bool *yes) {
  const grid_local_matrix *b = &A->block;
  uint64_t no = !A->degrees.row || (b->nvals > 0 && (b->row.ids || !grid_compressed_is_built(&b->by_row)));
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &no, 1, GRID_MAX);
  *yes = !no;
  return info;
}

static void free_delegate_index(GrB_Matrix A) {
  if (A->delegates.index) free_arrays(A->delegates.index);
  grid_free(A->delegates.index);
  A->delegates.index = NULL;
}

/* After a failure, which is the same on all processes, all of them free the index. */
GrB_Info grid_delegate_index_make(GrB_Matrix A) {
  grid_delegate_index *g = A->delegates.index;
  bool yes;
  if (g && g->delegates_setting == A->hints.delegates) return GrB_SUCCESS;
  GrB_Info info = check_eligible(A, &yes);
  TRY(info);
  if (!g) g = A->delegates.index = grid_calloc(1, sizeof *g);
  TRY(grid_agree(&A->head, g ? GrB_SUCCESS : grid_fail_memory(NULL, "delegates", 1, sizeof *g)));
  free_arrays(g);
  g->delegates_setting = A->hints.delegates;
  if (!yes || A->hints.delegates == Grid_DELEGATES_OFF) goto done;
  if (A->hints.delegates >= 0)
    g->min_degree = (uint64_t)A->hints.delegates + 1;
  else
    TRY(choose_threshold(A, &g->min_degree));
  if (g->min_degree) TRY(number_delegates(A, g));
  if (g->d == 0)
    free_arrays(g);
  else
    TRY(measure_network(A, g));
done:
  if (info != GrB_SUCCESS) free_delegate_index(A);
  return info;
}

/* ---- a cached property of the matrix ---- */

/* A threshold set by the program takes effect at once; the automatic rule when a product could use delegates.
 */
static GrB_Info update(GrB_Matrix A) {
  return A->hints.delegates >= 0 && grid_can_index_delegates(A) ? grid_delegate_index_make(A) : GrB_SUCCESS;
}

/* Applies the automatic rule when the matrix is prepared for searches. */
static GrB_Info prepare(GrB_Matrix A, unsigned *forms) {
  if (grid_can_index_delegates(A) && !A->delegates.split && grid_has_columns(grid_ctx.P)) *forms |= GRID_COLS;
  return grid_can_index_delegates(A) && !A->delegates.split ? grid_delegate_index_make(A) : GrB_SUCCESS;
}

static void add_storage(GrB_Matrix A, Grid_Storage *s) {
  const grid_delegate_index *g = A->delegates.index;
  if (!g || g->d == 0 || g->delegates_setting != A->hints.delegates || !grid_can_index_delegates(A)) return;
  s->delegates = g->d;
  s->threshold = (int64_t)g->min_degree - 1;
  s->bytes += (column_words(A) + grid_local_padded_size(A->nrows) / 64) * sizeof *g->is_col +
              (g->d + g->start[grid_ctx.k + 1] - g->start[grid_ctx.k]) * sizeof *g->col +
              2 * ((uint64_t)grid_ctx.P + 1) * sizeof *g->start +
              grid_local_padded_size(A->nrows) * sizeof *g->remote_edges;
}

const grid_cached_property grid_delegate_index_form = {
    .update = update, .prepare = prepare, .free = free_delegate_index, .add_storage = add_storage};
