/* The compiled product kernels of FP64. */
#define TYPE FP64
#include "spmat/cpu/kernels/mxv_numeric_type.h"
