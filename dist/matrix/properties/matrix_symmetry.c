/* Is a matrix equal to its transpose? Each entry (i, j) is hashed with its value as if it stood above the
 * diagonal; entries above count positive, those below negative, so that mirror images cancel. A sum other
 * than 0 proves asymmetry; a false 0 has a probability of about 2^-64. Only the sum is sent, after the
 * degrees of rows and columns were found equal. */
#include "gridblas_rmat.h"

#include <string.h>

#include "dist/grid/layout.h"
#include "dist/matrix/matrix.h"
#include "semiring/threads/context_section.h"

/* Values wider than a word are not hashed. */
static bool is_value_hashed(GrB_Matrix A) {
  const grid_local_matrix *p = &A->block;
  return p->iso || p->nvals == 0 || p->type->size <= sizeof(uint64_t);
}

static uint64_t value_word(const char *v, size_t size) {
  uint64_t word = 0;
  if (size == sizeof word) /* a size that is known takes no call */
    memcpy(&word, v, sizeof word);
  else
    memcpy(&word, v, size);
  return word;
}

/* The key of a pair of indices. */
static uint64_t make_key(uint64_t low, uint64_t high, bool key64) {
  return key64 ? Grid_Rmat_mix(low + GRID_RMAT_GOLDEN) + high : low << 32 | high;
}

/* Adds the hashes of the entries of a row. */
static void add_row(const grid_local_matrix *p, uint64_t r, uint64_t i, uint64_t first_col, bool key64,
                    uint64_t *sum) {
  const grid_compressed *c = &p->by_row;
  const size_t size = p->iso ? 0 : p->type->size;
  for (uint64_t e = grid_vector_start(c, r); e < grid_vector_start(c, r + 1); e++) {
    const uint64_t j = first_col + grid_axis_id(&p->col, c->idx[e]);
    const uint64_t below = -(uint64_t)(i > j), other = (i ^ j) & below; /* no branch: either is as likely */
    uint64_t key = make_key(i ^ other, j ^ other, key64);
    if (size) key ^= Grid_Rmat_mix(value_word((char *)c->val + e * size, size) + GRID_RMAT_GOLDEN);
    const uint64_t hash = Grid_Rmat_mix(key + 2 * GRID_RMAT_GOLDEN);
    *sum += i == j ? 0 : (hash ^ below) - below;
  }
}

static uint64_t sum_block(GrB_Matrix A) {
  const grid_local_matrix *p = &A->block;
  const uint64_t first_col = grid_global_col(A->ncols, 0), rows = p->nvals ? p->row.n : 0;
  const bool key64 = !grid_index_fits32(A->nrows);
  uint64_t sum = 0;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : sum) if (p->nvals > 1 << 15)
  for (uint64_t r = 0; r < rows; r++) {
    GRID_WORKER_SCOPE(context);
    add_row(p, r, grid_global_row(A->nrows, grid_axis_id(&p->row, r)), first_col, key64, &sum);
  }
  return sum;
}

/* Rows and columns have the same degrees and share their arrays from now on. */
static void mark_symmetric(GrB_Matrix A) {
  A->properties.symmetric = true;
  if (A->degrees.col == A->degrees.row) return;
  grid_free(A->degrees.col);
  A->degrees.col = A->degrees.row;
  if (A->degrees.col_nonempty != A->degrees.row_nonempty) grid_free(A->degrees.col_nonempty);
  A->degrees.col_nonempty = A->degrees.row_nonempty;
}

GrB_Info grid_matrix_find_symmetric(GrB_Matrix A) {
  const grid_local_matrix *p = &A->block;
  uint64_t other, sum;
  GrB_Info info = GrB_SUCCESS;
  if (A->properties.symmetric || A->delegates.split || A->nrows != A->ncols || !A->degrees.row ||
      !A->degrees.col)
    return info;
  /* one process: columns may share the arrays of the rows if both axes are plain */
  other =
      !is_value_hashed(A) || p->device || (grid_ctx.P == 1 && p->nvals > 0 && (p->row.ids || p->col.ids)) ||
      memcmp(A->degrees.row, A->degrees.col, grid_local_padded_size(A->nrows) * sizeof *A->degrees.row) != 0;
  TRY(grid_agree_sum(&A->head, info, &other, 1));
  if (other) return info;
  sum = sum_block(A);
  TRY(grid_agree_sum(&A->head, info, &sum, 1));
  if (sum == 0) mark_symmetric(A);
done:
  return info;
}
