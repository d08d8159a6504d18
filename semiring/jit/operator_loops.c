/* Array loops over operators that have none compiled: user-defined and predefined ones, by their text. */
#include "semiring/jit/operator_loops.h"

#include <string.h>

#include "semiring/op_codes.h"

/* A single operand has a loop of its own, so that the compiler keeps it in a register. */
static void write_binary(grid_jit_source *s, const void *op) {
  const GrB_BinaryOp f = (GrB_BinaryOp)(uintptr_t)op;
  grid_jit_type(s, "Z", f->z);
  grid_jit_type(s, "X", f->x);
  grid_jit_type(s, "Y", f->y);
  grid_jit_binary(s, "op", f);
  grid_jit_append(
      s,
      "typedef __SIZE_TYPE__ size;\n"
      "GRID_FN void run(Z *z, const X *x, size xs, const Y *y, size ys, size n) {\n"
      "  for (size k = 0; k < n; k++) z[k] = op(x[k * xs], y[k * ys]);\n}\n"
      "GRID_EXPORT void grid_kernel(void *z, const void *x, size xs, const void *y, size ys, size n) {\n"
      "  if (!xs) {\n    const X one = *(const X *)x;\n    run(z, &one, 0, y, ys ? 1 : 0, n);\n"
      "  } else if (!ys) {\n    const Y one = *(const Y *)y;\n    run(z, x, 1, &one, 0, n);\n"
      "  } else {\n    run(z, x, 1, y, 1, n);\n  }\n}\n");
}

static void write_unary(grid_jit_source *s, const void *op) {
  const GrB_UnaryOp f = (GrB_UnaryOp)(uintptr_t)op;
  grid_jit_type(s, "Z", f->z);
  grid_jit_type(s, "X", f->x);
  grid_jit_unary(s, "op", f);
  grid_jit_append(s,
                  "typedef __SIZE_TYPE__ size;\n"
                  "GRID_FN void run(Z *z, const X *x, size xs, size n) {\n"
                  "  for (size k = 0; k < n; k++) z[k] = op(x[k * xs]);\n}\n"
                  "GRID_EXPORT void grid_kernel(void *z, const void *x, size xs, size n) {\n"
                  "  const X one = *(const X *)x;\n"
                  "  if (xs)\n    run(z, x, 1, n);\n  else\n    run(z, &one, 0, n);\n}\n");
}

grid_binary_loop grid_jit_binary_loop(GrB_BinaryOp op, grid_jit_cpu_kernel **jit_kernel,
                                      void (*report)(const char *what)) {
  grid_binary_loop loop = NULL;
  *jit_kernel = NULL;
  if (!grid_binary_can_compile(op)) return NULL;
  grid_jit_signature s = grid_jit_signature_begin("binary loop");
  grid_jit_signature_add_binary(&s, op);
  *jit_kernel = grid_jit_cpu_kernel_find(&s);
  const void *kernel = grid_jit_cpu_kernel_get(*jit_kernel, write_binary, op, report);
  memcpy(&loop, &kernel, sizeof loop); /* ISO C has no such cast */
  if (loop) *jit_kernel = NULL;
  return loop;
}

grid_unary_loop grid_jit_unary_loop(GrB_UnaryOp op, grid_jit_cpu_kernel **jit_kernel,
                                    void (*report)(const char *what)) {
  grid_unary_loop loop = NULL;
  *jit_kernel = NULL;
  if (op->op == GRID_OP_OTHER) return NULL;
  if (op->op == GRID_OP_USER && (!op->text || op->text_settings != grid_text_settings)) return NULL;
  grid_jit_signature s = grid_jit_signature_begin("unary loop");
  grid_jit_signature_add_unary(&s, op);
  *jit_kernel = grid_jit_cpu_kernel_find(&s);
  const void *kernel = grid_jit_cpu_kernel_get(*jit_kernel, write_unary, op, report);
  memcpy(&loop, &kernel, sizeof loop);
  if (loop) *jit_kernel = NULL;
  return loop;
}
