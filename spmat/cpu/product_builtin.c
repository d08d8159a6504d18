/* Product kernels of the predefined semirings: one pull and one push for each row of GRID_SEMIRINGS, and the
 * structural pair. */
#include "semiring/op_inline.h"
#include "spmat/cpu/product_body.h"

/* SECONDI has no function: it reads no value. ANY's function is never called. */
static inline void grid_op_SECONDI_INT32(void *z, const void *x, const void *y) {
  (void)z, (void)x, (void)y;
}
static inline void grid_op_SECONDI_INT64(void *z, const void *x, const void *y) {
  (void)z, (void)x, (void)y;
}

#define IS_ANY(ADD)      (sizeof(#ADD) == 4 && #ADD[0] == 'A' && #ADD[1] == 'N' && #ADD[2] == 'Y')
#define IS_POSITION(MUL) (sizeof(#MUL) == 8 && #MUL[0] == 'S' && #MUL[6] == 'I')

#define OPS(ADD, MUL, T)                                                                                    \
  (body_ops) {                                                                                              \
    .mul = grid_op_##MUL##_##T, .add = grid_op_##ADD##_##T, .size = sizeof(GRID_C_##T), .any = IS_ANY(ADD), \
    .positional = IS_POSITION(MUL), .terminal = J->s->add->terminal                                         \
  }

#define KERNELS(ADD, MUL, T)                              \
  static GrB_Info pull_##ADD##_##MUL##_##T(grid_job *J) { \
    pull_body(J, OPS(ADD, MUL, T), NULL, 0);              \
    return GrB_SUCCESS;                                   \
  }                                                       \
  static GrB_Info push_##ADD##_##MUL##_##T(grid_job *J) { \
    return push_body(J, OPS(ADD, MUL, T), NULL, 0);       \
  }
GRID_SEMIRINGS(KERNELS)

#define ROW(ADD, MUL, T) {pull_##ADD##_##MUL##_##T, push_##ADD##_##MUL##_##T},
const grid_kernels grid_cpu_builtin[] = {GRID_SEMIRINGS(ROW)};

static GrB_Info pull_structural(grid_job *J) {
  pull_body(J, (body_ops){.structural = true}, NULL, 0);
  return GrB_SUCCESS;
}
static GrB_Info push_structural(grid_job *J) {
  return push_body(J, (body_ops){.structural = true}, NULL, 0);
}
const grid_kernels grid_cpu_structural = {pull_structural, push_structural};
