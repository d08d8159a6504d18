/* Values of a matrix on the device whose pattern exists: gathered from another one's, or computed from pairs
 * of entries by a kernel for their types and operator (kernels/lmat_pairs.cuh). */
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/vec_source.h"

/* A kernel parameter in place of a value that is not used. */
static const uint64_t zero_value[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)];

const void *grid_cuda_iso_value(const grid_local_matrix *p) {
  return p->iso ? p->iso_val : zero_value;
}

GrB_Info grid_cuda_make_values(grid_local_matrix *z) {
  z->by_row.val = grid_device_malloc(z->nvals, z->type->size);
  return z->by_row.val ? GrB_SUCCESS
                       : grid_device_fail_memory(NULL, "matrix values", z->nvals, z->type->size);
}

/* ---- pairs --------------------------------------------------------------------------------------------- */

void grid_source_pairs(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_Type y, GrB_BinaryOp op,
                       bool unpaired) {
  grid_jit_begin(s);
  grid_jit_type(s, "X_t", x);
  grid_jit_type(s, "Y_t", y);
  grid_jit_type(s, "Z_t", z);
  grid_jit_define(s, "UNPAIRED", unpaired);
  grid_jit_define(s, "BOTH", op != NULL);
  if (unpaired) {
    grid_jit_cast(s, "unpaired_x", z, x);
    grid_jit_cast(s, "unpaired_y", z, y);
  }
  if (!op) return;
  grid_jit_cast(s, "cast_x", op->x, x);
  grid_jit_cast(s, "cast_y", op->y, y);
  grid_jit_cast(s, "cast_z", z, op->z);
  grid_jit_binary(s, "op", op);
}

/* A single operand, cast, is a pair whose other side is absent everywhere. */
GrB_Info grid_cuda_pair_values(grid_local_matrix *z, const grid_pair_args *p) {
  const grid_local_matrix *y = p->y ? p->y : p->x;
  const void *x_val = p->x->by_row.val, *y_val = y->by_row.val;
  uint32_t *none = NULL;
  const uint32_t *from_x = p->from_x, *from_y = p->from_y;
  uint64_t n = z->nvals;
  const uint32_t no_entry = GRID_NO_ENTRY;
  GrB_Info info;
  grid_jit_source s;
  void *kernel;
  grid_source_pairs(&s, z->type, p->x->type, y->type, p->op, p->unpaired);
  const uint64_t bytes =
      p->waits ? UINT64_MAX : n * z->type->size + grid_lmat_bytes(p->x) + grid_lmat_bytes(y);
  TRY(grid_jit_kernel_or_cpu(&kernel, &s, "lmat_pairs.cuh", "grid_pair_values_kernel", bytes));
  TRY(grid_cuda_make_values(z));
  if (!p->y) {
    none = grid_device_malloc(n, sizeof *none);
    if (!none) TRY(grid_device_fail_memory(NULL, "converted matrix values", n, sizeof *none));
    TRY(grid_cuda_fill(none, &no_entry, sizeof no_entry, n));
    from_y = none;
  }
  void *args[] = {&n,
                  &z->by_row.val,
                  &x_val,
                  (void *)(uintptr_t)grid_cuda_iso_value(p->x),
                  &from_x,
                  &y_val,
                  (void *)(uintptr_t)grid_cuda_iso_value(y),
                  &from_y};
  info = grid_jit_launch(kernel, grid_cuda_thread_blocks(n), 256, args, "values of two matrices");
done:
  grid_device_free(none);
  return info;
}

GrB_Info grid_cuda_gather_lmat_values(grid_local_matrix *z, const grid_local_matrix *x,
                                      const uint32_t *from) {
  if (x->iso) return grid_lmat_set_iso(z, x->iso_val);
  if (z->nvals == 0) return GrB_SUCCESS;
  GrB_Info info = grid_cuda_make_values(z);
  return info == GrB_SUCCESS ? grid_cuda_gather(z->by_row.val, x->by_row.val, from, z->nvals, x->type->size)
                             : info;
}
