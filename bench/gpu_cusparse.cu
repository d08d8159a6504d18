// y = A x by cuSPARSE: compressed rows, its default way, after its preprocessing.
#include "bench/gpu_cusparse.h"

#include <algorithm>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <vector>

namespace {

struct product {
  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t x, y;
  void *room;
  cudaEvent_t start, end;
  std::vector<void *> arrays;
};

void *sent(product *p, const void *from, size_t bytes) {
  void *to = NULL;
  if (cudaMalloc(&to, bytes ? bytes : 1) != cudaSuccess) return NULL;
  p->arrays.push_back(to);
  return !from || cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice) == cudaSuccess ? to : NULL;
}

#define CHECK(call) \
  if ((call) != CUSPARSE_STATUS_SUCCESS) return #call
#define CUDA_CHECK(call) \
  if ((call) != cudaSuccess) return #call

const char *run(product *p, uint64_t n, const uint32_t *ptr, const uint32_t *idx, const void *val,
                const void *x, void *y, int size, int tries, double *ms) {
  const cudaDataType type = size == 4 ? CUDA_R_32F : CUDA_R_64F;
  const uint32_t entries = ptr[n];
  const float one32 = 1, zero32 = 0;
  const double one64 = 1, zero64 = 0;
  const void *one = size == 4 ? (const void *)&one32 : &one64,
             *zero = size == 4 ? (const void *)&zero32 : &zero64;
  size_t bytes = 0;
  std::vector<float> taken;
  if (entries > INT32_MAX) return "more entries than its 32-bit offsets take";
  void *at = sent(p, ptr, (n + 1) * sizeof *ptr), *columns = sent(p, idx, entries * sizeof *idx),
       *values = sent(p, val, entries * (size_t)size), *in = sent(p, x, n * (size_t)size),
       *out = sent(p, NULL, n * (size_t)size);
  if (!at || !columns || !values || !in || !out) return "out of device memory";
  CHECK(cusparseCreate(&p->handle));
  CHECK(cusparseCreateCsr(&p->matrix, (int64_t)n, (int64_t)n, entries, at, columns, values,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  CHECK(cusparseCreateDnVec(&p->x, (int64_t)n, in, type));
  CHECK(cusparseCreateDnVec(&p->y, (int64_t)n, out, type));
  CHECK(cusparseSpMV_bufferSize(p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one, p->matrix, p->x, zero, p->y,
                                type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  if (!(p->room = sent(p, NULL, bytes))) return "out of device memory";
  CHECK(cusparseSpMV_preprocess(p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one, p->matrix, p->x, zero, p->y,
                                type, CUSPARSE_SPMV_ALG_DEFAULT, p->room));
  CUDA_CHECK(cudaEventCreate(&p->start));
  CUDA_CHECK(cudaEventCreate(&p->end));
  for (int k = 0; k <= tries; k++) {
    float took = 0;
    CUDA_CHECK(cudaEventRecord(p->start));
    CHECK(cusparseSpMV(p->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one, p->matrix, p->x, zero, p->y, type,
                       CUSPARSE_SPMV_ALG_DEFAULT, p->room));
    CUDA_CHECK(cudaEventRecord(p->end));
    CUDA_CHECK(cudaEventSynchronize(p->end));
    CUDA_CHECK(cudaEventElapsedTime(&took, p->start, p->end));
    if (k) taken.push_back(took);
  }
  std::sort(taken.begin(), taken.end());
  *ms = taken[taken.size() / 2];
  CUDA_CHECK(cudaMemcpy(y, out, n * (size_t)size, cudaMemcpyDeviceToHost));
  return NULL;
}

}  // namespace

extern "C" const char *cusparse_product(uint64_t n, const uint32_t *ptr, const uint32_t *idx, const void *val,
                                        const void *x, void *y, int size, int tries, double *ms) {
  product p = {};
  const char *wrong = run(&p, n, ptr, idx, val, x, y, size, tries, ms);
  if (p.x) cusparseDestroyDnVec(p.x);
  if (p.y) cusparseDestroyDnVec(p.y);
  if (p.matrix) cusparseDestroySpMat(p.matrix);
  if (p.handle) cusparseDestroy(p.handle);
  if (p.start) cudaEventDestroy(p.start);
  if (p.end) cudaEventDestroy(p.end);
  for (void *array : p.arrays) cudaFree(array);
  return wrong;
}
