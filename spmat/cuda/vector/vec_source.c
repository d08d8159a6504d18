/* The preambles of the kernels for vectors. */
#include "spmat/cuda/vector/vec_source.h"

#include <string.h>

void grid_source_write(grid_jit_source *s, GrB_Type c, GrB_Type t, GrB_BinaryOp accum) {
  grid_jit_begin(s);
  grid_jit_type(s, "C_t", c);
  grid_jit_type(s, "T_t", t);
  grid_jit_cast(s, "cast_t", c, t);
  grid_jit_define(s, "ACCUM", accum != NULL);
  if (!accum) return;
  grid_jit_cast(s, "accum_x", accum->x, c);
  grid_jit_cast(s, "accum_y", accum->y, t);
  grid_jit_cast(s, "accum_z", c, accum->z);
  grid_jit_binary(s, "accum", accum);
}

static void begin_apply(grid_jit_source *s, int form, GrB_Type z, GrB_Type x, GrB_Type bound_scalar) {
  grid_jit_begin(s);
  grid_jit_define(s, "APPLY", form);
  grid_jit_type(s, "Z_t", z);
  grid_jit_type(s, "X_t", x);
  grid_jit_type(s, "G_t", bound_scalar);
}

void grid_source_unary(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_UnaryOp op) {
  begin_apply(s, 1, z, x, GrB_BOOL);
  grid_jit_cast(s, "cast_x", op->x, x);
  grid_jit_unary(s, "op", op);
}

void grid_source_binary(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_BinaryOp op, bool left) {
  begin_apply(s, left ? 2 : 3, z, x, left ? op->x : op->y);
  grid_jit_cast(s, "cast_x", left ? op->y : op->x, x);
  grid_jit_binary(s, "op", op);
}

/* The operator, and the cast of its operand. */
static void append_index_op(grid_jit_source *s, GrB_Type x, GrB_IndexUnaryOp op) {
  grid_jit_define(s, "USES_X", op->x != NULL);
  if (op->x) grid_jit_cast(s, "cast_x", op->x, x);
  grid_jit_index(s, "op", op);
}

void grid_source_index(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_IndexUnaryOp op) {
  begin_apply(s, 4, z, x, op->y);
  append_index_op(s, x, op);
}

void grid_source_select(grid_jit_source *s, GrB_Type x, GrB_IndexUnaryOp op) {
  grid_jit_begin(s);
  grid_jit_type(s, "X_t", x);
  grid_jit_type(s, "Y_t", op->y);
  append_index_op(s, x, op);
  grid_jit_cast(s, "truth", GrB_BOOL, op->z);
}

void grid_source_reduce(grid_jit_source *s, GrB_Type x, GrB_BinaryOp op) {
  grid_jit_begin(s);
  grid_jit_type(s, "X_t", x);
  grid_jit_type(s, "Z_t", op->z);
  grid_jit_cast(s, "cast_x", op->x, x);
  grid_jit_binary(s, "op", op);
}

void grid_source_ewise(grid_jit_source *s, GrB_Type z, GrB_Type u, GrB_Type v, GrB_BinaryOp op, bool add) {
  grid_jit_begin(s);
  grid_jit_type(s, "U_t", u);
  grid_jit_type(s, "V_t", v);
  grid_jit_type(s, "Z_t", z);
  grid_jit_cast(s, "cast_u", op->x, u);
  grid_jit_cast(s, "cast_v", op->y, v);
  grid_jit_binary(s, "op", op);
  grid_jit_define(s, "ADD", add);
  if (!add) return;
  grid_jit_cast(s, "unpaired_u", z, u);
  grid_jit_cast(s, "unpaired_v", z, v);
}

void grid_source_combine(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_BinaryOp dup) {
  const GrB_Type v = dup ? dup->z : z;
  grid_jit_begin(s);
  grid_jit_type(s, "X_t", x);
  grid_jit_type(s, "V_t", v);
  grid_jit_type(s, "Z_t", z);
  grid_jit_cast(s, "cast_x", v, x);
  grid_jit_cast(s, "cast_z", z, v);
  grid_jit_define(s, "DUP", dup != NULL);
  if (dup) grid_jit_binary(s, "op", dup);
}

void grid_source_duplicates(grid_jit_source *s, GrB_Type type, GrB_BinaryOp dup) {
  grid_jit_begin(s);
  grid_jit_type(s, "V_t", type);
  grid_jit_binary(s, "op", dup);
}

/* True if the source has a preprocessor line of a user's: a macro, or a type defined once, would affect the
 * sources after it. */
static bool has_macros(const char *text) {
  static const char *const generated[] = {"#include \"",    "#line ",          "#define ADD ",
                                          "#define APPLY ", "#define USES_X ", "#define ACCUM "};
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *p = line + strspn(line, " \t");
    bool is_generated = *p != '#' && strncmp(p, "%:", 2) != 0;
    for (size_t k = 0; k < sizeof generated / sizeof *generated; k++)
      is_generated |= strncmp(p, generated[k], strlen(generated[k])) == 0;
    if (!is_generated) return true;
  }
  return false;
}

bool grid_source_fused(grid_jit_source *s, const char *const *text, int n) {
  for (int k = 0; k < n; k++)
    if (has_macros(text[k])) return false;
  grid_jit_begin(s);
  grid_jit_append(s, "#define GRID_FUSED\n#include \"bitmap_tile.cuh\"\n");
  for (int k = 0; k < n; k++)
    grid_jit_append(s, "namespace step%d {\n%s}\n#undef ADD\n#undef APPLY\n#undef USES_X\n#undef ACCUM\n", k,
                    text[k]);
  grid_jit_append(s, "#define GRID_STEPS(DO)");
  for (int k = 0; k < n; k++) grid_jit_append(s, " DO(%d)", k);
  grid_jit_append(s, "\n");
  return true;
}
