/* See matrix_row_sums.h. Each process sums over the values of its block; the sums of rows (columns) that
 * several processes share are folded as a product's are. Where a matrix lies on the device or is split, row
 * sums are a product with a full vector, w = A (+).first 1. */
#include "dist/op/matrix_row_sums.h"

#include <string.h>

#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/op/vector_reduce.h"
#include "dist/product/dist_product.h"
#include "semiring/closure.h"
#include "semiring/op_codes.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/cpu/matrix/lmat_reduce.h"
#include "spmat/lmat_ops.h"

/* ---- as a product -------------------------------------------------------------------------------------- */

#define FIRST_OF(T, C) GrB_FIRST_##T,
/* FIRST; of a user-defined or complex type it is *udt, by a function of `closures`. */
static GrB_BinaryOp first_of(GrB_Type type, struct GrB_BinaryOp_opaque *udt, grid_closure_set *closures) {
  const GrB_BinaryOp first[] = {GRID_TYPES(FIRST_OF)};
  if (grid_type_is_real(type)) return first[type->code];
  *udt = (struct GrB_BinaryOp_opaque){.head = GRID_BUILTIN(GRID_IS_BINARY_OP, NULL),
                                      .op = GRID_OP_USER,
                                      .z = type,
                                      .x = type,
                                      .y = type,
                                      .f = grid_closure_bind(closures, 0, grid_closure_first, &type->size),
                                      .uses_x = true,
                                      .name = "FIRST"};
  return udt;
}

/* *index, to be freed: the n rows or columns of the block that are listed. */
static GrB_Info list_indices(GrB_Index **index, GrB_Index *n, GrB_Matrix A, bool rows) {
  const grid_axis *axis = rows ? &A->block.row : &A->block.col;
  *n = axis->n;
  *index = grid_malloc(*n, sizeof **index);
  if (!*index) return grid_fail_memory(NULL, "indices of rows or columns", *n, sizeof **index);
  for (uint64_t k = 0; k < *n; k++)
    (*index)[k] = rows ? grid_global_row(A->nrows, grid_axis_id(axis, k))
                       : grid_global_col(A->ncols, grid_axis_id(axis, k));
  return GrB_SUCCESS;
}

/* ones(k) = true for every k when that is short, else for those k where A holds entries: a vector as long as
 * a hypersparse dimension fits no memory. */
static GrB_Info fill_ones(GrB_Vector ones, GrB_Matrix A, bool transposed) {
  GrB_Info info;
  GrB_Index nvals, n = 0, *index = NULL;
  TRY(GrB_Matrix_nvals(&nvals, A));
  if (grid_is_paged_hypersparse(A)) {
    TRY(grid_agree(&A->head, list_indices(&index, &n, A, transposed)));
    TRY(Grid_Vector_build(ones, index, NULL, NULL, n, NULL));
    goto done;
  }
  if (grid_is_paged(A) || ones->n / GRID_LIST_SHARE <= nvals)
    return GrB_Vector_assign_BOOL(ones, NULL, NULL, true, GrB_ALL, ones->n, NULL);
  Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, A); /* says how many there are */
  index = grid_malloc(n, sizeof *index);
  TRY(grid_agree(&A->head,
                 index ? GrB_SUCCESS : grid_fail_memory(NULL, "indices of entries", n, sizeof *index)));
  TRY(grid_agree(
      &A->head, Grid_Matrix_extractLocal(transposed ? index : NULL, transposed ? NULL : index, NULL, &n, A)));
  info = Grid_Vector_build(ones, index, NULL, NULL, n, NULL);
done:
  grid_free(index);
  return info;
}

/* Column sums on one process, as the first product with A: a push reads the rows. Columns would take as much
 * memory as the rows do and pay only from the second call on, which makes them. */
static bool is_summed_along_rows(const grid_row_sums *r) {
  const GrB_Matrix A = r->A;
  return r->transposed && grid_ctx.P == 1 && !A->properties.ready && !(A->properties.forms & GRID_COLS) &&
         !grid_is_summed_by_product(A);
}

static GrB_Info multiply_ones(const grid_row_sums *r, bool along_rows, GrB_Descriptor desc) {
  const int direction = r->A->hints.direction;
  const bool is_real = r->one || grid_type_is_real(r->monoid->op->z);
  grid_closure_set *closures = is_real ? NULL : grid_closures_acquire();
  GrB_Info info = GrB_SUCCESS;
  struct GrB_BinaryOp_opaque udt;
  GrB_Vector ones = NULL;
  struct GrB_Semiring_opaque s = {
      .head = GRID_BUILTIN(GRID_IS_SEMIRING, NULL),
      .add = r->monoid,
      .mul = r->one ? GrB_ONEB_UINT64 : first_of(r->monoid->op->z, &udt, closures)};
  TRY(GrB_Vector_new(&ones, GrB_BOOL, r->transposed ? r->A->nrows : r->A->ncols));
  TRY(fill_ones(ones, r->A, r->transposed));
  if (along_rows) r->A->hints.direction = Grid_DIRECTION_PUSH;
  TRY(GrB_mxv(r->w, r->mask, r->accum, &s, r->A, ones, desc));
done:
  r->A->hints.direction = direction;
  GrB_Vector_free(&ones);
  grid_closures_release(closures);
  return info;
}

/* ---- over the values ----------------------------------------------------------------------------------- */

/* This process's sums become t, or y for the fold. */
static GrB_Info finish_local_sums(const grid_row_sums *r, const grid_axis *axis, bool direct, grid_output *y,
                                  grid_chunk *t) {
  const grid_local_matrix *block = &r->A->block;
  const size_t size = r->monoid->op->z->size;
  *y = (grid_output){.n = direct ? t->n : axis->n};
  if (direct) {
    GrB_Info info = grid_chunk_reserve_dense(t, false);
    if (info != GrB_SUCCESS) return info;
    y->bits = t->bits, y->val = t->val;
  } else {
    y->bits = y->owned_bits = grid_malloc(grid_words(y->n), sizeof *y->bits);
    y->val = y->owned_val = grid_malloc(y->n, size);
    if (!y->bits || !y->val) return grid_fail_memory(NULL, "sums of a block", y->n, size);
  }
  return grid_lmat_sum_vectors(y->val, y->bits, &y->found, block,
                               r->transposed ? &block->by_col : &block->by_row, y->n, r->monoid, r->one);
}

static GrB_Info sum_values(grid_row_sums *r, const grid_desc *d) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Matrix A = r->A;
  const GrB_BinaryOp op = r->monoid->op;
  if (A->properties.symmetric) r->transposed = grid_symmetric_reads_columns();
  TRY(grid_matrix_require(A, r->transposed ? GRID_COLS : 0));
  TRY(grid_comm_buffers_make(&A->cached.buffers));
  const struct GrB_Semiring_opaque s = {.add = r->monoid, .mul = op};
  grid_product p = {.call = r->call,
                    .A = A,
                    .transposed = r->transposed,
                    .s = (GrB_Semiring)(uintptr_t)&s,
                    .in.set = r->transposed ? GRID_SET_ROW : GRID_SET_COL,
                    .out.set = r->transposed ? GRID_SET_COL : GRID_SET_ROW,
                    .in.n = r->transposed ? A->nrows : A->ncols,
                    .out.n = r->transposed ? A->ncols : A->nrows};
  const grid_axis *axis = grid_out_axis(&p, &A->block);
  const bool direct = grid_set_size(p.out.set) == 1 && !axis->ids && axis->n == axis->dim;
  grid_output y = {0};
  grid_chunk t = grid_reusable_chunk(r->w, op->z);
  info = finish_local_sums(r, axis, direct, &y, &t);
  if (!direct)
    info = grid_fold(&p, info, &y, &t);
  else
    t.format = GRID_BITMAP, t.nvals = info == GrB_SUCCESS ? y.found : 0;
  if (info == GrB_SUCCESS) info = grid_chunk_choose_format(&t);
  info = grid_finish_output(r->w, r->mask, r->accum, d, &t, false, info);
  grid_free(y.owned_bits);
  grid_free(y.owned_val);
done:
  return info;
}

/* Does A have the degrees of its rows or columns, in host memory? Those of a paged matrix's rows are its
 * lengths. Greater degrees than UINT32_MAX are not exact. */
static const uint32_t *find_degrees(const grid_row_sums *r) {
  const GrB_Matrix A = r->A;
  return r->transposed && !A->properties.symmetric ? A->degrees.col : A->degrees.row;
}

static bool has_degrees(const grid_row_sums *r) {
  const GrB_Matrix A = r->A;
  if (grid_is_paged(A)) return !grid_is_paged_hypersparse(A) && (A->properties.symmetric || !r->transposed);
  return A->properties.ready && !grid_is_summed_by_product(A) && find_degrees(r) && r->w->n <= UINT32_MAX;
}

/* *handled, alike on all processes: A has degrees, and w has those above 0. */
static GrB_Info sum_by_host_degrees(const grid_row_sums *r, const grid_desc *d, bool *handled) {
  static const uint32_t zero = 0;
  GrB_Matrix A = r->A;
  *handled = false;
  if (!r->one || !has_degrees(r)) return GrB_SUCCESS;
  GrB_Info info = grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_READY);
  *handled = has_degrees(r); /* not if that has split A by new delegates */
  if (info != GrB_SUCCESS || !*handled) return info;
  const uint32_t *degree = find_degrees(r);
  const uint64_t n = r->w->chunk.n;
  const bool may_move = grid_device_is_on(); /* then the chunk gives its array up */
  grid_chunk all = {
      .n = n, .nvals = n, .type = GrB_UINT32, .format = GRID_FULL, .val = (void *)(uintptr_t)degree};
  grid_chunk t = grid_reusable_chunk(r->w, GrB_UINT32);
  if (may_move) {
    all.val = grid_malloc(n, sizeof *degree), all.cap_val = n * sizeof *degree;
    if (all.val)
      memcpy(all.val, degree, n * sizeof *degree);
    else
      info = grid_fail_memory(&A->head, "degrees", n, sizeof *degree);
  }
  if (info == GrB_SUCCESS)
    info = grid_vec_select(&t, &all, GrB_VALUEGT_UINT32, &zero, grid_chunk_first(r->w->n, grid_ctx.k));
  info = grid_finish_output(r->w, r->mask, r->accum, d, &t, false, info);
  if (may_move) grid_chunk_free(&all);
  return info;
}

/* w = those of the n numbers that are above 0; they are on the device, and freed: what the device cannot do
 * takes them to the host. info: the outcome so far. */
static GrB_Info make_degree_vector(const grid_row_sums *r, const grid_desc *d, GrB_Info info,
                                   uint32_t *count) {
  static const uint32_t zero = 0;
  const uint64_t n = r->w->chunk.n;
  grid_chunk t = grid_reusable_chunk(r->w, GrB_UINT32), all;
  grid_chunk_init(&all, GrB_UINT32, n);
  all.device = true, all.val = count, all.cap_val = count ? n * sizeof *count : 0;
  all.format = GRID_FULL, all.nvals = n;
  if (info == GrB_SUCCESS && n) info = grid_vec_select(&t, &all, GrB_VALUEGT_UINT32, &zero, 0);
  info = grid_finish_output(r->w, NULL, NULL, d, &t, false, info);
  grid_chunk_free(&all);
  return info;
}

/* *copy = n degrees of A. */
static GrB_Info copy_degrees(uint32_t **copy, const uint32_t *degree, uint64_t n) {
  *copy = grid_device_malloc(n, sizeof **copy);
  return *copy ? grid_device_copy(*copy, degree, n * sizeof **copy)
               : grid_device_fail_memory(NULL, "degrees", n, sizeof **copy);
}

/* On the device degrees of the owned rows and columns lie there, counted: *taken, and w has those above 0.
 * That there are any is known alike on all processes. */
static GrB_Info sum_by_degrees(const grid_row_sums *r, const grid_desc *d, bool *handled) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Matrix A = r->A;
  uint32_t *copy = NULL;
  *handled = false;
  if (!r->one || !grid_device_is_on() || r->mask || r->accum || grid_is_paged(A)) return info;
  TRY(grid_matrix_require(A, GRID_READY));
  *handled = !A->delegates.split && grid_has_degrees(A, !r->transposed) &&
             r->w->n <= UINT32_MAX; /* greater degrees are not exact */
  if (!*handled) return info;
  info = grid_degrees_to_device(A);
  if (info == GrB_SUCCESS)
    info = copy_degrees(&copy, r->transposed ? A->degrees.device_col : A->degrees.device_row, r->w->chunk.n);
  info = make_degree_vector(r, d, info, copy);
done:
  return info;
}

/* A matrix that no product has made ready: the rows of blocks on the device are counted where they are whole.
 * *taken, alike on all processes. */
static GrB_Info count_rows(const grid_row_sums *r, const grid_desc *d, bool *handled) {
  GrB_Matrix A = r->A;
  const grid_local_matrix *b = &A->block;
  uint32_t *count = NULL;
  const uint64_t refusals = grid_device_oom_count();
  *handled = false;
  if (!r->one || r->mask || r->accum || r->transposed || !grid_device_is_on() || grid_ctx.C > 1)
    return GrB_SUCCESS;
  if (A->properties.ready || A->delegates.split || A->bitmap.only || r->w->n > GRID_DENSE_LENGTH_MAX ||
      !grid_cuda->builder->count)
    return GrB_SUCCESS;
  GrB_Info info =
      b->device && !b->row.ids && grid_compressed_is_built(&b->by_row) ? GrB_SUCCESS : GRID_UNSUPPORTED;
  if (info == GrB_SUCCESS && !(count = grid_device_malloc(b->row.dim, sizeof *count)))
    info = GRID_UNSUPPORTED;
  if (info == GrB_SUCCESS)
    info = grid_device_oom_to_unsupported(grid_cuda->builder->count(b, true, count), refusals);
  info = grid_agree_supported(&A->head, info);
  *handled = info != GRID_UNSUPPORTED;
  if (info == GrB_SUCCESS) return make_degree_vector(r, d, info, count);
  grid_device_free(count);
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

bool grid_is_summed_by_product(GrB_Matrix A) {
  return grid_is_paged(A) || A->delegates.split || A->placement.on_device || grid_device_is_on();
}

GrB_Info grid_sum_rows(grid_row_sums *r, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Matrix A = r->A;
  grid_desc d;
  bool handled;
  TRY(grid_check_output(r->w, r->mask, r->accum, desc, r->monoid->op->z, r->call, &d));
  r->transposed = d.tran0;
  TRY(grid_check_size(d.tran0 ? A->ncols : A->nrows, r->w->n, &r->w->head, r->call,
                      d.tran0 ? "the list of A's columns" : "the list of A's rows", "w"));
  if (!r->one) TRY(grid_check_cast(r->monoid->op->z, A->type, &r->w->head, r->call, "A", "op"));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_ROWS));
  const bool along_rows = is_summed_along_rows(r);
  if (along_rows && r->one) TRY(grid_matrix_require(A, GRID_READY)); /* which counts degrees */
  TRY(sum_by_host_degrees(r, &d, &handled));
  if (handled) return info;
  TRY(count_rows(r, &d, &handled));
  if (handled) return info;
  TRY(sum_by_degrees(r, &d, &handled));
  if (handled) return info;
  info = grid_is_summed_by_product(A) || along_rows ? multiply_ones(r, along_rows, desc) : sum_values(r, &d);
done:
  return info;
}
