/* Hooks by which a lower module calls a higher one. The higher module registers its row when the library
 * starts (grid_hook_..., called by GrB_init: dist/library/library_init.c); before that, rows that do nothing
 * are in place. There are four kinds: lookahead (dist/lookahead), cached properties of a matrix, operators of
 * positions, and single functions. Cached properties are row hubs, update sets and orders of views
 * (dist/product), the split and the index of delegates (dist/delegates), and search workspaces. */
#ifndef GRID_HOOKS_H
#define GRID_HOOKS_H
#include "gridblas.h"

/* ---- lookahead (dist/lookahead/lookahead.h) ---- */

typedef struct {
  /* Called first by every public call that is neither local nor part of a loop (grid_check_initialized):
   * vectors get the state that the program has reached, and lookahead ends. No messages; on all processes. */
  GrB_Info (*materialize)(void);
  /* The same for local calls, which one process may make alone: lookahead goes on. */
  GrB_Info (*peek)(void);
  /* The number of entries of a vector that lookahead has computed. *handled: done, with this outcome. */
  GrB_Info (*nvals)(uint64_t *nvals, GrB_Vector v, bool *handled);
  /* v is about to be freed. */
  void (*release)(GrB_Vector v);
} grid_lookahead_hooks;

extern const grid_lookahead_hooks *grid_lookahead; /* never NULL */
void grid_set_lookahead_hooks(const grid_lookahead_hooks *h);

/* ---- cached properties of a matrix ---- */

struct grid_tuples; /* dist/matrix/matrix.h */

/* A cached property is present in a matrix or not; each function but make does nothing if it is not. NULL:
 * nothing to do. dist/matrix/properties/cached_properties.h calls the functions of all properties. */
typedef struct {
  /* The block has rows and degrees: makes the property if A asks for it. It may take entries out of the
   * block. Collective, agreed on. */
  GrB_Info (*make)(GrB_Matrix A);
  /* Is it present or absent as A's options ask? If not, A is merged into one block and made ready again. */
  bool (*is_current)(GrB_Matrix A);
  /* The block has rows, or A's options changed: updates the property, if it takes no entries out of the
   * block. Collective, agreed on. */
  GrB_Info (*update)(GrB_Matrix A);
  /* GrB_Matrix_wait of a symmetric matrix: makes what the first search would need, and removes from *forms
   * what a search can do without. Collective, agreed on. */
  GrB_Info (*prepare)(GrB_Matrix A, unsigned *forms);
  /* Frees what is cached: the contents of the matrix are about to be freed. On all processes or on none,
   * since later calls choose their messages by what there is. */
  void (*free)(GrB_Matrix A);
  /* Moves it to the host, for code that follows its arrays. Local. */
  GrB_Info (*to_host)(GrB_Matrix A);
  /* The device was turned on: the property becomes one that the device can use. Collective. */
  GrB_Info (*for_device)(GrB_Matrix A);
  /* GrB_Matrix_wait with the device on, after the block moved there: makes what the first product would need.
   * Collective, agreed on. */
  GrB_Info (*wait)(GrB_Matrix A);
  /* Entries outside the block, on the host: their number; appended to t, which has room; the value of (i, j)
   * if this process holds it, else NULL. */
  uint64_t (*nvals)(GrB_Matrix A);
  void (*tuples)(GrB_Matrix A, struct grid_tuples *t);
  const void *(*find)(GrB_Matrix A, GrB_Index i, GrB_Index j);
  /* Adds this process's bytes and entries, and what is the same on all processes. */
  void (*add_storage)(GrB_Matrix A, Grid_Storage *s);
} grid_cached_property;

void grid_hook_cached_property(const grid_cached_property *f);

/* ---- operators of positions (dist/op/extensions/index_binary.h) ---- */

/* The calls whose operator multiplies by op->index, after their checks; arguments as those of the public
 * functions. */
typedef struct {
  /* *P becomes a new matrix with A's entries, whose values are `shift` + their row (rows) or column, of type
   * INT32 or INT64. It is out of core where A is and memory does not suffice. After an error *P is NULL, or a
   * matrix that the caller frees. */
  GrB_Info (*matrix_positions)(GrB_Matrix *P, GrB_Matrix A, bool rows, int shift, GrB_Type type);
  GrB_Info (*mxm)(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Semiring op, GrB_Matrix A,
                  GrB_Matrix B, GrB_Descriptor desc);
  GrB_Info (*mxv)(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring op, GrB_Matrix A,
                  GrB_Vector u, GrB_Descriptor desc, bool flip); /* flip: vxm */
  GrB_Info (*matrix_ewise)(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                           GrB_Matrix B, GrB_Descriptor desc, bool add);
  GrB_Info (*vector_ewise)(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                           GrB_Vector v, GrB_Descriptor desc, bool add);
  GrB_Info (*matrix_union)(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                           GrB_Scalar alpha, GrB_Matrix B, GrB_Scalar beta, GrB_Descriptor desc);
  GrB_Info (*vector_union)(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                           GrB_Scalar alpha, GrB_Vector v, GrB_Scalar beta, GrB_Descriptor desc);
  GrB_Info (*kronecker)(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                        GrB_Matrix B, GrB_Descriptor desc);
} grid_index_binary_calls;

/* ---- what is registered, beside lookahead ---- */

enum { GRID_CACHED_PROPERTIES = 7 };
extern struct grid_hooks {
  /* in the order of registration, NULL-terminated */
  const grid_cached_property *cached_properties[GRID_CACHED_PROPERTIES];
  const grid_index_binary_calls *index_binary;
  /* If device memory was refused since the count was `refusals`, evicts blocks of matrices from the device.
   * True if a retry may succeed. The same on all processes. */
  bool (*evict)(uint64_t refusals);
  /* The pages of a matrix out of core are made anew with its pending changes. Collective, agreed on. */
  GrB_Info (*merge_pages)(GrB_Matrix A);
  /* The larger of a matrix's dimensions and its number of entries, over all processes. */
  uint64_t (*matrix_size)(GrB_Matrix A);
  /* Describes a matrix in `what`, of `capacity` bytes, and counts its entries on this process. */
  void (*describe_matrix)(char *what, size_t capacity, uint64_t *entries, GrB_Matrix A);
  /* *context: that of this number, for GRID_WORKER_SCOPE. False: there is none. */
  bool (*find_context)(uint32_t number, uintptr_t *context);
} grid_hooks;
#endif
