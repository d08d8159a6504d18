/* A program whose processes make different calls, for tests/mismatched_calls.sh: mismatched_calls HOW. Each
 * process prints the library's error on standard error. Exit status 0: it continued as required. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gridblas.h"

static int wrong(const char *what, GrB_Info info) {
  fprintf(stderr, "process %d: %s returned %d: %s\n", Grid_rank(), what, (int)info, Grid_last_error());
  return 1;
}

static int failed(GrB_Info info) {
  fprintf(stderr, "process %d gets: %s\n", Grid_rank(), Grid_last_error());
  return info == GrB_PANIC ? 0 : wrong("a call of one process alone", info);
}

static int end(GrB_Info expected) {
  const GrB_Info info = GrB_finalize();
  return info == expected ? 0 : wrong("GrB_finalize", info);
}

/* The call of process 0 only: nvals, or setElement. */
static GrB_Info alone(const char *how, GrB_Vector v) {
  GrB_Index n;
  return strcmp(how, "element") == 0 ? GrB_Vector_setElement_FP64(v, 1, 8) : GrB_Vector_nvals(&n, v);
}

/* The same call with messages of different lengths. */
static int other_sizes(void) {
  uint64_t v[2] = {1, 1};
  (void)Grid_sum(v, Grid_rank() == 0 ? 2 : 1);
  return wrong("Grid_sum of different lengths", GrB_SUCCESS);
}

int main(int argc, char **argv) {
  GrB_Vector v;
  GrB_Index n = 0;
  const char *how = argc > 1 ? argv[1] : "";
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return wrong("GrB_init", GrB_PANIC);
  if (GrB_Vector_new(&v, GrB_FP64, 9) != GrB_SUCCESS || GrB_Vector_setElement_FP64(v, 1, 7) != GrB_SUCCESS)
    return 1;
  if (strcmp(how, "sizes") == 0) return other_sizes();
  if (strcmp(how, "late") == 0 && Grid_rank() == 1) usleep(2500000);
  GrB_Info info = GrB_Vector_nvals(&n, v);
  if (info != GrB_SUCCESS || n != 1) return wrong("GrB_Vector_nvals", info);
  if (strcmp(how, "late") == 0) return end(GrB_SUCCESS);
  if (strcmp(how, "leave") == 0) return 0; /* all of them, without GrB_finalize */
  if (Grid_rank() == 0) {
    /* each such call fails, then it finalizes with the others */
    if (failed(alone(how, v)) || failed(alone(how, v))) return 1;
    GrB_Vector_free(&v);
  } else if (strcmp(how, "exit") == 0) {
    return 0;
  }
  info = GrB_finalize();
  if (Grid_rank() == 0) return info == GrB_SUCCESS ? 0 : wrong("GrB_finalize", info);
  return failed(info);
}
