/* outofcore_run.h: operations whose matrices do not fit memory (docs/design.md, "Operations over pages").
 * Rows of the result come of the same rows of the operands and the mask, so some of them are done at a time:
 * slices, which are matrices like the whole but have those rows alone, go through the operation itself, and
 * the rows of its result to a file of pages. */
#ifndef GRID_OUTOFCORE_RUN_H
#define GRID_OUTOFCORE_RUN_H
#include "dist/outofcore/operations/row_panel.h"

/* The operation's objects, some rows of each; A, B and mask are NULL where they were. */
typedef struct {
  GrB_Matrix C, mask, A, B;
  GrB_Descriptor desc; /* as it was called with, but nothing is transposed that is sliced */
  uint64_t row, end;   /* rows of this process's block */
} grid_slices;

typedef struct {
  GrB_Matrix C, mask, A, B;
  GrB_BinaryOp accum;
  const grid_desc *d;   /* tran0: A is transposed; tran1: B */
  bool is_a_replicated; /* A is not cut: `run` takes it as it is, */
  bool is_b_replicated; /* ... and B so, or slice by slice (grid_slices_of) */
  bool symmetric;       /* the result is known to be its own transpose */
  bool retains;         /* entries of C stay in any case */
  uint64_t each;        /* bytes of a row of the result that come of nothing that is cut; */
  uint64_t (*bytes)(void *context, uint64_t r); /* ... or, where they differ, of row r; */
  uint64_t made;                                /* ... of all of this process's rows, where that is known */
  /* NULL, or: which of the rows row .. end, from the first on, may be done together: up to what it returns */
  uint64_t (*rows_fitting)(void *context, uint64_t row, uint64_t end);
  /* or NULL: of each of this process's rows, bytes that it may have in the result at most; they are taken for
   * as much less as the slice before had */
  const uint64_t *bound;
  GrB_Info (*run)(void *context, const grid_slices *s);
  void *context;
} grid_out_of_core;

/* d without transposes, as a descriptor. */
static inline struct GrB_Descriptor_opaque grid_desc_plain(const grid_desc *d) {
  return (struct GrB_Descriptor_opaque){.head = {.magic = GRID_MAGIC, .builtin = true},
                                        .replace = d->replace,
                                        .complement = d->complement,
                                        .structure = d->structure};
}

/* Is some matrix paged, and is there no room for all that is on some process? Then it is done so. Collective
 * where one is paged; agreed on. */
GrB_Info grid_out_of_core_needed(const grid_out_of_core *x, bool *yes);
GrB_Info grid_out_of_core_run(const grid_out_of_core *x);

/* Slices of B alone, for each of A's. */
typedef GrB_Info grid_slice_visit(void *context, GrB_Matrix B);
/* Those with rows that A, a slice whose columns they are (transposed: any), wants. Collective, agreed on. */
GrB_Info grid_slices_of(GrB_Matrix B, GrB_Matrix A, bool transposed, grid_slice_visit *visit, void *context);

/* product_row_bounds.c: *bound, to be freed: bytes of each row of this process's block of a product that has
 * entries of `each` bytes, no more than its operands' entries meet: of the whole row, where processes share
 * it. Collective, agreed on. */
GrB_Info grid_product_bounds(uint64_t **bound, GrB_Matrix A, bool tran0, GrB_Matrix B, bool tran1,
                             uint64_t each);

/* One in `share` of the bytes that the budget leaves, or that. Pages that stay go. */
uint64_t grid_slice_bytes(int share);

/* permute_entries.c: *T = the transpose of A, paged if A is and there is no room. Collective, agreed on. */
GrB_Info grid_transpose_pages(GrB_Matrix *T, GrB_Matrix A, const char *call);
#endif
