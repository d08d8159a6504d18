/* Grid_Matrix_sample: each process draws from the rows that it has, on a grid of one column; else the rows
 * are extracted first (sample_extraction.c). */
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/graph/public_calls/sample_extraction.h"
#include "dist/vector/vector.h"
#include "spmat/lmat_ops.h"

static const char call[] = "Grid_Matrix_sample";

typedef struct {
  GrB_Matrix C;       /* or NULL */
  GrB_Vector columns; /* or NULL */
  GrB_Matrix A;
  GrB_Vector count;
  uint64_t seed;
} sampling;

static GrB_Info check_sample(GrB_Matrix C, GrB_Matrix A) {
  GrB_Info info;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_size(C->nrows, A->nrows, &A->head, call, "the list of C's rows", "that of A"));
  TRY(grid_check_size(C->ncols, A->ncols, &A->head, call, "the list of C's columns", "that of A"));
  if (C->type != A->type) return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: C is not of A's type", call);
  TRY(grid_matrix_require(C, GRID_ROWS));
  if (C->nvals)
    return grid_fail(&A->head, GrB_OUTPUT_NOT_EMPTY, "%s: C holds %llu entries already", call,
                     (unsigned long long)C->nvals);
done:
  return info;
}

static GrB_Info check_vector(GrB_Vector v, GrB_Type type, uint64_t n, GrB_Matrix A, const char *name,
                             const char *of_a) {
  GrB_Info info;
  TRY(grid_check_operand(v, &A->head, call, name));
  TRY(grid_check_size(v->n, n, &A->head, call, name, of_a));
  if (v->type != type)
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: %s is not of type %s", call, name, type->name);
done:
  return info;
}

static GrB_Info check(const sampling *s) {
  const GrB_Matrix A = s->A;
  GrB_Info info;
  TRY(grid_check_matrix(A, call, "A"));
  TRY(check_vector(s->count, GrB_INT64, A->nrows, A, "count", "the list of A's rows"));
  if (!s->C && !s->columns)
    return grid_fail(&A->head, GrB_NULL_POINTER, "%s: arguments C and columns are both NULL", call);
  if (s->C) TRY(check_sample(s->C, A));
  if (s->columns) TRY(check_vector(s->columns, GrB_BOOL, A->ncols, A, "columns", "the list of A's columns"));
done:
  return info;
}

/* Has each process all entries of its rows, which are those of its chunk of a vector, in memory? */
static bool has_whole_rows(GrB_Matrix A) {
  return grid_ctx.C == 1 && !A->delegates.split && !grid_is_paged(A);
}

/* This process's rows of the sample, and its columns; either may be NULL. */
static GrB_Info draw(grid_local_matrix *t, grid_chunk *columns, const sampling *s) {
  const grid_sample_operands x = {.a = &s->A->block,
                                  .count = &s->count->chunk,
                                  .first = grid_chunk_first(s->A->nrows, grid_ctx.k),
                                  .seed = s->seed};
  if (t) grid_lmat_init(t, s->A->type, grid_block_rows(s->A->nrows), grid_block_cols(s->A->ncols));
  return grid_lmat_sample(t, columns, &x);
}

static GrB_Info adopt(GrB_Matrix C, grid_local_matrix *t, GrB_Info info) {
  info = grid_matrix_adopt(C, &(grid_build){0}, t, info);
  if (info == GrB_SUCCESS)
    grid_dense_force(C);
  else
    grid_lmat_free(t); /* another process has failed */
  return info;
}

/* On one process the columns are marked while entries are drawn. */
static GrB_Info sample_with_columns(const sampling *s) {
  const grid_desc no_options = {0};
  grid_local_matrix t;
  grid_chunk columns = grid_reusable_chunk(s->columns, GrB_BOOL);
  GrB_Info info = draw(s->C ? &t : NULL, &columns, s);
  if (s->C) info = adopt(s->C, &t, info);
  info = grid_finish_output(s->columns, NULL, NULL, &no_options, &columns, false, info);
  if (info != GrB_SUCCESS && s->C) (void)GrB_Matrix_clear(s->C);
  return info;
}

/* columns = those of C's entries, of which each process has its rows. */
static GrB_Info send_columns(GrB_Vector columns, GrB_Matrix C) {
  GrB_Info info;
  GrB_Index n = 0, *col = NULL;
  GrB_Vector found = NULL;
  TRY(GrB_Vector_new(&found, GrB_BOOL, columns->n));
  TRY(Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, C));
  col = grid_malloc(n, sizeof *col);
  info = col ? GrB_SUCCESS : grid_fail_memory(NULL, "columns of a sample", n, sizeof *col);
  TRY(grid_agree(&C->head, info));
  TRY(grid_agree(&C->head, Grid_Matrix_extractLocal(NULL, col, NULL, &n, C)));
  TRY(Grid_Vector_build(found, col, NULL, NULL, n, NULL));
  info = GrB_Vector_assign(columns, NULL, NULL, found, GrB_ALL, columns->n, NULL);
done:
  grid_free(col);
  GrB_Vector_free(&found);
  return info;
}

static GrB_Info sample_rows(const sampling *s) {
  GrB_Info info;
  GrB_Matrix C = s->C;
  grid_local_matrix t;
  if (!C) TRY(GrB_Matrix_new(&C, s->A->type, s->A->nrows, s->A->ncols));
  info = draw(&t, NULL, s);
  TRY(adopt(C, &t, info));
  if (s->columns) info = send_columns(s->columns, C);
  if (info != GrB_SUCCESS) (void)GrB_Matrix_clear(C);
done:
  if (!s->C) GrB_Matrix_free(&C);
  return info;
}

static GrB_Info sample(const sampling *s) {
  GrB_Info info;
  TRY(check(s));
  TRY(grid_matrix_require(s->A, GRID_OUTOFCORE | GRID_ROWS));
  if (!has_whole_rows(s->A))
    return grid_fail_inside(&s->A->head, grid_sample_by_extraction(s->C, s->columns, s->A, s->count, s->seed),
                            call);
  TRY(grid_matrix_require(s->A, GRID_WHOLE));
  info = grid_ctx.P == 1 && s->columns && !s->A->block.col.ids ? sample_with_columns(s) : sample_rows(s);
done:
  return info;
}

GrB_Info Grid_Matrix_sample(GrB_Matrix C, GrB_Vector columns, GrB_Matrix A, GrB_Vector count, uint64_t seed) {
  const sampling s = {C, columns, A, count, seed};
  return GRID_TRACE_CALL(call, sample(&s), C, columns, A, count);
}
