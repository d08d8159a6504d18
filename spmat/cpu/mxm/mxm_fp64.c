/* The compiled kernels of FP64 that multiply matrices. */
#define TYPE FP64
#include "spmat/cpu/mxm/mxm_numeric_type.h"
