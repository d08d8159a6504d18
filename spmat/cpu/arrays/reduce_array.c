/* See reduce_array.h. */
#include "spmat/cpu/arrays/reduce_array.h"

#include <string.h>

#include "semiring/op_codes.h"

/* Values that are cast at a time. */
enum { CAST = 1024 };

GrB_Info grid_adder_bind(grid_adder *a, GrB_BinaryOp op, bool any, GrB_Type x) {
  GrB_Info info = GrB_SUCCESS;
  const GrB_Type z = op->z;
  *a = (grid_adder){.z = z, .x = x, .cast = grid_copier_bind(z, x), .loop = grid_sums_of(op), .any = any};
  TRY(grid_binary_bind(&a->add, op, z, z, x));
  if (x == z && !a->add.scratch)
    a->combine = a->add;
  else
    TRY(grid_binary_bind(&a->combine, op, z, z, z));
done:
  return info;
}

void grid_adder_free(grid_adder *a) {
  grid_binary_free(&a->add);
  grid_binary_free(&a->combine);
  grid_free(a->doubled);
}

/* Reduces n values by a user's function in independent lanes, so that calls can overlap. Value k belongs to
 * lane k % LANES, and the lanes are combined in order at the end. A lane's sum is written to a second place,
 * since the function reads the old one, and not to z, whose cache line other threads may write. */
static void call_lanes(grid_binary_fn f, char *z, const char *x, uint64_t n, size_t size) {
  enum { LANES = 4 };
  _Alignas(16) char sum[2][LANES][GRID_SMALL_VALUE];
  const uint64_t lanes = n < LANES ? n : LANES;
  size_t now = 0;
  for (size_t l = 0; l < lanes; l++) grid_value_copy(sum[0][l], x + l * size, size);
  uint64_t k = lanes;
  for (; k + LANES <= n; k += LANES, now = !now)
    for (size_t l = 0; l < LANES; l++) f(sum[!now][l], sum[now][l], x + (k + l) * size);
  for (size_t l = 0; k < n; k++, l++) { /* fewer than LANES values: their sums stay in this buffer */
    f(sum[!now][l], sum[now][l], x + k * size);
    grid_value_copy(sum[now][l], sum[!now][l], size);
  }
  for (size_t l = 1; l < lanes; l++) {
    f(sum[!now][0], sum[now][0], sum[now][l]);
    grid_value_copy(sum[now][0], sum[!now][0], size);
  }
  grid_value_copy(z, sum[now][0], size);
}

void grid_adder_run(const grid_adder *a, void *z, const void *xv, uint64_t n) {
  const char *x = xv;
  const size_t xs = a->x->size;
  if (a->any) {
    grid_copy_value(&a->cast, z, x);
  } else if (a->add.op->op == GRID_OP_USER && !a->loop && !a->cast.cast && xs <= GRID_SMALL_VALUE) {
    call_lanes(a->add.op->f, z, x, n, xs);
  } else if (!a->loop) {
    /* accumulated beside z, whose cache line other threads may write */
    uint64_t local[8];
    void *sum = a->z->size <= sizeof local ? (void *)local : z;
    grid_copy_value(&a->cast, sum, x);
    for (uint64_t k = 1; k < n; k++) grid_binary_apply(&a->add, sum, sum, x + k * xs);
    if (sum != z) memcpy(z, sum, a->z->size);
  } else if (!a->cast.cast) {
    a->loop(z, x, (const uint64_t[]){0, n}, 1);
  } else {
    for (uint64_t k = 0; k < n; k += CAST) {
      const uint64_t start[] = {0, n - k < CAST ? n - k : CAST};
      uint64_t cast[CAST], partial;
      grid_copy_run(&a->cast, cast, x + k * xs, 1, start[1]);
      a->loop(&partial, cast, start, 1);
      grid_adder_combine(a, z, &partial, k > 0);
    }
  }
}

GrB_Info grid_adder_double(grid_adder *a, const void *x, uint64_t most, bool idempotent) {
  const size_t size = a->z->size;
  unsigned levels = 1;
  while (levels < 64 && most >> levels) levels++;
  a->doubled = grid_malloc(levels, size);
  if (!a->doubled) return grid_fail_memory(NULL, "multiples of a value", levels, size);
  grid_copy_value(&a->cast, a->doubled, x);
  for (unsigned k = 1; k < levels; k++) {
    char *z = a->doubled + k * size;
    memcpy(z, z - size, size);
    if (!idempotent) grid_adder_combine(a, z, z - size, true);
  }
  return GrB_SUCCESS;
}

void grid_adder_multiple(const grid_adder *a, void *z, uint64_t n) {
  for (bool has_value = false; n; n &= n - 1, has_value = true)
    grid_adder_combine(a, z, a->doubled + grid_low_bit(n) * a->z->size, has_value);
}
