/* The shape of the grid for a graph of which only the degrees are known. */
#include "dist/plan/layout_cost.h"
#include "dist/plan/network.h"

GrB_Info Grid_choose_shape(int *R, int *C, const Grid_Degrees *g, uint32_t every) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_choose_shape";
  Grid_Layout to[Grid_LAYOUTS];
  Grid_Network net;
  int columns = 1, count, best;
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!R || !C) return grid_fail(NULL, GrB_NULL_POINTER, "%s: an argument is NULL", call);
  if ((info = grid_check_degrees(call, g)) != GrB_SUCCESS) return info;
  if (grid_ctx.P > 1) {
    TRY(grid_network_cost(&net));
    TRY(grid_agree(NULL, Grid_estimate_layouts(to, &count, &best, NULL, g, grid_ctx.P, every, &net)));
    columns = to[best].C;
  }
  /* machines that differ may round differently */
  if (grid_ctx.P > 1) TRY(grid_ctx.transport->bcast(GRID_SET_ALL, &columns, sizeof columns, 0));
  *C = columns;
  *R = grid_ctx.P / columns;
done:
  return info;
}
