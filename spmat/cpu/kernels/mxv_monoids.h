/* The kernels of MULTIPLIER with every monoid of numbers. */
#define ADDER PLUS
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef ADDER
#define ADDER MIN
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef ADDER
#define ADDER MAX
#include "spmat/cpu/kernels/mxv_semiring.h"
#undef ADDER
