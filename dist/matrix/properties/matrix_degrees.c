/* Degrees: the numbers of entries of the owned rows and columns over the whole matrix. This file counts
 * through host memory: used if some process's block lies there, or its device has no room. */
#include <string.h>

#include "dist/matrix/matrix.h"
#include "spmat/matrix/lmat_degrees.h"
#include "spmat/backend.h"

/* ---- counting ---- */

/* A dimension has degree arrays while they are small compared with the entries. Counting takes an array over
 * the rows or columns of a block; in a dimension beyond 32 bits that array must be small, too. */
static bool has_degrees(GrB_Matrix A, bool rows) {
  const uint64_t n = rows ? A->nrows : A->ncols, block = rows ? grid_block_rows(n) : grid_block_cols(n);
  return n / 8 <= A->nvals + 4096 &&
         (grid_index_fits32(n) || block / 8 <= A->nvals / (uint64_t)grid_ctx.P + 4096);
}

/* Sums the counts of local rows or columns of a dimension n over the processes that share them. The owners of
 * the chunks get degree[0..q), q = the padded size of the local chunk. */
static GrB_Info sum_counts(uint64_t n, bool rows, const uint32_t *count, uint64_t q, uint32_t *degree) {
  const grid_set set = rows ? GRID_SET_ROW : GRID_SET_COL;
  const size_t S = (size_t)grid_set_size(set);
  uint32_t *in = grid_malloc(S * q, sizeof *in);
  GrB_Info info = in ? GrB_SUCCESS : grid_fail_memory(NULL, "degrees", S * q, sizeof *in);
  TRY(grid_agree(NULL, info));
  TRY(grid_exchange_chunks(set, n, count, sizeof *in, in));
  memcpy(degree, in, q * sizeof *in);
#pragma omp parallel for schedule(static) if (q > 1 << 15)
  for (uint64_t v = 0; v < q; v++)
    for (size_t s = 1; s < S; s++) degree[v] = grid_degree_sum(degree[v], in[s * q + v]);
done:
  grid_free(in);
  return info;
}

GrB_Info grid_degrees_sum_rows(GrB_Matrix A, const uint32_t *count, uint32_t *degree) {
  return sum_counts(A->nrows, true, count, grid_local_padded_size(A->nrows), degree);
}

/* count[] = entries of all local rows or columns. */
static void count_block(const grid_local_matrix *p, bool rows, uint32_t *count) {
  const grid_axis *axis = rows ? &p->row : &p->col;
  if (p->nvals == 0) {
    memset(count, 0, axis->dim * sizeof *count);
    return;
  }
  grid_lmat_count_degrees(p, rows, count);
  if (!axis->ids) return;
  uint64_t end = axis->dim;
  for (uint64_t k = axis->n; k-- > 0;) { /* to its index, which is not lower; those between have no entries */
    const uint64_t id = grid_axis_id(axis, k);
    const uint32_t degree = count[k];
    memset(count + id + 1, 0, (end - id - 1) * sizeof *count);
    count[id] = degree;
    end = id;
  }
  memset(count, 0, end * sizeof *count);
}

/* Counts on the device, copied to the host. */
static GrB_Info fetch_counts(const grid_local_matrix *p, bool rows, uint32_t *count) {
  const uint64_t dim = rows ? p->row.dim : p->col.dim;
  uint32_t *device = grid_device_malloc(dim, sizeof *device);
  if (!device) return grid_device_fail_memory(NULL, "degrees", dim, sizeof *device);
  GrB_Info info = grid_cuda->builder->count(p, rows, device);
  if (info == GrB_SUCCESS) info = grid_device_get(count, device, dim * sizeof *device);
  grid_device_free(device);
  return info;
}

/* A block that the device has no room to count moves to the host, and so does one with 64-bit ids. */
static GrB_Info count_any(const grid_local_matrix *p, bool rows, uint32_t *count) {
  const uint64_t refusals = grid_device_oom_count();
  const bool on_device = p->device && !grid_axis_has_ids64(rows ? &p->row : &p->col);
  GrB_Info info =
      on_device ? grid_device_oom_to_unsupported(fetch_counts(p, rows, count), refusals) : GRID_UNSUPPORTED;
  if (info == GRID_UNSUPPORTED && (info = grid_lmat_to_host(p)) == GrB_SUCCESS) count_block(p, rows, count);
  return info;
}

/* Degrees of the owned chunk of rows or columns, over the whole matrix. */
static GrB_Info make_degrees(GrB_Matrix A, bool rows, uint32_t **degree) {
  const uint64_t n = rows ? A->nrows : A->ncols, q = grid_local_padded_size(n);
  uint32_t *count = NULL;
  GrB_Info info = GrB_SUCCESS;
  *degree = NULL;
  count = grid_malloc(rows ? grid_block_rows(n) : grid_block_cols(n), sizeof *count);
  *degree = grid_malloc(q, sizeof **degree);
  if (!count || !*degree)
    info = grid_fail_memory(&A->head, "degrees", q, sizeof **degree);
  else
    info = count_any(&A->block, rows, count);
  TRY(grid_agree(&A->head, info));
  TRY(sum_counts(n, rows, count, q, *degree));
done:
  grid_free(count);
  if (info != GrB_SUCCESS) {
    grid_free(*degree);
    *degree = NULL;
  }
  return info;
}

static GrB_Info count_local(GrB_Matrix A, bool rows, bool cols, uint32_t **row, uint32_t **col) {
  GrB_Info info = rows ? make_degrees(A, true, row) : GrB_SUCCESS;
  if (info == GrB_SUCCESS && cols) info = make_degrees(A, false, col);
  if (info == GrB_SUCCESS) return info;
  grid_free(*row);
  return info;
}

GrB_Info grid_degrees_count(GrB_Matrix A) {
  const bool rows = has_degrees(A, true), cols = !A->properties.symmetric && has_degrees(A, false);
  uint32_t *row = NULL, *col = NULL;
  GrB_Info info = GRID_UNSUPPORTED;
  if (grid_device_is_on() && (rows || cols)) info = grid_degrees_count_device(A, rows, cols, &row, &col);
  const bool on_device = info == GrB_SUCCESS;
  if (info == GRID_UNSUPPORTED) {
    if (A->block.device) grid_report_fallback("degrees: through host memory");
    info = count_local(A, rows, cols, &row, &col);
  }
  if (info != GrB_SUCCESS) return info;
  if (A->properties.symmetric) col = row;
  grid_degrees_free(A);
  *(on_device ? &A->degrees.device_row : &A->degrees.row) = row;
  *(on_device ? &A->degrees.device_col : &A->degrees.col) = col;
  return GrB_SUCCESS;
}

GrB_Info grid_spread_degrees(uint64_t n, bool rows, const uint32_t *local, const uint32_t *more,
                             const grid_axis *axis, uint32_t **degree) {
  const uint64_t q = grid_local_padded_size(n);
  uint32_t *sum = grid_malloc(q, sizeof *sum);
  void *all = NULL;
  GrB_Info info = sum ? GrB_SUCCESS : grid_fail_memory(NULL, "degrees", q, sizeof *sum);
  TRY(grid_agree(NULL, info));
#pragma omp parallel for schedule(static) if (q > 1 << 15)
  for (uint64_t v = 0; v < q; v++)
    sum[v] = more && more != local ? grid_degree_sum(local[v], more[v]) : local[v];
  TRY(grid_gather_for_axis(n, rows, sum, sizeof *sum, axis, &all));
  *degree = all;
done:
  grid_free(sum);
  return info;
}

/* ---- which rows and columns hold entries ---- */

static GrB_Info mark_local(const uint32_t *degree, uint64_t q, uint64_t **bits, uint64_t *count) {
  uint64_t nonempty = 0;
  *bits = grid_malloc(grid_words(q), sizeof **bits);
  if (!*bits) return grid_fail_memory(NULL, "bitmaps of rows", grid_words(q), sizeof **bits);
#pragma omp parallel for schedule(static) reduction(+ : nonempty) if (q > 1 << 15)
  for (uint64_t w = 0; w < grid_words(q); w++) {
    uint64_t word = 0;
    for (uint64_t v = 64 * w; v < q && v < 64 * w + 64; v++) word |= (uint64_t)(degree[v] > 0) << (v & 63);
    (*bits)[w] = word;
    nonempty += (uint64_t)__builtin_popcountll(word);
  }
  *count += nonempty;
  return GrB_SUCCESS;
}

static GrB_Info mark_device(const uint32_t *degree, uint64_t q, uint64_t **bits, uint64_t *count) {
  *bits = grid_device_malloc(grid_words(q), sizeof **bits);
  if (!*bits) return grid_device_fail_memory(NULL, "bitmaps of rows", grid_words(q), sizeof **bits);
  return grid_cuda->builder->mark(degree, q, *bits, count);
}

typedef GrB_Info marker(const uint32_t *degree, uint64_t q, uint64_t **bits, uint64_t *count);

static GrB_Info mark_axes(GrB_Matrix A, marker *mark, const uint32_t *row, const uint32_t *col,
                          uint64_t **row_nonempty, uint64_t **col_nonempty, uint64_t *count) {
  GrB_Info info = row ? mark(row, grid_local_padded_size(A->nrows), row_nonempty, &count[0]) : GrB_SUCCESS;
  if (info != GrB_SUCCESS) return info;
  if (col != row)
    return col ? mark(col, grid_local_padded_size(A->ncols), col_nonempty, &count[1]) : GrB_SUCCESS;
  *col_nonempty = *row_nonempty;
  count[1] = count[0];
  return GrB_SUCCESS;
}

static void unmark(uint64_t **row, uint64_t **col, void (*give_back)(void *)) {
  if (*col != *row) give_back(*col);
  give_back(*row);
  *row = *col = NULL;
}

GrB_Info grid_degrees_mark(GrB_Matrix A, GrB_Info info) {
  uint64_t v[4] = {A->block.nvals, 0, 0, grid_lmat_has_offsets64(&A->block) || A->properties.offsets64};
  const bool on_device = A->degrees.device_col && !A->degrees.col;
  unmark(&A->degrees.row_nonempty, &A->degrees.col_nonempty, grid_free);
  unmark(&A->degrees.device_row_nonempty, &A->degrees.device_col_nonempty, grid_device_free);
  if (info == GrB_SUCCESS)
    info = on_device ? mark_axes(A, mark_device, A->degrees.device_row, A->degrees.device_col,
                                 &A->degrees.device_row_nonempty, &A->degrees.device_col_nonempty, v + 1)
                     : mark_axes(A, mark_local, A->degrees.row, A->degrees.col, &A->degrees.row_nonempty,
                                 &A->degrees.col_nonempty, v + 1);
  if ((info = grid_agree_sum(&A->head, info, v, 4)) != GrB_SUCCESS) {
    unmark(&A->degrees.row_nonempty, &A->degrees.col_nonempty, grid_free);
    unmark(&A->degrees.device_row_nonempty, &A->degrees.device_col_nonempty, grid_device_free);
    return info;
  }
  A->delegates.nn_nvals = v[0];
  A->properties.offsets64 = v[3] > 0;
  A->degrees.nonempty_rows = grid_has_degrees(A, true) ? v[1] : A->nvals < A->nrows ? A->nvals : A->nrows;
  A->degrees.nonempty_cols = grid_has_degrees(A, false) ? v[2] : A->nvals < A->ncols ? A->nvals : A->ncols;
  return GrB_SUCCESS;
}
