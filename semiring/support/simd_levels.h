/* simd_levels.h: loops in the widest vector instructions that the processor has, without asking for them when the
 * library is built. A function marked GRID_LEVELS is compiled for x86-64-v4 (AVX-512), v3 (AVX2) and what all
 * else is compiled for; the loader chooses once. Only loops over arrays gain by it (docs/performance.md). No
 * product is fused into a sum
 * (-ffp-contract=off), and lanes are written out where an order of additions matters, so all levels give the
 * same bits. */
#ifndef GRID_SIMD_LEVELS_H
#define GRID_SIMD_LEVELS_H
#include <features.h>

/* gcc with glibc's indirect functions; a library built for one machine (-march=native) has its level already.
 */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__AVX2__)
#if __GNUC__ >= 12
#define GRID_LEVELS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef GRID_LEVELS
#define GRID_LEVELS
#endif

/* Before a loop whose iterations do not depend on each other, whatever the compiler must think of its
 * pointers: it makes no second loop for arrays that overlap. */
#if defined(__GNUC__) && !defined(__clang__)
#define GRID_IVDEP _Pragma("GCC ivdep")
#else
#define GRID_IVDEP
#endif
#endif
