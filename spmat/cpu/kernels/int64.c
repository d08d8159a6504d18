/* The compiled product kernels of INT64. */
#define TYPE INT64
#include "spmat/cpu/kernels/numbers.h"
