/* Entry-wise operations of spmat/lmat_ops.h on the device, through kernels compiled for their types and
 * operators (kernels/lmat_*.cuh, vec_apply.cuh). For iso operands the result's value is computed here on the
 * host. */
#include <string.h>

#include "semiring/support/mem.h"
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/fused.h"
#include "spmat/cuda/vector/vec_source.h"

GrB_Info grid_cuda_lmat_cast(grid_local_matrix *p, GrB_Type type) {
  grid_local_matrix z = {.type = type, .nvals = p->nvals, .device = true};
  const grid_pair_args args = {.x = p, .unpaired = true};
  GrB_Info info = GrB_SUCCESS;
  if (p->iso) {
    void *one = grid_malloc(1, type->size);
    if (!one) return grid_fail_memory(NULL, "a matrix value", 1, type->size);
    grid_cast_array(one, type, p->iso_val, p->type, 1, 1);
    grid_free(p->iso_val);
    p->iso_val = one;
    p->type = type;
    return info;
  }
  info = grid_cuda_pair_values(&z, &args);
  if (info != GrB_SUCCESS) {
    grid_device_free(z.by_row.val);
    return info;
  }
  grid_device_free(p->by_row.val);
  p->by_row.val = z.by_row.val;
  p->type = type;
  return info;
}

/* ---- apply --------------------------------------------------------------------------------------------- */

/* z gets a's pattern, and values by the operator of s, which is freed; bound_scalar: the operator's bound
 * operand. */
static GrB_Info apply_values(grid_jit_source *s, grid_local_matrix *z, const grid_local_matrix *a,
                             const void *bound_scalar, size_t bytes) {
  GrB_Info info;
  void *kernel;
  grid_vec_step all = {.a = {.n = a->nvals}, .x = a->by_row.val};
  if (bytes > sizeof all.bound_scalar) {
    grid_jit_free(s);
    return GRID_UNSUPPORTED;
  }
  memcpy(all.bound_scalar, bound_scalar, bytes);
  TRY(grid_jit_kernel_or_cpu(&kernel, s, "vec_apply.cuh", "grid_apply", 2 * grid_lmat_bytes(a)));
  TRY(grid_cuda_pattern(z, a));
  TRY(grid_cuda_make_values(z));
  all.z = z->by_row.val;
  info = grid_pass_run(GRID_PASS_OF(kernel, all, "apply of a matrix", all.z));
done:
  return info;
}

static GrB_Info set_value(grid_local_matrix *z, const grid_local_matrix *a, const void *one) {
  GrB_Info info = grid_cuda_pattern(z, a);
  return info == GrB_SUCCESS ? grid_lmat_set_iso(z, one) : info;
}

GrB_Info grid_cuda_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op) {
  grid_jit_source s;
  uint64_t one[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)];
  if (a->iso) {
    const grid_unary bound = grid_unary_bind(op, a->type);
    grid_unary_run(&bound, one, a->iso_val, 0, 1);
    return set_value(z, a, one);
  }
  grid_source_unary(&s, z->type, a->type, op);
  const uint64_t none[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)] = {0}; /* no operand is bound */
  return apply_values(&s, z, a, none, sizeof none);
}

GrB_Info grid_cuda_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                                    const void *x, bool first) {
  grid_jit_source s;
  uint64_t one[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)];
  if (a->iso || !(first ? op->uses_y : op->uses_x)) {
    grid_binary bound;
    GrB_Info info = grid_binary_bind(&bound, op, z->type, first ? op->x : a->type, first ? a->type : op->y);
    if (info == GrB_SUCCESS)
      grid_binary_apply(&bound, one, first ? x : grid_cuda_iso_value(a), first ? grid_cuda_iso_value(a) : x);
    grid_binary_free(&bound);
    return info == GrB_SUCCESS ? set_value(z, a, one) : info;
  }
  grid_source_binary(&s, z->type, a->type, op, first);
  return apply_values(&s, z, a, x, (first ? op->x : op->y)->size);
}

GrB_Info grid_cuda_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                                    const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  GrB_Info info;
  grid_jit_source s;
  void *kernel, *val = a->by_row.val;
  grid_csr_pattern m = grid_csr_pattern_of(a);
  grid_device_index_map row = grid_device_index_map_of(rows), col = grid_device_index_map_of(cols);
  if (rows->table || cols->table || rows->segments || cols->segments) return GRID_UNSUPPORTED;
  grid_source_index(&s, z->type, a->type, op);
  TRY(grid_jit_kernel_or_cpu(&kernel, &s, "lmat_apply.cuh", "grid_cpu_lmat_apply", 2 * grid_lmat_bytes(a)));
  TRY(grid_cuda_pattern(z, a));
  TRY(grid_cuda_make_values(z));
  void *args[] = {
      &m, &row, &col, &val, (void *)(uintptr_t)grid_cuda_iso_value(a), (void *)(uintptr_t)y, &z->by_row.val};
  info = grid_jit_launch(kernel, grid_cuda_csr_blocks(a->nvals), GRID_CSR_THREADS, args, "apply of a matrix");
done:
  return info;
}

/* ---- select -------------------------------------------------------------------------------------------- */

static GrB_Info select_pattern(grid_local_matrix *z, const grid_local_matrix *a, grid_selection *k) {
  uint32_t *from = NULL;
  GrB_Info info;
  TRY(grid_cuda_selection_count(k));
  TRY(grid_cuda_select_pattern(z, a, k, &from));
  info = grid_cuda_gather_lmat_values(z, a, from);
done:
  grid_device_free(from);
  return info;
}

GrB_Info grid_cuda_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                               const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  GrB_Info info;
  grid_jit_source s;
  grid_selection k = {0};
  void *kernel, *val = a->by_row.val;
  grid_csr_pattern m = grid_csr_pattern_of(a);
  grid_device_index_map row = grid_device_index_map_of(rows), col = grid_device_index_map_of(cols);
  if (rows->table || cols->table || rows->segments || cols->segments) return GRID_UNSUPPORTED;
  grid_source_select(&s, a->type, op);
  TRY(grid_jit_kernel_or_cpu(&kernel, &s, "lmat_select.cuh", "grid_cpu_lmat_select", 2 * grid_lmat_bytes(a)));
  TRY(grid_cuda_selection_make(&k, a->nvals));
  void *args[] = {&m,     &row, &col, &val, (void *)(uintptr_t)grid_cuda_iso_value(a), (void *)(uintptr_t)y,
                  &k.bits};
  TRY(grid_jit_launch(kernel, grid_cuda_csr_blocks(a->nvals), GRID_CSR_THREADS, args, "select of a matrix"));
  info = select_pattern(z, a, &k);
done:
  grid_cuda_selection_free(&k);
  return info;
}

/* The mask's entries in the region, those that are true, with the value x. */
GrB_Info grid_cuda_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                                  const grid_local_matrix *m, bool structure) {
  grid_selection k = {0};
  uint32_t *from = NULL;
  bool none;
  GrB_Info info;
  TRY(grid_cuda_select_true(&k, m, structure, &none));
  if (none) goto done;
  if (s) TRY(grid_cuda_select_region(&k, m, s, true));
  if (!k.bits) {
    TRY(grid_cuda_pattern(t, m));
  } else {
    TRY(grid_cuda_selection_count(&k));
    TRY(grid_cuda_select_pattern(t, m, &k, &from));
  }
  info = grid_lmat_set_iso(t, x);
done:
  grid_device_free(from);
  grid_cuda_selection_free(&k);
  return info;
}

/* ---- reduce -------------------------------------------------------------------------------------------- */

/* Reduces the values as a vector. */
GrB_Info grid_cuda_lmat_sum(void *z, const grid_local_matrix *p, GrB_Monoid monoid) {
  grid_chunk all = {.n = p->nvals,
                    .nvals = p->nvals,
                    .type = p->type,
                    .format = GRID_FULL,
                    .iso = p->iso,
                    .device = true,
                    .val = p->by_row.val};
  bool has_value;
  if (p->iso) memcpy(all.host_value, p->iso_val, p->type->size);
  return grid_cuda_vectors.reduce(z, &has_value, &all, monoid->op, monoid->terminal, monoid->any);
}

/* ---- the other orientation ----------------------------------------------------------------------------- */

GrB_Info grid_cuda_lmat_copy_rows(grid_local_matrix *t, const grid_local_matrix *p) {
  GrB_Info info = grid_cuda_pattern(t, p);
  if (info != GrB_SUCCESS || p->iso) return info == GrB_SUCCESS ? grid_lmat_set_iso(t, p->iso_val) : info;
  info = grid_cuda_make_values(t);
  return info == GrB_SUCCESS ? grid_device_copy(t->by_row.val, p->by_row.val, p->nvals * p->type->size)
                             : info;
}

GrB_Info grid_cuda_lmat_transpose(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t) {
  GrB_Info info;
  if (symmetric || grid_compressed_is_built(&p->by_col)) {
    grid_local_matrix view = *p;
    view.row = p->col, view.col = p->row;
    view.by_row = symmetric ? p->by_row : p->by_col;
    return grid_cuda_lmat_copy_rows(t, &view);
  }
  t->row.n = p->col.n, t->col.n = p->row.n, t->nvals = p->nvals;
  TRY(grid_cuda->builder->orient->transpose(p, &t->by_row));
  if (p->iso) info = grid_lmat_set_iso(t, p->iso_val);
done:
  return info;
}
