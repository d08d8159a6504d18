/* Operations whose matrices do not fit memory (docs/how/outofcore.md). Rows of the result depend on the same
 * rows of the operands and the mask, so a slice of them is computed at a time. Slices are matrices like the
 * whole that have those rows alone. They go through the operation itself, and the rows of its result to a
 * file of pages. */
#ifndef GRID_OUTOFCORE_RUN_H
#define GRID_OUTOFCORE_RUN_H
#include "dist/outofcore/operations/row_panel.h"

/* Row panels of the operation's objects; A, B and mask are NULL where they were. */
typedef struct {
  GrB_Matrix C, mask, A, B;
  GrB_Descriptor desc; /* the caller's, without transposes of split operands */
  uint64_t row, end;   /* rows of this process's block */
} grid_slices;

typedef struct {
  GrB_Matrix C, mask, A, B;
  GrB_BinaryOp accum;
  const grid_desc *d;   /* tran0: A is transposed; tran1: B */
  bool is_a_replicated; /* A is not split: `run` uses it whole */
  bool is_b_replicated; /* B likewise, or panel by panel (grid_slices_of) */
  bool symmetric;       /* the result is known to be symmetric */
  bool retains;         /* C's entries are always read */
  bool is_product;      /* the result has rows of A and columns of B; else those of both */
  uint64_t row_bytes;   /* bytes of a result row that do not depend on split operands */
  uint64_t (*bytes)(void *context, uint64_t r); /* the same if they differ by row: bytes of row r */
  uint64_t made;                                /* bytes of all this process's result rows, if known */
  /* NULL, or returns the end of the rows from `row` on that may be computed together */
  uint64_t (*rows_fitting)(void *context, uint64_t row, uint64_t end);
  /* 0, or the bytes of an entry of a product, whose rows are bounded (grid_product_bounds); bounds are scaled
   * by the fraction that the previous panel used */
  uint64_t product_entry;
  GrB_Info (*run)(void *context, const grid_slices *s);
  void *context;
} grid_out_of_core;

/* d without transposes, as a descriptor. */
static inline struct GrB_Descriptor_opaque grid_desc_plain(const grid_desc *d) {
  return (struct GrB_Descriptor_opaque){.head = GRID_BUILTIN(GRID_IS_DESCRIPTOR, NULL),
                                        .replace = d->replace,
                                        .complement = d->complement,
                                        .structure = d->structure};
}

/* *yes: some matrix of n, of which NULL are none, is paged, and on some process the memory does not suffice
 * for all and a result of as many bytes, or of `made`. Collective if one is paged; agreed on. */
GrB_Info grid_exceeds_memory(const GrB_Matrix *of, uint64_t n, uint64_t made, bool *yes);
/* The file of the first of them that is paged, beside which results are stored. */
const char *grid_paged_path(const GrB_Matrix *of, uint64_t n);
/* The same of the matrices that are read. */
GrB_Info grid_out_of_core_needed(const grid_out_of_core *x, bool *yes);
/* Would pages of the result number its non-empty rows and columns alone? So where those of a matrix that is
 * read do, and where 32 bits cannot number all. These are the rows and columns of A and B (is_product), or,
 * without A, of the mask, beside those of C if that is read. The same everywhere. */
bool grid_out_of_core_is_hypersparse(const grid_out_of_core *x);
GrB_Info grid_out_of_core_run(const grid_out_of_core *x);

/* Appends to `out` the rows row .. end of C's block, as numbered; axes: the rows and columns that the pages
 * number, or NULL. Local. */
GrB_Info grid_slice_append(struct grid_pages *out, GrB_Matrix C, const grid_axis *axes, uint64_t row,
                           uint64_t end);

/* Row panels of B alone, for each panel of A. */
typedef GrB_Info grid_slice_visit(void *context, GrB_Matrix B);
/* Visits the panels of B with rows that the columns of A, a panel, refer to (A NULL, or transposed: all). A
 * panel of several rows takes `most` bytes at most; the processes of a grid row have the same rows of it.
 * Collective, agreed on. */
GrB_Info grid_slices_of(GrB_Matrix B, GrB_Matrix A, bool transposed, uint64_t most, grid_slice_visit *visit,
                        void *context);

/* product_row_bounds.c: *bound, to be freed, are upper bounds of the bytes of each of the `n` rows of this
 * process's block, numbered by `rows`. They are those of the product of A and B (tran1: transposed), with
 * entries of `entry_bytes` bytes. Where processes share a row it is that of the whole row. Collective, agreed
 * on. */
GrB_Info grid_product_bounds(uint64_t **bound, const grid_axis *rows, uint64_t n, GrB_Matrix A, GrB_Matrix B,
                             bool tran1, uint64_t entry_bytes);

/* unite_axes.c: the axis, which has its dimension, lists the block's rows, or columns, of n matrices, some of
 * them NULL: those that hypersparse ones out of core list, and those with entries of others. The processes
 * of a grid row list the same rows, those of a grid column the same columns. Collective, agreed on. */
GrB_Info grid_unite_axis(grid_axis *axis, const GrB_Matrix *of, int n, bool rows);

/* permute_entries.c: *T = the transpose of A, paged if A is and memory does not suffice. Collective,
 * agreed on. */
GrB_Info grid_transpose_pages(GrB_Matrix *T, GrB_Matrix A, const char *call);

/* merge_pages.c: the run of C<mask, structure> = A, and the pages of A made anew with its pending changes.
 * Collective, agreed on. */
GrB_Info grid_replace_slice(void *context, const grid_slices *s);
GrB_Info grid_merge_pages(GrB_Matrix A);

/* transpose_hypersparse.c: C, which has the dimensions and type, becomes the transpose of A, which is
 * hypersparse and out of core. On failure C is unchanged. Collective, agreed on. */
GrB_Info grid_transpose_hypersparse(GrB_Matrix C, GrB_Matrix A);
#endif
