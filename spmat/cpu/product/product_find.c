/* The compiled kernels of a semiring, by its operators and type, whoever put it together. */
#include "semiring/plain_bool.h"
#include "spmat/cpu/product/product.h"

#define OP1(ADD)      GRID_OP_##ADD,
#define OP2(ADD, MUL) GRID_OP_##MUL,
static const int adds[] = {GRID_KERNEL_ADDS(OP1)}, muls[] = {GRID_KERNEL_MULS(OP2, _)},
                 bool_adds[] = {GRID_KERNEL_BOOL_ADDS(OP1)}, bool_muls[] = {GRID_KERNEL_BOOL_MULS(OP2, _)},
                 any_muls[] = {GRID_KERNEL_ANY_MULS(OP2, _)};
#define PLACE(list, op) place(list, sizeof list / sizeof *list, op)

static int place(const int *list, size_t n, int op) {
  for (size_t k = 0; k < n; k++)
    if (list[k] == op) return (int)k;
  return -1;
}

static int turned(int op) {
  return op == GRID_OP_FIRST ? GRID_OP_SECOND : op == GRID_OP_SECOND ? GRID_OP_FIRST : op;
}

static const grid_ranges *of_numbers(grid_tcode type, int add, int mul) {
  int a = PLACE(adds, add), m = PLACE(muls, mul);
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
    /* sums and products wrap: signed or not, they are the same bits */
    case GRID_T_UINT32:
      return by_bits ? &grid_kernels_INT32[a][m] : NULL;
    case GRID_T_UINT64:
      return by_bits ? &grid_kernels_INT64[a][m] : NULL;
    default:
      return NULL;
  }
}

static const grid_ranges *of_bool(int add, int mul) {
  int a = PLACE(bool_adds, grid_plain_bool(add)), m = PLACE(bool_muls, grid_plain_bool(mul));
  return a < 0 || m < 0 ? NULL : &grid_kernels_BOOL[a][m];
}

static const grid_ranges *of_any(size_t size, int mul) {
  int m = PLACE(any_muls, mul), width = __builtin_ctzll(size);
  if (m < 0 || size > 8 || size & (size - 1)) return NULL;
  return &grid_kernels_any[width][m];
}

/* Do the values of SECONDI ascend along a row? The ids of an axis do; a table of places need not, nor do
 * places that are cut to 32 bits. */
static bool places_ascend(const grid_job *J, size_t size) {
  const grid_axis *axis = J->places.axis;
  if (J->places.table || axis->n == 0) return false;
  return size == 8 || grid_place(&J->places, axis->n - 1) <= INT32_MAX;
}

static const grid_ranges *of_positions(const grid_job *J, size_t size) {
  const GrB_Monoid add = J->s->add;
  int wide = size == 8;
  if (add->any) return &grid_kernels_any_position[wide];
  if (add->op->op != GRID_OP_MIN) return NULL;
  return places_ascend(J, size) ? &grid_kernels_first_position[wide] : &grid_kernels_min_position[wide];
}

const grid_ranges *grid_find_ranges(const grid_job *J) {
  const GrB_Monoid add = J->s->add;
  const GrB_BinaryOp mul = J->s->mul;
  const GrB_Type type = mul->z;
  if (mul->op == GRID_OP_SECONDI) return of_positions(J, type->size);
  int m = J->flip ? turned(mul->op) : mul->op;
  bool a_used = J->flip ? mul->uses_y : mul->uses_x;
  if (mul->x != type || mul->y != type || (a_used && J->a_type != type)) return NULL;
  if (add->any) return of_any(type->size, m);
  if (type->code == GRID_T_BOOL) return of_bool(add->op->op, m);
  return of_numbers(type->code, add->op->op, m);
}
