/* c = op(c, t) in the values of c, which has all entries of t (lmat_ops.h), by a kernel for their types and
 * operator (kernels/lmat_pairs.cuh). */
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/vec_source.h"

GrB_Info grid_cuda_plan_accumulation(grid_accumulation *a, const grid_local_matrix *c,
                                     const grid_local_matrix *t, GrB_BinaryOp op) {
  grid_jit_source s;
  GrB_Info info = grid_cuda_find_entries(&a->at, t, c);
  if (info != GrB_SUCCESS || !a->at) return info;
  grid_source_pairs(&s, c->type, c->type, t->type, op, false);
  TRY(grid_jit_kernel(&a->kernel, &s, "lmat_pairs.cuh", "grid_accumulate_kernel"));
  if (!c->iso) return info;
  a->val = grid_device_malloc(c->nvals, c->type->size);
  if (!a->val) TRY(grid_device_fail_memory(NULL, "matrix values", c->nvals, c->type->size));
  info = grid_cuda_fill(a->val, c->iso_val, c->type->size, c->nvals);
done:
  return info;
}

GrB_Info grid_cuda_accumulate(grid_local_matrix *c, const grid_local_matrix *t, const grid_accumulation *a) {
  uint64_t n = t->nvals;
  const void *y = t->by_row.val;
  void *args[] = {&n, &c->by_row.val, (void *)(uintptr_t)&a->at, &y,
                  (void *)(uintptr_t)grid_cuda_iso_value(t)};
  return grid_jit_launch(a->kernel, grid_cuda_thread_blocks(n), 256, args, "accumulation in a matrix");
}
