/* Finds the compiled kernels of a semiring by its operators and type. */
#include "semiring/bool_operators.h"
#include "spmat/cpu/product/cpu_product.h"

#define OP1(ADD)      GRID_OP_##ADD,
#define OP2(ADD, MUL) GRID_OP_##MUL,
static const int adds[] = {GRID_KERNEL_ADDS(OP1)}, muls[] = {GRID_KERNEL_MULS(OP2, _)},
                 bool_adds[] = {GRID_KERNEL_BOOL_ADDS(OP1)}, bool_muls[] = {GRID_KERNEL_BOOL_MULS(OP2, _)},
                 any_muls[] = {GRID_KERNEL_ANY_MULS(OP2, _)};
#define FIND_OP(list, op) find_op(list, sizeof list / sizeof *list, op)

static int find_op(const int *list, size_t n, int op) {
  for (size_t k = 0; k < n; k++)
    if (list[k] == op) return (int)k;
  return -1;
}

static int flipped_op(int op) {
  return op == GRID_OP_FIRST ? GRID_OP_SECOND : op == GRID_OP_SECOND ? GRID_OP_FIRST : op;
}

static const grid_ranges *find_number_kernels(grid_tcode type, int add, int mul) {
  int a = FIND_OP(adds, add), m = FIND_OP(muls, mul);
  if (a < 0 || m < 0) return NULL;
  bool by_bits = add == GRID_OP_PLUS && mul != GRID_OP_MIN && mul != GRID_OP_MAX;
  switch (type) {
    case GRID_T_FP32:
      return &grid_kernels_FP32[a][m];
    case GRID_T_FP64:
      return &grid_kernels_FP64[a][m];
    case GRID_T_INT32:
      return &grid_kernels_INT32[a][m];
    case GRID_T_INT64:
      return &grid_kernels_INT64[a][m];
    /* sums and products wrap: signed and unsigned results have the same bits */
    case GRID_T_UINT32:
      return by_bits ? &grid_kernels_INT32[a][m] : NULL;
    case GRID_T_UINT64:
      return by_bits ? &grid_kernels_INT64[a][m] : NULL;
    default:
      return NULL;
  }
}

static const grid_ranges *find_bool_kernels(int add, int mul) {
  int a = FIND_OP(bool_adds, grid_plain_bool(add)), m = FIND_OP(bool_muls, grid_plain_bool(mul));
  return a < 0 || m < 0 ? NULL : &grid_kernels_BOOL[a][m];
}

static const grid_ranges *find_any_kernels(size_t size, int mul) {
  int m = FIND_OP(any_muls, mul), width = __builtin_ctzll(size);
  if (m < 0 || size > 8 || size & (size - 1)) return NULL;
  return &grid_kernels_any[width][m];
}

/* Do the values of SECONDI ascend along a row? The ids of an axis do; those of a table, or cut to 32 bits,
 * need not. */
static bool positions_ascend(const grid_job *J, size_t size) {
  const grid_axis *axis = J->index_map.axis;
  if (J->index_map.table || axis->n == 0) return false;
  return size == 8 || grid_index_map_at(&J->index_map, axis->n - 1) <= INT32_MAX;
}

static const grid_ranges *find_position_kernels(const grid_job *J, size_t size) {
  const GrB_Monoid add = J->s->add;
  int has_64_bits = size == 8;
  if (add->any) return &grid_kernels_any_position[has_64_bits];
  if (add->op->op != GRID_OP_MIN) return NULL;
  return positions_ascend(J, size) ? &grid_kernels_first_position[has_64_bits]
                                   : &grid_kernels_min_position[has_64_bits];
}

const grid_ranges *grid_find_ranges(const grid_job *J) {
  const GrB_Monoid add = J->s->add;
  const GrB_BinaryOp mul = J->s->mul;
  const GrB_Type type = mul->z;
  if (mul->op == GRID_OP_SECONDI) return find_position_kernels(J, type->size);
  int m = J->flip ? flipped_op(mul->op) : mul->op;
  bool uses_a_values = J->flip ? mul->uses_y : mul->uses_x;
  if (mul->x != type || mul->y != type || (uses_a_values && J->a_type != type)) return NULL;
  if (add->any) return find_any_kernels(type->size, m);
  if (type->code == GRID_T_BOOL) return find_bool_kernels(add->op->op, m);
  return find_number_kernels(type->code, add->op->op, m);
}
