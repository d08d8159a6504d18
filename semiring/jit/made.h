/* Kernels that are made at run time by a C compiler (compiler.h), once they have been wanted for long enough:
 * work is counted for each, at GRID_MADE_LOOK entries the cache on disk is asked, at grid_made_after the
 * compiler is started, and when it has ended the kernel is there. Until then, and for ever where there is no
 * compiler, callers do the work in another way that gives the same bits. Each process decides for itself (of
 * several on a machine, see grid_made_among).
 *
 *   grid_made *m = grid_made_find(&sign);
 *   const grid_ranges *k = grid_made_kernel(m, write, &job, grid_fallback);
 *   ... the work, with k or without ...
 *   grid_made_worked(m, entries); */
#ifndef GRID_JIT_MADE_H
#define GRID_JIT_MADE_H
#include "semiring/jit/source.h"

/* What tells a kernel from all others: a hash of everything that its text depends on. */
typedef struct {
  uint64_t a, b;
} grid_sign;
grid_sign grid_sign_begin(const char *family);
void grid_sign_number(grid_sign *s, uint64_t x);
void grid_sign_type(grid_sign *s, GrB_Type t);
void grid_sign_binary(grid_sign *s, GrB_BinaryOp op);
void grid_sign_unary(grid_sign *s, GrB_UnaryOp op);

typedef struct grid_made grid_made;
/* NULL: there are too many already. */
grid_made *grid_made_find(const grid_sign *s);
/* Writes the kernel's own text behind the head, which has types, casts and the operator table; it defines
 * `grid_kernel`, exported by GRID_EXPORT. */
typedef void (*grid_made_writer)(grid_jit_source *s, const void *context);
/* The address of grid_kernel, or NULL: not yet, or never; what went wrong is reported, once. m may be NULL.
 */
const void *grid_made_kernel(grid_made *m, grid_made_writer write, const void *context,
                             void (*report)(const char *what));
void grid_made_worked(grid_made *m, uint64_t entries);

/* This process is number `rank` of `size` on this machine, which have about the same work and share the disk:
 * what the kernel is worth is what they have together, and the first of them compiles it. */
void grid_made_among(int rank, int size);

/* Ends what is under way and forgets all kernels and the compiler: the library is closed. */
void grid_made_close(void);

enum { GRID_MADE_LOOK = 1 << 22 };
/* Entries of work after which a kernel is compiled: $GRIDBLAS_CC_AFTER, else 20 million. 0: at once, and
 * waited for. Read at the first kernel after the start or a close. */
uint64_t grid_made_after(void);

/* How kernels were come by, since the start. */
typedef struct {
  uint64_t from_disk, compiled, failed;
} grid_made_counts;
grid_made_counts grid_made_count(void);

/* The embedded texts (made by cmake/embed.cmake), by their names; NULL: there is none. */
extern const int grid_c_texts;
extern const char *const grid_c_text_name[];
extern const char *const grid_c_text[];
void grid_made_put_text(grid_jit_source *s, const char *name);
#endif
