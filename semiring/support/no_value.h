/* GrB_NO_VALUE, which is no error. */
#ifndef GRID_NO_VALUE_H
#define GRID_NO_VALUE_H
#include <stdbool.h>

#include "GraphBLAS.h"

/* The thread's last error text is that there is no value. error.c writes it when it is read, since loops over
 * entries read many that are missing. */
extern __thread bool grid_is_value_missing __attribute__((visibility("hidden")));

static inline GrB_Info grid_no_value(void) {
  grid_is_value_missing = true;
  return GrB_NO_VALUE;
}
#endif
