/* Grid_Matrix_read: a matrix from a file of any format. The file's edges become its entries. A page file is
 * opened instead, so that its rows may stay on disk, and what the options ask for is derived from it. */
#include <stdio.h>
#include <string.h>

#include "dist/io/formats/edge_matrix.h"
#include "dist/io/formats/formats.h"
#include "dist/matrix/matrix.h"
#include "dist/object/burble.h"
#include "semiring/support/mem.h"
#include "semiring/threads/worker_error.h"

static const char call[] = "Grid_Matrix_read";

/* ---- what the options change of an opened matrix ---- */

/* A matrix and the options for it. dup: of one type, from which A's type is cast; joins_loops: it may change
 * an entry of the diagonal that is joined with itself. */
typedef struct {
  GrB_Matrix A;
  GrB_Index nrows, ncols;
  GrB_Type type;
  GrB_BinaryOp dup;
  bool joins_loops;
} opened;

/* x->A = B, or B is freed. */
static GrB_Info replace_matrix(opened *x, GrB_Matrix B, GrB_Info info) {
  GrB_Matrix_free(info == GrB_SUCCESS ? &x->A : &B);
  if (info == GrB_SUCCESS) x->A = B;
  return info;
}

static GrB_Info set_all_to_one(opened *x) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_new(&B, x->type, x->nrows, x->ncols);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_assign_BOOL(B, x->A, NULL, true, GrB_ALL, x->nrows, GrB_ALL, x->ncols, GrB_DESC_S);
  return replace_matrix(x, B, info);
}

static GrB_Info drop_loops(opened *x) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_new(&B, x->A->type, x->nrows, x->ncols);
  if (info == GrB_SUCCESS) info = GrB_Matrix_select_INT64(B, NULL, NULL, GrB_OFFDIAG, x->A, 0, NULL);
  return replace_matrix(x, B, info);
}

/* Every entry in both directions. An entry of the diagonal has one. */
static GrB_Info add_transpose(opened *x) {
  GrB_Matrix B = NULL, T = NULL;
  GrB_Info info;
  TRY(GrB_Matrix_new(&B, x->type, x->nrows, x->ncols));
  if (x->joins_loops) {
    TRY(GrB_Matrix_new(&T, x->A->type, x->nrows, x->ncols));
    TRY(GrB_Matrix_select_INT64(T, NULL, NULL, GrB_OFFDIAG, x->A, 0, GrB_DESC_T0));
  }
  info = GrB_Matrix_eWiseAdd_BinaryOp(B, NULL, NULL, x->dup, x->A, T ? T : x->A, T ? NULL : GrB_DESC_T1);
done:
  GrB_Matrix_free(&T);
  return replace_matrix(x, B, info);
}

/* The values in the type x->type. */
static GrB_Info cast_values(opened *x) {
  GrB_Matrix B = NULL;
  GrB_Info info = GrB_Matrix_new(&B, x->type, x->nrows, x->ncols);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_assign(B, NULL, NULL, x->A, GrB_ALL, x->nrows, GrB_ALL, x->ncols, NULL);
  return replace_matrix(x, B, info);
}

/* The operators that a page file records, in the order of their flags. */
static GrB_BinaryOp recorded_dup(const Grid_Pages_Info *p) {
  const GrB_BinaryOp dups[] = {GrB_MIN_FP64, GrB_MAX_FP64, GrB_PLUS_FP64, GrB_TIMES_FP64};
  return dups[p->dup / Grid_DUP_MAX];
}

/* Duplicates that were joined when the file was made cannot be joined otherwise. */
static GrB_Info check_duplicates(const char *path, const Grid_Pages_Info *p, const Grid_Read_Options *o) {
  const GrB_BinaryOp recorded = recorded_dup(p);
  if (!o->dup || o->pattern || p->pattern || p->tuples <= p->nvals || o->dup->op == recorded->op)
    return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "%s: dup is %s, but %s joined %llu duplicates when this page file was made", path,
                   o->dup->name, recorded->name, (unsigned long long)(p->tuples - p->nvals));
}

static GrB_Info open_pages(GrB_Matrix *A, const char *path, const Grid_Pages_Info *p,
                           const Grid_Read_Options *o) {
  const bool pattern = p->pattern || o->pattern;
  opened x = {.nrows = p->nrows,
              .ncols = p->ncols,
              .type = o->type   ? o->type
                      : pattern ? GrB_BOOL
                                : GrB_FP64,
              .dup = pattern  ? GrB_LOR
                     : o->dup ? o->dup
                              : recorded_dup(p),
              .joins_loops = (o->dup || p->dup) && !pattern && !o->no_loops && !p->no_loops};
  GrB_Info info;
  TRY(check_duplicates(path, p, o));
  TRY(Grid_Matrix_open(&x.A, path));
  if (o->no_loops && !p->no_loops) TRY(drop_loops(&x));
  if (pattern && (!p->pattern || x.type != GrB_BOOL)) TRY(set_all_to_one(&x));
  if (o->undirected && !p->symmetric && !p->skew && p->nrows == p->ncols) TRY(add_transpose(&x));
  if (x.A->type != x.type) TRY(cast_values(&x));
  *A = x.A, x.A = NULL;
done:
  GrB_Matrix_free(&x.A);
  return info;
}

/* ---- the names of the vertices ---- */

/* *ids = a vector with the names of the rows: those of e, or the index + e->base. */
static GrB_Info make_ids(GrB_Vector *ids, const Grid_Edges *e) {
  GrB_Index first = e->ids_first, count = e->ids_count;
  uint64_t named = e->ids != NULL, *index = NULL, *name = e->ids;
  GrB_Vector made = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_agree_sum(NULL, info, &named, 1));
  if (!named) TRY(Grid_local_range(e->nrows, &first, &count));
  index = grid_malloc(count, sizeof *index);
  if (!named) name = grid_malloc(count, sizeof *name);
  if (count && (!index || !name)) info = grid_fail_memory(NULL, "the vertices' numbers", count, 16);
  TRY(grid_agree(NULL, info));
  for (GrB_Index k = 0; k < count; k++) {
    index[k] = first + k;
    if (!named) name[k] = first + k + e->base;
  }
  TRY(GrB_Vector_new(&made, GrB_UINT64, e->nrows));
  TRY(Grid_Vector_build(made, index, name, GrB_UINT64, count, NULL));
  *ids = made, made = NULL;
done:
  GrB_Vector_free(&made);
  grid_free(index);
  if (!named) grid_free(name);
  return info;
}

/* The vertices of an edge list may be numbered from 1 on, without names. */
static GrB_Info name_numbered(Grid_Edges *e) {
  if (e->ids || !e->base || strcmp(e->kind, "edge list") != 0) return GrB_SUCCESS;
  GrB_Info info;
  TRY(Grid_local_range(e->nrows, &e->ids_first, &e->ids_count));
  e->ids = grid_malloc(e->ids_count, sizeof *e->ids);
  info = e->ids ? GrB_SUCCESS : grid_fail_memory(NULL, "the vertices' numbers", e->ids_count, 8);
  for (uint64_t k = 0; e->ids && k < e->ids_count; k++) e->ids[k] = e->ids_first + k + e->base;
  info = grid_agree(NULL, info);
done:
  return info;
}

/* *A = the matrix in which a vertex has its name as its number. */
static GrB_Info restore_ids(GrB_Matrix *A, const Grid_Edges *e, const char *path) {
  uint64_t most[2] = {0, e->ids != NULL};
  GrB_Matrix B = NULL;
  GrB_Info info;
  for (uint64_t k = 0; e->ids && k < e->ids_count; k++)
    if (e->ids[k] > most[0]) most[0] = e->ids[k];
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, most, 2, GRID_MAX));
  if (!most[1]) return info; /* the format numbers the vertices */
  if (most[0] > GrB_INDEX_MAX)
    return grid_fail(
        NULL, GrB_INVALID_VALUE,
        "%s: the vertex %llu is above 2^60 - 1, so it cannot be a row: read without original_ids", path,
        (unsigned long long)most[0]);
  TRY(GrB_Matrix_new(&B, (*A)->type, most[0] + 1, most[0] + 1));
  TRY(Grid_Matrix_assign(B, NULL, NULL, *A, e->ids, e->ids_count, e->ids, e->ids_count, NULL));
  GrB_Matrix_free(A);
  *A = B, B = NULL;
done:
  GrB_Matrix_free(&B);
  return info;
}

/* ---- the call ---- */

static GrB_Info check_arguments(const GrB_Matrix *A, const GrB_Vector *ids, const char *path,
                                const Grid_Read_Options *o) {
  GrB_Info info = GrB_SUCCESS;
  if (!A || !path)
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, A ? "path" : "A");
  if (ids && o->original_ids)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: ids is not NULL, but with original_ids row k is vertex k: pass one of the two",
                     call);
  if (o->type) TRY(grid_check_object(o->type, NULL, call, "type"));
  if (o->type && !grid_type_is_real(o->type))
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH, "%s: type is %s; files hold real numbers", call,
                     o->type->name);
  TRY(grid_check_dup(NULL, o->type ? o->type : GrB_FP64, o->dup, GrB_FP64, call));
done:
  return info;
}

/* Other options take other messages. Agreed on with `info`. */
static GrB_Info agree_on_arguments(GrB_Info info, const GrB_Vector *ids, const Grid_Read_Options *o) {
  const bool fine = info == GrB_SUCCESS;
  const uint64_t type = fine && o->type ? (uint64_t)grid_type_code(o->type) : 0,
                 dup = grid_text_value(fine && o->dup ? o->dup->name : NULL),
                 flags =
                     (uint64_t)(o->undirected | o->no_loops << 1 | o->pattern << 2 | o->original_ids << 3);
  const grid_argument same[] = {{"ids", ids != NULL},
                                {"options->format", grid_text_value(o->format)},
                                {"options->type", type},
                                {"options->dup", dup},
                                {"options", flags}};
  return grid_agree_equal(NULL, info, same, sizeof same / sizeof *same, call);
}

/* *p = the file's header, if it is a page file. Otherwise the last error remains what it was. */
static bool is_page_file(Grid_Pages_Info *p, const char *path) {
  char before[GRID_ERROR_TEXT_SIZE];
  snprintf(before, sizeof before, "%s", grid_last_error());
  const bool is = Grid_pages_info(p, path) == GrB_SUCCESS;
  if (!is) grid_fail(NULL, GrB_NO_VALUE, "%s", before);
  return is;
}

static GrB_Info read_matrix(GrB_Matrix *A, GrB_Vector *ids, const char *path, const Grid_Read_Options *o) {
  static const Grid_Read_Options defaults;
  Grid_Pages_Info p;
  Grid_Edges e = {0};
  GrB_Matrix B = NULL;
  GrB_Info info;
  if (!o) o = &defaults;
  TRY(grid_check_initialized(call));
  info = check_arguments(A, ids, path, o);
  TRY(agree_on_arguments(info, ids, o));
  if ((!o->format || strcmp(o->format, "pages") == 0) && is_page_file(&p, path)) {
    TRY(open_pages(&B, path, &p, o));
    if (ids || o->original_ids) TRY(Grid_Pages_names(&e, path));
  } else {
    TRY(grid_read_as(&e, path, o->format, false, NULL, call));
    TRY(grid_make_matrix_from_edges(&B, &e, o));
  }
  if (o->original_ids) TRY(name_numbered(&e));
  if (o->original_ids) TRY(restore_ids(&B, &e, path));
  if (ids) TRY(make_ids(ids, &e));
  *A = B, B = NULL;
done:
  GrB_Matrix_free(&B);
  Grid_Edges_free(&e);
  return info;
}

GrB_Info Grid_Matrix_read(GrB_Matrix *A, GrB_Vector *ids, const char *path,
                          const Grid_Read_Options *options) {
  return GRID_TRACE_NEW_CALL(call, 0, read_matrix(A, ids, path, options), A, NULL);
}
