/* Making a matrix ready: pending changes merged, degrees counted, delegates split off, both orientations
 * made. */
#include <stdlib.h>
#include <string.h>

#include "dist/matrix.h"
#include "dist/split.h"

/* ---- pending changes ---- */

static const grid_pending *sorting; /* qsort gives its comparison no context; calls are made one at a time */

static int by_place(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  const grid_pending *p = sorting;
  if (p->row[x] != p->row[y]) return p->row[x] < p->row[y] ? -1 : 1;
  if (p->col[x] != p->col[y]) return p->col[x] < p->col[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

static bool same_place(const grid_pending *p, uint64_t x, uint64_t y) {
  return p->row[x] == p->row[y] && p->col[x] == p->col[y];
}

/* The last change of each place, in order of place; returns their number. */
static uint64_t last_changes(const grid_pending *p, uint64_t *order) {
  for (uint64_t k = 0; k < p->n; k++) order[k] = k;
  sorting = p;
  qsort(order, p->n, sizeof *order, by_place);
  uint64_t n = 0;
  for (uint64_t k = 0; k < p->n; k++)
    if (k + 1 == p->n || !same_place(p, order[k], order[k + 1])) order[n++] = order[k];
  return n;
}

static bool is_changed(const grid_pending *p, const uint64_t *order, uint64_t n, uint64_t r, uint64_t c) {
  uint64_t lo = 0, hi = n;
  while (lo < hi) {
    uint64_t mid = lo + (hi - lo) / 2, k = order[mid];
    if (p->row[k] == r && p->col[k] == c) return true;
    if (p->row[k] < r || (p->row[k] == r && p->col[k] < c))
      lo = mid + 1;
    else
      hi = mid;
  }
  return false;
}

GrB_Info grid_matrix_merged(GrB_Matrix A, grid_tuples *t) {
  const grid_pending *p = &A->pending;
  size_t size = A->type->size;
  uint64_t *order = grid_malloc(p->n, sizeof *order), kept = 0;
  GrB_Info info = order ? GrB_SUCCESS : grid_fail_memory(&A->head, "pending entries", p->n, sizeof *order);
  TRY(info);
  uint64_t changes = last_changes(p, order);
  TRY(grid_matrix_tuples_room(A, t, changes));
  for (uint64_t k = 0; k < t->n; k++) {
    if (is_changed(p, order, changes, t->row[k], t->col[k])) continue;
    t->row[kept] = t->row[k];
    t->col[kept] = t->col[k];
    memmove(t->val + kept * size, t->val + k * size, size);
    kept++;
  }
  for (uint64_t c = 0; c < changes; c++) {
    uint64_t k = order[c];
    if (p->removed[k] || grid_block_of(A->nrows, A->ncols, p->row[k], p->col[k]) != grid_here.k) continue;
    t->row[kept] = p->row[k];
    t->col[kept] = p->col[k];
    memcpy(t->val + kept * size, p->val + k * size, size);
    kept++;
  }
  t->n = kept;
done:
  grid_free(order);
  return info;
}

GrB_Info grid_matrix_finish(GrB_Matrix A) {
  if (A->pending.n == 0) return GrB_SUCCESS;
  grid_tuples t = {0};
  GrB_Info info;
  TRY(grid_agree(&A->head, grid_matrix_merged(A, &t)));
  TRY(grid_matrix_fill(
      A,
      &(grid_build){.row = t.row, .col = t.col, .val = t.val, .type = A->type, .n = t.n, .keep_last = true},
      "merging changed entries"));
done:
  grid_tuples_free(&t);
  return info;
}

/* ---- degrees ---- */

/* Per-index arrays are kept for a dimension while they are small beside the entries. */
static bool has_degrees(uint64_t n, uint64_t nvals) {
  return n / 8 <= nvals + 4096 && n <= UINT32_MAX;
}

/* Sums the block's counts (local rows or columns, `set` = the processes that share them) at the owners of the
 * chunks: degree[0..q). */
static GrB_Info sum_counts(grid_set set, const uint32_t *count, uint64_t q, uint32_t *degree) {
  size_t S = (size_t)grid_set_size(set), *bytes = grid_malloc(3 * S, sizeof *bytes);
  uint32_t *in = grid_malloc(S * q, sizeof *in);
  GrB_Info info = bytes && in ? GrB_SUCCESS : grid_fail_memory(NULL, "degrees", S * q, sizeof *in);
  TRY(grid_agree(NULL, info));
  for (size_t s = 0; s < S; s++) {
    bytes[s] = q * sizeof *in;
    bytes[S + s] = s * q * sizeof *in;
  }
  TRY(grid_here.transport->exchange(set, count, bytes, bytes + S, in, bytes, bytes + S));
  memcpy(degree, in, q * sizeof *in);
  for (size_t s = 1; s < S; s++)
    for (uint64_t v = 0; v < q; v++) degree[v] += in[s * q + v];
done:
  grid_free(bytes);
  grid_free(in);
  return info;
}

static void count_block(const grid_part *p, bool rows, uint32_t *count) {
  const grid_axis *axis = rows ? &p->row : &p->col;
  memset(count, 0, axis->dim * sizeof *count);
  if (p->nvals == 0) return;
  const uint32_t *ptr = rows ? p->by_row.ptr : p->by_col.ptr;
  if (ptr) {
    for (uint64_t v = 0; v < axis->n; v++) count[grid_axis_id(axis, v)] = ptr[v + 1] - ptr[v];
    return;
  }
#pragma omp parallel for schedule(static) if (p->nvals > 1 << 15)
  for (uint64_t e = 0; e < p->nvals; e++) {
#pragma omp atomic
    count[grid_axis_id(axis, p->by_col.idx[e])]++;
  }
}

/* Degrees of the owned chunk of rows or columns, over the whole matrix. */
static GrB_Info make_degrees(GrB_Matrix A, bool rows, uint32_t **degree) {
  uint64_t n = rows ? A->nrows : A->ncols, q = grid_chunk_size(n);
  grid_set set = rows ? GRID_SET_ROW : GRID_SET_COL;
  uint32_t *count = NULL;
  GrB_Info info = GrB_SUCCESS;
  *degree = NULL;
  if (!has_degrees(n, A->nvals)) return GrB_SUCCESS;
  count = grid_malloc(q * (uint64_t)grid_set_size(set), sizeof *count);
  *degree = grid_malloc(q, sizeof **degree);
  if (!count || !*degree) info = grid_fail_memory(&A->head, "degrees", q, sizeof **degree);
  TRY(grid_agree(&A->head, info));
  count_block(&A->block, rows, count);
  TRY(sum_counts(set, count, q, *degree));
done:
  grid_free(count);
  if (info != GrB_SUCCESS) {
    grid_free(*degree);
    *degree = NULL;
  }
  return info;
}

GrB_Info grid_spread_degrees(grid_set set, const uint32_t *own, const uint32_t *more, uint64_t q,
                             const grid_axis *axis, uint32_t **degree) {
  uint64_t S = (uint64_t)grid_set_size(set);
  uint32_t *sum = grid_malloc(q, sizeof *sum), *all = grid_malloc(S * q, sizeof *all);
  GrB_Info info = sum && all ? GrB_SUCCESS : grid_fail_memory(NULL, "degrees", S * q, sizeof *all);
  TRY(grid_agree(NULL, info));
  for (uint64_t v = 0; v < q; v++) sum[v] = own[v] + (more && more != own ? more[v] : 0);
  TRY(grid_here.transport->allgather(set, sum, q * sizeof *sum, all));
  if (axis->ids)
    for (uint64_t k = 0; k < axis->n; k++) all[k] = all[grid_axis_id(axis, k)]; /* ids ascend: k <= id */
  *degree = all;
  all = NULL;
done:
  grid_free(sum);
  grid_free(all);
  return info;
}

/* ---- orientation ---- */

/* A matrix that was never filled gets the axes of an empty block, so that products need not tell it apart. */
static GrB_Info empty_block(GrB_Matrix A) {
  grid_pair bad;
  bool pairs = grid_axis_wide(&A->block.row) || grid_axis_wide(&A->block.col);
  return grid_part_build(&A->block, grid_malloc(0, sizeof(grid_pair)), pairs, 0, "", NULL,
                         (grid_duplicates){.keep_last = true}, &bad);
}

static GrB_Info orient(GrB_Matrix A) {
  uint32_t *row = NULL, *col = NULL;
  bool square = A->nrows == A->ncols;
  GrB_Info info = GrB_SUCCESS;
  /* where rows and columns are the same vertices, a vertex counts with both of its degrees */
  if (A->row_degree && A->col_degree) {
    TRY(grid_spread_degrees(GRID_SET_ROW, A->row_degree, square ? A->col_degree : NULL,
                            grid_chunk_size(A->nrows), &A->block.row, &row));
    TRY(grid_spread_degrees(GRID_SET_COL, A->col_degree, square ? A->row_degree : NULL,
                            grid_chunk_size(A->ncols), &A->block.col, &col));
  }
  info = A->block.by_col.ptr ? GrB_SUCCESS : empty_block(A);
  if (info == GrB_SUCCESS)
    info = grid_part_orient(&A->block, row, col, A->symmetric && grid_here.P == 1,
                            square && grid_here.P == 1 && !A->split);
  TRY(grid_agree(&A->head, info));
  /* nn alone says nothing of the rest */
  if (grid_here.P == 1 && A->block.shared && !A->split) A->symmetric = true;
done:
  grid_free(row);
  grid_free(col);
  return info;
}

/* A split that no longer is what is asked for goes back into one block. */
static GrB_Info unsplit(GrB_Matrix A) {
  grid_tuples t = {0};
  GrB_Info info;
  bool symmetric = A->symmetric;
  TRY(grid_agree(&A->head, grid_matrix_tuples(A, &t)));
  TRY(grid_matrix_fill(A,
                       &(grid_build){.row = t.row,
                                     .col = t.col,
                                     .val = t.val,
                                     .one = A->block.iso_val,
                                     .type = A->type,
                                     .n = t.n,
                                     .keep_last = true},
                       "joining delegates"));
  A->symmetric = symmetric;
done:
  grid_tuples_free(&t);
  return info;
}

static GrB_Info count_degrees(GrB_Matrix A) {
  uint32_t *row = NULL, *col = NULL;
  GrB_Info info = make_degrees(A, false, &col);
  if (info != GrB_SUCCESS) return info;
  if (A->symmetric)
    row = col;
  else
    info = make_degrees(A, true, &row);
  if (info != GrB_SUCCESS) {
    grid_free(col);
    return info;
  }
  grid_degrees_free(A);
  A->row_degree = row;
  A->col_degree = col;
  return GrB_SUCCESS;
}

static uint64_t *bits_of_degrees(const uint32_t *degree, uint64_t q, uint64_t *count) {
  uint64_t *bits = grid_calloc(grid_words(q), sizeof *bits);
  for (uint64_t v = 0; bits && v < q; v++) {
    bits[v >> 6] |= (uint64_t)(degree[v] > 0) << (v & 63);
    *count += degree[v] > 0;
  }
  return bits;
}

/* Which owned rows and columns hold entries, and how many do over the grid. */
static GrB_Info mark_some(GrB_Matrix A) {
  uint64_t v[3] = {A->block.nvals, 0, 0};
  GrB_Info info = GrB_SUCCESS;
  if (A->row_degree) A->row_some = bits_of_degrees(A->row_degree, grid_chunk_size(A->nrows), &v[1]);
  if (A->col_degree == A->row_degree)
    A->col_some = A->row_some, v[2] = v[1];
  else if (A->col_degree)
    A->col_some = bits_of_degrees(A->col_degree, grid_chunk_size(A->ncols), &v[2]);
  if ((A->row_degree && !A->row_some) || (A->col_degree && !A->col_some))
    info = grid_fail_memory(&A->head, "bitmaps of rows", A->nrows / 8, 1);
  if ((info = grid_agree_sum(&A->head, info, v, 3)) != GrB_SUCCESS) {
    if (A->col_some != A->row_some) grid_free(A->col_some);
    grid_free(A->row_some);
    A->row_some = A->col_some = NULL;
    return info;
  }
  A->nn_nvals = v[0];
  A->rows_some = A->row_degree ? v[1] : A->nvals < A->nrows ? A->nvals : A->nrows;
  A->cols_some = A->col_degree ? v[2] : A->nvals < A->ncols ? A->nvals : A->ncols;
  return GrB_SUCCESS;
}

GrB_Info grid_matrix_ready(GrB_Matrix A) {
  GrB_Info info = grid_matrix_finish(A);
  if (info != GrB_SUCCESS) return info;
  if ((info = grid_workspace_make(&A->work)) != GrB_SUCCESS) return info;
  if (A->oriented && A->split_decided) return GrB_SUCCESS;
  if (A->oriented || A->split) {
    /* a split whose orientation failed is made anew: not all of its parts are ready */
    if (A->oriented && grid_split_is_right(A)) {
      A->split_decided = true;
      return GrB_SUCCESS;
    }
    if ((info = unsplit(A)) != GrB_SUCCESS) return info;
  }
  if (!A->col_degree && (info = count_degrees(A)) != GrB_SUCCESS) return info;
  if ((info = grid_split_make(A)) != GrB_SUCCESS) return info;
  A->split_decided = true;
  if ((info = orient(A)) != GrB_SUCCESS) return info;
  if (A->split && (info = count_degrees(A)) != GrB_SUCCESS) return info;
  info = mark_some(A);
  grid_mem_keep(0);
  A->oriented = info == GrB_SUCCESS;
  return info;
}
