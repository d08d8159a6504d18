/* tune_method.c: see tune_method.h. */
#include "dist/plan/tune_method.h"

#include <stdlib.h>
#include <string.h>

#include "dist/grid/process_grid.h"

enum { WORDS = 32 };
/* Settings, each of which ends with a 0, and an empty one. */
static union {
  uint64_t word[WORDS];
  char text[WORDS * sizeof(uint64_t)];
} settings;

GrB_Info grid_tune_method_set(const char *text) {
  memset(&settings, 0, sizeof settings);
  if (!text) return GrB_SUCCESS;
  if (strlen(text) >= sizeof settings.text - 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_TUNE has more than %zu characters",
                     sizeof settings.text - 2);
  for (char *to = settings.text; *text; text++, to++) *to = *text == ',' ? '\0' : *text;
  return GrB_SUCCESS;
}

GrB_Info grid_tune_method_start(void) {
  /* Only process 0 contributes to the sum. */
  GrB_Info info = grid_tune_method_set(grid_ctx.k == 0 ? getenv("GRIDBLAS_TUNE") : NULL);
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS || grid_ctx.P == 1) return info;
  return grid_ctx.transport->allreduce(GRID_SET_ALL, settings.word, WORDS, GRID_SUM);
}

const char *grid_tune_method(const char *operation) {
  const size_t n = strlen(operation);
  for (const char *s = settings.text; *s; s += strlen(s) + 1)
    if (strncmp(s, operation, n) == 0 && s[n] == '=') return s + n + 1;
  return NULL;
}
