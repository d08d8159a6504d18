/* Types and operators of one call as source text. It is the preamble of a run-time compiled kernel, for the
 * device in CUDA (spmat/cuda/jit) or for the CPU in C (semiring/jit/compiler.h), under the names that the
 * kernel's text uses. Operators come from include/gridblas_table.h, or are user-defined texts
 * (Grid_BinaryOp_new and relatives).
 *
 *   grid_jit_source s;
 *   grid_jit_begin(&s);
 *   grid_jit_type(&s, "Z", w->type);
 *   grid_jit_unary(&s, "op", op); */
#ifndef GRID_KERNEL_SOURCE_H
#define GRID_KERNEL_SOURCE_H
#include "semiring/semiring.h"

typedef struct {
  char *text;
  size_t used, capacity;
  bool is_c;           /* C, not CUDA */
  bool user;           /* has user-defined functions (C only) */
  bool absent;         /* some type or operator has no text */
  bool no_memory;      /* the text is incomplete */
  char bytes_type[40]; /* the name of the last type that had no text */
} grid_jit_source;

/* Begins a text in CUDA (includes prelude.cuh), or in C (the caller adds what is needed). */
void grid_jit_begin(grid_jit_source *s);
void grid_jit_begin_c(grid_jit_source *s);
void grid_jit_free(grid_jit_source *s);
/* Defines the C type `name`. A user-defined type without a definition is an array of bytes, which can be
 * copied. */
void grid_jit_type(grid_jit_source *s, const char *name, GrB_Type t);
/* Functions, each called `name`:
 *   cast    to name(from), by the rules of grid_cast
 *   unary   z name(x)
 *   binary  z name(x, y)
 *   index   z name(x, uint64_t i, uint64_t j, y); x of any type if the operator ignores it
 *   monoid  z name(x, y); z name_identity(); bool name_done(z): is that the terminal value? */
void grid_jit_cast(grid_jit_source *s, const char *name, GrB_Type to, GrB_Type from);
void grid_jit_unary(grid_jit_source *s, const char *name, GrB_UnaryOp op);
void grid_jit_binary(grid_jit_source *s, const char *name, GrB_BinaryOp op);
void grid_jit_index(grid_jit_source *s, const char *name, GrB_IndexUnaryOp op);
void grid_jit_monoid(grid_jit_source *s, const char *name, GrB_Monoid m);
/* A function `z name()` that returns the value at x, of type t. */
void grid_jit_constant(grid_jit_source *s, const char *name, GrB_Type t, const void *x);
/* The text of a user-defined function f, which the kernel's text then calls as grid_user_NAME_F (in C).
 * False: there is none. */
bool grid_jit_user_function(grid_jit_source *s, const char *name, const char *f, const char *text);
/* #define name value */
void grid_jit_define(grid_jit_source *s, const char *name, long value);
/* Any text, printf style. */
void grid_jit_append(grid_jit_source *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
