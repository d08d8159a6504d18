/* Products by cuSPARSE on the GPU, for bench/measure/gpu_products.c. */
#ifndef GRID_GPU_CUSPARSE_H
#define GRID_GPU_CUSPARSE_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Arrays of the host: n + 1 offsets, indices, values of float (size 4) or double (8), x and y of n of them.
 * ms: the medians of `tries` products, after one that is not counted, by the default algorithm and by the
 * second one, whose order of sums is always the same. NULL, or what went wrong. */
const char *cusparse_product(uint64_t n, const uint32_t *ptr, const uint32_t *idx, const void *val,
                             const void *x, void *y, int size, int tries, double ms[2]);
/* A A, floats, by its second way (the default one refuses large products). *ms: the least of `tries`, each
 * with allocation of its buffers and the result. *nvals and *sum: of the result. Also the bytes of its
 * buffers.
 */
const char *cusparse_square(uint64_t n, const uint32_t *ptr, const uint32_t *idx, const float *val, int tries,
                            double *ms, uint64_t *nvals, double *sum, uint64_t *workspace);
/* C = A B, floats, with a dense B of `cols` columns, row by row like C. ms: the medians of `tries` products
 * by the default algorithm and by the one for such B. *sum: of C. */
const char *cusparse_block(uint64_t n, const uint32_t *ptr, const uint32_t *idx, const float *val,
                           const float *b, uint64_t cols, int tries, double ms[2], double *sum);
/* Waits for the GPU. */
void cusparse_wait(void);
#ifdef __cplusplus
}
#endif
#endif
