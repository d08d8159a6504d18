/* The compiled kernels of INT32 that multiply matrices. */
#define TYPE INT32
#include "spmat/cpu/mxm/mxm_numeric_type.h"
