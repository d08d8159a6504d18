/* Run-time compilation: a kernel source of spmat/cuda/kernels, which is embedded in the library as text, is
 * compiled by NVRTC for the types and operators of one call. The host writes a preamble that gives them the
 * names the kernel source uses; operators come from include/gridblas_table.h by name, or are a program's own
 * texts (Grid_BinaryOp_new and its kin). Kernels are kept in memory, and their machine code on disk
 * (jit_cache.h), by the full text that they were made from. Compiling needs no GPU; loading does.
 *
 *   grid_jit_source s;
 *   grid_jit_begin(&s);
 *   grid_jit_type(&s, "Z", w->type);
 *   grid_jit_unary(&s, "op", op);
 *   info = grid_jit_kernel(&kernel, &s, "apply.cuh", "apply");     GRID_NOT_HERE: the CPU does it
 *   if (info == GrB_SUCCESS) info = grid_jit_launch(kernel, blocks, threads, (void *[]){&n, ...}, "apply");
 */
#ifndef GRID_JIT_H
#define GRID_JIT_H
#include "spmat/device/device.h"

/* ---- the preamble under construction ------------------------------------------------------------------- */

typedef struct {
  char *text;
  size_t used, room;
  bool absent;    /* some type or operator has no device form */
  bool no_memory; /* the text is cut off */
} grid_jit_source;

void grid_jit_begin(grid_jit_source *s);
void grid_jit_free(grid_jit_source *s);
/* The C type `name`. A user-defined type without a definition is so many bytes, which can be copied. */
void grid_jit_type(grid_jit_source *s, const char *name, GrB_Type t);
/* Device functions, `name` each:
 *   cast    to name(from), by the rules of grid_cast
 *   unary   z name(x)
 *   binary  z name(x, y)
 *   index   z name(x, uint64_t i, uint64_t j, y); x of any type where the operator does not look at it
 *   monoid  z name(x, y); z name_identity(); bool name_done(z): is that the terminal value? */
void grid_jit_cast(grid_jit_source *s, const char *name, GrB_Type to, GrB_Type from);
void grid_jit_unary(grid_jit_source *s, const char *name, GrB_UnaryOp op);
void grid_jit_binary(grid_jit_source *s, const char *name, GrB_BinaryOp op);
void grid_jit_index(grid_jit_source *s, const char *name, GrB_IndexUnaryOp op);
void grid_jit_monoid(grid_jit_source *s, const char *name, GrB_Monoid m);
/* A function `z name()` that gives the value at x, of type t. */
void grid_jit_constant(grid_jit_source *s, const char *name, GrB_Type t, const void *x);
/* #define name value */
void grid_jit_define(grid_jit_source *s, const char *name, long value);

/* ---- kernels ------------------------------------------------------------------------------------------- */

/* The kernel `function` of file kernels/`file` under the preamble s, which is freed. GRID_NOT_HERE when
 * something has no device form or does not compile: then grid_fallback has said which, and grid_last_error
 * the compiler's words. The kernel lives until the device is closed. */
GrB_Info grid_jit_kernel(void **kernel, grid_jit_source *s, const char *file, const char *function);
/* Launches it on the library's stream; args as for cudaLaunchKernel. */
GrB_Info grid_jit_launch(void *kernel, unsigned blocks, unsigned threads, void **args, const char *what);

/* Machine code of kernels/`file` under s, which stays: from memory, from disk, or compiled now. *code belongs
 * to the cache. GrB_INVALID_VALUE with the log in the text when it does not compile. */
typedef struct grid_jit_code grid_jit_code;
GrB_Info grid_jit_compile(grid_jit_code **code, const grid_jit_source *s, const char *file);
const void *grid_jit_image(const grid_jit_code *code, size_t *bytes);
/* Forgets all kernels in memory; the device is closed, or was never used. */
void grid_jit_close(void);
/* How codes were come by, since the start. */
typedef struct {
  uint64_t from_memory, from_disk, compiled, failed;
} grid_jit_counts;
grid_jit_counts grid_jit_count(void);

/* The embedded texts (made by cmake/embed.cmake). */
extern const int grid_jit_texts;
extern const char *const grid_jit_text_name[];
extern const char *const grid_jit_text[];

#endif
