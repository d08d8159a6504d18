/* Kernels that are made at run time by a C compiler (compiler.h), once they have been wanted for long enough.
 * Work is counted for each. At GRID_JIT_CACHE_LOOKUP_WORK entries the cache on disk is searched, at
 * grid_tune.cc_threshold the compiler is started. Once it has ended, the kernel is used. Until then, and for
 * ever where there is no compiler, callers do the work in another way that gives the same bits. Each process
 * decides for itself (of several on a machine, see grid_jit_set_local_rank).
 *
 *   grid_jit_cpu_kernel *m = grid_jit_cpu_kernel_find(&signature);
 *   const grid_ranges *k = grid_jit_cpu_kernel_get(m, write, &job, grid_report_fallback);
 *   ... the work, with k or without ...
 *   grid_jit_add_work(m, entries); */
#ifndef GRID_JIT_KERNEL_H
#define GRID_JIT_KERNEL_H
#include "semiring/jit/kernel_source.h"

/* Identifies a kernel: a hash of everything that its text depends on. */
typedef struct {
  uint64_t a, b;
} grid_jit_signature;
grid_jit_signature grid_jit_signature_begin(const char *family);
void grid_jit_signature_add_number(grid_jit_signature *s, uint64_t x);
void grid_jit_signature_add_value(grid_jit_signature *s, const void *x, size_t size);
void grid_jit_signature_add_type(grid_jit_signature *s, GrB_Type t);
void grid_jit_signature_add_binary(grid_jit_signature *s, GrB_BinaryOp op);
void grid_jit_signature_add_unary(grid_jit_signature *s, GrB_UnaryOp op);

typedef struct grid_jit_cpu_kernel grid_jit_cpu_kernel;
/* NULL: the table is full. */
grid_jit_cpu_kernel *grid_jit_cpu_kernel_find(const grid_jit_signature *s);
/* Writes the kernel's own text after the header, which has types, casts and the operator table; it defines
 * `grid_kernel`, exported by GRID_EXPORT. */
typedef void (*grid_jit_cpu_kernel_writer)(grid_jit_source *s, const void *context);
/* The address of grid_kernel, or NULL: not yet, or never; a failure is reported once. m may be NULL. */
const void *grid_jit_cpu_kernel_get(grid_jit_cpu_kernel *m, grid_jit_cpu_kernel_writer write,
                                    const void *context, void (*report)(const char *what));
/* The same at once, from disk or by the compiler, whose end is awaited. NULL: there is none. */
const void *grid_jit_cpu_kernel_make(grid_jit_cpu_kernel *m, grid_jit_cpu_kernel_writer write,
                                     const void *context, void (*report)(const char *what));
void grid_jit_add_work(grid_jit_cpu_kernel *m, uint64_t entries);

/* This process is number `rank` of `size` on this machine, which have about the same work and share the
 * disk: their work counts together, and the first of them compiles. */
void grid_jit_set_local_rank(int rank, int size);

/* The settings of the compiler have changed (jit_settings.h): it is looked for again. */
void grid_jit_cpu_kernels_follow_settings(void);
/* Stops compilations and forgets all kernels and the compiler, at GrB_finalize. */
void grid_jit_cpu_kernels_free(void);

enum { GRID_JIT_CACHE_LOOKUP_WORK = 1 << 22 };

/* Numbers of kernels by origin, since the start. */
typedef struct {
  uint64_t from_disk, compiled, failed;
} grid_jit_cpu_kernel_counts;
grid_jit_cpu_kernel_counts grid_jit_cpu_kernel_get_counts(void);

/* The embedded source texts (made by cmake/embed.cmake), by name; NULL: no such text. */
extern const int grid_c_texts;
extern const char *const grid_c_text_name[];
extern const char *const grid_c_text[];
void grid_jit_append_embedded_text(grid_jit_source *s, const char *name);
#endif
