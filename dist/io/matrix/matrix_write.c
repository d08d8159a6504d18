/* Grid_Matrix_write: a matrix to a file of any format, each process the entries that it stores. */
#include "dist/io/formats/edge_matrix.h"
#include "dist/io/formats/formats.h"
#include "dist/matrix/matrix.h"
#include "dist/object/burble.h"
#include "dist/vector/vector.h"

static const char call[] = "Grid_Matrix_write";

static GrB_Info check_ids(GrB_Vector ids, GrB_Matrix A) {
  GrB_Index nvals = 0;
  GrB_Info info = grid_check_vector(ids, call, "ids");
  if (info != GrB_SUCCESS) return info;
  if (ids->type != GrB_UINT64)
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: ids has the type %s, not GrB_UINT64", call,
                     ids->type->name);
  if (ids->n != A->nrows || A->nrows != A->ncols)
    return grid_fail(
        &A->head, GrB_DIMENSION_MISMATCH,
        "%s: ids has %llu elements, but A is %llu x %llu: it names the vertices of a square matrix", call,
        (unsigned long long)ids->n, (unsigned long long)A->nrows, (unsigned long long)A->ncols);
  TRY(GrB_Vector_nvals(&nvals, ids));
  if (nvals < ids->n)
    return grid_fail(&A->head, GrB_INVALID_OBJECT, "%s: ids has only %llu entries, for %llu vertices", call,
                     (unsigned long long)nvals, (unsigned long long)ids->n);
done:
  return info;
}

/* The names of this process's range of vertices, into e. Agreed on. */
static GrB_Info extract_ids(Grid_Edges *e, GrB_Vector ids) {
  GrB_Info info;
  TRY(Grid_local_range(e->nrows, &e->ids_first, &e->ids_count));
  e->ids = grid_malloc(e->ids_count, sizeof *e->ids);
  info = e->ids ? GrB_SUCCESS : grid_fail_memory(NULL, "the vertices' numbers", e->ids_count, 8);
  TRY(grid_agree(NULL, info));
  TRY(GrB_Vector_wait(ids, GrB_COMPLETE));
  info = grid_agree(NULL, Grid_Vector_extractLocal(NULL, e->ids, &e->ids_count, ids));
done:
  return info;
}

static GrB_Info write_matrix(GrB_Matrix A, GrB_Vector ids, const char *path, const char *format) {
  Grid_Edges e = {0};
  GrB_Info info;
  TRY(grid_check_initialized(call));
  info = grid_check_object(A, NULL, call, "A");
  if (info == GrB_SUCCESS && ids) info = grid_check_object(ids, &A->head, call, "ids");
  if (info == GrB_SUCCESS && !path)
    info = grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument path is NULL", call);
  TRY(grid_agree_equal(grid_live_head(A), info, &(grid_argument){"ids", ids != NULL}, 1, call));
  if (ids) TRY(check_ids(ids, A));
  TRY(grid_make_edges_from_matrix(&e, A, path));
  if (ids) TRY(extract_ids(&e, ids));
  info = grid_write_as(&e, path, format, call);
done:
  Grid_Edges_free(&e);
  return info;
}

GrB_Info Grid_Matrix_write(GrB_Matrix A, GrB_Vector ids, const char *path, const char *format) {
  return GRID_TRACE_CALL(call, write_matrix(A, ids, path, format), A);
}
