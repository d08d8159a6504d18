/* y = M x by cuSPARSE, over all rows of an even matrix (balanced_tiles.cu chooses). The library is loaded at
 * run time, when a product first wants it, so that one build runs with and without it. Its second algorithm
 * adds in an order that depends only on the matrix. */
#include "spmat/cuda/product/cuda_product.h"

#ifndef GRID_CUSPARSE
bool grid_cusparse_prepare(const grid_job *J, grid_balanced_tiles *s) {
  (void)J, (void)s;
  return false;
}
GrB_Info grid_cusparse_multiply(const grid_job *J, const grid_balanced_tiles *s, void *y) {
  (void)J, (void)s, (void)y;
  return GRID_UNSUPPORTED;
}
#else
#include <cusparse.h>
#include <dlfcn.h>

#include "semiring/builtin.h"
#include "semiring/support/tuning.h"
#include "spmat/cuda/device/stream.h"

/* ---- the library ---- */

#define FUNCTIONS(F) \
  F(Create)          \
  F(Destroy)         \
  F(SetStream)       \
  F(CreateCsr)       \
  F(DestroySpMat)    \
  F(CreateDnVec) F(DestroyDnVec) F(DnVecSetValues) F(SpMV_bufferSize) F(SpMV_preprocess) F(SpMV)

static struct {
  bool tried; /* to load it */
  void *library;
  cusparseHandle_t handle;
#define MEMBER(f) __typeof__(cusparse##f) *f;
  FUNCTIONS(MEMBER)
} cusparse;

static bool load(void) {
  static const char *const at[] = {"libcusparse.so.12", GRID_CUSPARSE_LIBRARY};
  if (cusparse.tried) return cusparse.library != NULL;
  cusparse.tried = true;
  for (size_t k = 0; k < 2 && !cusparse.library; k++) cusparse.library = dlopen(at[k], RTLD_NOW | RTLD_LOCAL);
  if (!cusparse.library) return false;
#define FIND(f)   *(void **)&cusparse.f = dlsym(cusparse.library, "cusparse" #f);
  FUNCTIONS(FIND)
#define HAVE(f)   &&cusparse.f
  if (true FUNCTIONS(HAVE)) return true;
  cusparse.library = NULL;
  return false;
}

static void close_handle(void) {
  if (cusparse.handle) (void)cusparse.Destroy(cusparse.handle);
  cusparse.handle = NULL;
}

static bool open_handle(void) {
  static bool registered;
  if (cusparse.handle) return true;
  if (!load() || cusparse.Create(&cusparse.handle) != CUSPARSE_STATUS_SUCCESS) {
    cusparse.handle = NULL;
    return false;
  }
  if (!registered) grid_cuda_register_close(close_handle);
  return registered = true;
}

/* ---- its form of a matrix ---- */

typedef struct {
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t x, y;
  void *workspace;
  const void *values; /* the form was made for them */
} form;

static void release(void *at) {
  form *f = at;
  if (f->matrix) (void)cusparse.DestroySpMat(f->matrix);
  if (f->x) (void)cusparse.DestroyDnVec(f->x);
  if (f->y) (void)cusparse.DestroyDnVec(f->y);
  grid_device_free(f->workspace);
  grid_free(f);
}

static cudaDataType type_of(const grid_job *J) {
  return J->a_type == GrB_FP32 ? CUDA_R_32F : CUDA_R_64F;
}

/* Numbers of the job's type. */
static const void *number(const grid_job *J, bool one) {
  static const float number32[] = {0, 1};
  static const double number64[] = {0, 1};
  return J->a_type == GrB_FP32 ? (const void *)&number32[one] : &number64[one];
}

#define AS      CUSPARSE_OPERATION_NON_TRANSPOSE
#define METHOD  CUSPARSE_SPMV_CSR_ALG2
#define DONE(c) ((c) == CUSPARSE_STATUS_SUCCESS)

static bool make_form(const grid_job *J, form *f, uint64_t *bytes) {
  const cudaDataType type = type_of(J);
  const void *one = number(J, true), *zero = number(J, false);
  size_t size = 0;
  f->values = J->a;
  if (!DONE(cusparse.SetStream(cusparse.handle, grid_cuda_stream())) ||
      !DONE(cusparse.CreateCsr(&f->matrix, (int64_t)J->ny, (int64_t)J->nx, (int64_t)J->entries, J->m->ptr,
                               J->m->idx, (void *)(uintptr_t)J->a, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, type)) ||
      !DONE(cusparse.CreateDnVec(&f->x, (int64_t)J->nx, (void *)(uintptr_t)J->x, type)) ||
      !DONE(cusparse.CreateDnVec(&f->y, (int64_t)J->ny, J->y, type)) ||
      !DONE(cusparse.SpMV_bufferSize(cusparse.handle, AS, one, f->matrix, f->x, zero, f->y, type, METHOD,
                                     &size)))
    return false;
  f->workspace = grid_device_malloc(size ? size : 1, 1);
  *bytes += size;
  return f->workspace && DONE(cusparse.SpMV_preprocess(cusparse.handle, AS, one, f->matrix, f->x, zero, f->y,
                                                       type, METHOD, f->workspace));
}

/* The semirings, types and vectors that cuSPARSE takes. A panel's arrays may begin anywhere. */
static bool can_multiply(const grid_job *J) {
  const GrB_BinaryOp add = J->s->add->op, mul = J->s->mul;
  const bool sum32 = add == &grid_binary_PLUS_FP32 && mul == &grid_binary_TIMES_FP32,
             sum64 = add == &grid_binary_PLUS_FP64 && mul == &grid_binary_TIMES_FP64;
  const uintptr_t arrays = (uintptr_t)J->m->ptr | (uintptr_t)J->m->idx | (uintptr_t)J->a | (uintptr_t)J->x;
  return (sum32 || sum64) && arrays % 16 == 0 && J->a_type == mul->x && J->x_type == mul->x && J->a_step &&
         J->x_step && !J->xbits && J->entries <= INT32_MAX && J->ny <= INT32_MAX && J->nx <= INT32_MAX;
}

bool grid_cusparse_prepare(const grid_job *J, grid_balanced_tiles *s) {
  form *f = s->library_form;
  if (s->no_library || J->entries < grid_tune.cusparse_entries || !can_multiply(J)) return false;
  if (f && f->values == J->a && cusparse.handle) return true;
  if (f) release(f);
  s->library_form = NULL;
  f = open_handle() ? grid_calloc(1, sizeof *f) : NULL;
  if (f && make_form(J, f, &s->bytes)) {
    s->library_form = f, s->library_release = release;
    return true;
  }
  if (f) release(f);
  s->no_library = true;
  return false;
}

GrB_Info grid_cusparse_multiply(const grid_job *J, const grid_balanced_tiles *s, void *y) {
  const form *f = s->library_form;
  if (DONE(cusparse.SetStream(cusparse.handle, grid_cuda_stream())) &&
      DONE(cusparse.DnVecSetValues(f->x, (void *)(uintptr_t)J->x)) &&
      DONE(cusparse.DnVecSetValues(f->y, y)) &&
      DONE(cusparse.SpMV(cusparse.handle, AS, number(J, true), f->matrix, f->x, number(J, false), f->y,
                         type_of(J), METHOD, f->workspace)))
    return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "cuSPARSE: a product with a vector failed");
}
#endif
