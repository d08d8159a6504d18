/* GrB_NO_VALUE, which is no error. */
#ifndef GRID_NO_VALUE_H
#define GRID_NO_VALUE_H
#include "GraphBLAS.h"

/* Returns GrB_NO_VALUE; the thread's last error text becomes that there is no value. */
GrB_Info grid_no_value(void);
#endif
