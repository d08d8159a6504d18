/* Grid_Matrix_best_label: for each row the label of largest sum. On one process the rows are taken one by one
 * from the block, by the CPU or the GPU; else it is computed by products. */
#include "dist/object/burble.h"
#include "dist/op/extensions/best_label.h"
#include "dist/op/matrix_row_sums.h"
#include "dist/vector/vector.h"
#include "spmat/cpu/matrix/lmat_best_label.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"
#include "spmat/vec_ops.h"
#include "spmat/vector/bitmap_words.h"

static const char call[] = "Grid_Matrix_best_label";

typedef struct {
  GrB_Matrix A;
  GrB_Vector label, price, scale, bonus; /* the last three may be NULL */
  GrB_Index n;
  bool count; /* entries of A count 1 */
} label_operands;

static GrB_Info check_numbers(GrB_Vector v, GrB_Vector best, uint64_t n, const char *name) {
  GrB_Info info = GrB_SUCCESS;
  if (!v) return info;
  TRY(grid_check_operand(v, &best->head, call, name));
  TRY(grid_check_size(v->n, n, &best->head, call, name, "the list of A's rows"));
  TRY(grid_check_cast(GrB_FP64, v->type, &best->head, call, name, "FP64"));
done:
  return info;
}

static GrB_Info check(GrB_Vector best, label_operands *x, grid_desc *d) {
  GrB_Info info;
  TRY(grid_check_vector(best, call, "best"));
  TRY(grid_check_matrix(x->A, call, "A"));
  TRY(grid_check_operand(x->label, &best->head, call, "label"));
  x->n = x->A->nrows;
  TRY(grid_check_size(x->A->ncols, x->n, &best->head, call, "the list of A's columns", "that of its rows"));
  TRY(grid_check_size(best->n, x->n, &best->head, call, "best", "the list of A's rows"));
  TRY(grid_check_size(x->label->n, x->n, &best->head, call, "label", "the list of A's rows"));
  TRY(grid_check_index_vector(x->label, &best->head, call));
  if (!x->count) TRY(grid_check_cast(GrB_FP64, x->A->type, &best->head, call, "A", "FP64"));
  TRY(check_numbers(x->price, best, x->n, "price"));
  TRY(check_numbers(x->scale, best, x->n, "scale"));
  TRY(check_numbers(x->bonus, best, x->n, "bonus"));
  TRY(grid_check_output(best, NULL, NULL, NULL, GrB_INT64, call, d));
done:
  return info;
}

/* ---- on one process ------------------------------------------------------------------------------------ */

/* An array with a value of each vertex. */
typedef struct {
  void *own; /* to be freed */
  const void *value;
} dense_values;

/* x(k) = v(k), where it has an entry, in FP64 or INT64: 8 bytes. */
static GrB_Info copy_entries(uint64_t *x, const grid_chunk *v, GrB_Type type) {
  const uint64_t m = v->nvals;
  if (v->format == GRID_BITMAP && v->type == type && !v->iso) {
    const uint64_t *value = v->val;
#pragma omp parallel for schedule(static) num_threads(grid_word_threads(v->n / 64))
    for (uint64_t k = 0; k < v->n; k++) x[k] = grid_bit(v->bits, k) ? value[k] : x[k];
    return GrB_SUCCESS;
  }
  uint64_t *at = grid_malloc(m, sizeof *at), *value = grid_malloc(m, sizeof *value);
  GrB_Info info =
      at && value ? GrB_SUCCESS : grid_fail_memory(NULL, "entries of a vector", m, 2 * sizeof *at);
  if (info == GrB_SUCCESS) info = grid_vec_tuples(at, value, type, v, 0);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < m; k++) x[at[k]] = value[k];
  grid_free(at);
  grid_free(value);
  return info;
}

/* Those of v in FP64 or INT64, of which 8 bytes `missing` stand where v has no entry; v's own array where it
 * serves. */
static GrB_Info load_dense(dense_values *x, const grid_chunk *v, GrB_Type type, uint64_t missing) {
  *x = (dense_values){.value = v->val};
  if (v->format == GRID_FULL && v->type == type && !v->iso) return GrB_SUCCESS;
  uint64_t *all = x->own = grid_malloc(v->n, sizeof *all);
  x->value = all;
  if (!all) return grid_fail_memory(NULL, "values of vertices", v->n, sizeof *all);
#pragma omp parallel for schedule(static) num_threads(grid_word_threads(v->n / 64))
  for (uint64_t k = 0; k < v->n; k++) all[k] = missing;
  return copy_entries(all, v, type);
}

static GrB_Info load_numbers(dense_values *x, GrB_Vector v) {
  *x = (dense_values){0};
  return v ? load_dense(x, &v->chunk, GrB_FP64, 0) : GrB_SUCCESS;
}

/* Each is a number below n; below 0: the vertex has none. */
static GrB_Info load_labels(dense_values *x, GrB_Vector label, uint64_t n, GrB_Vector best) {
  const int64_t none = -1;
  const GrB_Info info = load_dense(x, &label->chunk, GrB_INT64, (uint64_t)none);
  const int64_t *l = x->value;
  uint64_t wrong = (uint64_t)none, right = 0;
  if (info != GrB_SUCCESS) return info;
#pragma omp parallel for schedule(static) reduction(+ : right) num_threads(grid_word_threads(n / 64))
  for (uint64_t k = 0; k < n; k++) right += l[k] >= 0 && (uint64_t)l[k] < n;
  if (right == label->chunk.nvals) return GrB_SUCCESS;
  for (uint64_t k = 0; k < n; k++)
    if (l[k] != none && (l[k] < 0 || (uint64_t)l[k] >= n)) wrong = (uint64_t)l[k];
  return grid_check_indices(&wrong, 1, n, &best->head, call);
}

/* The values of A's entries in FP64; *iso: one for all. */
static GrB_Info load_entries(dense_values *x, bool *iso, const grid_local_matrix *a, bool count) {
  static const double one = 1;
  const grid_copier copy = grid_copier_bind(GrB_FP64, a->type);
  const void *from = a->iso ? a->iso_val : a->by_row.val;
  const uint64_t n = a->iso ? 1 : a->nvals;
  *x = (dense_values){.value = count ? &one : from};
  *iso = count || a->iso;
  if (count || a->type == GrB_FP64) return GrB_SUCCESS;
  x->value = x->own = grid_malloc(n, sizeof(double));
  if (!x->own) return grid_fail_memory(NULL, "values of a matrix", n, sizeof(double));
  grid_copy_run(&copy, x->own, from, 1, n);
  return GrB_SUCCESS;
}

/* t(row[k]) = best[k] where it is a label; the arrays are changed. */
static GrB_Info make_result(grid_chunk *t, uint64_t *row, int64_t *best, uint64_t n) {
  uint64_t m = 0, where;
  for (uint64_t k = 0; k < n; k++)
    if (best[k] >= 0) row[m] = row[k], best[m++] = best[k];
  return grid_vec_build(t, row, best, GrB_INT64, 1, m, (grid_dup){.last = true}, &where);
}

static GrB_Info search_rows(grid_chunk *t, GrB_Vector best, const label_operands *x) {
  GrB_Info info;
  const uint64_t n = x->scale ? x->scale->chunk.nvals : x->n;
  dense_values label = {0}, price = {0}, bonus = {0}, entries = {0};
  uint64_t *row = grid_malloc(n, sizeof *row);
  int64_t *found = grid_malloc(n, sizeof *found);
  bool iso = false;
  double *scale = grid_malloc(x->scale ? n : 0, sizeof *scale);
  TRY(row && found && scale ? GrB_SUCCESS : grid_fail_memory(NULL, "labels of rows", n, 3 * sizeof *row));
  if (x->scale) TRY(grid_vec_tuples(row, scale, GrB_FP64, &x->scale->chunk, 0));
  for (uint64_t k = 0; !x->scale && k < n; k++) row[k] = k;
  TRY(load_labels(&label, x->label, x->n, best));
  TRY(load_numbers(&price, x->price));
  TRY(load_numbers(&bonus, x->bonus));
  TRY(load_entries(&entries, &iso, &x->A->block, x->count));
  TRY(grid_lmat_best_label(found, &(grid_label_rows){.a = &x->A->block,
                                                     .val = entries.value,
                                                     .iso = iso,
                                                     .row = row,
                                                     .scale = x->scale ? scale : NULL,
                                                     .label = label.value,
                                                     .price = price.value,
                                                     .bonus = bonus.value,
                                                     .n = n}));
  info = make_result(t, row, found, n);
done:
  grid_free(label.own);
  grid_free(price.own);
  grid_free(bonus.own);
  grid_free(entries.own);
  grid_free(row);
  grid_free(found);
  grid_free(scale);
  return info;
}

/* One process, values of all vertices in host memory, and no split, pages or device. */
static bool can_search_rows(const label_operands *x) {
  return grid_ctx.P == 1 && !grid_is_summed_by_product(x->A) && x->n / GRID_LIST_SHARE <= x->A->nvals;
}

/* ---- on the device of one process ---------------------------------------------------------------------- */

static const grid_chunk *chunk_of(GrB_Vector v) {
  return v ? &v->chunk : NULL;
}

/* GRID_UNSUPPORTED: products must do it, which also say what is wrong with the labels. */
static GrB_Info search_on_device(GrB_Vector best, const label_operands *x, const grid_desc *d) {
  const grid_label_operands rows = {&x->A->block,       chunk_of(x->label), chunk_of(x->price),
                                    chunk_of(x->scale), chunk_of(x->bonus), x->count};
  bool wrong;
  if (grid_ctx.P > 1 || !grid_device_is_on() || x->A->delegates.split || grid_is_paged(x->A) ||
      x->A->placement.host_resident)
    return GRID_UNSUPPORTED;
  grid_chunk t = grid_reusable_chunk(best, GrB_INT64);
  GrB_Info info = grid_lmat_best_label_device(&t, &rows, &wrong);
  if (info == GrB_SUCCESS) info = grid_chunk_choose_format(&t);
  if (info == GRID_UNSUPPORTED) return info;
  return grid_finish_output(best, NULL, NULL, d, &t, false, info);
}

static GrB_Info best_label(GrB_Vector best, label_operands x) {
  GrB_Info info;
  grid_desc d;
  TRY(check(best, &x, &d));
  TRY(grid_matrix_require(x.A, GRID_OUTOFCORE | GRID_ROWS));
  info = search_on_device(best, &x, &d);
  if (info != GRID_UNSUPPORTED) return info;
  if (!can_search_rows(&x))
    return grid_best_label_by_products(best, x.A, x.label, x.price, x.scale, x.bonus, x.count);
  TRY(grid_matrix_require_host(x.A, 0, call));
  grid_chunk t = grid_reusable_chunk(best, GrB_INT64);
  info = search_rows(&t, best, &x);
  info = grid_finish_output(best, NULL, NULL, &d, &t, false, info);
done:
  return info;
}

GrB_Info Grid_Matrix_best_label(GrB_Vector best, GrB_Matrix A, GrB_Vector label, GrB_Vector price,
                                GrB_Vector scale, GrB_Vector bonus, bool count) {
  const label_operands x = {
      .A = A, .label = label, .price = price, .scale = scale, .bonus = bonus, .count = count};
  return GRID_TRACE_CALL(call, best_label(best, x), best, A, label, price, scale, bonus);
}
