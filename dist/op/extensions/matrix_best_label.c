/* Grid_Matrix_best_label: for each row the label of largest sum. On one process the rows are taken one by one
 * from the block, by the CPU or the GPU; else it is computed by products. */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/extensions/best_label.h"
#include "dist/op/matrix_row_sums.h"
#include "dist/vector/vector.h"
#include "spmat/cpu/matrix/lmat_best_label.h"
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

/* A vector's values by vertex: its own arrays where they serve. */
typedef struct {
  uint64_t *own, *own_bits; /* to be freed */
  grid_vertex_values at;
} vertex_values;

/* Copies of v's entries in FP64 or INT64. */
static GrB_Info copy_entries(vertex_values *x, const grid_chunk *v, GrB_Type type) {
  const uint64_t m = v->nvals;
  uint64_t *at = grid_malloc(m, sizeof *at), *value = grid_malloc(m, sizeof *value);
  x->own = grid_malloc(v->n, sizeof *x->own);
  x->own_bits = grid_calloc(grid_words(v->n), sizeof *x->own_bits);
  GrB_Info info = at && value && x->own && x->own_bits
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "values of vertices", v->n, sizeof *at);
  if (info == GrB_SUCCESS) info = grid_vec_tuples(at, value, type, v, 0);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < m; k++) {
    x->own[at[k]] = value[k];
    x->own_bits[at[k] >> 6] |= UINT64_C(1) << (at[k] & 63);
  }
  grid_free(at);
  grid_free(value);
  x->at = (grid_vertex_values){.value = x->own, .bits = x->own_bits};
  return info;
}

static GrB_Info load_values(vertex_values *x, GrB_Vector vector, GrB_Type type) {
  *x = (vertex_values){0};
  if (!vector || vector->chunk.nvals == 0) return GrB_SUCCESS;
  const grid_chunk *v = &vector->chunk;
  if (v->format == GRID_LIST || v->type != type || v->iso) return copy_entries(x, v, type);
  x->at = (grid_vertex_values){.value = v->val, .bits = v->format == GRID_FULL ? NULL : v->bits};
  return GrB_SUCCESS;
}

static void free_values(vertex_values *x) {
  grid_free(x->own);
  grid_free(x->own_bits);
}

/* A label of the vertices of word w that is no row's number; 0: there is none. */
static uint64_t find_wrong(const grid_vertex_values *label, uint64_t w, uint64_t n) {
  const uint64_t *l = (const uint64_t *)label->value + 64 * w,
                 bits = label->bits ? label->bits[w] : grid_tail(n, w);
  uint64_t sign = 0;
  if (~bits == 0) {
    /* n - 1 - l is below 0 for wrong ones, or l is */
    for (int k = 0; k < 64; k++) sign |= (n - 1 - l[k]) | l[k];
    if (sign >> 63 == 0) return 0;
  }
  for (int k = 0; k < 64; k++)
    if (bits >> k & 1 && l[k] >= n) return l[k];
  return 0;
}

static GrB_Info load_labels(vertex_values *x, GrB_Vector label, uint64_t n, GrB_Vector best) {
  const GrB_Info info = load_values(x, label, GrB_INT64);
  const uint64_t words = info == GrB_SUCCESS && x->at.value ? grid_words(n) : 0;
  uint64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(max : wrong) num_threads(grid_word_threads(words))
  for (uint64_t w = 0; w < words; w++) {
    const uint64_t one = find_wrong(&x->at, w, n);
    wrong = one > wrong ? one : wrong;
  }
  return wrong ? grid_check_indices(&wrong, 1, n, &best->head, call) : info;
}

/* t(row[k]) = best[k] where it is a label; the arrays are changed. */
static GrB_Info make_result(grid_chunk *t, uint64_t *row, int64_t *best, uint64_t n) {
  uint64_t m = 0, where;
  for (uint64_t k = 0; k < n; k++)
    if (best[k] >= 0) row[m] = row[k], best[m++] = best[k];
  return grid_vec_build(t, row, best, GrB_INT64, 1, m, (grid_dup){.last = true}, &where);
}

static GrB_Info search_rows(grid_chunk *t, GrB_Vector best, const label_operands *x) {
  static const double one = 1;
  GrB_Info info;
  const grid_local_matrix *a = &x->A->block;
  const uint64_t n = x->scale ? x->scale->chunk.nvals : x->n;
  vertex_values label = {0}, price = {0}, bonus = {0};
  uint64_t *row = grid_malloc(n, sizeof *row);
  int64_t *found = grid_malloc(n, sizeof *found);
  double *scale = grid_malloc(x->scale ? n : 0, sizeof *scale);
  TRY(row && found && scale ? GrB_SUCCESS : grid_fail_memory(NULL, "labels of rows", n, 3 * sizeof *row));
  if (x->scale) TRY(grid_vec_tuples(row, scale, GrB_FP64, &x->scale->chunk, 0));
  for (uint64_t k = 0; !x->scale && k < n; k++) row[k] = k;
  TRY(load_labels(&label, x->label, x->n, best));
  TRY(load_values(&price, x->price, GrB_FP64));
  TRY(load_values(&bonus, x->bonus, GrB_FP64));
  TRY(grid_lmat_best_label(found, &(grid_label_rows){.a = a,
                                                     .val = x->count ? &one
                                                            : a->iso ? a->iso_val
                                                                     : a->by_row.val,
                                                     .type = x->count ? GrB_FP64 : a->type,
                                                     .iso = x->count || a->iso,
                                                     .row = row,
                                                     .scale = x->scale ? scale : NULL,
                                                     .label = label.at,
                                                     .price = price.at,
                                                     .bonus = bonus.at,
                                                     .keeps = x->bonus,
                                                     .n = n}));
  info = make_result(t, row, found, n);
done:
  free_values(&label);
  free_values(&price);
  free_values(&bonus);
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
