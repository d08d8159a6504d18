/* GxB_Type_new, GxB_UnaryOp_new, ...: user-defined types and operators with a name and a text. Without a
 * function or size the C compiler makes the function of it, or tells the size of the type. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "semiring/jit/jit_kernel.h"
#include "semiring/jit/jit_settings.h"
#include "semiring/threads/worker_error.h"
#include "semiring/user_text.h"

/* ---- names and texts ---- */

/* A program's name and definition, as the constructors of this library take them. */
typedef struct {
  char name[GxB_MAX_NAME_LEN];
  grid_user_text u;
} given_text;

/* A definition under another name than an identifier of C cannot be called. */
static void set_text(given_text *g, const char *name, const char *definition) {
  g->u = (grid_user_text){NULL, NULL};
  if (!name || !*name) return;
  snprintf(g->name, sizeof g->name, "%s", name);
  const size_t n = strlen(g->name);
  bool is_identifier = n <= GRID_NAME_MAX && !isdigit((unsigned char)g->name[0]);
  for (size_t k = 0; k < n; k++)
    is_identifier = is_identifier && (isalnum((unsigned char)g->name[k]) || g->name[k] == '_');
  g->u.name = g->name;
  g->u.text = is_identifier && definition && *definition ? definition : NULL;
}

static GrB_Info check_text(const given_text *g, const char *what, GrB_Info without, const char *call) {
  if (g->u.text) return GrB_SUCCESS;
  return grid_fail(NULL, without,
                   "%s: argument %s, and there is no definition under a name that is an identifier of C",
                   call, what);
}

/* ---- compiling ---- */

static void report_nothing(const char *what) {
  (void)what; /* grid_fail has recorded it */
}

/* grid_kernel in the text that `write` writes. */
static GrB_Info compile(const void **kernel, const grid_jit_signature *s, grid_jit_cpu_kernel_writer write,
                        const void *context, const char *call) {
  *kernel = grid_jit_cpu_kernel_make(grid_jit_cpu_kernel_find(s), write, context, report_nothing);
  if (*kernel) return GrB_SUCCESS;
  if (grid_jit_control() < GxB_JIT_ON)
    return grid_fail(NULL, (GrB_Info)GxB_JIT_ERROR,
                     "%s: the definition is not among the cached kernels, and GxB_JIT_C_CONTROL is below "
                     "GxB_JIT_ON",
                     call);
  char why[GRID_ERROR_TEXT_SIZE];
  snprintf(why, sizeof why, "%s", grid_last_error());
  return grid_fail(NULL, (GrB_Info)GxB_JIT_ERROR, "%s: %s", call, why);
}

static void write_size(grid_jit_source *s, const void *given) {
  const given_text *g = given;
  grid_jit_append(s, "#line 1 \"%s\"\n%s\nGRID_EXPORT const unsigned long grid_kernel = sizeof(%s);\n",
                  g->name, g->u.text, g->name);
}

GrB_Info GxB_Type_new(GrB_Type *type, size_t size, const char *name, const char *definition) {
  static const char call[] = "GxB_Type_new";
  given_text g;
  set_text(&g, name, definition);
  if (size == 0 && type != NULL) {
    GrB_Info info = grid_semiring_check_init(call);
    const void *kernel;
    grid_jit_signature s = grid_jit_signature_begin("size of a type");
    if (info == GrB_SUCCESS) info = check_text(&g, "size is 0", GrB_INVALID_VALUE, call);
    if (info != GrB_SUCCESS) return info;
    grid_jit_signature_add_value(&s, g.name, strlen(g.name) + 1);
    grid_jit_signature_add_value(&s, g.u.text, strlen(g.u.text) + 1);
    if ((info = compile(&kernel, &s, write_size, &g, call)) != GrB_SUCCESS) return info;
    size = *(const unsigned long *)kernel;
  }
  return grid_type_new(type, size, g.u, call);
}

/* ---- operators ---- */

/* Stand in for the function until it is compiled. */
static void no_unary(void *z, const void *x) {
  (void)z, (void)x;
}
static void no_binary(void *z, const void *x, const void *y) {
  (void)z, (void)x, (void)y;
}
static void no_index_unary(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)z, (void)x, (void)i, (void)j, (void)y;
}
static void no_index_binary(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y, GrB_Index iy,
                            GrB_Index jy, const void *theta) {
  (void)z, (void)x, (void)ix, (void)jx, (void)y, (void)iy, (void)jy, (void)theta;
}

/* The parts of an operator that its function's text needs. */
typedef struct {
  const char *name, *text;
  const char *parameters, *arguments; /* of grid_kernel, without parentheses */
  GrB_Type type[4];                   /* z, x, y, theta, or NULL */
} function_text;

static void write_function(grid_jit_source *s, const void *function) {
  static const char *const word[] = {"Z", "X", "Y", "T"};
  const function_text *f = function;
  for (int k = 0; k < 4; k++)
    if (f->type[k]) grid_jit_type(s, word[k], f->type[k]);
  if (grid_jit_user_function(s, "op", f->name, f->text))
    grid_jit_append(s, "GRID_EXPORT void grid_kernel(%s) {\n  grid_user_op_%s(%s);\n}\n", f->parameters,
                    f->name, f->arguments);
}

static GrB_Info compile_function(void *to, const function_text *f, const char *call) {
  grid_jit_signature s = grid_jit_signature_begin(f->parameters);
  const void *kernel;
  grid_jit_signature_add_value(&s, f->name, strlen(f->name) + 1);
  grid_jit_signature_add_value(&s, f->text, strlen(f->text) + 1);
  for (int k = 0; k < 4; k++)
    if (f->type[k]) grid_jit_signature_add_type(&s, f->type[k]);
  GrB_Info info = compile(&kernel, &s, write_function, f, call);
  if (info == GrB_SUCCESS) memcpy(to, &kernel, sizeof kernel); /* ISO C has no such cast */
  return info;
}

/* GxB_K_new: makes the object, by the expression, and then its function if it is NULL. */
#define MAKE(K, function, EXPRESSION, PARAMETERS, ARGUMENTS, ...)                                            \
  given_text g;                                                                                              \
  set_text(&g, name, definition);                                                                            \
  GrB_Info info = grid_semiring_check_init(call);                                                            \
  if (info == GrB_SUCCESS && !(function)) info = check_text(&g, "function is NULL", GrB_NULL_POINTER, call); \
  if (info == GrB_SUCCESS) info = (EXPRESSION);                                                              \
  if (info != GrB_SUCCESS || (function)) return info;                                                        \
  info = compile_function(                                                                                   \
      &made->f, &(function_text){made->name, made->text, PARAMETERS, ARGUMENTS, {__VA_ARGS__}}, call);       \
  if (info != GrB_SUCCESS)                                                                                   \
    K##_free(&made);                                                                                         \
  else                                                                                                       \
    *op = made;                                                                                              \
  return info

GrB_Info GxB_UnaryOp_new(GrB_UnaryOp *op, GxB_unary_function function, GrB_Type ztype, GrB_Type xtype,
                         const char *name, const char *definition) {
  static const char call[] = "GxB_UnaryOp_new";
  GrB_UnaryOp made = NULL, *to = function || !op ? op : &made;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made is set where that succeeds */
  MAKE(GrB_UnaryOp, function, grid_unary_new(to, function ? function : no_unary, ztype, xtype, g.u, call),
       "void *z, const void *x", "z, x", ztype, xtype);
}

GrB_Info GxB_BinaryOp_new(GrB_BinaryOp *op, GxB_binary_function function, GrB_Type ztype, GrB_Type xtype,
                          GrB_Type ytype, const char *name, const char *definition) {
  static const char call[] = "GxB_BinaryOp_new";
  GrB_BinaryOp made = NULL, *to = function || !op ? op : &made;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made is set where that succeeds */
  MAKE(GrB_BinaryOp, function,
       grid_binary_new(to, function ? function : no_binary, ztype, xtype, ytype, g.u, call),
       "void *z, const void *x, const void *y", "z, x, y", ztype, xtype, ytype);
}

GrB_Info GxB_IndexUnaryOp_new(GrB_IndexUnaryOp *op, GxB_index_unary_function function, GrB_Type ztype,
                              GrB_Type xtype, GrB_Type ytype, const char *name, const char *definition) {
  static const char call[] = "GxB_IndexUnaryOp_new";
  GrB_IndexUnaryOp made = NULL, *to = function || !op ? op : &made;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made is set where that succeeds */
  MAKE(GrB_IndexUnaryOp, function,
       grid_index_unary_new(to, function ? function : no_index_unary, ztype, xtype, ytype, g.u, call),
       "void *z, const void *x, GrB_Index i, GrB_Index j, const void *y", "z, x, i, j, y", ztype, xtype,
       ytype);
}

GrB_Info GxB_IndexBinaryOp_new(GxB_IndexBinaryOp *op, GxB_index_binary_function function, GrB_Type ztype,
                               GrB_Type xtype, GrB_Type ytype, GrB_Type theta_type, const char *name,
                               const char *definition) {
  static const char call[] = "GxB_IndexBinaryOp_new";
  GxB_IndexBinaryOp made = NULL, *to = function || !op ? op : &made;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made is set where that succeeds */
  MAKE(GxB_IndexBinaryOp, function,
       grid_index_binary_new(to, function ? function : no_index_binary, ztype, xtype, ytype, theta_type, g.u,
                             call),
       "void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y, GrB_Index iy, GrB_Index jy, "
       "const void *theta",
       "z, x, ix, jx, y, iy, jy, theta", ztype, xtype, ytype, theta_type);
}
