/* Methods that GRIDBLAS_TUNE forces: "mxv=NAME,mxm=NAME"; grid_tune_method
 * (semiring/support/tuning.h) finds them. */
#ifndef GRID_TUNE_METHOD_H
#define GRID_TUNE_METHOD_H
#include "GraphBLAS.h"
#include "semiring/support/tuning.h"

/* Reads the environment of process 0 for all processes, and checks its GRIDBLAS_NETWORK. Collective, agreed
 * on. */
GrB_Info grid_tune_method_start(void);
/* Replaces what was read; NULL: nothing is forced. The same text on every process; also for tests. */
GrB_Info grid_tune_method_set(const char *text);
#endif
