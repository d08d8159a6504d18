/* Grid_partition_set and Grid_Matrix_repartition: partitions that give all processes the same work (Jia et
 * al., "A distributed multi-GPU system for fast graph processing", section 5). The measured time of a process
 * is spread over its rows and entries, and the running sum of this work gives the new boundaries. */
#include "dist/plan/balance_partition.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "dist/object/burble.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/matrix/transfer/repartition.h"
#include "spmat/device/device.h"

/* ---- boundaries that a program sets ---- */

static GrB_Info check_first(GrB_Index n, const GrB_Index *first, const char *call) {
  const int P = grid_ctx.P;
  bool fine = first[0] == 0 && first[P] == n;
  for (int k = 0; k < P && fine; k++)
    fine = first[k] <= first[k + 1] && first[k] <= n && (first[k] % 64 == 0 || first[k] == n);
  if (fine) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "%s: first does not ascend from 0 to %llu by multiples of 64 with an end for each of %d "
                   "processes",
                   call, (unsigned long long)n, P);
}

GrB_Info Grid_partition_set(GrB_Index n, const GrB_Index *first) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_partition_set";
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (n > GrB_INDEX_MAX + 1)
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: size %llu is more than 2^60", call, (unsigned long long)n);
  if (info == GrB_SUCCESS && first) info = check_first(n, first, call);
  info = grid_agree(NULL, info); /* each process may have computed its own list */
  if (info != GrB_SUCCESS || n == 0 || grid_ctx.P == 1) return info; /* one process has only one partition */
  return grid_repartition_dim(n, first, call);
}

/* ---- work along a dimension ---- */

enum { MAX_GRANULES = 1 << 20, EVEN_FACTOR = 8 };

static GrB_Info granules_make(grid_granules *g, uint64_t n) {
  *g = (grid_granules){.n = n, .size = 64};
  while ((n + g->size - 1) / g->size > MAX_GRANULES) g->size *= 2;
  g->count = (n + g->size - 1) / g->size;
  g->work = grid_calloc(g->count, sizeof *g->work);
  return g->work ? GrB_SUCCESS : grid_fail_memory(NULL, "work of rows", g->count, sizeof *g->work);
}

/* Adds the work of this process's rows (columns): their entries, and each row as row.long_row or
 * row.short_row of them.
 */
static void add_work(grid_granules *g, const uint32_t *degree, Grid_Row_Costs row, double entry_weight) {
  const uint64_t first = grid_chunk_first(g->n, grid_ctx.k), length = grid_chunk_length(g->n, grid_ctx.k);
  for (uint64_t v = 0; v < length; v++)
    g->work[(first + v) / g->size] += entry_weight * (degree[v] + grid_row_cost(degree[v], row));
}

/* Fills chunks from the front with work of at most `most` each; false: there are too few chunks. */
static bool fill_chunks(const grid_granules *g, double most, uint64_t longest, uint64_t *first) {
  uint64_t at = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    double sum = 0;
    uint64_t n = 0;
    first[k] = at * g->size < g->n ? at * g->size : g->n;
    for (; at < g->count && n < longest && (n == 0 || sum + g->work[at] <= most); n++) sum += g->work[at++];
  }
  first[grid_ctx.P] = g->n;
  return at == g->count;
}

static uint64_t longest_chunk(const grid_granules *g) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  return EVEN_FACTOR * ((g->count + P - 1) / P);
}

/* Finds the boundaries for which the largest work of a chunk is least. */
static void find_partition(const grid_granules *g, uint64_t *first) {
  const uint64_t P = (uint64_t)grid_ctx.P, longest = longest_chunk(g);
  double low = 0, high = 0;
  for (uint64_t k = 0; k < g->count; k++) high += g->work[k];
  low = high / (double)P;
  for (int step = 0; step < 40; step++) {
    const double middle = (low + high) / 2;
    if (fill_chunks(g, middle, longest, first))
      high = middle;
    else
      low = middle;
  }
  fill_chunks(g, high, longest, first);
}

/* ---- a matrix ---- */

typedef struct {
  GrB_Matrix A;
  Grid_Row_Costs row;  /* cost of a row in entries: its vector elements, the start of its loop in a product */
  double entry_weight; /* work of an entry of this process */
  grid_granules rows, cols;
  uint64_t *row_first, *col_first;
  double *load; /* of each process's block */
} balancing;

static void balancing_free(balancing *x) {
  grid_free(x->rows.work);
  grid_free(x->cols.work);
  grid_free(x->row_first);
  grid_free(x->load);
}

static bool is_square(GrB_Matrix A) {
  return A->nrows == A->ncols;
}

/* Which dimensions are divided: a block with all rows (columns) has them with any partition. */
static bool partitions_rows(GrB_Matrix A) {
  return grid_ctx.R > 1 || is_square(A);
}
static bool partitions_cols(GrB_Matrix A) {
  return grid_ctx.C > 1 && !is_square(A);
}

static GrB_Info alloc_arrays(balancing *x) {
  const size_t P = (size_t)grid_ctx.P;
  x->row_first = grid_calloc(2 * (P + 1), sizeof *x->row_first);
  x->load = grid_calloc(P, sizeof *x->load);
  if (!x->row_first || !x->load) return grid_fail_memory(NULL, "cuts", P, 24);
  x->col_first = x->row_first + P + 1;
  GrB_Info info = granules_make(&x->rows, x->A->nrows);
  return info == GrB_SUCCESS ? granules_make(&x->cols, x->A->ncols) : info;
}

static GrB_Info measure_loads(balancing *x) {
  const GrB_Matrix A = x->A;
  const bool rows = grid_ctx.R > 1, cols = grid_ctx.C > 1;
  grid_granules *col = is_square(A) ? &x->rows : &x->cols;
  if (rows) add_work(&x->rows, A->degrees.row, x->row, x->entry_weight);
  if (cols) add_work(col, A->degrees.col, x->row, x->entry_weight);
  GrB_Info info = grid_ctx.transport->allreduce_with(GRID_SET_ALL, x->rows.work,
                                                     x->rows.count * sizeof(double), grid_sum_doubles, NULL);
  if (info == GrB_SUCCESS && col != &x->rows)
    info = grid_ctx.transport->allreduce_with(GRID_SET_ALL, col->work, col->count * sizeof(double),
                                              grid_sum_doubles, NULL);
  return info;
}

static uint64_t chunk_under(const uint64_t *first, uint64_t v) {
  return grid_segment_of(first, 1, (uint64_t)grid_ctx.P, v);
}

static GrB_Info sum_loads(balancing *x) {
  return grid_ctx.transport->allreduce_with(GRID_SET_ALL, x->load, (size_t)grid_ctx.P * sizeof *x->load,
                                            grid_sum_doubles, NULL);
}

/* The work of rows from .. to, which this process owns. */
static double work_of_rows(GrB_Matrix A, Grid_Row_Costs row, uint64_t from, uint64_t to) {
  const uint64_t first = grid_chunk_first(A->nrows, grid_ctx.k);
  double sum = 0;
  for (uint64_t v = from; v < to; v++) sum += grid_row_cost(A->degrees.row[v - first], row);
  return sum;
}

double grid_partition_work(GrB_Matrix A, Grid_Row_Costs row) {
  const uint64_t first = grid_chunk_first(A->nrows, grid_ctx.k);
  return (double)A->block.nvals +
         work_of_rows(A, row, first, first + grid_chunk_length(A->nrows, grid_ctx.k));
}

/* Adds the work of this process's rows to their new processes; with their entries, if it has all of them. */
static void weigh_local_rows(balancing *x) {
  const uint64_t n = x->A->nrows, first = grid_chunk_first(n, grid_ctx.k),
                 end = first + grid_chunk_length(n, grid_ctx.k);
  for (int k = 0; k < grid_ctx.P; k++) {
    const uint64_t from = x->row_first[k] > first ? x->row_first[k] : first,
                   to = x->row_first[k + 1] < end ? x->row_first[k + 1] : end;
    if (from < to) x->load[k] += x->entry_weight * work_of_rows(x->A, x->row, from, to);
    for (uint64_t v = from; v < to && grid_ctx.C == 1; v++)
      x->load[k] += x->entry_weight * x->A->degrees.row[v - first];
  }
}

/* The work of each process with the new partition: each process adds that of its entries and its rows. */
static GrB_Info weigh_blocks(balancing *x) {
  const GrB_Matrix A = x->A;
  const uint64_t R = (uint64_t)grid_ctx.R;
  const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  const grid_local_matrix *p = &A->block;
  weigh_local_rows(x);
  if (grid_ctx.C == 1) return sum_loads(x);
  for (uint64_t r = 0; r < p->row.n && p->nvals; r++) {
    const uint64_t from = grid_vector_start(&p->by_row, r), to = grid_vector_start(&p->by_row, r + 1);
    if (from == to) continue;
    const uint64_t i = chunk_under(x->row_first, grid_index_map_at(&rows, r)) % R;
    for (uint64_t e = from; e < to; e++)
      x->load[chunk_under(x->col_first, grid_index_map_at(&cols, p->by_row.idx[e])) / R * R + i] +=
          x->entry_weight;
  }
  return sum_loads(x);
}

static void even_partition(const grid_granules *g, bool partitioned, uint64_t *first) {
  if (partitioned) {
    find_partition(g, first);
    return;
  }
  for (int k = 0; k <= grid_ctx.P; k++) first[k] = grid_chunk_first(g->n, k);
}

/* Agreed on. */
static GrB_Info agree_on_bounds(balancing *x) {
  const GrB_Matrix A = x->A;
  const uint64_t P = (uint64_t)grid_ctx.P;
  GrB_Info info = GrB_SUCCESS;
  even_partition(&x->rows, partitions_rows(A), x->row_first);
  if (is_square(A) && grid_ctx.R > 1 && grid_ctx.C > 1)
    info = grid_partition_blocks(A, &x->rows, x->row, x->entry_weight, longest_chunk(&x->rows), x->row_first);
  if (is_square(A))
    memcpy(x->col_first, x->row_first, (P + 1) * sizeof *x->row_first);
  else
    even_partition(&x->cols, partitions_cols(A), x->col_first);
  return info;
}

static double max_load(const double *v, double *sum) {
  double most = 0;
  *sum = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    *sum += v[k];
    if (v[k] > most) most = v[k];
  }
  return most;
}

double grid_repartition_cost(double largest) {
  return grid_tune.move_rate * largest;
}

void grid_repartition_add_cost(double seconds, double largest) {
  if (largest > 0) grid_tune.move_rate += seconds / largest;
}

static GrB_Info migrate_objects(balancing *x, Grid_Repartition *b, double largest, const char *call) {
  const double start = omp_get_wtime();
  GrB_Info info = GrB_SUCCESS;
  if (partitions_rows(x->A)) TRY(grid_repartition_dim(x->A->nrows, x->row_first, call));
  if (partitions_cols(x->A)) TRY(grid_repartition_dim(x->A->ncols, x->col_first, call));
  uint64_t took = (uint64_t)((omp_get_wtime() - start) * 1e9);
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &took, 1, GRID_MAX));
  b->seconds = (double)took * 1e-9;
  b->redistributed = true;
  if (largest > 0 && !x->A->pages) grid_tune.move_rate = b->seconds / largest; /* of pages nothing is sent */
done:
  return info;
}

GrB_Info grid_repartition_matrix(Grid_Repartition *b, GrB_Matrix A, Grid_Row_Costs row, double seconds,
                                 double rounds, const char *call) {
  balancing x = {.A = A, .row = row};
  const double work = grid_partition_work(A, row);
  uint64_t timed = seconds > 0;
  double sum, most, total, largest;
  GrB_Info info = alloc_arrays(&x);
  TRY(grid_agree_sum(&A->head, info, &timed, 1));
  x.load[grid_ctx.k] = work;
  TRY(sum_loads(&x));
  largest = most = max_load(x.load, &sum);
  x.entry_weight = 1;
  if (timed) {
    memset(x.load, 0, (size_t)grid_ctx.P * sizeof *x.load);
    x.load[grid_ctx.k] = seconds;
    TRY(sum_loads(&x));
    most = max_load(x.load, &sum);
    x.entry_weight = work > 0 ? seconds / work : 0;
  }
  if (sum <= 0) goto done;
  b->load = b->best = most / (sum / grid_ctx.P);
  if (grid_ctx.C > 1) TRY(grid_agree(&A->head, grid_lmat_to_host(&A->block))); /* its entries are read */
  TRY(measure_loads(&x));
  TRY(agree_on_bounds(&x));
  memset(x.load, 0, (size_t)grid_ctx.P * sizeof *x.load);
  TRY(weigh_blocks(&x));
  const double after = max_load(x.load, &total);
  if (after >= most) goto done;
  b->best = after / (total / grid_ctx.P);
  const bool pays = timed ? (most - after) * rounds > grid_repartition_cost(largest) : b->load > 1.1;
  if (pays) TRY(migrate_objects(&x, b, largest, call));
done:
  balancing_free(&x);
  return info;
}

bool grid_can_repartition(GrB_Matrix A) {
  return grid_ctx.P > 1 && !A->delegates.split && A->degrees.row && (A->degrees.col || grid_ctx.C == 1) &&
         (!A->pages || A->pages->whole) && A->nrows > 0 && A->ncols > 0;
}

GrB_Info grid_repartition_prepare(GrB_Matrix A) {
  GrB_Info info = grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_READY);
  if (info != GrB_SUCCESS || !grid_device_is_on()) return info;
  return grid_agree(&A->head,
                    grid_degrees_to_host(A)); /* nothing where copies exist; the device keeps its own */
}

GrB_Info grid_repartition_check(GrB_Matrix A, Grid_Row_Costs row, double seconds, double rounds,
                                const char *call) {
  const double x[] = {row.long_row, row.short_row, seconds, rounds};
  bool fine = true;
  for (int k = 0; k < 4; k++) fine = fine && x[k] >= 0 && isfinite(x[k]);
  if (fine) return GrB_SUCCESS;
  return grid_fail(&A->head, GrB_INVALID_VALUE,
                   "%s: rows of %g and %g, seconds %g or rounds %g are negative or no numbers", call,
                   row.long_row, row.short_row, seconds, rounds);
}

static GrB_Info repartition_matrix(Grid_Repartition *b, GrB_Matrix A, Grid_Row_Costs row, double seconds,
                                   double rounds) {
  static const char call[] = "Grid_Matrix_repartition";
  Grid_Repartition found = {.load = 1, .best = 1};
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  info = grid_repartition_check(A, row, seconds, rounds, call);
  TRY(grid_agree(&A->head, info));
  TRY(grid_repartition_prepare(A));
  if (grid_can_repartition(A)) TRY(grid_repartition_matrix(&found, A, row, seconds, rounds, call));
  if (b) *b = found;
done:
  return info;
}

GrB_Info Grid_Matrix_repartition(Grid_Repartition *b, GrB_Matrix A, Grid_Row_Costs row, double seconds,
                                 double rounds) {
  return GRID_TRACE_CALL("Grid_Matrix_repartition", repartition_matrix(b, A, row, seconds, rounds), A);
}
