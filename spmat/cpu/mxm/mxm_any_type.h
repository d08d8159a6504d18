/* The kernels of ANY with FIRST and SECOND for values of the C type WORD, which are only copied. */
#define KERNEL(f)  NAME(f, FIRST, WORD)
#define Z          WORD
#define A          WORD
#define X          WORD
#define USES_A     1
#define USES_X     0
#define POSITION   0
#define ANY        1
#define STRUCTURAL 0
#define STARTS     0
#define STOP       0
#define COUNTS     0
#define MUL(a, x)  (a)
#include "spmat/cpu/mxm/mxm_rows.h"
#define KERNEL(f)  NAME(f, SECOND, WORD)
#define Z          WORD
#define A          WORD
#define X          WORD
#define USES_A     0
#define USES_X     1
#define POSITION   0
#define ANY        1
#define STRUCTURAL 0
#define STARTS     0
#define STOP       0
#define COUNTS     0
#define MUL(a, x)  (x)
#include "spmat/cpu/mxm/mxm_rows.h"
