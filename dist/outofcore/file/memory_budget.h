/* How much memory this process may take. */
#ifndef GRID_MEMORY_BUDGET_H
#define GRID_MEMORY_BUDGET_H
#include "semiring/support/error.h"

/* Bytes, of which grid_mem_bytes() are taken: what was set, or what the machine has free, shared among the
 * processes on it. */
uint64_t grid_budget(int local_processes);
/* 0: what is free. */
void grid_budget_set(uint64_t bytes);
bool grid_budget_is_set(void);
/* *bytes = what a text such as "4G", "500M" or "12345" says; false: it is no size. */
bool grid_parse_size(const char *text, uint64_t *bytes);
/* What GRIDBLAS_MEMORY and GRIDBLAS_DEVICE_MEMORY say, where they are there: "4G", "500M". GrB_INVALID_VALUE,
 * worded: it is no size. */
GrB_Info grid_budget_from_environment(void);
#endif
