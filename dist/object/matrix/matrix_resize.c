/* matrix_resize.c: a matrix of other dimensions, and one with a vector on a diagonal (specification 4.2.5).
 * On one process the block is cut off or grows; on several the chunks begin elsewhere, and entries travel. */
#include "dist/object/burble.h"
#include "dist/object/matrix/matrix_output.h"
#include "dist/object/matrix/matrix_route.h"
#include "spmat/parts.h"

/* How many of this process's rows (columns), which are `dim` over the grid, come before index n. */
static uint64_t own_before(uint64_t dim, uint64_t n, bool rows) {
  uint64_t count = 0;
  for (int c = 0; c < grid_here.P; c++) {
    const uint64_t first = grid_chunk_first(dim, c), length = grid_chunk_length(dim, c);
    if ((rows ? c % grid_here.R : c / grid_here.R) != (rows ? grid_here.i : grid_here.j)) continue;
    count += n <= first ? 0 : n - first < length ? n - first : length;
  }
  return count;
}

/* *t = what is left of A's block, as a block of a matrix like `like`. */
static GrB_Info resize_block(grid_part *t, GrB_Matrix A, GrB_Matrix like, const char *call) {
  const grid_index_set rows = {.n = own_before(A->nrows, like->nrows, true)},
                       cols = {.n = own_before(A->ncols, like->ncols, false)};
  grid_part_init(t, A->type, like->block.row.dim, like->block.col.dim);
  if (grid_here.P == 1) return grid_parts_extract(t, &A->block, &rows, &cols);
  grid_part kept;
  grid_part_init(&kept, A->type, A->block.row.dim, A->block.col.dim);
  GrB_Info info = grid_parts_extract(&kept, &A->block, &rows, &cols);
  grid_places row_places = grid_block_row_places(A), col_places = grid_block_col_places(A);
  row_places.axis = &kept.row, col_places.axis = &kept.col;
  info = grid_route_entries(like, &kept, &row_places, &col_places, false, info, t, call);
  grid_part_free(&kept);
  return info;
}

static GrB_Info resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new) {
  const char *call = "GrB_Matrix_resize";
  GrB_Matrix like = NULL;
  grid_part t = {0};
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS || (C->nrows == nrows_new && C->ncols == ncols_new)) return info;
  if (nrows_new == 0 || ncols_new == 0 || nrows_new > GrB_INDEX_MAX + 1 || ncols_new > GrB_INDEX_MAX + 1)
    return grid_fail(&C->head, GrB_INVALID_VALUE, "%s: dimensions %llu x %llu are not between 1 and 2^60",
                     call, (unsigned long long)nrows_new, (unsigned long long)ncols_new);
  TRY(grid_matrix_read(C));
  TRY(GrB_Matrix_new(&like, C->type, nrows_new, ncols_new));
  info = resize_block(&t, C, like, call);
  TRY(grid_matrix_adopt(C, &(grid_build){0}, &t, info));
  C->nrows = nrows_new, C->ncols = ncols_new;
  /* an empty block has its dimensions all the same */
  C->block.row.dim = like->block.row.dim, C->block.col.dim = like->block.col.dim;
done:
  grid_part_free(&t);
  GrB_Matrix_free(&like);
  return info;
}

GrB_Info GrB_Matrix_resize(GrB_Matrix C, GrB_Index nrows_new, GrB_Index ncols_new) {
  return GRID_TOLD("GrB_Matrix_resize", resize(C, nrows_new, ncols_new), C);
}

/* ---- a diagonal ---- */

/* The entries of v as tuples; a vector of one value gives it by itself. */
static GrB_Info diagonal_tuples(grid_tuples *t, GrB_Vector v, uint64_t row, uint64_t col, bool iso) {
  const uint64_t n = v->chunk.nvals;
  *t = (grid_tuples){.n = n,
                     .row = grid_malloc(n, sizeof *t->row),
                     .col = grid_malloc(n, sizeof *t->col),
                     .val = iso ? NULL : grid_malloc(n, v->type->size)};
  if (!t->row || !t->col || (!iso && !t->val))
    return grid_fail_memory(&v->head, "entries of a diagonal", n, 16 + v->type->size);
  GrB_Info info = grid_vec_tuples(t->row, t->val, v->type, &v->chunk, grid_chunk_first(v->n, grid_here.k));
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++) {
    t->col[k] = t->row[k] + col;
    t->row[k] += row;
  }
  return info;
}

/* *t = the block of A with v on a diagonal, from `row` and `col` on. Chunk k of the main diagonal is in block
 * k; others travel. */
static GrB_Info diagonal_block(grid_part *t, GrB_Matrix A, GrB_Vector v, uint64_t row, uint64_t col,
                               const char *call) {
  const uint64_t first = grid_chunk_first(v->n, grid_here.k);
  grid_tuples tuples = {0};
  grid_part_init(t, v->type, A->block.row.dim, A->block.col.dim);
  if (grid_here.P == 1) return grid_parts_diagonal(t, &v->chunk, row, col);
  if (row == 0 && col == 0)
    return grid_parts_diagonal(t, &v->chunk, grid_local_row(v->n, first), grid_local_col(v->n, first));
  const bool iso = v->chunk.iso && v->chunk.nvals && !v->chunk.device;
  GrB_Info info = diagonal_tuples(&tuples, v, row, col, iso);
  return grid_route_tuples(A, &tuples, v->type, iso ? v->chunk.val : NULL, info, t, call);
}

static GrB_Info diagonal(GrB_Matrix *C, const GrB_Vector v, int64_t k) {
  const char *call = "GrB_Matrix_diag";
  const uint64_t by = k < 0 ? UINT64_C(0) - (uint64_t)k : (uint64_t)k;
  GrB_Matrix made = NULL;
  grid_part t = {0};
  GrB_Info info = grid_check_vector(v, call, "v");
  if (info != GrB_SUCCESS) return info;
  if (!C) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument C is NULL", call);
  if (by > GrB_INDEX_MAX || v->n + by > GrB_INDEX_MAX + 1)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: diagonal %lld of a vector of size %llu needs more than 2^60 rows", call,
                     (long long)k, (unsigned long long)v->n);
  TRY(GrB_Matrix_new(&made, v->type, v->n + by, v->n + by));
  info = diagonal_block(&t, made, v, k < 0 ? by : 0, k > 0 ? by : 0, call);
  TRY(grid_matrix_adopt(made, &(grid_build){0}, &t, info));
  *C = made;
  made = NULL;
done:
  grid_part_free(&t);
  GrB_Matrix_free(&made);
  return info;
}

GrB_Info GrB_Matrix_diag(GrB_Matrix *C, const GrB_Vector v, int64_t k) {
  return GRID_TOLD("GrB_Matrix_diag", diagonal(C, v, k), *C, v);
}
