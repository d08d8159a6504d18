/* The memory budget of this process. */
#ifndef GRID_MEMORY_BUDGET_H
#define GRID_MEMORY_BUDGET_H
#include "semiring/support/error.h"

/* Budget in bytes, of which grid_mem_bytes() are in use: as set, or the machine's free memory divided
 * among the job's processes on it. */
uint64_t grid_budget(void);
bool grid_budget_is_set(void);
/* Parses a size such as "4G", "500M" or "12345"; false: invalid. */
bool grid_parse_size(const char *text, uint64_t *bytes);
/* Reads GRIDBLAS_MEMORY and GRIDBLAS_DEVICE_MEMORY ("4G", "500M") if set. GrB_INVALID_VALUE with an error
 * text: not a size. */
GrB_Info grid_budget_from_environment(void);
#endif
