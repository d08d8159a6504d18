/* The compiled kernels of INT64 that multiply matrices. */
#define TYPE INT64
#include "spmat/cpu/mxm/mxm_numeric_type.h"
