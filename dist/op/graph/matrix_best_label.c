/* Grid_Matrix_best_label: for each row the label of largest sum. Rows are taken one by one, on the device of
 * one process or by best_label_rows.c; else it is computed by products. */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/graph/public_calls/best_label.h"
#include "dist/op/graph/best_label_rows.h"
#include "dist/vector/vector.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static const char *const call = grid_best_label_call;

static GrB_Info check_numbers(GrB_Vector v, GrB_Vector best, uint64_t n, const char *name) {
  GrB_Info info = GrB_SUCCESS;
  if (!v) return info;
  TRY(grid_check_operand(v, &best->head, call, name));
  TRY(grid_check_size(v->n, n, &best->head, call, name, "the list of A's rows"));
  TRY(grid_check_cast(GrB_FP64, v->type, &best->head, call, name, "FP64"));
done:
  return info;
}

static GrB_Info check(GrB_Vector best, grid_best_label *x, grid_desc *d) {
  GrB_Info info;
  TRY(grid_check_vector(best, call, "best"));
  TRY(grid_check_matrix(x->A, call, "A"));
  TRY(grid_check_operand(x->label, &best->head, call, "label"));
  x->n = x->A->nrows;
  TRY(grid_check_size(x->A->ncols, x->n, &best->head, call, "the list of A's columns", "that of its rows"));
  TRY(grid_check_size(best->n, x->n, &best->head, call, "best", "the list of A's rows"));
  TRY(grid_check_size(x->label->n, x->n, &best->head, call, "label", "the list of A's rows"));
  TRY(grid_check_integers(x->label, &best->head, call, "label"));
  if (!x->count) TRY(grid_check_cast(GrB_FP64, x->A->type, &best->head, call, "A", "FP64"));
  TRY(check_numbers(x->price, best, x->n, "price"));
  TRY(check_numbers(x->scale, best, x->n, "scale"));
  TRY(check_numbers(x->bonus, best, x->n, "bonus"));
  TRY(grid_check_output(best, NULL, NULL, NULL, GrB_INT64, call, d));
done:
  return info;
}

/* ---- on the device of one process ---------------------------------------------------------------------- */

static const grid_chunk *chunk_of(GrB_Vector v) {
  return v ? &v->chunk : NULL;
}

/* GRID_UNSUPPORTED: products must do it, which also say what is wrong with the labels. */
static GrB_Info search_on_device(GrB_Vector best, const grid_best_label *x, const grid_desc *d) {
  const grid_label_operands rows = {&x->A->block,       chunk_of(x->label), chunk_of(x->price),
                                    chunk_of(x->scale), chunk_of(x->bonus), x->count};
  bool wrong;
  if (grid_ctx.P > 1 || !grid_device_is_on() || x->A->delegates.split || grid_is_paged(x->A))
    return GRID_UNSUPPORTED;
  GrB_Info info = grid_matrix_require(x->A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  if (x->A->block.host_resident) return GRID_UNSUPPORTED;
  grid_chunk t = grid_reusable_chunk(best, GrB_INT64);
  info = grid_lmat_best_label_device(&t, &rows, &wrong);
  if (info == GrB_SUCCESS) info = grid_chunk_choose_format(&t);
  if (info == GRID_UNSUPPORTED) {
    grid_chunk_free(&t);
    return info;
  }
  return grid_finish_output(best, NULL, NULL, d, &t, false, info);
}

static GrB_Info best_label(GrB_Vector best, grid_best_label x) {
  GrB_Info info;
  grid_desc d;
  TRY(check(best, &x, &d));
  TRY(grid_matrix_require(x.A, GRID_OUTOFCORE | GRID_ROWS));
  info = search_on_device(best, &x, &d);
  if (info != GRID_UNSUPPORTED) return info;
  if (!grid_can_search_label_rows(&x))
    return grid_fail_inside(
        &best->head, grid_best_label_by_products(best, x.A, x.label, x.price, x.scale, x.bonus, x.count),
        call);
  TRY(grid_matrix_require_host(x.A, 0, call));
  grid_chunk t = grid_reusable_chunk(best, GrB_INT64);
  info = grid_search_label_rows(&t, best, &x);
  info = grid_finish_output(best, NULL, NULL, &d, &t, false, info);
done:
  return info;
}

GrB_Info Grid_Matrix_best_label(GrB_Vector best, GrB_Matrix A, GrB_Vector label, GrB_Vector price,
                                GrB_Vector scale, GrB_Vector bonus, bool count) {
  const grid_best_label x = {
      .A = A, .label = label, .price = price, .scale = scale, .bonus = bonus, .count = count};
  return GRID_TRACE_CALL(call, best_label(best, x), best, A, label, price, scale, bonus);
}
