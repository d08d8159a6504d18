/* The compiled product kernels of INT64. */
#define TYPE INT64
#include "spmat/cpu/kernels/mxv_numeric_type.h"
