/* Shared by the files of the CUDA backend's products; plain C. */
#ifndef GRID_CUDA_PRODUCT_H
#define GRID_CUDA_PRODUCT_H
#include "spmat/backend.h"
#include "spmat/cuda/vector/host_results.h"
#include "spmat/cuda/jit/jit.h"
#include "spmat/cuda/kernels/product_job.cuh"
#include "spmat/matrix/balanced_tiles.h"

/* A pull goes row by row. If it sums over all entries, it goes by balanced tiles where rows are uneven; these
 * may also read x in order of degree, and panel by panel of columns. It goes by blocks of 32 rows where they
 * are even. */
typedef enum {
  GRID_METHOD_PUSH,
  GRID_METHOD_ROWS,
  GRID_METHOD_TILES,
  GRID_METHOD_DEGREE_ORDERED,
  GRID_METHOD_COLUMN_PANELS,
  GRID_METHOD_ROW_BLOCKS
} grid_product_method;

/* The kernels of one semiring and method, launched in this order with (grid_product_job, one value of M's
 * type). last: NULL in a push and a pull by blocks of rows. The blocks of a push wait for each other. */
typedef struct {
  void *main, *last;
} grid_product_code;

/* Bytes of shared memory for x's first values in a pull in order of degree; a multiple of 16. */
uint64_t grid_cuda_hub_bytes(void);
/* product_jit.c: compiled at run time; GRID_UNSUPPORTED: the semiring has no device form, or
 * grid_jit_kernel_or_cpu leaves the job to the CPU. While a thread compiles another pull, *method becomes
 * GRID_METHOD_ROWS if that has its kernels. */
GrB_Info grid_product_compile(grid_product_code *code, const grid_job *J, grid_product_method *method);
bool grid_product_is_supported(GrB_Semiring s);
/* The preamble of kernels/product_jit.cuh. */
void grid_product_preamble(grid_jit_source *s, const grid_job *J, grid_product_method method);

/* Are M's and x's values used? And the types of the multiplier's operands for them. */
static inline bool grid_product_a_used(const grid_job *J) {
  return J->flip ? J->s->mul->uses_y : J->s->mul->uses_x;
}
static inline bool grid_product_x_used(const grid_job *J) {
  return J->flip ? J->s->mul->uses_x : J->s->mul->uses_y;
}
static inline GrB_Type grid_product_a_operand(const grid_job *J) {
  return J->flip ? J->s->mul->y : J->s->mul->x;
}
static inline GrB_Type grid_product_x_operand(const grid_job *J) {
  return J->flip ? J->s->mul->x : J->s->mul->y;
}

/* balanced_tiles.cu: how a pull that sums over all entries of M goes; what the method wants of M is made now
 * if due, and *caches is where it is. */
GrB_Info grid_cuda_choose_pull(const grid_job *J, grid_product_method *method,
                               const grid_balanced_tiles **caches);

/* column_panels.cu: makes s->column_panels of the entries of J's matrix. rank_of: of each other end. */
GrB_Info grid_cuda_column_panels(const grid_job *J, grid_balanced_tiles *s, const uint32_t *rank_of);

/* Counts the lengths of m's n vectors, which have `entries` together, for m->balanced_tiles. */
GrB_Info grid_cuda_count_lengths(const grid_compressed *m, uint64_t n, uint64_t entries);

/* product_help.cu: entries of M's rows that the mask of a pull, which has one, allows. Waits. */
GrB_Info grid_cuda_allowed_entries(const grid_job *J, uint64_t *entries);

const grid_kernels *grid_cuda_product_kernels(const grid_job *J, bool structural); /* product.cu */
extern const grid_device_products grid_cuda_products;                              /* product_help.cu */
#endif
