/* The CPU backend's table. */
#include "spmat/backend.h"
#include "spmat/cpu/ewise/lmat_intersect.h"
#include "spmat/cpu/ewise/lmat_union.h"
#include "spmat/cpu/index/lmat_assign.h"
#include "spmat/cpu/index/lmat_diagonal.h"
#include "spmat/cpu/index/lmat_extract.h"
#include "spmat/cpu/index/lmat_fill_value.h"
#include "spmat/cpu/index/lmat_kronecker.h"
#include "spmat/cpu/matrix/lmat_apply.h"
#include "spmat/cpu/matrix/lmat_reduce.h"
#include "spmat/cpu/matrix/lmat_sample.h"
#include "spmat/cpu/matrix/lmat_select.h"
#include "spmat/cpu/product/cpu_product.h"
#include "spmat/cpu/vector/vec_cpu.h"

static GrB_Info diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col,
                         grid_onto onto) {
  return onto == GRID_ONTO_DIAGONAL ? grid_cpu_lmat_diagonal(t, v, row, col) : GRID_UNSUPPORTED;
}

/* The block is the whole product. */
static GrB_Info kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                     uint64_t rows, uint64_t cols, GrB_BinaryOp op) {
  const grid_kron_block whole = {.q = t->row.dim, .chunks = 1, .R = 1, .cols = t->col.dim};
  return grid_cpu_lmat_kron(t, a, b, rows, cols, op, &whole);
}

static const grid_vec_ops vectors = {.ewise = grid_cpu_vec_ewise,
                                     .ewise_union = grid_cpu_vec_ewise_union,
                                     .apply = grid_cpu_vec_apply,
                                     .apply_first = grid_cpu_vec_apply_first,
                                     .apply_second = grid_cpu_vec_apply_second,
                                     .apply_index = grid_cpu_vec_apply_index,
                                     .select = grid_cpu_vec_select,
                                     .reduce = grid_cpu_vec_reduce,
                                     .build = grid_cpu_vec_build,
                                     .gather = grid_cpu_vec_gather,
                                     .scatter = grid_cpu_vec_scatter,
                                     .tuples = grid_cpu_vec_tuples};

static const grid_lmat_ops lmat_ops = {.apply = grid_cpu_lmat_apply,
                                       .apply_bound = grid_cpu_lmat_apply_bound,
                                       .apply_index = grid_cpu_lmat_apply_index,
                                       .select = grid_cpu_lmat_select,
                                       .sum = grid_cpu_lmat_sum,
                                       .ewise_union = grid_cpu_lmat_union,
                                       .intersect = grid_cpu_lmat_intersect,
                                       .cast = grid_cpu_lmat_cast,
                                       .fill_mask = grid_cpu_lmat_fill_mask,
                                       .fill_region = grid_cpu_lmat_fill_region,
                                       .assign = grid_cpu_lmat_assign,
                                       .transpose = grid_cpu_lmat_transpose,
                                       .copy_rows = grid_cpu_lmat_copy_rows,
                                       .diagonal = diagonal,
                                       .extract = grid_cpu_lmat_extract,
                                       .scatter = grid_cpu_lmat_scatter,
                                       .kron = kron,
                                       .sample = grid_cpu_lmat_sample};

const grid_backend grid_backend_cpu = {
    .name = "cpu", .vectors = &vectors, .lmat_ops = &lmat_ops, .kernels = grid_cpu_product_kernels};
