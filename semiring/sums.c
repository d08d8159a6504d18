/* sums.c: a loop for each monoid of the table; see sums.h. */
#include "semiring/sums.h"

#include "semiring/builtin.h"
#include "semiring/levels.h"
#include "semiring/op_inline.h"

/* The first `lanes` values, which there are, and all others that fill lanes; what is left over joins the end.
 */
#define LANES_OF(ADD, C, lanes)                                      \
  do {                                                               \
    C s[lanes];                                                      \
    size_t k = lanes;                                                \
    for (size_t l = 0; l < lanes; l++) s[l] = x[l];                  \
    for (; k + lanes <= n; k += lanes)                               \
      for (size_t l = 0; l < lanes; l++) s[l] = ADD(s[l], x[k + l]); \
    for (size_t h = lanes / 2; h > 0; h /= 2)                        \
      for (size_t l = 0; l < h; l++) s[l] = ADD(s[l], s[l + h]);     \
    C z = s[0];                                                      \
    for (; k < n; k++) z = ADD(z, x[k]);                             \
    return z;                                                        \
  } while (0)

#define SUMS(P, OP, T, ID, TERM, HAS, IDEM)                                                            \
  static inline GRID_C_##T sum_##OP##_##T(const GRID_C_##T *x, size_t n) {                             \
    enum { MANY = 64 / sizeof(GRID_C_##T), FEW = 4 };                                                  \
    if (n >= 2 * MANY) LANES_OF(grid_val_##OP##_##T, GRID_C_##T, MANY);                                \
    if (n >= FEW) LANES_OF(grid_val_##OP##_##T, GRID_C_##T, FEW);                                      \
    GRID_C_##T z = x[0];                                                                               \
    for (size_t k = 1; k < n; k++) z = grid_val_##OP##_##T(z, x[k]);                                   \
    return z;                                                                                          \
  }                                                                                                    \
  GRID_LEVELS static void sums_##OP##_##T(void *zv, const void *xv, const uint64_t *start, size_t n) { \
    GRID_C_##T *z = zv;                                                                                \
    const GRID_C_##T *x = xv;                                                                          \
    for (size_t v = 0; v < n; v++)                                                                     \
      if (start[v] < start[v + 1]) z[v] = sum_##OP##_##T(x + start[v], start[v + 1] - start[v]);       \
  }
GRID_MONOIDS(SUMS)
GRID_MONOIDS_UNNAMED(SUMS)

#define ROW(P, OP, T, ID, TERM, HAS, IDEM) {&grid_binary_##OP##_##T, sums_##OP##_##T},
static const struct {
  GrB_BinaryOp op;
  grid_sums_loop loop;
} rows[] = {GRID_MONOIDS(ROW) GRID_MONOIDS_UNNAMED(ROW)};

grid_sums_loop grid_sums_of(GrB_BinaryOp op) {
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (rows[k].op == op) return rows[k].loop;
  return NULL;
}
