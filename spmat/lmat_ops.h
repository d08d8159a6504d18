/* Operations on whole local matrices, without communication. With the device on, the operands move to the
 * device and the result is made there; what the device does not support runs on the CPU and is reported
 * (spmat/lmat_ops.c). Operands keep their contents. An operand may be a view of a matrix that others own only
 * if it lies on the device already. A result is empty on failure. One that is made on the device is not
 * hypersparse, however few of its vectors have entries. */
#ifndef GRID_LMAT_OPS_H
#define GRID_LMAT_OPS_H
#include "spmat/lmat_graph.h"
#include "spmat/local_product.h"
#include "spmat/sort/index_set.h"

/* z (empty) = op(a); op(x, a) (first) or op(a, x); op(a(i, j), i, j, y): cpu/matrix/lmat_apply.h. */
GrB_Info grid_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op);
GrB_Info grid_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                               const void *x, bool first);
GrB_Info grid_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                               const void *y, const grid_index_map *rows, const grid_index_map *cols);
/* z (empty) = the entries of a for which op is true: cpu/matrix/lmat_select.h. */
GrB_Info grid_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                          const void *y, const grid_index_map *rows, const grid_index_map *cols);
/* *z = the reduction of all entries; *present: there are entries. */
GrB_Info grid_lmat_sum(void *z, bool *present, const grid_local_matrix *p, GrB_Monoid monoid);

/* Which entries of an operand take part: none, all, those in the mask, those outside it. */
typedef enum { GRID_SIDE_NONE, GRID_SIDE_ALL, GRID_SIDE_IN_MASK, GRID_SIDE_OUTSIDE_MASK } grid_mask_side;

typedef struct {
  const grid_local_matrix *x, *y; /* of equal dimensions; NULL: no entries */
  grid_mask_side side_x, side_y;
  const grid_local_matrix *mask; /* if one of the sides uses it */
  bool structure;                /* every entry of the mask counts, not only true ones */
  GrB_BinaryOp op;               /* combines two entries at one position; NULL: no position occurs twice */
  /* Values of op's operand types that stand for x and y where these have no entry; both NULL: an entry of one
   * side alone is cast to the result's type. */
  const void *x_absent, *y_absent;
} grid_union;
/* z (empty, of the same dimensions and of the result's type) = the entries of both: cpu/ewise/lmat_union.h;
 * op of the entries at common positions, z having op's result type: cpu/ewise/lmat_intersect.h. */
GrB_Info grid_lmat_union(grid_local_matrix *z, const grid_union *u);
GrB_Info grid_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                             GrB_BinaryOp op);

/* How t's values are accumulated in those of c, in device memory, where c has all entries of t. */
typedef struct {
  bool possible;
  uint32_t *at; /* c's entry for each of t's */
  void *kernel;
  void *val; /* values for an iso c; else NULL */
} grid_accumulation;
/* Is c = op(c, t) possible there? Nothing is changed. The caller frees *a, also after a failure. */
GrB_Info grid_lmat_plan_accumulation(grid_accumulation *a, const grid_local_matrix *c,
                                     const grid_local_matrix *t, GrB_BinaryOp op);
GrB_Info grid_lmat_accumulate(grid_local_matrix *c, const grid_local_matrix *t, grid_accumulation *a);
void grid_accumulation_free(grid_accumulation *a);

/* Converts the values of a matrix that is stored by rows only. */
GrB_Info grid_lmat_cast(grid_local_matrix *p, GrB_Type type);
/* t (empty, with its type and dimensions) = x at every position of the region, or only where m has an entry,
 * which must be true unless `structure` (s NULL: everywhere). See cpu/index/lmat_fill_value.h.
 */
GrB_Info grid_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                             const grid_local_matrix *m, bool structure);
GrB_Info grid_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s);
/* z (empty, of c's type and dimensions) = t's entries, and c's outside the region or, if s is NULL, where t
 * has none: cpu/index/lmat_assign.h. An empty t may have another type. */
GrB_Info grid_lmat_assign(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                          const grid_region *s);
/* *t = p's transpose, with arrays of its own. symmetric: the transpose is known to equal p. */
GrB_Info grid_lmat_transpose(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t);
/* *t = p, stored by rows only, with arrays of its own. */
GrB_Info grid_lmat_copy_rows(grid_local_matrix *t, const grid_local_matrix *p);
/* The empty t, of v's type, gets v's entries: index i of the chunk at local row `row` + i, column `col` + i.
 * A backend can also put all of them in row `row`, or in column `col`. */
typedef enum { GRID_ONTO_DIAGONAL, GRID_ONTO_ROW, GRID_ONTO_COL } grid_onto;
GrB_Info grid_lmat_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col);
/* The empty t gets `one`, of its type, at row i and column v(i) for each entry i of v. The values of v are
 * integers below `limit`; else *bad. GRID_UNSUPPORTED, which *bad can accompany: the CPU must do it, and t is
 * empty. Requires the device to be on. */
GrB_Info grid_lmat_index_matrix(grid_local_matrix *t, const grid_chunk *v, uint64_t limit, const void *one,
                                bool *bad);
/* What Grid_Matrix_sample reads; row 0 of `a` has the number `first`. */
typedef struct {
  const grid_local_matrix *a;
  const grid_chunk *count; /* of INT64, an element for each row */
  uint64_t first, seed;
} grid_sample_operands;
/* The empty t, of a's type and dimensions, gets the sample. The empty `columns`, of BOOL, with an element for
 * each of a's columns, which have no list, gets true where the sample has entries. See
 * cpu/matrix/lmat_sample.h. One of the two may be NULL. */
GrB_Info grid_lmat_sample(grid_local_matrix *t, grid_chunk *columns, const grid_sample_operands *x);
/* t(k, l) = p(I[k], J[l]); t(I[k], J[l]) = p(k, l): cpu/index/lmat_extract.h. */
GrB_Info grid_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                           const grid_index_set *J);
GrB_Info grid_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                           const grid_index_set *J);
/* The Kronecker product of two whole matrices, the second of rows x cols; t is the whole result. */
GrB_Info grid_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                        uint64_t rows, uint64_t cols, GrB_BinaryOp op);

/* An operand for an operation on the device: the matrix itself, which has moved there, or, if that is
 * hypersparse, an expanded copy. */
typedef struct {
  const grid_local_matrix *p;
  grid_local_matrix copy;
} grid_device_operand;
/* GRID_UNSUPPORTED: p cannot move, or the copy does not fit, or (unless `paid`) its axes would be very long
 * for its entries. Requires the device to be on. The operand is freed before p. */
GrB_Info grid_lmat_operand_to_device(grid_device_operand *l, const grid_local_matrix *p, bool paid);
void grid_device_operand_free(grid_device_operand *l);
/* Before a run on the device: z's arrays will be allocated there. Returns z. */
grid_local_matrix *grid_lmat_on_device(grid_local_matrix *z);
/* After it: z is freed if it has failed; lack of device memory is GRID_UNSUPPORTED. A result without entries
 * may have no rows. */
GrB_Info grid_lmat_finish_on_device(grid_local_matrix *z, GrB_Info info, uint64_t refusals);

/* C<mask> = A (+).(x) B on the device. The operands lie there, are not hypersparse and have entries. */
typedef struct {
  GrB_Semiring s;
  GrB_Type a_type, b_type;
  const grid_compressed *a, *b; /* A's rows, B's rows */
  const grid_compressed *bt;    /* B's columns; one of b and bt may be NULL */
  uint64_t rows, inner, n;      /* of A; of A and B; columns of B */
  uint64_t a_nvals, b_nvals;
  const void *a_iso, *b_iso;       /* the values of iso operands, else NULL */
  const grid_local_matrix *mask;   /* of rows x n; NULL: none, or an empty one that is complemented */
  bool structure, mask_complement; /* of the mask */
  const void *constant;            /* the value of all entries of C; NULL: they are computed */
  /* A is expected to be a diagonal that begins at column `first`, and B has only the rows that this needs. If
   * A is something else, nothing is computed: GRID_UNSUPPORTED. No mask. */
  bool b_rows_restricted;
  uint64_t first;
} grid_lmat_product;
/* t (empty, with its type and dimensions) = the product, without entries that the mask excludes.
 * GRID_UNSUPPORTED: the CPU must do it, and t is empty. Requires the device to be on. */
GrB_Info grid_lmat_multiply(grid_local_matrix *t, const grid_lmat_product *m);

/* Is a sum of products the number of common inner indices, in a type that holds every such number? */
static inline bool grid_semiring_counts(GrB_Semiring s) {
  const GrB_Type type = s->mul->z;
  return s->mul->op == GRID_OP_ONEB && s->add->op->op == GRID_OP_PLUS &&
         (type == GrB_INT64 || type == GrB_UINT64 || type == GrB_UINT32 || type == GrB_FP64 ||
          type == GrB_INT32);
}

/* Chunks of a dimension, of q indices each. Where first is not NULL, chunk k begins at first[k] and is at
 * local[k] in the blocks that hold it (P elements each, in host memory). */
typedef struct {
  uint64_t q;
  const uint64_t *first, *local;
} grid_binning_chunks;

/* How entries are sorted by their destination before they are sent between device memories. */
typedef struct {
  /* global indices of rows and columns, not in segments; vectors without entries may have none. Lengths of
   * the maps' tables, which lie in host memory */
  const grid_index_map *rows, *cols;
  uint64_t row_table, col_table;
  bool flip; /* rows and columns are exchanged first */
  bool all;  /* keys hold global indices, and every process gets all entries */
  grid_binning_chunks row_chunks, col_chunks; /* else local indices on a grid (dist/grid/layout.h) */
  uint64_t R, P;
  int shift, bits; /* keys are row << shift | column, of `bits` bits */
} grid_binning;
/* In device memory, freed by the caller: n keys and, beside them, values (NULL: iso). Those for process r
 * begin at first[r]; first lies on the host and has P + 1 elements. */
typedef struct {
  uint64_t n, *keys, *first;
  void *val;
} grid_binned_entries;

/* A backend's rows behind the functions above. On the device: operands lie there, by row, are not hypersparse
 * (except where said) and have entries. Operands without entries are NULL. Results lie there, too, and the
 * caller frees them after an error. A row may answer GRID_UNSUPPORTED, which sends the operation to the CPU.
 */
typedef struct grid_lmat_ops {
  GrB_Info (*apply)(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op);
  GrB_Info (*apply_bound)(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op, const void *x,
                          bool first);
  GrB_Info (*apply_index)(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                          const void *y, const grid_index_map *rows, const grid_index_map *cols);
  GrB_Info (*select)(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op, const void *y,
                     const grid_index_map *rows, const grid_index_map *cols);
  GrB_Info (*sum)(void *z, const grid_local_matrix *p, GrB_Monoid monoid);
  GrB_Info (*ewise_union)(grid_local_matrix *z, const grid_union *u);
  GrB_Info (*intersect)(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                        GrB_BinaryOp op);
  GrB_Info (*cast)(grid_local_matrix *p, GrB_Type type);
  GrB_Info (*fill_mask)(grid_local_matrix *t, const void *x, const grid_region *s, const grid_local_matrix *m,
                        bool structure);
  GrB_Info (*fill_region)(grid_local_matrix *t, const void *x, const grid_region *s);
  GrB_Info (*assign)(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                     const grid_region *s);
  GrB_Info (*transpose)(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t);
  GrB_Info (*copy_rows)(grid_local_matrix *t, const grid_local_matrix *p);
  GrB_Info (*diagonal)(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col, grid_onto onto);
  GrB_Info (*extract)(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                      const grid_index_set *J);
  GrB_Info (*scatter)(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                      const grid_index_set *J);
  GrB_Info (*kron)(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                   uint64_t rows, uint64_t cols, GrB_BinaryOp op);
  GrB_Info (*sample)(grid_local_matrix *t, grid_chunk *columns, const grid_sample_operands *x);

  /* The device's alone. */
  GrB_Info (*plan_accumulation)(grid_accumulation *a, const grid_local_matrix *c, const grid_local_matrix *t,
                                GrB_BinaryOp op);
  GrB_Info (*accumulate)(grid_local_matrix *c, const grid_local_matrix *t, const grid_accumulation *a);
  /* copy_rows of a hypersparse p with fewer than 2^32 rows and columns */
  GrB_Info (*expand_hyper)(grid_local_matrix *t, const grid_local_matrix *p);
  /* the pattern; the caller sets the value */
  GrB_Info (*index_matrix)(grid_local_matrix *t, const grid_chunk *v, uint64_t limit, bool *bad);
  GrB_Info (*best_label)(grid_chunk *t, const grid_label_operands *x, bool *bad);
  GrB_Info (*move_labels)(grid_chunk *t, uint64_t *moves, const grid_label_move_operands *x, bool *bad);
  GrB_Info (*peel)(grid_chunk *t, uint64_t *levels, const grid_peel_operands *x);
  GrB_Info (*distances)(const grid_distance_operands *x);
  GrB_Info (*color)(grid_chunk *t, uint64_t *colors, const grid_color_operands *x);
  /* weights, if they count, are of FP64 */
  GrB_Info (*walk)(grid_local_matrix *t, const grid_walk_operands *x, bool *bad);
  /* *path, in device memory, which the caller frees: the vertices; source is not target */
  GrB_Info (*path)(uint32_t **path, int64_t *length, const grid_local_matrix *a, uint32_t source,
                   uint32_t target);
  GrB_Info (*multiply)(grid_local_matrix *t, const grid_lmat_product *m);
  /* to[k] = base + the number of p's entries in rows 0 .. k, k < n; p may be empty, and then lie anywhere */
  GrB_Info (*row_ends)(uint32_t *to, const grid_local_matrix *p, uint64_t n, uint32_t base);
  GrB_Info (*bin_entries)(grid_binned_entries *d, const grid_local_matrix *p, const grid_binning *how);
  /* p's row, or column, v as a dense vector in device memory: bits, which are 0 before, and values */
  GrB_Info (*get_vector)(uint64_t *bits, void *val, const grid_local_matrix *p, bool row, uint64_t v);
  /* *x, on the host, = p's entry at a local row and column, if *is_present; p may be hypersparse */
  GrB_Info (*element)(const grid_local_matrix *p, uint64_t row, uint64_t col, bool *is_present, void *x);
} grid_lmat_ops;
#endif
