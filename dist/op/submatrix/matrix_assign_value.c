/* GrB_assign of a value to a matrix or a part of it (specification 4.3.7.6; matrix_assign.c says how). */
#include "dist/op/submatrix/matrix_assign.h"

#include <string.h>

#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/submatrix/assign_region.h"
#include "dist/outofcore/operations/outofcore_run.h"

static const char call[] = "GrB_assign";
/* Fraction of the remaining budget for the entries of a value that is assigned as a matrix. */
enum { SHARE_FULL = 6 };

/* It comes wherever the mask allows it. */
static GrB_Info assign_allowed(const grid_assignment *a, grid_local_matrix *t, const void *x,
                               const grid_assign_region *r) {
  GrB_Info info = grid_matrix_require(a->mask, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  info =
      grid_lmat_fill_mask(t, x, grid_assign_covers_all(a) ? NULL : &r->at, &a->mask->block, a->d.structure);
  if (a->accum || grid_assign_covers_all(a))
    return grid_finish_matrix(a->C, a->mask, a->accum, &a->d, t, true, info);
  return grid_assign_store(a, t, false, a->d.replace, info);
}

/* Is a value everywhere that the mask allows best written by place? Known alike on all processes. */
static bool is_positional(const grid_assignment *a) {
  if (a->slice && a->d.complement) return false; /* rows beside the slice's are allowed, too */
  const bool merges_into_dense = grid_is_dense_update(a->C) && (a->accum || !a->d.replace);
  return grid_assign_covers_all(a) && a->mask && (grid_is_dense_profitable(a->mask) || merges_into_dense) &&
         grid_can_be_dense(a->C) && grid_is_dense_mask(a->C, a->mask, &a->d);
}

/* t has the value at all places, so that no bit of it is looked at but the mask's. */
static GrB_Info assign_by_position(const grid_assignment *a, const void *x, GrB_Type type) {
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
  const grid_assignment *a;
  const void *value;
  GrB_Type type;
} assigned_value;

static GrB_Info assign_checked(const grid_assignment *a, const void *x, GrB_Type type);

static GrB_Info value_slice(void *context, const grid_slices *s) {
  const assigned_value *v = context;
  grid_assignment a = *v->a;
  a.C = s->C, a.mask = s->mask;
  a.first = s->row, a.end = s->end, a.slice = true;
  return assign_checked(&a, v->value, v->type);
}

static GrB_Info value_out_of_core(const grid_assignment *a, const void *value, GrB_Type type, bool *done) {
  assigned_value v = {a, value, type};
  const grid_out_of_core x = {
      .C = a->C,
      .mask = a->mask,
      .accum = a->accum,
      .d = &a->d,
      .symmetric = grid_assign_covers_all(a) && !a->d.complement && a->mask &&
                   a->mask->properties.symmetric && a->mask->pending.n == 0 && !a->accum &&
                   ((a->C->nvals == 0 && a->C->pending.n == 0) || a->d.replace),
      .retains = !grid_assign_covers_all(a),
      .row_bytes = a->mask && !a->d.complement ? 0 : a->cols.n * (sizeof(uint32_t) + a->C->type->size),
      .run = value_slice,
      .context = &v};
  *done = false;
  const GrB_Info info = grid_out_of_core_needed(&x, done);
  return info == GrB_SUCCESS && *done ? grid_out_of_core_run(&x) : info;
}

/* x NULL: no entries. */
static GrB_Info assign_checked(const grid_assignment *a, const void *x, GrB_Type type) {
  grid_local_matrix t;
  grid_assign_region r = {0};
  GrB_Info info = GrB_SUCCESS;
  grid_lmat_init(&t, type, a->C->block.row.dim, a->C->block.col.dim);
  bool out_of_core;
  TRY(value_out_of_core(a, x, type, &out_of_core));
  if (out_of_core) return info;
  const bool is_empty = a->rows.total == 0 || a->cols.total == 0;
  if (!x || is_empty || (a->d.complement && !a->mask)) return grid_assign_finish(a, &t, info);
  if (a->mask) TRY(grid_matrix_require(a->mask, GRID_MERGED));
  if (is_positional(a)) return assign_by_position(a, x, type);
  info = grid_assign_find_region(&r, a, a->d.complement ? NULL : a->mask, info);
  if (info == GrB_SUCCESS && a->end) info = grid_assign_extract_region(&r, a->first, a->end);
  TRY(grid_agree(&a->C->head, info));
  if (a->mask && !a->d.complement) {
    info = assign_allowed(a, &t, x, &r);
  } else {
    info = grid_lmat_fill_region(&t, x, &r.at);
    info = grid_assign_finish(a, &t, info);
  }
done:
  grid_assign_region_free(&r);
  return info;
}

/* ---- to listed rows and columns on disk ---- */

/* Do entries come where neither C nor the mask lists rows and columns, of which one is on disk? */
static bool is_beyond_lists(const grid_assignment *a) {
  return (grid_is_paged_hypersparse(a->C) || (a->mask && grid_is_paged_hypersparse(a->mask))) &&
         (!a->mask || a->d.complement) && a->rows.total && a->cols.total;
}

/* All entries are made in memory, and assigned as a matrix. */
static GrB_Info assign_full(const grid_assignment *a, const void *x, GrB_Type type, const GrB_Index *I,
                            GrB_Index ni, const GrB_Index *J, GrB_Index nj) {
  const struct GrB_Descriptor_opaque desc = grid_desc_plain(&a->d);
  const uint64_t most = grid_slice_bytes(SHARE_FULL) / GRID_HYPERSPARSE_VALUED;
  GrB_Matrix T = NULL;
  uint64_t n;
  GrB_Info info = GrB_SUCCESS;
  if (__builtin_mul_overflow(a->rows.total, a->cols.total, &n) || n > most)
    info = grid_fail(
        &a->C->head, GrB_OUT_OF_MEMORY,
        "%s: a value for %llu x %llu entries does not fit in memory, which has room for %llu; C or "
        "the mask is on disk and lists its non-empty rows and columns",
        call, (unsigned long long)a->rows.total, (unsigned long long)a->cols.total, (unsigned long long)most);
  TRY(grid_agree(&a->C->head, info));
  TRY(GrB_Matrix_new(&T, type, a->rows.total, a->cols.total));
  TRY(grid_matrix_assign_value(T, NULL, NULL, x, type, GrB_ALL, T->nrows, GrB_ALL, T->ncols, NULL));
  info = GrB_Matrix_assign(a->C, a->mask, a->accum, T, I, ni, J, nj, (GrB_Descriptor)(uintptr_t)&desc);
done:
  GrB_Matrix_free(&T);
  return info;
}

GrB_Info grid_matrix_assign_value(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const void *x,
                                  GrB_Type type, const GrB_Index *I, GrB_Index ni, const GrB_Index *J,
                                  GrB_Index nj, GrB_Descriptor desc) {
  grid_assignment a = {.C = C, .mask = mask, .accum = accum, .call = call};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix_output(C, mask, accum, desc, type, call, &a.d));
  TRY(grid_assign_read_lists(&a, I, ni, J, nj, false));
  info = x && is_beyond_lists(&a) ? assign_full(&a, x, type, I, ni, J, nj) : assign_checked(&a, x, type);
done:
  grid_assign_free_lists(&a);
  return info;
}

#define DEFINE(P, T, C_TYPE)                                                                                 \
  GrB_Info P##_Matrix_assign_##T(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, C_TYPE x,    \
                                 const GrB_Index *row_indices, GrB_Index nrows,                              \
                                 const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc) { \
    return GRID_TRACE_SIZED_CALL(                                                                            \
        call, grid_assign_estimate(C, mask, row_indices, nrows, col_indices, ncols),                         \
        grid_matrix_assign_value(C, mask, accum, &x, P##_##T, row_indices, nrows, col_indices, ncols, desc), \
        C, mask);                                                                                            \
  }
GRID_PREDEFINED_TYPES(DEFINE)
#undef DEFINE

GrB_Info GrB_Matrix_assign_UDT(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const void *x,
                               const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                               GrB_Index ncols, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info == GrB_SUCCESS && !x) info = grid_fail(&C->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (info == GrB_SUCCESS) info = grid_check_user_type(C->type, &C->head, call);
  if (info != GrB_SUCCESS) return info;
  return GRID_TRACE_SIZED_CALL(
      call, grid_assign_estimate(C, mask, row_indices, nrows, col_indices, ncols),
      grid_matrix_assign_value(C, mask, accum, x, C->type, row_indices, nrows, col_indices, ncols, desc), C,
      mask);
}

GrB_Info GrB_Matrix_assign_Scalar(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                                  const GrB_Scalar s, const GrB_Index *row_indices, GrB_Index nrows,
                                  const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info == GrB_SUCCESS) info = grid_check_scalar(s, &C->head, call, "s");
  if (info != GrB_SUCCESS) return info;
  return GRID_TRACE_SIZED_CALL(call, grid_assign_estimate(C, mask, row_indices, nrows, col_indices, ncols),
                               grid_matrix_assign_value(C, mask, accum, s->present ? s->val : NULL, s->type,
                                                        row_indices, nrows, col_indices, ncols, desc),
                               C, mask, s);
}
