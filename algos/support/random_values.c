/* The hash of SplitMix64, once for each index. Source: Steele, Lea, Flood, Fast splittable pseudorandom
 * number generators (2014). */
#include "algos/support/random_values.h"

#include "algos/support/operators.h"

WITH_TEXT(
    uniform_value,
    static void uniform_value(double *z, const double *x, uint64_t i, uint64_t j, const uint64_t *key) {
      uint64_t h = i ^ *key;
      for (int k = 0; k < 2; k++) {
        h += 0x9e3779b97f4a7c15u;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
        h ^= h >> 31;
        if (k == 0) h += j;
      }
      *z = *x * ((double)(h >> 11) * 0x1p-53);
    })

GrB_Info grid_draw_matrix(GrB_Matrix F, GrB_Index n, GrB_Index k, double scale, uint64_t key) {
  GrB_IndexUnaryOp op = NULL;
  GrB_Info info = Grid_agree(Grid_IndexUnaryOp_new(&op, (indexed)uniform_value, GrB_FP64, GrB_FP64,
                                                   GrB_UINT64, "uniform_value", plain(uniform_value_text)),
                             NULL);
  if (info != GrB_SUCCESS) goto out;
  TRY(GrB_Matrix_assign_FP64(F, NULL, NULL, scale, GrB_ALL, n, GrB_ALL, k, NULL));
  TRY(GrB_Matrix_apply_IndexOp_UINT64(F, NULL, NULL, op, F, key, NULL));
out:
  GrB_IndexUnaryOp_free(&op);
  return info;
}
