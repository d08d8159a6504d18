/* Shared by the files of the CUDA backend for matrices; plain C. All local matrices lie on the device, by
 * row, and are not hypersparse. */
#ifndef GRID_CUDA_MATRIX_H
#define GRID_CUDA_MATRIX_H
#include "spmat/backend.h"
#include "spmat/cuda/jit/jit.h"
#include "spmat/cuda/kernels/lmat_entries.cuh"

#define GRID_NO_ENTRY UINT32_MAX

static inline grid_csr_pattern grid_csr_pattern_of(const grid_local_matrix *p) {
  const grid_csr_pattern m = {p->by_row.ptr, p->by_row.idx, p->row.n, p->nvals};
  return m;
}
static inline grid_device_index_map grid_device_index_map_of(const grid_index_map *p) {
  const grid_device_index_map d = {p->base, p->q, p->stride, p->offset};
  return d;
}
/* Blocks for a pass over n entries by tiles (kernels/lmat_entries.cuh), or over n elements by threads. */
unsigned grid_cuda_csr_blocks(uint64_t n);
unsigned grid_cuda_thread_blocks(uint64_t n);

/* ---- selected entries (lmat_select.cu) ----------------------------------------------------------------- */

/* A bit for each of n entries, and the number of set bits before each word of 32. NULL bits: all are
 * selected. */
typedef struct {
  uint32_t *bits, *before;
  uint64_t n, count;
} grid_selection;
/* Allocates the bits, which are undefined; counts the bits that were then set. The caller frees *k, also
 * after an error. */
GrB_Info grid_cuda_selection_make(grid_selection *k, uint64_t n);
GrB_Info grid_cuda_selection_count(grid_selection *k);
void grid_cuda_selection_free(grid_selection *k);

/* z (with its type and dimensions) gets the selected entries of a's pattern; *from (freed by the caller): the
 * number in a of each. */
GrB_Info grid_cuda_select_pattern(grid_local_matrix *z, const grid_local_matrix *a, const grid_selection *k,
                                  uint32_t **from);
/* z gets a's pattern. */
GrB_Info grid_cuda_pattern(grid_local_matrix *z, const grid_local_matrix *a);
/* k (made with m's entries) = the true entries of m. k stays empty if all are true, by structure or as an iso
 * matrix; *none: an iso matrix is false. */
GrB_Info grid_cuda_select_true(grid_selection *k, const grid_local_matrix *m, bool structure, bool *none);

/* k, made with p's entries or not made: of the selected entries, or of all if not made, selects those in the
 * region or (in = false) outside; lmat_region.cu. */
GrB_Info grid_cuda_select_region(grid_selection *k, const grid_local_matrix *p, const grid_region *s,
                                 bool in);

/* ---- values (lmat_pair_values.c) ----------------------------------------------------------------------- */

/* Allocates z's values, which are undefined. */
GrB_Info grid_cuda_make_values(grid_local_matrix *z);
/* z's values, for an existing pattern: x's values, by number. */
GrB_Info grid_cuda_gather(void *to, const void *from, const uint32_t *at, uint64_t n, uint64_t size);
GrB_Info grid_cuda_gather_lmat_values(grid_local_matrix *z, const grid_local_matrix *x, const uint32_t *from);
/* z's values from pairs of entries, kernels/lmat_pairs.cuh; op NULL: no entry has both. */
typedef struct {
  const grid_local_matrix *x, *y;  /* y NULL: x only */
  const uint32_t *from_x, *from_y; /* NULL: they count up */
  GrB_BinaryOp op;
  bool unpaired; /* some entries have one side only */
  bool waits;    /* until the kernel is compiled; else it may be GRID_UNSUPPORTED meanwhile */
} grid_pair_args;
GrB_Info grid_cuda_pair_values(grid_local_matrix *z, const grid_pair_args *p);
/* The value of all results op(x's, y's), if they are equal whatever the entries. */
GrB_Info grid_cuda_intersect_one(grid_local_matrix *z, const grid_local_matrix *x, const grid_local_matrix *y,
                                 GrB_BinaryOp op);
/* *at, freed by the caller: the entry of c at the position of each of t's entries; NULL: c lacks one. */
GrB_Info grid_cuda_find_entries(uint32_t **at, const grid_local_matrix *t, const grid_local_matrix *c);
/* The preamble of the kernels. */
void grid_source_pairs(grid_jit_source *s, GrB_Type z, GrB_Type x, GrB_Type y, GrB_BinaryOp op,
                       bool unpaired);
/* The value of an iso matrix as a kernel parameter; any value if it is not iso. */
const void *grid_cuda_iso_value(const grid_local_matrix *p);

/* ---- rows of the table --------------------------------------------------------------------------------- */
GrB_Info grid_cuda_lmat_apply(grid_local_matrix *z, const grid_local_matrix *a, GrB_UnaryOp op);
GrB_Info grid_cuda_lmat_apply_bound(grid_local_matrix *z, const grid_local_matrix *a, GrB_BinaryOp op,
                                    const void *x, bool first);
GrB_Info grid_cuda_lmat_apply_index(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                                    const void *y, const grid_index_map *rows, const grid_index_map *cols);
GrB_Info grid_cuda_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                               const void *y, const grid_index_map *rows, const grid_index_map *cols);
GrB_Info grid_cuda_lmat_sum(void *z, const grid_local_matrix *p, GrB_Monoid monoid);
GrB_Info grid_cuda_lmat_cast(grid_local_matrix *p, GrB_Type type);
GrB_Info grid_cuda_lmat_fill_mask(grid_local_matrix *t, const void *x, const grid_region *s,
                                  const grid_local_matrix *m, bool structure);
GrB_Info grid_cuda_lmat_transpose(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t);
GrB_Info grid_cuda_lmat_copy_rows(grid_local_matrix *t, const grid_local_matrix *p);
GrB_Info grid_cuda_lmat_union(grid_local_matrix *z, const grid_union *u);
GrB_Info grid_cuda_plan_accumulation(grid_accumulation *a, const grid_local_matrix *c,
                                     const grid_local_matrix *t, GrB_BinaryOp op);
GrB_Info grid_cuda_accumulate(grid_local_matrix *c, const grid_local_matrix *t, const grid_accumulation *a);
GrB_Info grid_cuda_lmat_intersect(grid_local_matrix *z, const grid_local_matrix *x,
                                  const grid_local_matrix *y, GrB_BinaryOp op);
GrB_Info grid_cuda_lmat_diagonal(grid_local_matrix *t, const grid_chunk *v, uint64_t row, uint64_t col,
                                 grid_onto onto);
GrB_Info grid_cuda_lmat_index_matrix(grid_local_matrix *t, const grid_chunk *v, uint64_t limit, bool *bad);
GrB_Info grid_cuda_lmat_bin_entries(grid_binned_entries *d, const grid_local_matrix *p,
                                    const grid_binning *how);
GrB_Info grid_cuda_lmat_get_vector(uint64_t *bits, void *val, const grid_local_matrix *p, bool row,
                                   uint64_t v);
GrB_Info grid_cuda_lmat_get_element(const grid_local_matrix *p, uint64_t row, uint64_t col, bool *is_present,
                                    void *x);
GrB_Info grid_cuda_lmat_extract(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                                const grid_index_set *J);
GrB_Info grid_cuda_lmat_expand_hyper(grid_local_matrix *t, const grid_local_matrix *p);
GrB_Info grid_cuda_lmat_scatter(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                                const grid_index_set *J);
GrB_Info grid_cuda_lmat_assign(grid_local_matrix *z, const grid_local_matrix *c, const grid_local_matrix *t,
                               const grid_region *s);
GrB_Info grid_cuda_lmat_fill_region(grid_local_matrix *t, const void *x, const grid_region *s);
GrB_Info grid_cuda_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                             uint64_t rows, uint64_t cols, GrB_BinaryOp op);
GrB_Info grid_cuda_multiply(grid_local_matrix *t, const grid_lmat_product *m);
/* A product with a diagonal matrix; GRID_UNSUPPORTED: neither factor is one. */
GrB_Info grid_cuda_scale(grid_local_matrix *t, const grid_lmat_product *m);
GrB_Info grid_cuda_lmat_row_ends(uint32_t *to, const grid_local_matrix *p, uint64_t n, uint32_t base);

/* ---- products (mxm.cu, mxm_jit.c) ---- */

/* Kernels of (grid_mxm_job, a value of A, one of B), compiled at run time; GRID_UNSUPPORTED: there is no
 * source. */
typedef struct {
  void *by_block, *by_warp; /* for rows of a block, of a warp; by_warp also for dots by entry */
} grid_mxm_code;
typedef enum {
  GRID_MXM_ROWS,
  GRID_MXM_MASKED,
  GRID_MXM_COLUMN_SUMS,
  GRID_MXM_FULL,
  GRID_MXM_DOTS,
  GRID_MXM_DOTS_BY_ENTRY
} grid_mxm_kernels;
GrB_Info grid_mxm_compile(grid_mxm_code *code, const grid_lmat_product *m, grid_mxm_kernels which);
/* The preamble of kernels/mxm_jit.cuh. */
void grid_mxm_preamble(grid_jit_source *s, GrB_Semiring op, GrB_Type a, GrB_Type b, bool dots);
#endif
