/* lmat_ops.h: operations on whole parts, by themselves: no other process. With the device on the operands
 * come to the device and the result is made there; what the device lacks is done on the host and reported
 * (spmat/cpu/matrix/lmat_dispatch.c). Operands stay what they are, wherever they lie; none may be a view of a
 * part that others own unless it lies on the device already. A result is empty on failure; made on the device
 * it lists no vectors, however few hold entries. */
#ifndef GRID_LMAT_OPS_H
#define GRID_LMAT_OPS_H
#include "spmat/local_product.h"
#include "spmat/sort/index_set.h"

/* z (empty) = op(a), op(x, a) (first) or op(a, x), op(a(i, j), i, j, y): lmat_apply.h. */
GrB_Info grid_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op);
GrB_Info grid_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                               const void *x, bool first);
GrB_Info grid_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                               const void *y, const grid_index_map *rows, const grid_index_map *cols);
/* z (empty) = the entries of a that op says yes to: lmat_select.h. */
GrB_Info grid_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                          const void *y, const grid_index_map *rows, const grid_index_map *cols);
/* *z = the sum of all entries, if there are any (*present): lmat_reduce.h. */
GrB_Info grid_lmat_sum(void *z, bool *present, const grid_local_matrix *p, GrB_Monoid monoid);

/* Which entries of a part take part: none, all, those in the mask, those outside it. */
typedef enum { GRID_SIDE_NONE, GRID_SIDE_ALL, GRID_SIDE_IN_MASK, GRID_SIDE_OUTSIDE_MASK } grid_mask_side;

typedef struct {
  const grid_local_matrix *x, *y; /* of the same dimensions; NULL where none is kept */
  grid_mask_side side_x, side_y;
  const grid_local_matrix *mask; /* where one of them asks for it */
  bool structure;                /* every entry of the mask counts, not the true ones alone */
  GrB_BinaryOp op;               /* of two entries at one place; NULL: there are none such */
} grid_union;
/* z (empty, of the same dimensions; its type is that of the result) = the entries of both: lmat_union.h; op
 * of those that both have, z being of op's result type: lmat_intersect.h. */
GrB_Info grid_lmat_union(grid_local_matrix *z, const grid_union *u);
GrB_Info grid_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                             GrB_BinaryOp op);

/* Converts the values of a part that has rows alone. */
GrB_Info grid_lmat_cast(grid_local_matrix *p, GrB_Type type);
/* t (empty, with its type and dimensions) = x in every place of the region (NULL: everywhere) where m has an
 * entry, which is true unless the mask is structural; or in every place of the region: lmat_fill_value.h. */
GrB_Info grid_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                             const grid_local_matrix *m, bool structure);
GrB_Info grid_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s);
/* z (empty, of c's type and dimensions) = t's entries, and c's outside the region, or (NULL) where t has
 * none: lmat_assign.h. An empty t may be of another type. */
GrB_Info grid_lmat_assign(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                          const grid_region *s);
/* *t = p's transpose, a part of its own. symmetric: it is known to equal p. */
GrB_Info grid_lmat_transpose(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t);
/* *t = p's rows, a part of its own. */
GrB_Info grid_lmat_copy_rows(grid_local_matrix *t, const grid_local_matrix *p);
/* The empty part t, of v's type, gets v's entries: index i of the chunk in local row `row` + i, column `col`
 * + i; or all in row `row`, or in column `col`. */
typedef enum { GRID_ONTO_DIAGONAL, GRID_ONTO_ROW, GRID_ONTO_COL } grid_onto;
GrB_Info grid_lmat_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col);
/* The empty part t gets `one`, of its type, in row i and column v(i) for each entry i of v, integers, all
 * below `limit` (*bad: they are not). GRID_UNSUPPORTED, which *bad comes with, too: the host must do it, and
 * t is empty. Only with the device on. */
GrB_Info grid_lmat_index_matrix(grid_local_matrix *t, const grid_chunk *v, uint64_t limit, const void *one,
                                bool *bad);
/* t(k, l) = p(I[k], J[l]); t(I[k], J[l]) = p(k, l): lmat_extract.h. */
GrB_Info grid_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                           const grid_index_set *J);
GrB_Info grid_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                           const grid_index_set *J);
/* The Kronecker product of the blocks of two whole matrices, the second of rows x cols, t being the block of
 * a whole one. */
GrB_Info grid_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                        uint64_t rows, uint64_t cols, GrB_BinaryOp op);

/* Where an operation on the device finds an operand: the part itself, which has gone there, or, of one that
 * lists vectors, another with its rows. */
typedef struct {
  const grid_local_matrix *p;
  grid_local_matrix copy;
} grid_device_operand;
/* GRID_UNSUPPORTED: it cannot go, or it would have very many rows or columns for few entries (paid: that is
 * no matter), or there is no memory for a copy. Only with the device on. To be freed, before p is. */
GrB_Info grid_lmat_operand_to_device(grid_device_operand *l, const grid_local_matrix *p, bool paid);
void grid_device_operand_free(grid_device_operand *l);

/* C<mask> = A (+).(x) B on the device: orientations of blocks that lie there, list no vectors and have
 * entries. */
typedef struct {
  GrB_Semiring s;
  GrB_Type a_type, b_type;
  const grid_compressed *a, *b; /* A's rows, B's rows */
  const grid_compressed *bt;    /* B's columns; of b and bt one may be missing: NULL */
  uint64_t rows, inner, n;      /* of A; of A and B; columns of B */
  uint64_t a_nvals, b_nvals;
  const void *a_iso, *b_iso;       /* of operands that have one value, else NULL */
  const grid_local_matrix *mask;   /* of rows x n; NULL: none, or one without entries under a complement */
  bool structure, mask_complement; /* the mask's complement */
  const void *constant;            /* all values of C are this one; NULL: they are computed */
  /* A is expected to be a diagonal that begins at column `first`, and B has only the rows that it wants;
   * where A is something else nothing is computed: GRID_UNSUPPORTED. No mask */
  bool b_rows_restricted;
  uint64_t first;
} grid_lmat_product;
/* t (empty, with its type and dimensions) = this, with nothing that the mask does not allow;
 * GRID_UNSUPPORTED: the host must do it, and t is empty. Only with the device on. */
GrB_Info grid_lmat_multiply(grid_local_matrix *t, const grid_lmat_product *m);

/* Where entries of a part go on their way between device memories. */
typedef struct {
  /* global places of its rows and columns, not in segments; what has no entries may be nowhere. Of the
   * tables, in host memory, so many are there */
  const grid_index_map *rows, *cols;
  uint64_t row_table, col_table;
  bool flip;                   /* rows and columns change places, and then: */
  bool all;                    /* keys have global places, and are for everybody */
  uint64_t row_q, col_q, R, P; /* else local ones of even chunks on a grid (dist/grid/layout.h) */
  int shift, bits;             /* keys are row << shift | column, of so many bits */
} grid_binning;
/* In device memory, to be freed: n keys, those for process r from first[r] on (P + 1 of these, on the host),
 * and values beside them, NULL where the part has but one. */
typedef struct {
  uint64_t n, *keys, *first;
  void *val;
} grid_binned_entries;

/* The device's part in this; all parts lie there, by row, list no vectors (but what `unlist` is given) and
 * have entries; GRID_UNSUPPORTED: the host does it. What is made lies there as well, and is left for the
 * caller to free after an error. */
typedef struct grid_device_lmat_ops {
  GrB_Info (*apply)(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op);
  GrB_Info (*apply_bound)(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op, const void *x,
                          bool first);
  GrB_Info (*apply_index)(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                          const void *y, const grid_index_map *rows, const grid_index_map *cols);
  GrB_Info (*select)(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op, const void *y,
                     const grid_index_map *rows, const grid_index_map *cols);
  GrB_Info (*sum)(void *z, const grid_local_matrix *p, GrB_BinaryOp op);
  GrB_Info (*ewise_union)(grid_local_matrix *z, const grid_union *u); /* parts without entries are NULL */
  GrB_Info (*intersect)(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                        GrB_BinaryOp op);
  GrB_Info (*cast)(grid_local_matrix *p, GrB_Type type);
  GrB_Info (*allowed)(grid_local_matrix *t, const void *x, const grid_region *s, const grid_local_matrix *m,
                      bool structure);
  GrB_Info (*transposed)(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t);
  GrB_Info (*copy_rows)(grid_local_matrix *t, const grid_local_matrix *p);
  GrB_Info (*expand_hyper)(
      grid_local_matrix *t,
      const grid_local_matrix *p); /* the same of one with fewer than 2^32 rows, columns */
  GrB_Info (*diagonal)(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col, grid_onto onto);
  GrB_Info (*point)(grid_local_matrix *t, const grid_chunk *v, uint64_t limit,
                    bool *bad); /* but for the value */
  GrB_Info (*extract)(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                      const grid_index_set *J);
  GrB_Info (*spread)(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                     const grid_index_set *J);
  /* a part without entries is NULL, not both are */
  GrB_Info (*assign)(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                     const grid_region *s);
  GrB_Info (*full)(grid_local_matrix *t, const void *x, const grid_region *s);
  GrB_Info (*kron)(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                   uint64_t rows, uint64_t cols, GrB_BinaryOp op);
  GrB_Info (*multiply)(grid_local_matrix *t, const grid_lmat_product *m);
  /* to[k] = base + p's entries in its rows 0 .. k, k < n; p may have no entries, and then lie anywhere */
  GrB_Info (*ends)(uint32_t *to, const grid_local_matrix *p, uint64_t n, uint32_t base);
  GrB_Info (*bin_entries)(grid_binned_entries *d, const grid_local_matrix *p, const grid_binning *how);
  /* the entries of p's row, or column, v: their bits, which are 0 before, and values at their places, both in
   * device memory */
  GrB_Info (*get_vector)(uint64_t *bits, void *val, const grid_local_matrix *p, bool row, uint64_t v);
  /* *x, on the host, = p's entry in a local row and column, if it is *there; p may list its vectors */
  GrB_Info (*element)(const grid_local_matrix *p, uint64_t row, uint64_t col, bool *is_present, void *x);
} grid_device_lmat_ops;
#endif
