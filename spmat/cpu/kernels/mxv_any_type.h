/* The kernels of ANY with FIRST and SECOND for values of the C type WORD, which are only copied. */
#define KERNEL(f) KERNEL_NAME(f, FIRST, WORD)
#define Z         WORD
#define A         WORD
#define X         WORD
#define USES_A    1
#define USES_X    0
#define MUL(a, x) (a)
#define POSITION  0
#define ANY       1
#define FIRST_HIT 0
#include "spmat/cpu/kernels/mxv_range.h"
#define KERNEL(f) KERNEL_NAME(f, SECOND, WORD)
#define Z         WORD
#define A         WORD
#define X         WORD
#define USES_A    0
#define USES_X    1
#define MUL(a, x) (x)
#define POSITION  0
#define ANY       1
#define FIRST_HIT 0
#include "spmat/cpu/kernels/mxv_range.h"
