/* Finds the compiled kernels of a semiring that multiply matrices, by its operators and types. */
#include "semiring/bool_operators.h"
#include "spmat/cpu/mxm/cpu_mxm.h"

#define PAIR(ADD, MUL) {GRID_OP_##ADD, GRID_OP_##MUL},
#define OP(MUL)        GRID_OP_##MUL,
static const int pairs[][2] = {MXM_PAIRS(PAIR)}, bool_pairs[][2] = {MXM_BOOL_PAIRS(PAIR)},
                 any_muls[] = {MXM_ANY_MULS(OP)};

static int find_op(const int (*list)[2], int n, int add, int mul) {
  for (int k = 0; k < n; k++)
    if (list[k][0] == add && list[k][1] == mul) return k;
  return -1;
}

static const mxm_kernels *find_number_kernels(grid_tcode type, int add, int mul) {
  const int at = find_op(pairs, MXM_NPAIRS, add, mul);
  const bool by_bits = add == GRID_OP_PLUS && mul != GRID_OP_MIN;
  if (at < 0) return NULL;
  switch (type) {
    case GRID_T_FP32:
      return &grid_mxm_kernels_FP32[at];
    case GRID_T_FP64:
      return &grid_mxm_kernels_FP64[at];
    case GRID_T_INT32:
      return &grid_mxm_kernels_INT32[at];
    case GRID_T_INT64:
      return &grid_mxm_kernels_INT64[at];
    /* sums and products wrap: signed and unsigned results have the same bits */
    case GRID_T_UINT32:
      return by_bits ? &grid_mxm_kernels_INT32[at] : NULL;
    case GRID_T_UINT64:
      return by_bits ? &grid_mxm_kernels_INT64[at] : NULL;
    default:
      return NULL;
  }
}

static const mxm_kernels *find_any_kernels(size_t size, int mul) {
  if (size > 8 || size & (size - 1)) return NULL;
  for (int k = 0; k < MXM_NANY; k++)
    if (any_muls[k] == mul) return &grid_mxm_kernels_any[__builtin_ctzll(size)][k];
  return NULL;
}

const mxm_kernels *grid_mxm_find(GrB_Semiring s) {
  const GrB_Monoid add = s->add;
  const GrB_BinaryOp mul = s->mul;
  const GrB_Type type = mul->z;
  if (mul->op == GRID_OP_SECONDI) {
    if (add->any) return &grid_mxm_kernels_any_position[type->size == 8];
    return add->op->op == GRID_OP_MIN ? &grid_mxm_kernels_min_position[type->size == 8] : NULL;
  }
  if (mul->x != type || mul->y != type) return NULL;
  if (add->any) return find_any_kernels(type->size, mul->op);
  if (type->code != GRID_T_BOOL) return find_number_kernels(type->code, add->op->op, mul->op);
  const int at = find_op(bool_pairs, MXM_NBOOL_PAIRS, grid_plain_bool(add->op->op), grid_plain_bool(mul->op));
  return at < 0 ? NULL : &grid_mxm_kernels_BOOL[at];
}
