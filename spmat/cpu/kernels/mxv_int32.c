/* The compiled product kernels of INT32. */
#define TYPE INT32
#include "spmat/cpu/kernels/mxv_numeric_type.h"
