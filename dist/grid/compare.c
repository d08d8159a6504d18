/* compare.c: GRIDBLAS_CHECK=calls. What only some processes call, under `if (rank == 0)` say, would wait for
 * the others for ever, or meet another call of theirs. So each call that is not local first tells all others
 * its name: a message more, for who looks for such a mistake. */
#include <stdlib.h>
#include <string.h>

#include "dist/grid/grid.h"

enum { NAME = 64 };

bool grid_compares_calls;

GrB_Info grid_compare_start(void) {
  const char *text = getenv("GRIDBLAS_CHECK");
  uint64_t on = grid_here.k == 0 && text && strcmp(text, "calls") == 0;
  GrB_Info info = GrB_SUCCESS;
  if (grid_here.k == 0 && text && !on)
    info = grid_fail(NULL, GrB_INVALID_VALUE, "GRIDBLAS_CHECK is %.32s; it is calls, or not set", text);
  grid_compares_calls = false;
  info = grid_agree_sum(NULL, info, &on, 1);
  grid_compares_calls = info == GrB_SUCCESS && on && grid_here.P > 1;
  return info;
}

GrB_Info grid_compare_calls(const char *call) {
  char mine[NAME] = "";
  char *all = grid_malloc((size_t)grid_here.P, NAME);
  strncpy(mine, call, NAME - 1);
  /* who has no memory takes part all the same */
  GrB_Info info = grid_agree(NULL, all ? GrB_SUCCESS : grid_fail_memory(NULL, "names of calls", NAME, 1));
  if (info == GrB_SUCCESS) info = grid_here.transport->allgather(GRID_SET_ALL, mine, NAME, all);
  for (int k = 1; info == GrB_SUCCESS && k < grid_here.P; k++)
    if (memcmp(all, all + (size_t)k * NAME, NAME) != 0)
      info = grid_fail(NULL, GrB_PANIC,
                       "process 0 calls %s, process %d %s: every process must make every call (what stands "
                       "under a condition on the rank is made by some only)",
                       all, k, all + (size_t)k * NAME);
  grid_free(all);
  return info;
}
