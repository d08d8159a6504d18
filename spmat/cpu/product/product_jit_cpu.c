/* Product kernels compiled at run time (semiring/jit/jit_kernel.h) for semirings without compiled ones. The
 * source is the same, kernels/mxv_range.h. Operators are given as text or by the table, and operands are cast
 * when they are read. */

#include "semiring/jit/jit_kernel.h"
#include "semiring/op_codes.h"
#include "spmat/cpu/product/cpu_product.h"
#include "spmat/device/device.h"

static GrB_Type a_operand(const grid_job *J) {
  return J->flip ? J->s->mul->y : J->s->mul->x;
}
static GrB_Type x_operand(const grid_job *J) {
  return J->flip ? J->s->mul->x : J->s->mul->y;
}
static bool uses_a_values(const grid_job *J) {
  return J->flip ? J->s->mul->uses_y : J->s->mul->uses_x;
}
static bool uses_x_values(const grid_job *J) {
  return J->flip ? J->s->mul->uses_x : J->s->mul->uses_y;
}

static grid_jit_signature compute_signature(const grid_job *J) {
  const GrB_Monoid add = J->s->add;
  grid_jit_signature s = grid_jit_signature_begin("product");
  grid_jit_signature_add_binary(&s, J->s->mul);
  grid_jit_signature_add_number(&s, J->flip && J->s->mul->op != GRID_OP_SECONDI);
  grid_jit_signature_add_number(&s, uses_a_values(J));
  if (uses_a_values(J)) grid_jit_signature_add_type(&s, J->a_type);
  grid_jit_signature_add_number(&s, add->any);
  if (!add->any) grid_jit_signature_add_binary(&s, add->op);
  grid_jit_signature_add_number(&s, add->terminal != NULL);
  if (add->terminal) grid_jit_signature_add_value(&s, add->terminal, add->op->z->size);
  return s;
}

/* ---- the source ---------------------------------------------------------------------------------------- */

/* How the sum is computed; of a user's monoid only its terminal value is known. */
static void append_sum(grid_jit_source *s, GrB_Monoid add) {
#define MONOID_CASE(OP) \
  case GRID_OP_##OP:    \
    name = #OP;         \
    break;
  const char *name = NULL;
  switch (add->op->op) {
    MONOID_CASE(PLUS) MONOID_CASE(MIN) MONOID_CASE(MAX) MONOID_CASE(LOR) MONOID_CASE(LAND)
  }
#undef MONOID_CASE
  grid_jit_append(s, "#define ADD(z, t) add(z, t)\n");
  if (name && (add->op->z->code == GRID_T_BOOL) == (name[0] == 'L')) {
    grid_jit_append(
        s,
        "#define PLAIN(z) PLAIN_%s(z)\n#define ADD_PLAIN(z, t) SUM_%s(z, t)\n#define STOP STOP_%s\n"
        "#define STOPS(z) STOPS_%s(z)\n",
        name, name, name, name);
  } else {
    grid_jit_append(
        s, "#define PLAIN(z) true\n#define ADD_PLAIN(z, t) add(z, t)\n#define STOPS(z) add_done(z)\n");
    grid_jit_define(s, "STOP", grid_monoid_can_stop_early(add));
  }
}

static void append_product(grid_jit_source *s, const grid_job *J) {
  const char *a = uses_a_values(J) ? "a_cast(a)" : "(MA){0}", *x = uses_x_values(J) ? "x" : "(X){0}";
  grid_jit_type(s, "Z", J->s->mul->z);
  grid_jit_type(s, "A", uses_a_values(J) ? J->a_type : GrB_UINT8);
  grid_jit_type(s, "MA", a_operand(J));
  grid_jit_type(s, "X", x_operand(J));
  if (uses_a_values(J)) grid_jit_cast(s, "a_cast", a_operand(J), J->a_type);
  grid_jit_binary(s, "mul", J->s->mul);
  grid_jit_append(s, "#define MUL(a, x) mul(%s, %s)\n", J->flip ? x : a, J->flip ? a : x);
}

static void write_kernel(grid_jit_source *s, const void *job) {
  const grid_job *J = job;
  const bool position = J->s->mul->op == GRID_OP_SECONDI;
  grid_jit_append_embedded_text(s, "mxv_job.h");
  grid_jit_append_embedded_text(s, "mxv_monoid_macros.h");
  if (position)
    grid_jit_type(s, "Z", J->s->mul->z);
  else
    append_product(s, J);
  grid_jit_define(s, "USES_A", uses_a_values(J) && !position);
  grid_jit_define(s, "USES_X", uses_x_values(J) && !position);
  grid_jit_define(s, "POSITION", position);
  grid_jit_define(s, "ANY", J->s->add->any);
  grid_jit_define(s, "FIRST_HIT", 0);
  if (!J->s->add->any) {
    grid_jit_monoid(s, "add", J->s->add);
    append_sum(s, J->s->add);
  }
  grid_jit_append(s, "#define KERNEL(f) made_##f\n");
  grid_jit_append_embedded_text(s, "mxv_range.h");
  grid_jit_append(s, "GRID_EXPORT const grid_ranges grid_kernel = {made_pull, made_push};\n");
}

/* ---- the kernel ---------------------------------------------------------------------------------------- */

const grid_ranges *grid_jit_product_kernels(const grid_job *J, grid_jit_cpu_kernel **jit_kernel) {
  *jit_kernel = NULL;
  const GrB_Monoid add = J->s->add; /* without an identity there is no source */
  if (!grid_binary_can_compile(J->s->mul) ||
      (!add->any && !(grid_binary_can_compile(add->op) && add->identity)))
    return NULL;
  const grid_jit_signature s = compute_signature(J);
  *jit_kernel = grid_jit_cpu_kernel_find(&s);
  return grid_jit_cpu_kernel_get(*jit_kernel, write_kernel, J, grid_report_fallback);
}
