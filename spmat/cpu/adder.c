/* adder.c: see adder.h. */
#include "spmat/cpu/adder.h"

#include <string.h>

/* Values that are cast at a time. */
enum { CAST = 1024 };

GrB_Info grid_adder_bind(grid_adder *a, GrB_BinaryOp op, bool any, GrB_Type x) {
  GrB_Info info = GrB_SUCCESS;
  const GrB_Type z = op->z;
  *a = (grid_adder){.z = z, .x = x, .cast = grid_copier_bind(z, x), .loop = grid_sums_of(op), .any = any};
  TRY(grid_binary_bind(&a->add, op, z, z, x));
  TRY(grid_binary_bind(&a->join, op, z, z, z));
done:
  return info;
}

void grid_adder_free(grid_adder *a) {
  grid_binary_free(&a->add);
  grid_binary_free(&a->join);
  grid_free(a->doubled);
}

void grid_adder_run(const grid_adder *a, void *z, const void *xv, uint64_t n) {
  const char *x = xv;
  const size_t xs = a->x->size;
  if (a->any || !a->loop) {
    /* added up beside z: other threads' results may lie in its cache line */
    uint64_t local[8];
    void *sum = a->z->size <= sizeof local ? (void *)local : z;
    grid_copy_one(&a->cast, sum, x);
    for (uint64_t k = 1; k < n && !a->any; k++) grid_binary_one(&a->add, sum, sum, x + k * xs);
    if (sum != z) memcpy(z, sum, a->z->size);
  } else if (!a->cast.cast) {
    a->loop(z, x, (const uint64_t[]){0, n}, 1);
  } else {
    for (uint64_t k = 0; k < n; k += CAST) {
      const uint64_t start[] = {0, n - k < CAST ? n - k : CAST};
      uint64_t cast[CAST], part;
      grid_copy_run(&a->cast, cast, x + k * xs, 1, start[1]);
      a->loop(&part, cast, start, 1);
      grid_adder_join(a, z, &part, k > 0);
    }
  }
}

GrB_Info grid_adder_double(grid_adder *a, const void *x, uint64_t most, bool idempotent) {
  const size_t size = a->z->size;
  unsigned levels = 1;
  while (levels < 64 && most >> levels) levels++;
  a->doubled = grid_malloc(levels, size);
  if (!a->doubled) return grid_fail_memory(NULL, "multiples of a value", levels, size);
  grid_copy_one(&a->cast, a->doubled, x);
  for (unsigned k = 1; k < levels; k++) {
    char *z = a->doubled + k * size;
    memcpy(z, z - size, size);
    if (!idempotent) grid_adder_join(a, z, z - size, true);
  }
  return GrB_SUCCESS;
}

void grid_adder_multiple(const grid_adder *a, void *z, uint64_t n) {
  for (bool some = false; n; n &= n - 1, some = true)
    grid_adder_join(a, z, a->doubled + grid_low_bit(n) * a->z->size, some);
}
