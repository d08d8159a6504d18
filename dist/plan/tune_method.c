/* See tune_method.h. */
#include "dist/plan/tune_method.h"

#include <stdlib.h>
#include <string.h>

#include "dist/grid/process_grid.h"
#include "dist/plan/network.h"
#include "semiring/support/tuning.h"

GrB_Info grid_tune_method_set(const char *text) {
  memset(&grid_tune.settings, 0, sizeof grid_tune.settings);
  if (!text) return GrB_SUCCESS;
  if (strlen(text) >= sizeof grid_tune.settings.text - 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_TUNE has more than %zu characters",
                     sizeof grid_tune.settings.text - 2);
  for (char *to = grid_tune.settings.text; *text; text++, to++) *to = *text == ',' ? '\0' : *text;
  return GrB_SUCCESS;
}

GrB_Info grid_tune_method_start(void) {
  /* Only process 0 contributes to the sum. */
  GrB_Info info = grid_tune_method_set(grid_ctx.k == 0 ? getenv("GRIDBLAS_TUNE") : NULL);
  if (info == GrB_SUCCESS && grid_ctx.k == 0) info = grid_network_check(getenv("GRIDBLAS_NETWORK"));
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS || grid_ctx.P == 1) return info;
  return grid_ctx.transport->allreduce(GRID_SET_ALL, grid_tune.settings.word,
                                       sizeof grid_tune.settings / sizeof(uint64_t), GRID_SUM);
}
