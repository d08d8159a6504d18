// y = A x by cuSPARSE: compressed rows, its default way, after its preprocessing; A A; and A B with a dense
// B.
#include "bench/measure/gpu_cusparse.h"

#include <algorithm>
#include <chrono>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <vector>

namespace {

struct product {
  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t x, y;
  void *workspace;
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

const char *time_algorithm(product *p, cusparseSpMVAlg_t algorithm, cudaDataType type, const void *one,
                           const void *zero, int tries, double *ms) {
  const cusparseOperation_t as = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 0;
  std::vector<float> times;
  CHECK(cusparseSpMV_bufferSize(p->handle, as, one, p->matrix, p->x, zero, p->y, type, algorithm, &bytes));
  if (!(p->workspace = sent(p, NULL, bytes))) return "out of device memory";
  CHECK(cusparseSpMV_preprocess(p->handle, as, one, p->matrix, p->x, zero, p->y, type, algorithm,
                                p->workspace));
  for (int k = 0; k <= tries; k++) {
    float took = 0;
    CUDA_CHECK(cudaEventRecord(p->start));
    CHECK(cusparseSpMV(p->handle, as, one, p->matrix, p->x, zero, p->y, type, algorithm, p->workspace));
    CUDA_CHECK(cudaEventRecord(p->end));
    CUDA_CHECK(cudaEventSynchronize(p->end));
    CUDA_CHECK(cudaEventElapsedTime(&took, p->start, p->end));
    if (k) times.push_back(took);
  }
  std::sort(times.begin(), times.end());
  *ms = times[times.size() / 2];
  return NULL;
}

const char *run(product *p, uint64_t n, const uint32_t *ptr, const uint32_t *idx, const void *val,
                const void *x, void *y, int size, int tries, double ms[2]) {
  const cudaDataType type = size == 4 ? CUDA_R_32F : CUDA_R_64F;
  const uint32_t entries = ptr[n];
  const float one32 = 1, zero32 = 0;
  const double one64 = 1, zero64 = 0;
  const void *one = size == 4 ? (const void *)&one32 : &one64,
             *zero = size == 4 ? (const void *)&zero32 : &zero64;
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
  CUDA_CHECK(cudaEventCreate(&p->start));
  CUDA_CHECK(cudaEventCreate(&p->end));
  for (int k = 0; k < 2; k++) {
    const char *wrong = time_algorithm(p, k ? CUSPARSE_SPMV_CSR_ALG2 : CUSPARSE_SPMV_ALG_DEFAULT, type, one,
                                       zero, tries, ms + k);
    if (wrong) return wrong;
  }
  CUDA_CHECK(cudaMemcpy(y, out, n * (size_t)size, cudaMemcpyDeviceToHost));
  return NULL;
}

struct square {
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a, c;
  cusparseSpGEMMDescr_t how;
  std::vector<void *> kept, arrays;  // of all tries, of one
};

void *upload_tracked(std::vector<void *> *list, size_t bytes) {
  void *to = NULL;
  if (cudaMalloc(&to, bytes ? bytes : 1) != cudaSuccess) return NULL;
  list->push_back(to);
  return to;
}

// One product; *sum only if requested.
const char *multiply(square *p, uint64_t n, uint64_t *nvals, double *sum, uint64_t *workspace) {
  const float one = 1, zero = 0;
  const cusparseOperation_t as = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpGEMMAlg_t method = CUSPARSE_SPGEMM_ALG2;
  size_t first = 0, second = 0, third = 0;
  int64_t rows, cols, count;
  void *first_workspace, *second_workspace, *third_workspace, *at, *columns, *values;
  CHECK(cusparseSpGEMM_createDescr(&p->how));
  CHECK(cusparseCreateCsr(&p->c, (int64_t)n, (int64_t)n, 0, NULL, NULL, NULL, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseSpGEMM_workEstimation(p->handle, as, as, &one, p->a, p->a, &zero, p->c, CUDA_R_32F, method,
                                      p->how, &first, NULL));
  if (!(first_workspace = upload_tracked(&p->arrays, first))) return "out of device memory";
  CHECK(cusparseSpGEMM_workEstimation(p->handle, as, as, &one, p->a, p->a, &zero, p->c, CUDA_R_32F, method,
                                      p->how, &first, first_workspace));
  CHECK(cusparseSpGEMM_estimateMemory(p->handle, as, as, &one, p->a, p->a, &zero, p->c, CUDA_R_32F, method,
                                      p->how, 0.2F, &third, NULL, NULL));
  if (!(third_workspace = upload_tracked(&p->arrays, third))) return "out of device memory";
  CHECK(cusparseSpGEMM_estimateMemory(p->handle, as, as, &one, p->a, p->a, &zero, p->c, CUDA_R_32F, method,
                                      p->how, 0.2F, &third, third_workspace, &second));
  if (!(second_workspace = upload_tracked(&p->arrays, second))) return "out of device memory";
  CHECK(cusparseSpGEMM_compute(p->handle, as, as, &one, p->a, p->a, &zero, p->c, CUDA_R_32F, method, p->how,
                               &second, second_workspace));
  CHECK(cusparseSpMatGetSize(p->c, &rows, &cols, &count));
  at = upload_tracked(&p->arrays, (n + 1) * 4), columns = upload_tracked(&p->arrays, (size_t)count * 4),
  values = upload_tracked(&p->arrays, (size_t)count * 4);
  if (!at || !columns || !values) return "out of device memory";
  CHECK(cusparseCsrSetPointers(p->c, at, columns, values));
  CHECK(cusparseSpGEMM_copy(p->handle, as, as, &one, p->a, p->a, &zero, p->c, CUDA_R_32F, method, p->how));
  CUDA_CHECK(cudaDeviceSynchronize());
  *nvals = (uint64_t)count, *workspace = first + second + third;
  if (!sum) return NULL;
  std::vector<float> host((size_t)count);
  CUDA_CHECK(cudaMemcpy(host.data(), values, (size_t)count * 4, cudaMemcpyDeviceToHost));
  *sum = 0;
  for (float v : host) *sum += v;
  return NULL;
}

void end_try(square *p) {
  if (p->c) cusparseDestroySpMat(p->c);
  if (p->how) cusparseSpGEMM_destroyDescr(p->how);
  for (void *array : p->arrays) cudaFree(array);
  p->c = NULL, p->how = NULL;
  p->arrays.clear();
}

const char *run_square(square *p, uint64_t n, const uint32_t *ptr, const uint32_t *idx, const float *val,
                       int tries, double *ms, uint64_t *nvals, double *sum, uint64_t *workspace) {
  const uint32_t entries = ptr[n];
  void *at = upload_tracked(&p->kept, (n + 1) * 4), *columns = upload_tracked(&p->kept, entries * (size_t)4),
       *values = upload_tracked(&p->kept, entries * (size_t)4);
  if (!at || !columns || !values) return "out of device memory";
  CUDA_CHECK(cudaMemcpy(at, ptr, (n + 1) * 4, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(columns, idx, entries * (size_t)4, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(values, val, entries * (size_t)4, cudaMemcpyHostToDevice));
  CHECK(cusparseCreate(&p->handle));
  CHECK(cusparseCreateCsr(&p->a, (int64_t)n, (int64_t)n, entries, at, columns, values, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  *ms = 1e30;
  for (int k = 0; k <= tries; k++) {
    const auto begin = std::chrono::steady_clock::now();
    const char *wrong = multiply(p, n, nvals, k ? NULL : sum, workspace);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    end_try(p);
    if (wrong) return wrong;
    if (k && took.count() < *ms) *ms = took.count();
  }
  return NULL;
}

struct block_product {
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnMatDescr_t b, c;
  cudaEvent_t start, end;
  std::vector<void *> arrays;
};

void *upload(std::vector<void *> *list, const void *from, size_t bytes) {
  void *to = upload_tracked(list, bytes);
  return to && cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice) == cudaSuccess ? to : NULL;
}

const char *time_block(block_product *p, cusparseSpMMAlg_t algorithm, int tries, double *ms) {
  const cusparseOperation_t as = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const float one = 1, zero = 0;
  size_t bytes = 0;
  void *workspace;
  std::vector<float> times;
  CHECK(cusparseSpMM_bufferSize(p->handle, as, as, &one, p->a, p->b, &zero, p->c, CUDA_R_32F, algorithm,
                                &bytes));
  if (!(workspace = upload_tracked(&p->arrays, bytes))) return "out of device memory";
  CHECK(cusparseSpMM_preprocess(p->handle, as, as, &one, p->a, p->b, &zero, p->c, CUDA_R_32F, algorithm,
                                workspace));
  for (int k = 0; k <= tries; k++) {
    float took = 0;
    CUDA_CHECK(cudaEventRecord(p->start));
    CHECK(cusparseSpMM(p->handle, as, as, &one, p->a, p->b, &zero, p->c, CUDA_R_32F, algorithm, workspace));
    CUDA_CHECK(cudaEventRecord(p->end));
    CUDA_CHECK(cudaEventSynchronize(p->end));
    CUDA_CHECK(cudaEventElapsedTime(&took, p->start, p->end));
    if (k) times.push_back(took);
  }
  std::sort(times.begin(), times.end());
  *ms = times[times.size() / 2];
  return NULL;
}

const char *run_block(block_product *p, uint64_t n, const uint32_t *ptr, const uint32_t *idx,
                      const float *val, const float *b, uint64_t cols, int tries, double ms[2], double *sum) {
  const uint32_t entries = ptr[n];
  const int64_t rows = (int64_t)n, columns = (int64_t)cols;
  const size_t block_bytes = n * cols * sizeof(float);
  if (entries > INT32_MAX) return "more entries than its 32-bit offsets take";
  void *at = upload(&p->arrays, ptr, (n + 1) * sizeof *ptr),
       *column = upload(&p->arrays, idx, entries * sizeof *idx),
       *values = upload(&p->arrays, val, entries * sizeof *val), *in = upload(&p->arrays, b, block_bytes),
       *out = upload_tracked(&p->arrays, block_bytes);
  if (!at || !column || !values || !in || !out) return "out of device memory";
  CHECK(cusparseCreate(&p->handle));
  CHECK(cusparseCreateCsr(&p->a, rows, rows, entries, at, column, values, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnMat(&p->b, rows, columns, columns, in, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&p->c, rows, columns, columns, out, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CUDA_CHECK(cudaEventCreate(&p->start));
  CUDA_CHECK(cudaEventCreate(&p->end));
  for (int k = 0; k < 2; k++) {
    const char *wrong = time_block(p, k ? CUSPARSE_SPMM_CSR_ALG2 : CUSPARSE_SPMM_ALG_DEFAULT, tries, ms + k);
    if (wrong) return wrong;
  }
  std::vector<float> host(n * cols);
  CUDA_CHECK(cudaMemcpy(host.data(), out, block_bytes, cudaMemcpyDeviceToHost));
  *sum = 0;
  for (float v : host) *sum += v;
  return NULL;
}

}  // namespace

extern "C" void cusparse_wait(void) {
  cudaDeviceSynchronize();
}

extern "C" const char *cusparse_square(uint64_t n, const uint32_t *ptr, const uint32_t *idx, const float *val,
                                       int tries, double *ms, uint64_t *nvals, double *sum,
                                       uint64_t *workspace) {
  square p = {};
  const char *wrong = run_square(&p, n, ptr, idx, val, tries, ms, nvals, sum, workspace);
  if (p.a) cusparseDestroySpMat(p.a);
  if (p.handle) cusparseDestroy(p.handle);
  for (void *array : p.kept) cudaFree(array);
  return wrong;
}

extern "C" const char *cusparse_product(uint64_t n, const uint32_t *ptr, const uint32_t *idx, const void *val,
                                        const void *x, void *y, int size, int tries, double ms[2]) {
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

extern "C" const char *cusparse_block(uint64_t n, const uint32_t *ptr, const uint32_t *idx, const float *val,
                                      const float *b, uint64_t cols, int tries, double ms[2], double *sum) {
  block_product p = {};
  const char *wrong = run_block(&p, n, ptr, idx, val, b, cols, tries, ms, sum);
  if (p.b) cusparseDestroyDnMat(p.b);
  if (p.c) cusparseDestroyDnMat(p.c);
  if (p.a) cusparseDestroySpMat(p.a);
  if (p.handle) cusparseDestroy(p.handle);
  if (p.start) cudaEventDestroy(p.start);
  if (p.end) cudaEventDestroy(p.end);
  for (void *array : p.arrays) cudaFree(array);
  return wrong;
}
