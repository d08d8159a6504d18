/* The compiled product kernels of FP32. */
#define TYPE FP32
#include "spmat/cpu/kernels/mxv_numeric_type.h"
