/* The compiled kernels of FP32 that multiply matrices. */
#define TYPE FP32
#include "spmat/cpu/mxm/numbers.h"
