/* The kernels whose product is the inner index, of C type WORD: any, the minimum where positions ascend with
 * the inner index (first), and the minimum. */
#define KERNEL(f) KERNEL_NAME(f, any, WORD)
#define Z         WORD
#define USES_A    0
#define USES_X    0
#define POSITION  1
#define ANY       1
#include "spmat/cpu/kernels/mxv_range.h"

#define KERNEL(f) KERNEL_NAME(f, first, WORD)
#define Z         WORD
#define USES_A    0
#define USES_X    0
#define POSITION  1
#define ANY       0
#define ADD(z, t) ((t) < (z) ? (t) : (z))
#define FIRST_HIT 1
#include "spmat/cpu/kernels/mxv_range.h"

#define KERNEL(f)       KERNEL_NAME(f, min, WORD)
#define Z               WORD
#define USES_A          0
#define USES_X          0
#define POSITION        1
#define ANY             0
#define ADD(z, t)       ((t) < (z) ? (t) : (z))
#define PLAIN(z)        true
#define ADD_PLAIN(z, t) ADD(z, t)
#define STOP            0
#define FIRST_HIT       0
#include "spmat/cpu/kernels/mxv_range.h"
