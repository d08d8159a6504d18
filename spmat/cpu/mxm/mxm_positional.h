/* The kernels whose product is the inner index, of C type WORD: any, and the minimum. */
#define KERNEL(f)  NAME(f, any, WORD)
#define Z          WORD
#define A          WORD
#define X          WORD
#define USES_A     0
#define USES_X     0
#define POSITION   1
#define ANY        1
#define STRUCTURAL 0
#define STARTS     0
#define STOP       0
#define COUNTS     0
#include "spmat/cpu/mxm/mxm_rows.h"
#define KERNEL(f)  NAME(f, min, WORD)
#define Z          WORD
#define A          WORD
#define X          WORD
#define USES_A     0
#define USES_X     0
#define POSITION   1
#define ANY        0
#define STRUCTURAL 0
#define STARTS     0
#define STOP       0
#define COUNTS     0
#define ADD(z, t)  ((t) < (z) ? (t) : (z))
#include "spmat/cpu/mxm/mxm_rows.h"
