/* GrB_assign of a matrix or a value to a matrix or a part of it
 * (specification 4.3.7.2, 4.3.7.6).
 *
 * Each process first learns t, what comes to its block: the entries of A in their new places, or a value in
 * all places that I and J name, only where the mask allows it if that is no complement. With an accumulator
 * the rest is C<mask> accum= t. Without one, entries of C in the region I x J that t lacks go and others
 * stay: z = C with the region replaced by t, C<mask> = z. A value leaves none out where the mask allows it,
 * so then z is C with t's entries in it, and the mask is only looked at again for what replace removes. */
#include "dist/op/submatrix/matrix_assign.h"

#include <string.h>

#include "dist/object/burble.h"
#include "dist/op/submatrix/index_lists_outofcore.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/lmat_ops.h"

static const char standard[] = "GrB_assign";

typedef struct {
  GrB_Matrix C, mask;
  GrB_BinaryOp accum;
  grid_desc d;
  grid_list rows, cols; /* I and J */
  uint64_t first, end;  /* of a slice: the block's rows that it has; else 0, 0: all */
  bool slice;           /* it is one, on all processes */
  const char *call;
} assignment;

static bool covers_all(const assignment *a) {
  return a->rows.all && a->cols.all;
}

/* ---- the region in this process's block ---- */

typedef struct {
  grid_local_list rows, cols; /* the lists' memory */
  grid_region at;
} local_region;

static void region_free(local_region *r) {
  grid_local_list_free(&r->rows);
  grid_local_list_free(&r->cols);
}

static GrB_Info find_axis(grid_index_set *set, grid_local_list *own, const grid_list *l, uint64_t dim,
                          bool rows, GrB_Info info) {
  *set = (grid_index_set){.n = grid_block_length(dim, rows)};
  if (l->all) return info;
  if (grid_ctx.P == 1) {
    *set = l->set;
    return info;
  }
  info = grid_local_list_make(own, l, dim, rows, false, info);
  if (info != GrB_SUCCESS) return info;
  *set = own->index;
  return info;
}

static GrB_Info find_region(local_region *r, const assignment *a, GrB_Info info) {
  info = find_axis(&r->at.rows, &r->rows, &a->rows, a->C->nrows, true, info);
  return find_axis(&r->at.cols, &r->cols, &a->cols, a->C->ncols, false, info);
}

/* Of its rows those from first .. end alone. */
static GrB_Info extract_region(local_region *r, uint64_t first, uint64_t end) {
  grid_index_set *s = &r->at.rows;
  if (!s->list) {
    const uint64_t from = s->first > first ? s->first : first, last = s->first + s->n;
    *s = (grid_index_set){.first = from,
                          .n = from < last && from < end ? (last < end ? last : end) - from : 0};
    return GrB_SUCCESS;
  }
  uint64_t n = 0, *kept = r->rows.memory[1];
  if (!kept) kept = r->rows.memory[1] = grid_malloc(s->n, sizeof *kept);
  if (!kept) return grid_fail_memory(NULL, "rows of a slice", s->n, sizeof *kept);
  for (uint64_t k = 0; k < s->n; k++)
    if (s->list[k] >= first && s->list[k] < end) kept[n++] = s->list[k];
  *s = (grid_index_set){.list = kept, .n = n};
  return GrB_SUCCESS;
}

/* ---- writing ---- */

/* z = C's block with t in it: in place of the region, or (region NULL) of the entries that t has. */
static GrB_Info store_region(grid_local_matrix *z, const assignment *a, grid_local_matrix *t,
                             const grid_region *region) {
  const grid_local_matrix *c = &a->C->block;
  GrB_Info info = t->nvals == 0 ? GrB_SUCCESS : grid_lmat_cast(t, c->type);
  grid_lmat_init(z, c->type, c->row.dim, c->col.dim);
  return info == GrB_SUCCESS ? grid_lmat_assign(z, c, t, region) : info;
}

/* The end, with t in place of the region or of the entries that it has. Consumes t. */
static GrB_Info finish_store(const assignment *a, grid_local_matrix *t, const grid_region *region,
                             bool with_mask, GrB_Info info) {
  const grid_desc plain = {0};
  grid_local_matrix z = {0};
  TRY(grid_agree(&a->C->head, info));
  TRY(grid_matrix_require(a->C, GRID_WHOLE));
  info = store_region(&z, a, t, region);
  info =
      grid_finish_matrix(a->C, with_mask ? a->mask : NULL, NULL, with_mask ? &a->d : &plain, &z, false, info);
done:
  grid_lmat_free(t);
  return info;
}

static GrB_Info finish(const assignment *a, grid_local_matrix *t, GrB_Info info) {
  local_region r = {0};
  if (a->accum || covers_all(a)) return grid_finish_matrix(a->C, a->mask, a->accum, &a->d, t, false, info);
  info = find_region(&r, a, info);
  info = finish_store(a, t, &r.at, a->mask || a->d.complement, info);
  region_free(&r);
  return info;
}

/* ---- a matrix ---- */

/* Where the rows or columns of A's block go, by local index; a list's are in *table. */
static GrB_Info find_index_map(grid_index_map *x, uint64_t **table, GrB_Matrix A, const grid_list *l,
                               bool rows, GrB_Info info) {
  const uint64_t dim = rows ? A->nrows : A->ncols, n = grid_block_length(dim, rows);
  grid_local_list own = {0};
  *x = rows ? grid_block_row_map(A) : grid_block_col_map(A);
  if (l->all) return info;
  info = grid_local_list_make(&own, l, dim, rows, true, info);
  TRY(info);
  if (!own.index.list) { /* a range for all of them */
    *x = (grid_index_map){.axis = x->axis, .base = own.index.first};
    goto done;
  }
  /* whole words: the last ones are no rows */
  const uint64_t capacity = x->axis->ids && x->axis->dim > GRID_MAX_TABLE_LENGTH ? n : x->axis->dim;
  *table = grid_malloc(capacity, sizeof **table);
  if (!*table) TRY(grid_fail_memory(NULL, "places of rows or columns", capacity, sizeof **table));
  for (uint64_t k = n; k < capacity; k++) (*table)[k] = GRID_NO_TARGET;
  for (uint64_t k = 0; k < own.n; k++) (*table)[grid_index_at(&own.position, k)] = own.index.list[k];
  *x = (grid_index_map){.axis = x->axis, .table = *table};
done:
  grid_local_list_free(&own);
  return info;
}

/* The lists tell where A's own rows and columns go. */
static GrB_Info spread_and_route(grid_local_matrix *t, const assignment *a, GrB_Matrix A,
                                 const grid_list *of_rows, const grid_list *of_cols, bool flip) {
  uint64_t *row_table = NULL, *col_table = NULL;
  grid_index_map rows, cols;
  GrB_Info info = find_index_map(&rows, &row_table, A, of_rows, true, GrB_SUCCESS);
  info = find_index_map(&cols, &col_table, A, of_cols, false, info);
  info = grid_route_entries(a->C, &A->block, &rows, &cols, flip, info, t, a->call);
  grid_free(row_table);
  grid_free(col_table);
  return info;
}

static GrB_Info read_lists(assignment *a, const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,
                           bool shares) {
  GrB_Info info = grid_list_read(&a->rows, I, ni, a->C->nrows, shares, &a->C->head, a->call, "I");
  if (info != GrB_SUCCESS) return info;
  return grid_list_read(&a->cols, J, nj, a->C->ncols, shares, &a->C->head, a->call, "J");
}

static void free_lists(assignment *a) {
  grid_list_free(&a->rows);
  grid_list_free(&a->cols);
}

/* *t, for C's block: A's entries in their new places. */
static GrB_Info find_entries(grid_local_matrix *t, const assignment *a, GrB_Matrix A) {
  const bool flip = a->d.tran0;
  const grid_list *of_rows = flip ? &a->cols : &a->rows, *of_cols = flip ? &a->rows : &a->cols;
  GrB_Info info = grid_matrix_require(A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  if (grid_ctx.P == 1 && covers_all(a))
    return flip ? grid_lmat_transpose(&A->block, A->properties.symmetric, t)
                : grid_lmat_copy_rows(t, &A->block);
  if (grid_ctx.P == 1) return grid_lists_one_process(t, a->C, A, of_rows, of_cols, flip, grid_lmat_scatter);
  return spread_and_route(t, a, A, of_rows, of_cols, flip);
}

/* ---- a matrix, in slices ---- */

/* Some rows of C, and of what comes there. */
static GrB_Info matrix_slice(void *context, const grid_slices *s) {
  assignment a = *(const assignment *)context;
  grid_local_matrix t = {0};
  a.C = s->C, a.mask = s->mask, a.d.tran0 = false;
  GrB_Info info = grid_matrix_require(s->A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  return finish(&a, &t, grid_lmat_copy_rows(&t, &s->A->block));
}

static grid_out_of_core slices_of(const assignment *a, GrB_Matrix A, const grid_desc *d) {
  return (grid_out_of_core){.C = a->C,
                            .mask = a->mask,
                            .A = A,
                            .accum = a->accum,
                            .d = d,
                            .retains = !covers_all(a),
                            .run = matrix_slice,
                            .context = (void *)(uintptr_t)a};
}

/* A goes to a part of C: its entries come to their places first. */
static GrB_Info assign_permuted(const assignment *a, GrB_Matrix A) {
  const bool flip = a->d.tran0;
  grid_desc plain = a->d;
  grid_local_matrix t = {0};
  GrB_Matrix T = NULL;
  GrB_Info info;
  plain.tran0 = false;
  if (A->pages) {
    TRY(grid_permute_by_lists(&T, a->C, A, flip ? &a->cols : &a->rows, flip ? &a->rows : &a->cols, flip, true,
                              a->call));
  } else {
    info = find_entries(&t, a, A);
    TRY(grid_matrix_from_lmat(&T, a->C, &t, info));
  }
  const grid_out_of_core x = slices_of(a, T, &plain);
  bool out_of_core;
  TRY(grid_out_of_core_needed(&x, &out_of_core));
  info = out_of_core ? grid_out_of_core_run(&x)
                     : matrix_slice(x.context, &(grid_slices){a->C, a->mask, T, .row = 0});
done:
  GrB_Matrix_free(&T);
  return info;
}

/* Where matrices have no room. */
static GrB_Info assign_out_of_core(const assignment *a, GrB_Matrix A, bool *done) {
  const grid_out_of_core x = slices_of(a, A, &a->d);
  const GrB_Info info = grid_out_of_core_needed(&x, done);
  if (info != GrB_SUCCESS || !*done) return info;
  return covers_all(a) ? grid_out_of_core_run(&x) : assign_permuted(a, A);
}

static GrB_Info assign_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Matrix A,
                              const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,
                              GrB_Descriptor desc, bool shares, const char *call) {
  assignment a = {.C = C, .mask = mask, .accum = accum, .call = call};
  grid_local_matrix t = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_matrix_output(C, mask, accum, desc, A->type, call, &a.d));
  TRY(read_lists(&a, I, ni, J, nj, shares));
  const bool flip = a.d.tran0;
  TRY(grid_check_shape(flip ? A->ncols : A->nrows, flip ? A->nrows : A->ncols, a.rows.total, a.cols.total,
                       &C->head, call, "A", "what I and J name"));
  bool out_of_core;
  TRY(assign_out_of_core(&a, A, &out_of_core));
  if (out_of_core) goto done;
  info = find_entries(&t, &a, A);
  info = finish(&a, &t, info);
done:
  free_lists(&a);
  return info;
}

GrB_Info GrB_Matrix_assign(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                           const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                           GrB_Index ncols, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(
      standard,
      assign_matrix(C, mask, accum, A, row_indices, nrows, col_indices, ncols, desc, false, standard), C,
      mask, A);
}

GrB_Info Grid_Matrix_assign(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                            const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                            GrB_Index ncols, const GrB_Descriptor desc) {
  static const char call[] = "Grid_Matrix_assign";
  return GRID_TRACE_CALL(
      call,
      assign_matrix(C, mask, accum, A, row_indices, nrows, col_indices, ncols, desc, grid_ctx.P > 1, call), C,
      mask, A);
}

/* ---- a value ---- */

/* It comes wherever the mask allows it. */
static GrB_Info assign_allowed(const assignment *a, grid_local_matrix *t, const void *x,
                               const local_region *r) {
  GrB_Info info = grid_matrix_require(a->mask, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  info = grid_lmat_fill_mask(t, x, covers_all(a) ? NULL : &r->at, &a->mask->block, a->d.structure);
  if (a->accum || covers_all(a)) return grid_finish_matrix(a->C, a->mask, a->accum, &a->d, t, true, info);
  return finish_store(a, t, NULL, a->d.replace, info);
}

/* Is a value everywhere that the mask allows best written by place? Known alike on all processes. */
static bool is_positional(const assignment *a) {
  if (a->slice && a->d.complement) return false; /* rows beside the slice's are allowed, too */
  const bool merges_into_dense = grid_is_dense_update(a->C) && (a->accum || !a->d.replace);
  return covers_all(a) && a->mask && (grid_is_dense_profitable(a->mask) || merges_into_dense) &&
         grid_can_be_dense(a->C) && grid_is_dense_mask(a->C, a->mask, &a->d);
}

/* t has the value at all places, so that no bit of it is looked at but the mask's. */
static GrB_Info assign_by_position(const assignment *a, const void *x, GrB_Type type) {
  grid_chunk t = grid_dense_result(a->C, type);
  GrB_Info info = GrB_SUCCESS;
  if (t.n > 0) {
    info = grid_chunk_reserve_val(&t, 1);
    if (info == GrB_SUCCESS) {
      memcpy(t.val, x, type->size);
      t.format = GRID_FULL, t.nvals = t.n, t.iso = true;
    }
  }
  return grid_finish_dense(a->C, a->mask, a->accum, &a->d, &t, info);
}

typedef struct {
  const assignment *a;
  const void *value;
  GrB_Type type;
} assigned_value;

static GrB_Info assign_checked(const assignment *a, const void *x, GrB_Type type);

static GrB_Info value_slice(void *context, const grid_slices *s) {
  const assigned_value *v = context;
  assignment a = *v->a;
  a.C = s->C, a.mask = s->mask;
  a.first = s->row, a.end = s->end, a.slice = true;
  return assign_checked(&a, v->value, v->type);
}

static GrB_Info value_out_of_core(const assignment *a, const void *value, GrB_Type type, bool *done) {
  assigned_value v = {a, value, type};
  const grid_out_of_core x = {
      .C = a->C,
      .mask = a->mask,
      .accum = a->accum,
      .d = &a->d,
      .symmetric = covers_all(a) && !a->d.complement && a->mask && a->mask->properties.symmetric &&
                   a->mask->pending.n == 0 && !a->accum &&
                   ((a->C->nvals == 0 && a->C->pending.n == 0) || a->d.replace),
      .retains = !covers_all(a),
      .each = a->mask && !a->d.complement ? 0 : a->cols.n * (sizeof(uint32_t) + a->C->type->size),
      .run = value_slice,
      .context = &v};
  *done = false;
  const GrB_Info info = grid_out_of_core_needed(&x, done);
  return info == GrB_SUCCESS && *done ? grid_out_of_core_run(&x) : info;
}

/* x NULL: no entries. */
static GrB_Info assign_checked(const assignment *a, const void *x, GrB_Type type) {
  grid_local_matrix t;
  local_region r = {0};
  GrB_Info info = GrB_SUCCESS;
  grid_lmat_init(&t, type, a->C->block.row.dim, a->C->block.col.dim);
  bool out_of_core;
  TRY(value_out_of_core(a, x, type, &out_of_core));
  if (out_of_core) return info;
  const bool is_empty = a->rows.total == 0 || a->cols.total == 0;
  if (!x || is_empty || (a->d.complement && !a->mask)) return finish(a, &t, info);
  if (a->mask) TRY(grid_matrix_require(a->mask, GRID_MERGED));
  if (is_positional(a)) return assign_by_position(a, x, type);
  info = find_region(&r, a, info);
  if (info == GrB_SUCCESS && a->end) info = extract_region(&r, a->first, a->end);
  TRY(grid_agree(&a->C->head, info));
  if (a->mask && !a->d.complement) {
    info = assign_allowed(a, &t, x, &r);
  } else {
    info = grid_lmat_fill_region(&t, x, &r.at);
    info = finish(a, &t, info);
  }
done:
  region_free(&r);
  return info;
}

GrB_Info grid_matrix_assign_value(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const void *x,
                                  GrB_Type type, const GrB_Index *I, GrB_Index ni, const GrB_Index *J,
                                  GrB_Index nj, GrB_Descriptor desc) {
  assignment a = {.C = C, .mask = mask, .accum = accum, .call = standard};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix_output(C, mask, accum, desc, type, standard, &a.d));
  TRY(read_lists(&a, I, ni, J, nj, false));
  info = assign_checked(&a, x, type);
done:
  free_lists(&a);
  return info;
}

#define DEFINE_AS(P, T, C_TYPE)                                                                              \
  GrB_Info P##_Matrix_assign_##T(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, C_TYPE x,    \
                                 const GrB_Index *row_indices, GrB_Index nrows,                              \
                                 const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc) { \
    return GRID_TRACE_CALL(                                                                                  \
        standard,                                                                                            \
        grid_matrix_assign_value(C, mask, accum, &x, P##_##T, row_indices, nrows, col_indices, ncols, desc), \
        C, mask);                                                                                            \
  }
#define DEFINE(T, C_TYPE)         DEFINE_AS(GrB, T, C_TYPE)
#define DEFINE_COMPLEX(T, C_TYPE) DEFINE_AS(GxB, T, C_TYPE)
GRID_TYPES(DEFINE)
GRID_COMPLEX_TYPES(DEFINE_COMPLEX)
#undef DEFINE_AS
#undef DEFINE
#undef DEFINE_COMPLEX

GrB_Info GrB_Matrix_assign_UDT(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const void *x,
                               const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                               GrB_Index ncols, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_matrix(C, standard, "C");
  if (info == GrB_SUCCESS && !x)
    info = grid_fail(&C->head, GrB_NULL_POINTER, "%s: argument x is NULL", standard);
  if (info == GrB_SUCCESS) info = grid_check_user_type(C->type, &C->head, standard);
  if (info != GrB_SUCCESS) return info;
  return GRID_TRACE_CALL(
      standard,
      grid_matrix_assign_value(C, mask, accum, x, C->type, row_indices, nrows, col_indices, ncols, desc), C,
      mask);
}

GrB_Info GrB_Matrix_assign_Scalar(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                                  const GrB_Scalar s, const GrB_Index *row_indices, GrB_Index nrows,
                                  const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_matrix(C, standard, "C");
  if (info == GrB_SUCCESS) info = grid_check_scalar(s, &C->head, standard, "s");
  if (info != GrB_SUCCESS) return info;
  return GRID_TRACE_CALL(standard,
                         grid_matrix_assign_value(C, mask, accum, s->present ? s->val : NULL, s->type,
                                                  row_indices, nrows, col_indices, ncols, desc),
                         C, mask, s);
}
