/* Routing of the entries of a local matrix, and of tuples of which some processes have one value and others
 * many; see matrix_route.h. */
#include <string.h>

#include "dist/grid/short_call.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/cpu/matrix/lmat_tuples.h"
#include "spmat/device/device.h"

/* Expands one value to an array. */
static GrB_Info fill_iso_values(grid_tuples *t, GrB_Type type, const void *one) {
  t->val = grid_malloc(t->n, type->size);
  if (!t->val) return grid_fail_memory(NULL, "matrix values", t->n, type->size);
  grid_cast_array(t->val, type, one, type, 0, t->n);
  return GrB_SUCCESS;
}

GrB_Info grid_route_tuples(GrB_Matrix like, grid_tuples *t, GrB_Type type, const void *one, GrB_Info info,
                           grid_local_matrix *to, const char *call) {
  char *value = grid_calloc(1, type->size);
  bool iso;
  grid_lmat_init(to, type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  if (info == GrB_SUCCESS && !value) info = grid_fail_memory(NULL, "a value", 1, type->size);
  if (value && !t->val && one) memcpy(value, one, type->size);
  TRY(grid_agree_on_iso_value(&like->head, info, t->n > 0, t->val == NULL, type->size, value, &iso));
  if (!iso) TRY(grid_agree(&like->head, t->val ? GrB_SUCCESS : fill_iso_values(t, type, value)));
  TRY(grid_route_lmat(like,
                      &(grid_build){.row = t->row,
                                    .col = t->col,
                                    .val = iso ? NULL : t->val,
                                    .one = value,
                                    .type = type,
                                    .n = t->n,
                                    .newest_wins = true},
                      to, call));
done:
  grid_free(value);
  grid_tuples_free(t);
  return info;
}

static GrB_Info route_as_tuples(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                                const grid_index_map *cols, bool flip, GrB_Info info, grid_local_matrix *to,
                                const char *call) {
  const uint64_t n = p->nvals;
  grid_tuples t = {.n = n, .row = grid_malloc(n, sizeof *t.row), .col = grid_malloc(n, sizeof *t.col)};
  if (!p->iso) t.val = grid_malloc(n, p->type->size);
  if (info == GrB_SUCCESS && (!t.row || !t.col || (!p->iso && !t.val)))
    info = grid_fail_memory(&like->head, "matrix tuples", n, 16 + p->type->size);
  if (info == GrB_SUCCESS)
    grid_lmat_to_tuples(flip ? t.col : t.row, flip ? t.row : t.col, t.val, p->type, p, rows, cols);
  return grid_route_tuples(like, &t, p->type, p->iso_val, info, to, call);
}

GrB_Info grid_route_entries(GrB_Matrix like, const grid_local_matrix *p, const grid_index_map *rows,
                            const grid_index_map *cols, bool flip, GrB_Info info, grid_local_matrix *to,
                            const char *call) {
  if (grid_device_is_on()) {
    info = grid_route_device(like, p, rows, cols, flip, info, to);
    if (info != GRID_UNSUPPORTED) return info;
    grid_report_fallback("entries of matrices to other processes");
    info = grid_lmat_to_host(p);
  }
  grid_local_matrix transposed = {0};
  grid_index_map transposed_rows = *cols, transposed_cols = *rows;
  bool routed;
  if (info == GrB_SUCCESS && flip && p->nvals) {
    info = grid_cpu_lmat_transpose(p, false, &transposed);
    transposed_rows.axis = &transposed.row, transposed_cols.axis = &transposed.col;
  }
  info = transposed.type
             ? grid_route_rows(like, &transposed, &transposed_rows, &transposed_cols, info, to, &routed)
             : grid_route_rows(like, p, rows, cols, info, to, &routed);
  grid_lmat_free(&transposed);
  if (info != GrB_SUCCESS || routed) return info;
  return route_as_tuples(like, p, rows, cols, flip, info, to, call);
}
