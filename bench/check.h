/* The checks of answers, on the CPU (check.c) and on the GPU (check_cuda.c): what both share. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H
#include "bench/program.h"
#include "bench/validate.h"

/* One rule's outcome, the same on every process: STATUS_OK, STATUS_CHECK or, when the check itself could not
 * be done (a rule below 0), STATUS_INPUT. */
int check_outcome(const validate_result *r, uint64_t source);

/* The checks on a device in place of check.c's own. */
struct check_device {
  int (*run)(checker *c, GrB_Vector level, GrB_Vector parent, uint64_t source, int64_t limit,
             uint64_t *inside);
  int (*count)(checker *c, GrB_Vector parent, uint64_t *inside);
  /* The depths of the last run into c->depth. Local. */
  bool (*depths)(checker *c);
  /* Seconds it takes to make all tuples of a graph that keeps none, and nothing else. */
  int (*generate)(checker *c, double *seconds);
  void (*close)(checker *c);
};
/* Sets c->device when the device is on and has room for the checks; else leaves it NULL and, where the device
 * is on, says why. Returns a status. */
int check_cuda_open(checker *c);
#endif
