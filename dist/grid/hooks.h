/* Where a room tells one above it. The upper room registers its row when the library starts (grid_hook_...,
 * called by GrB_init: dist/op/library_init.c); until then rows that do nothing stand in their place. There are two
 * kinds: what runs ahead of the program (dist/lookahead), and what is derived from a matrix and kept with it
 * (dist/product: leads; dist/delegates: the split, numbered delegates; dist/lookahead: a search's workspace). */
#ifndef GRID_HOOKS_H
#define GRID_HOOKS_H
#include "gridblas.h"

/* ---- what runs ahead of the program (dist/lookahead/lookahead.h) ---- */

typedef struct {
  /* Every public call that is neither local nor part of a loop begins so (grid_check_initialized): vectors
   * get the state that the program has reached, and the run ends. No messages; all processes do it. */
  GrB_Info (*materialize)(void);
  /* The same for local calls, which one process may make alone: the run goes on. */
  GrB_Info (*peek)(void);
  /* The count of a frontier that runs ahead. *taken: done, with this outcome. */
  GrB_Info (*nvals)(uint64_t *nvals, GrB_Vector v, bool *handled);
  /* v is about to be freed. */
  void (*release)(GrB_Vector v);
} grid_lookahead_hooks;

extern const grid_lookahead_hooks *grid_lookahead; /* never NULL */
void grid_set_lookahead_hooks(const grid_lookahead_hooks *h);

/* ---- what is derived from a matrix ---- */

struct grid_tuples; /* dist/matrix/matrix.h */

/* A form is present in a matrix or not, and each function but make does nothing where it is not. One that is
 * NULL has nothing to do. dist/matrix/properties/cached_properties.h calls those of all forms. */
typedef struct {
  /* The block is complete, its degrees are counted: makes the form if A asks for it. It may take entries out
   * of the block. Collective, agreed on. */
  GrB_Info (*make)(GrB_Matrix A);
  /* Is it present, or not, as A asks? If not, A is put together again and made ready anew. */
  bool (*is_current)(GrB_Matrix A);
  /* The block is complete, or A->delegates has changed: the form follows, if it takes no entries out of the
   * block. Collective, agreed on. */
  GrB_Info (*update)(GrB_Matrix A);
  /* The program waits for A, which is known to be symmetric and so to be searched: makes what the first
   * search would wait for, and says what of *forms it can do without. Collective, agreed on. */
  GrB_Info (*prepare)(GrB_Matrix A, unsigned *forms);
  /* The block is about to go. */
  void (*free)(GrB_Matrix A);
  /* All of it lies on the host, for code that follows its arrays. Local. */
  GrB_Info (*to_host)(GrB_Matrix A);
  /* The device was turned on: the form becomes one that the device can use. Collective. */
  GrB_Info (*for_device)(GrB_Matrix A);
  /* The program waits for A with the device on, where the block is: makes what the first product would wait
   * for. Collective, agreed on. */
  GrB_Info (*wait)(GrB_Matrix A);
  /* Entries that are not in the block: how many, appended to t (which has room), the value of (i, j) if this
   * process holds it here, else NULL. They lie on the host. */
  uint64_t (*nvals)(GrB_Matrix A);
  void (*tuples)(GrB_Matrix A, struct grid_tuples *t);
  const void *(*find)(GrB_Matrix A, GrB_Index i, GrB_Index j);
  /* Adds this process's bytes and entries, and what is the same everywhere. */
  void (*add_storage)(GrB_Matrix A, Grid_Storage *s);
} grid_cached_property;

enum { GRID_CACHED_PROPERTIES = 5 };
extern const grid_cached_property
    *grid_cached_properties[GRID_CACHED_PROPERTIES]; /* in the order of registration; then NULL */
void grid_hook_cached_property(const grid_cached_property *f);
#endif
