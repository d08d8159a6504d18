/* What each process has of a distributed vector (local_values.c). */
#ifndef GRID_LOCAL_VALUES_H
#define GRID_LOCAL_VALUES_H
#include "algos/algos.h"

/* *value = the values of this process's range of v, an INT64 vector, which gets 0 where it has no entry;
 * *count: their number. *value is freed by the caller, also after a failure. Collective. */
GrB_Info grid_local_values(int64_t **value, GrB_Index *count, GrB_Vector v);
/* *before = the sum of `count` over the processes before this one. Collective. */
GrB_Info grid_sum_before(uint64_t *before, uint64_t count);
#endif
