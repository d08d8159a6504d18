/* Function multiversioning: loops in the widest vector instructions of the processor at run time. A
 * function marked GRID_LEVELS is compiled for x86-64-v4 (AVX-512), v3 (AVX2) and the baseline; the loader
 * chooses once. Only loops over arrays gain from it (1.1 to 3.5 times). No products are fused into sums
 * (-ffp-contract=off), and lanes are explicit where the order of additions matters, so all versions give
 * bitwise equal results. */
#ifndef GRID_SIMD_LEVELS_H
#define GRID_SIMD_LEVELS_H
#include <features.h>

/* Needs gcc with glibc's indirect functions; a library built for one machine (-march=native) has its level
 * already. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__AVX2__)
#if __GNUC__ >= 12
#define GRID_LEVELS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef GRID_LEVELS
#define GRID_LEVELS
#endif

/* Before a loop with independent iterations, which the compiler cannot prove: avoids a second version for
 * overlapping arrays. */
#if defined(__GNUC__) && !defined(__clang__)
#define GRID_IVDEP _Pragma("GCC ivdep")
#else
#define GRID_IVDEP
#endif
#endif
