/* The operations of spmat/vec_ops.h on the device, through kernels compiled for their types and operators
 * (kernels/vec_*.cuh). If u is iso, the result's value is computed here on the host. */
#include "spmat/vec_ops.h"

#include <string.h>

#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/fused.h"
#include "spmat/cuda/vector/vec_source.h"

static const uint32_t *bits_of(const grid_chunk *u) {
  return u->format == GRID_BITMAP ? (const uint32_t *)u->bits : NULL;
}

/* Stores the value of an iso t, in t->host_value, on the device, too. */
static GrB_Info set_iso(grid_chunk *t) {
  t->iso = true;
  return grid_cuda_fill(t->val, t->host_value, t->type->size, 1);
}

/* ---- apply --------------------------------------------------------------------------------------------- */

/* Allocates t's arrays for u's entries and for values, and copies u's count. */
static GrB_Info reserve_like(grid_chunk *t, const grid_chunk *u, bool iso) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_chunk_reserve_device(t, u->format == GRID_BITMAP, iso));
  t->format = u->format, t->nvals = u->nvals, t->ticket = u->ticket, t->iso = false;
done:
  return info;
}

/* ... and u's entries. */
static GrB_Info copy_pattern(grid_chunk *t, const grid_chunk *u, bool iso) {
  GrB_Info info = reserve_like(t, u, iso);
  if (info != GrB_SUCCESS || u->format != GRID_BITMAP) return info;
  return grid_device_copy(t->bits, u->bits, grid_words(u->n) * sizeof *u->bits);
}

/* Runs the kernel; bound_scalar, of so many bytes, is the operator's bound operand, if any. */
static GrB_Info apply_values(void *kernel, grid_chunk *t, const grid_chunk *u, const void *bound_scalar,
                             size_t bytes, uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  if (bytes > GRID_DEVICE_VALUE_MAX) return GRID_UNSUPPORTED;
  TRY(reserve_like(t, u, false));
  grid_vec_step s = {
      .a = {.n = u->n, .u = bits_of(u), .iso = u->iso, .first = first}, .z = t->val, .x = u->val};
  if (s.a.u) s.a.t = (uint32_t *)t->bits;
  memcpy(s.bound_scalar, bound_scalar, bytes);
  TRY(grid_pass_run(GRID_PASS_OF(kernel, s, "apply", t->val, {u->iso ? u->val : NULL})));
done:
  return info;
}

static GrB_Info make_apply(void **kernel, const grid_jit_key *key, grid_jit_source *s, const grid_chunk *t,
                           const grid_chunk *u) {
  GrB_Info info = grid_jit_kernel_or_cpu(kernel, s, "vec_apply.cuh", "grid_apply",
                                         u->n * (t->type->size + u->type->size));
  if (info == GrB_SUCCESS) grid_jit_store_kernel(key, *kernel);
  return info;
}

static GrB_Info apply(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op) {
  GrB_Info info = GrB_SUCCESS;
  static const bool none;
  grid_jit_source s;
  void *kernel;
  if (!u->iso) {
    const grid_jit_key key = {{"apply", t->type, u->type, op}};
    if (!grid_jit_find_kernel(&kernel, &key)) {
      grid_source_unary(&s, t->type, u->type, op);
      TRY(make_apply(&kernel, &key, &s, t, u));
    }
    return apply_values(kernel, t, u, &none, sizeof none, 0);
  }
  const grid_unary bound = grid_unary_bind(op, u->type);
  TRY(copy_pattern(t, u, true));
  grid_unary_run(&bound, t->host_value, u->host_value, 0, 1);
  TRY(set_iso(t));
done:
  return info;
}

/* op(bound_scalar, u) (left) or op(u, bound_scalar) */
static GrB_Info apply_bound(grid_chunk *t, const grid_chunk *u, const void *bound_scalar, GrB_BinaryOp op,
                            bool left) {
  GrB_Info info = GrB_SUCCESS;
  grid_binary bound = {0};
  grid_jit_source s;
  void *kernel;
  if (!u->iso) {
    const grid_jit_key key = {{left ? "apply first" : "apply second", t->type, u->type, op}};
    if (!grid_jit_find_kernel(&kernel, &key)) {
      grid_source_binary(&s, t->type, u->type, op, left);
      TRY(make_apply(&kernel, &key, &s, t, u));
    }
    return apply_values(kernel, t, u, bound_scalar, (left ? op->x : op->y)->size, 0);
  }
  TRY(grid_binary_bind(&bound, op, t->type, left ? op->x : u->type, left ? u->type : op->y));
  TRY(copy_pattern(t, u, true));
  grid_binary_apply(&bound, t->host_value, left ? bound_scalar : u->host_value,
                    left ? u->host_value : bound_scalar);
  TRY(set_iso(t));
done:
  grid_binary_free(&bound);
  return info;
}

static GrB_Info apply_first(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op) {
  return apply_bound(t, u, x, op, true);
}

static GrB_Info apply_second(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op) {
  return apply_bound(t, u, y, op, false);
}

static GrB_Info apply_index(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                            uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  grid_jit_source s;
  void *kernel;
  const grid_jit_key key = {{"apply index", t->type, u->type, op}};
  if (!grid_jit_find_kernel(&kernel, &key)) {
    grid_source_index(&s, t->type, u->type, op);
    TRY(make_apply(&kernel, &key, &s, t, u));
  }
  TRY(apply_values(kernel, t, u, y, op->y->size, first));
done:
  return info;
}

/* ---- select -------------------------------------------------------------------------------------------- */

static GrB_Info choose(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                       uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  grid_jit_source s;
  void *kernel;
  if (!grid_device_can_hold(op->y)) return GRID_UNSUPPORTED;
  const grid_jit_key key = {{"select", u->type, op}};
  if (!grid_jit_find_kernel(&kernel, &key)) {
    grid_source_select(&s, u->type, op);
    TRY(grid_jit_kernel_or_cpu(&kernel, &s, "vec_select.cuh", "grid_select", 2 * u->n * u->type->size));
    grid_jit_store_kernel(&key, kernel);
  }
  TRY(grid_chunk_reserve_device(t, true, u->iso));
  grid_vec_step step = {.a = {.n = u->n, .u = bits_of(u), .iso = u->iso, .first = first}, .x = u->val};
  step.a.t = (uint32_t *)t->bits;
  step.z = u->iso ? NULL : t->val;
  memcpy(step.bound_scalar, y, op->y->size);
  TRY(grid_cuda_tally(&step.a.tally));
  TRY(grid_pass_run(GRID_PASS_OF(kernel, step, "select", step.z, {u->iso ? u->val : NULL})));
  t->iso = false;
  if (u->iso) {
    memcpy(t->host_value, u->host_value, sizeof t->host_value);
    TRY(set_iso(t));
  }
  t->format = GRID_BITMAP;
  TRY(grid_cuda_defer_count(t, &step.a.tally));
done:
  return info;
}

/* ---- reduce -------------------------------------------------------------------------------------------- */

/* *z = the reduction of n equal values x, by doubling. */
static GrB_Info reduce_iso(void *z, const void *x, GrB_Type type, uint64_t n, GrB_BinaryOp op) {
  GrB_Info info = GrB_SUCCESS;
  _Alignas(16) uint64_t power[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)];
  const grid_copier copy = grid_copier_bind(op->x, type);
  const size_t size = op->z->size;
  grid_binary reduce_op = {0};
  TRY(grid_binary_bind(&reduce_op, op, op->z, op->x, op->y));
  grid_copy_value(&copy, power, x);
  for (bool has = false; n; n >>= 1) {
    if (n & 1) {
      if (has)
        grid_binary_apply(&reduce_op, z, z, power);
      else
        memcpy(z, power, size);
      has = true;
    }
    if (n > 1) grid_binary_apply(&reduce_op, power, power, power);
  }
done:
  grid_binary_free(&reduce_op);
  return info;
}

/* All values are read: no early end at `terminal`. */
static GrB_Info reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op, const void *terminal,
                       bool any) {
  (void)terminal, (void)any;
  GrB_Info info = GrB_SUCCESS;
  grid_jit_source s;
  void *kernel, *sums = NULL;
  const void *value;
  uint64_t count;
  const unsigned blocks = grid_cuda_tile_blocks(u->n);
  const size_t size = op->z->size, slot_bytes = size + 16; /* a value, a flag, and padding */
  if (u->iso) {
    TRY(grid_chunk_wait(u));
    *present = u->nvals > 0;
    return *present ? reduce_iso(z, u->host_value, u->type, u->nvals, op) : GrB_SUCCESS;
  }
  const grid_jit_key key = {{"reduce", u->type, op}};
  if (!grid_jit_find_kernel(&kernel, &key)) {
    grid_source_reduce(&s, u->type, op);
    TRY(grid_jit_kernel_or_cpu(&kernel, &s, "vec_reduce.cuh", "grid_reduce", u->n * u->type->size));
    grid_jit_store_kernel(&key, kernel);
  }
  sums = grid_device_malloc(blocks, slot_bytes);
  if (!sums) TRY(grid_device_fail_memory(NULL, "partial sums", blocks, slot_bytes));
  grid_vec_args a = {.n = u->n, .u = bits_of(u)};
  TRY(grid_cuda_tally(&a.tally));
  void *args[] = {&a, (void *)(uintptr_t)&u->val, &sums};
  TRY(grid_jit_launch(kernel, blocks, GRID_TILE_THREADS, args, "reduce"));
  TRY(grid_cuda_wait_count(&a.tally, &count, &value));
  *present = count != 0;
  if (*present) memcpy(z, value, size);
done:
  grid_device_free(sums);
  return info;
}

/* ---- two vectors --------------------------------------------------------------------------------------- */

/* Do all entries of the result have one value? Then *one is it. */
static GrB_Info find_iso_result(bool *iso, void *one, const grid_chunk *t, const grid_chunk *u,
                                const grid_chunk *v, GrB_BinaryOp op, bool add) {
  GrB_Info info = GrB_SUCCESS;
  _Alignas(16) uint64_t x[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)];
  const size_t size = t->type->size;
  grid_binary bound = {0};
  *iso = false;
  if (!u->iso || !v->iso || !u->nvals || !v->nvals) return info;
  TRY(grid_binary_bind(&bound, op, t->type, u->type, v->type));
  grid_binary_apply(&bound, one, u->host_value, v->host_value);
  *iso = true;
  if (!add || (u->nvals == u->n && v->nvals == v->n)) goto done;
  const grid_copier unpaired_u = grid_copier_bind(t->type, u->type),
                    unpaired_v = grid_copier_bind(t->type, v->type);
  grid_copy_value(&unpaired_u, x, u->host_value);
  *iso = memcmp(one, x, size) == 0;
  grid_copy_value(&unpaired_v, x, v->host_value);
  *iso &= memcmp(one, x, size) == 0;
done:
  grid_binary_free(&bound);
  return info;
}

/* The result's pattern, for an iso result. */
static GrB_Info combine(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, const void *one, bool add,
                        bool full) {
  GrB_Info info = GrB_SUCCESS;
  grid_tally tally;
  memcpy(t->host_value, one, t->type->size);
  t->nvals = t->n, t->format = full ? GRID_FULL : GRID_BITMAP;
  TRY(set_iso(t));
  if (full) return info;
  TRY(grid_cuda_tally(&tally));
  TRY(grid_cuda_combine_counted(t->bits, (const uint64_t *)bits_of(u), (const uint64_t *)bits_of(v),
                                add ? GRID_OR : GRID_AND, t->n, &tally));
  TRY(grid_cuda_defer_count(t, &tally));
done:
  return info;
}

static GrB_Info run_ewise(void *kernel, grid_chunk *t, const grid_chunk *u, const grid_chunk *v, bool full) {
  GrB_Info info = GrB_SUCCESS;
  grid_ewise_step s = {.a = {.n = t->n,
                             .u = bits_of(u),
                             .v = bits_of(v),
                             .t = full ? NULL : (uint32_t *)t->bits,
                             .u_iso = u->iso,
                             .v_iso = v->iso},
                       .z = t->val,
                       .u = u->val,
                       .v = v->val};
  if (!full) TRY(grid_cuda_tally(&s.a.tally));
  TRY(grid_pass_run(
      GRID_PASS_OF(kernel, s, "eWise", t->val, {u->iso ? u->val : NULL, v->iso ? v->val : NULL})));
  t->iso = false, t->nvals = t->n, t->format = full ? GRID_FULL : GRID_BITMAP;
  if (!full) TRY(grid_cuda_defer_count(t, &s.a.tally));
done:
  return info;
}

static GrB_Info ewise(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op, bool add) {
  GrB_Info info = GrB_SUCCESS;
  const bool u_full = u->format == GRID_FULL, v_full = v->format == GRID_FULL,
             full = add ? u_full || v_full : u_full && v_full;
  _Alignas(16) uint64_t one[GRID_DEVICE_VALUE_MAX / sizeof(uint64_t)];
  grid_jit_source s;
  bool iso;
  void *kernel = NULL;
  TRY(find_iso_result(&iso, one, t, u, v, op, add));
  const grid_jit_key key = {{add ? "add" : "mult", t->type, u->type, v->type, op}};
  if (!iso && !grid_jit_find_kernel(&kernel, &key)) {
    grid_source_ewise(&s, t->type, u->type, v->type, op, add);
    TRY(grid_jit_kernel_or_cpu(&kernel, &s, "vec_ewise.cuh", "grid_ewise",
                               t->n * (t->type->size + u->type->size + v->type->size)));
    grid_jit_store_kernel(&key, kernel);
  }
  TRY(grid_chunk_reserve_device(t, !full, iso));
  TRY(iso ? combine(t, u, v, one, add, full) : run_ewise(kernel, t, u, v, full));
done:
  return info;
}

const grid_vec_ops grid_cuda_vectors = {.ewise = ewise,
                                        .apply = apply,
                                        .apply_first = apply_first,
                                        .apply_second = apply_second,
                                        .apply_index = apply_index,
                                        .select = choose,
                                        .reduce = reduce};
