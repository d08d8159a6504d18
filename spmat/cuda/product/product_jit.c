/* The preamble of a product's kernels (kernels/product_jit.cuh) for any semiring. */
#include <math.h>
#include <string.h>

#include "semiring/op_codes.h"
#include "spmat/cuda/jit/jit.h"
#include "spmat/cuda/product/cuda_product.h"
#include "spmat/device/kernel_waits.h"

bool grid_product_is_supported(GrB_Semiring s) {
  const GrB_BinaryOp mul = s->mul, add = s->add->op;
  const bool begins = s->add->any || s->add->identity; /* kernels begin with an identity */
  return begins && grid_binary_has_text(mul) && grid_binary_has_text(add);
}

/* The codes of kernels/atomic_combine.cuh. */
enum { BY_CAS, BY_ADD, BY_MIN, BY_MAX, BY_OR, BY_AND, BY_XOR, BY_TRUE, BY_FALSE };

/* The atomic instruction that combines the monoid's values, or compare-and-swap. */
static int native_atomic(GrB_Monoid m) {
  const grid_tcode t = m->op->z->code;
  const bool real = t == GRID_T_FP32 || t == GRID_T_FP64,
             whole = t == GRID_T_INT32 || t == GRID_T_INT64 || t == GRID_T_UINT32 || t == GRID_T_UINT64;
  switch (m->op->op) {
    case GRID_OP_PLUS:
      return real || whole ? BY_ADD : t == GRID_T_BOOL ? BY_TRUE : BY_CAS;
    case GRID_OP_MIN:
      return whole ? BY_MIN : t == GRID_T_BOOL ? BY_FALSE : BY_CAS;
    case GRID_OP_MAX:
      return whole ? BY_MAX : t == GRID_T_BOOL ? BY_TRUE : BY_CAS;
    case GRID_OP_BOR:
      return whole ? BY_OR : BY_CAS;
    case GRID_OP_BAND:
      return whole ? BY_AND : BY_CAS;
    case GRID_OP_BXOR:
      return whole ? BY_XOR : BY_CAS;
    case GRID_OP_LOR:
      return t == GRID_T_BOOL ? BY_TRUE : BY_CAS;
    case GRID_OP_LAND:
      return t == GRID_T_BOOL ? BY_FALSE : BY_CAS;
    default:
      return BY_CAS;
  }
}

/* A value whose addition changes nothing. It is the identity, except for floating-point numbers: with MIN and
 * MAX, NaN loses against every number, and infinity wins against NaN; and 0 + -0 is 0. */
static void append_identity(grid_jit_source *s, GrB_Monoid m) {
  const float not32 = NAN, zero32 = -0.0F;
  const double not64 = NAN, zero64 = -0.0;
  const bool least = m->op->op == GRID_OP_MIN || m->op->op == GRID_OP_MAX, sum = m->op->op == GRID_OP_PLUS;
  const grid_tcode t = m->op->z->code;
  grid_jit_constant(s, "start", m->op->z,
                    least && t == GRID_T_FP32   ? (const void *)&not32
                    : least && t == GRID_T_FP64 ? (const void *)&not64
                    : sum && t == GRID_T_FP32   ? (const void *)&zero32
                    : sum && t == GRID_T_FP64   ? (const void *)&zero64
                                                : m->identity);
}

static void append_operand(grid_jit_source *s, bool used, const char *type, const char *operand,
                           const char *cast, GrB_Type stored, GrB_Type wanted) {
  grid_jit_type(s, type, used ? stored : GrB_UINT8);
  grid_jit_type(s, operand, wanted);
  if (used) grid_jit_cast(s, cast, wanted, stored);
}

void grid_product_preamble(grid_jit_source *s, const grid_job *J, grid_product_method method) {
  const GrB_Monoid add = J->s->add;
  const GrB_BinaryOp mul = J->s->mul;
  const bool positional = mul->op == GRID_OP_SECONDI, a = grid_product_a_used(J), x = grid_product_x_used(J);
  grid_jit_begin(s);
  grid_jit_define(s, "GRID_PULL", method != GRID_METHOD_PUSH);
  grid_jit_define(s, "GRID_BALANCED", method == GRID_METHOD_TILES || method == GRID_METHOD_DEGREE_ORDERED);
  grid_jit_define(s, "GRID_DEGREE_ORDERED", method == GRID_METHOD_DEGREE_ORDERED);
  if (method == GRID_METHOD_COLUMN_PANELS) grid_jit_define(s, "GRID_BY_PANELS", 1);
  if (method == GRID_METHOD_ROW_BLOCKS) grid_jit_define(s, "GRID_ROW_BLOCKS", 1);
  grid_jit_define(s, "GRID_ANY", add->any);
  grid_jit_define(s, "GRID_POSITIONAL", positional);
  grid_jit_define(s, "GRID_FLIP", J->flip);
  grid_jit_define(s, "GRID_A_USED", a);
  grid_jit_define(s, "GRID_X_USED", x);
  grid_jit_define(s, "GRID_HAS_DONE", add->terminal != NULL);
  grid_jit_define(s, "GRID_NATIVE", native_atomic(add));
  grid_jit_type(s, "Z", mul->z);
  append_operand(s, a, "A", "MA", "a_cast", J->a_type, grid_product_a_operand(J));
  append_operand(s, x, "X", "MX", "x_cast", J->x_type, grid_product_x_operand(J));
  if (!positional) grid_jit_binary(s, "mul", mul);
  if (add->any) return;
  grid_jit_monoid(s, "add", add);
  if (add->identity) append_identity(s, add);
}

/* The key of a job's kernel; stage: which of the job's kernels. */
static grid_jit_key key_of(const grid_job *J, grid_product_method method, int stage) {
  enum { STAGES = 2, METHODS = 8 };
  static const char what[2][METHODS][STAGES]; /* only the addresses matter */
  return (grid_jit_key){{&what[J->flip][method][stage], J->s->add, J->s->mul,
                         grid_product_a_used(J) ? J->a_type : NULL,
                         grid_product_x_used(J) ? J->x_type : NULL}};
}

static const char file[] = "product_jit.cuh";

/* For grid_jit_kernel_or_cpu: M may be stored by rows and by columns. A job whose counts are not needed is a
 * part of a large product, which waits. */
static uint64_t work_bytes(const grid_job *J) {
  const size_t value = J->s->mul->z->size;
  return J->uncounted ? UINT64_MAX
                      : 2 * J->entries * (sizeof(uint32_t) + J->a_step) + (J->nx + J->ny) * value;
}

/* Calls of the library itself may make a monoid or operator that exists only during the call. */
static bool may_store(const grid_job *J) {
  return J->s->add->identity && J->s->mul->op != GRID_OP_USER;
}

/* cached: only if it need not be compiled. */
static GrB_Info kernel(void **to, const grid_job *J, grid_product_method method, int stage, bool cached) {
  static const char *const name[] = {"grid_product_main", "grid_product_last"};
  grid_jit_source s;
  const grid_jit_key key = key_of(J, method, stage);
  if (may_store(J) && grid_jit_find_kernel(to, &key)) return GrB_SUCCESS;
  grid_product_preamble(&s, J, method);
  GrB_Info info = cached ? grid_jit_cached_kernel(to, &s, file, name[stage])
                         : grid_jit_kernel_or_cpu(to, &s, file, name[stage], work_bytes(J));
  if (info == GrB_SUCCESS && may_store(J)) grid_jit_store_kernel(&key, *to);
  return info;
}

static GrB_Info kernels(grid_product_code *code, const grid_job *J, grid_product_method method, bool cached) {
  const bool pull = method != GRID_METHOD_PUSH;
  GrB_Info info = GrB_SUCCESS;
  *code = (grid_product_code){NULL, NULL};
  TRY(kernel(&code->main, J, method, 0, cached));
  if (pull && method != GRID_METHOD_ROW_BLOCKS) TRY(kernel(&code->last, J, method, 1, cached));
done:
  return info;
}

/* Is a thread compiling the method's kernels, from now on or already? */
static bool is_late(const grid_job *J, grid_product_method method) {
  grid_jit_source s;
  void *found;
  const grid_jit_key key = key_of(J, method, 0);
  if (grid_device_waits_for_kernel(0) || (may_store(J) && grid_jit_find_kernel(&found, &key))) return false;
  grid_product_preamble(&s, J, method);
  const grid_jit_request *o = grid_jit_request_begin(&s, file, false);
  return o && !grid_jit_request_is_done(o);
}

GrB_Info grid_product_compile(grid_product_code *code, const grid_job *J, grid_product_method *method) {
  const bool has_other = *method != GRID_METHOD_PUSH && *method != GRID_METHOD_ROWS;
  if (has_other && is_late(J, *method) && kernels(code, J, GRID_METHOD_ROWS, true) == GrB_SUCCESS) {
    *method = GRID_METHOD_ROWS;
    return GrB_SUCCESS;
  }
  return kernels(code, J, *method, false);
}
