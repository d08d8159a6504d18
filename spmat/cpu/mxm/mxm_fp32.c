/* The compiled kernels of FP32 that multiply matrices. */
#define TYPE FP32
#include "spmat/cpu/mxm/mxm_numeric_type.h"
