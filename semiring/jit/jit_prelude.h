/* The start of every text that a C compiler compiles at run time. */
#define bool _Bool
#define true 1
#define false 0
#define static_assert _Static_assert
#define memcpy __builtin_memcpy
#define fabs   __builtin_fabs
#define sqrt   __builtin_sqrt
#define ceil   __builtin_ceil
#define floor  __builtin_floor
#define round  __builtin_round
#define trunc  __builtin_trunc
#ifndef INFINITY
#define INFINITY __builtin_inff()
#endif
#define GRID_RUN_TIME 1
#define GRID_FN       static inline __attribute__((always_inline, unused))
#define GRID_EXPORT   __attribute__((visibility("default")))
