/* y = A x by cuSPARSE on the GPU, for bench/gpu_products.c. */
#ifndef BENCH_GPU_CUSPARSE_H
#define BENCH_GPU_CUSPARSE_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Arrays of the host: n + 1 offsets, indices, values of float (size 4) or double (8), x and y of n of them.
 * *ms: the median of `tries` products, after one that is not counted. NULL, or what went wrong. */
const char *cusparse_product(uint64_t n, const uint32_t *ptr, const uint32_t *idx, const void *val,
                             const void *x, void *y, int size, int tries, double *ms);
#ifdef __cplusplus
}
#endif
#endif
