/* Grid_Matrix_color: of a symmetric matrix in one kernel of one device, or on the CPU by all threads of the
 * processes (color_rows.c); else by products (color_products.c). */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/graph/public_calls/color_products.h"
#include "dist/op/graph/color_rows.h"
#include "dist/vector/vector.h"
#include "spmat/color_order.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static const char call[] = "Grid_Matrix_color";

/* The arguments. */
typedef struct {
  GrB_Vector color;
  uint64_t *colors;
  GrB_Matrix A;
  uint64_t most, seed;
} coloring;

static GrB_Info check(const coloring *x, grid_desc *d) {
  GrB_Info info;
  GrB_Vector color = x->color;
  TRY(grid_check_vector(color, call, "color"));
  TRY(grid_check_matrix(x->A, call, "A"));
  TRY(grid_check_size(x->A->ncols, x->A->nrows, &color->head, call, "the list of A's columns",
                      "that of its rows"));
  TRY(grid_check_size(color->n, x->A->nrows, &color->head, call, "color", "the list of A's rows"));
  TRY(grid_check_integers(color, &color->head, call, "color"));
  if (x->most == 0)
    return grid_fail(&color->head, GrB_INVALID_VALUE, "%s: most is 0, not 1 or more colors", call);
  info = grid_check_output(color, NULL, NULL, NULL, GrB_INT64, call, d);
done:
  return info;
}

/* t = the colors, on the device. */
static GrB_Info color_on_device(grid_chunk *t, uint64_t *colors, const coloring *x) {
  GrB_Info info;
  const grid_color_operands operands = {&x->A->block, grid_color_key(x->seed), x->most};
  if (!grid_device_is_on() || grid_ctx.P > 1) return GRID_UNSUPPORTED;
  TRY(grid_matrix_require(x->A, GRID_WHOLE));
  info = grid_lmat_color_device(t, colors, &operands);
done:
  return info;
}

/* t = the colors. One set is found by products in less time: they read most entries where they lie. */
static GrB_Info color_on_host(grid_chunk *t, uint64_t *colors, const coloring *x) {
  GrB_Info info;
  if (x->most == 1 || (grid_device_is_on() && grid_ctx.P > 1) || !grid_matrix_has_short_axes(x->A))
    return GRID_UNSUPPORTED;
  TRY(grid_matrix_require_host(x->A, 0, call));
  info = grid_color_by_rows(t, colors, x->A, x->most, x->seed);
done:
  return info;
}

/* GRID_UNSUPPORTED: products must do it. */
static GrB_Info color_in_order(const coloring *x, const grid_desc *d) {
  const GrB_Matrix A = x->A;
  uint64_t colors = 0;
  if (A->nvals == 0 || !A->properties.symmetric || A->delegates.split || grid_is_paged(A))
    return GRID_UNSUPPORTED;
  grid_chunk t = grid_reusable_chunk(x->color, GrB_INT64);
  GrB_Info info = color_on_device(&t, &colors, x);
  if (info == GRID_UNSUPPORTED) info = color_on_host(&t, &colors, x);
  if (info == GRID_UNSUPPORTED)
    grid_chunk_free(&t);
  else
    info = grid_finish_output(x->color, NULL, NULL, d, &t, false, info);
  if (info == GrB_SUCCESS && x->colors) *x->colors = colors;
  return info;
}

static GrB_Info color_vertices(const coloring *x) {
  GrB_Info info;
  grid_desc d;
  TRY(check(x, &d));
  TRY(grid_matrix_require(x->A, GRID_OUTOFCORE | GRID_ROWS));
  info = color_in_order(x, &d);
  if (info == GRID_UNSUPPORTED)
    info = grid_fail_inside(&x->color->head,
                            grid_color_by_products(x->color, x->colors, x->A, x->most, x->seed), call);
done:
  return info;
}

GrB_Info Grid_Matrix_color(GrB_Vector color, uint64_t *colors, GrB_Matrix A, uint64_t most, uint64_t seed) {
  const coloring x = {color, colors, A, most, seed};
  return GRID_TRACE_CALL(call, color_vertices(&x), color, A);
}
