/* Orienting a part: both orientations, entries in descending degree of the other end. Visiting the columns by
 * descending degree while grouping by row gives rows in that order; no row is sorted by itself. */
#include <string.h>

#include "spmat/matrix/group.h"
#include "spmat/matrix/part.h"

/* Vectors of c by descending degree: the given degrees, or else the numbers of entries. */
static GrB_Info make_order(const grid_compressed *c, uint64_t n, const uint32_t *degree, uint32_t *order) {
  if (degree) return grid_order_by_degree(degree, n, order);
  uint32_t *own = grid_malloc(n, sizeof *own);
  if (!own) return grid_fail_memory(NULL, "degrees", n, sizeof *own);
  for (uint64_t v = 0; v < n; v++) own[v] = c->ptr[v + 1] - c->ptr[v];
  GrB_Info info = grid_order_by_degree(own, n, order);
  grid_free(own);
  return info;
}

static void gather_values(void *to, const void *from, const uint32_t *pos, uint64_t n, size_t size) {
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t e = 0; e < n; e++)
    memcpy((char *)to + e * size, (const char *)from + (size_t)pos[e] * size, size);
}

/* *to = the transpose of from, whose n vectors are visited by descending degree; *to has nto vectors. */
static GrB_Info transpose(const grid_part *p, grid_compressed *to, uint64_t nto, const grid_compressed *from,
                          uint64_t n, const uint32_t *degree) {
  const uint64_t nvals = p->nvals;
  const size_t size = p->type->size;
  bool valued = from->val != NULL;
  uint32_t *order = grid_malloc(n, sizeof *order), *pos = valued ? grid_malloc(nvals, sizeof *pos) : NULL;
  GrB_Info info = GrB_SUCCESS;
  *to = (grid_compressed){.ptr = grid_malloc(nto + 1, sizeof *to->ptr),
                          .idx = grid_malloc(nvals, sizeof *to->idx),
                          .val = valued ? grid_malloc(nvals, size) : NULL};
  if (!order || !to->ptr || !to->idx || (valued && (!pos || !to->val)))
    TRY(grid_fail_memory(NULL, "a transposed matrix block", nvals, sizeof *to->idx));
  TRY(make_order(from, n, degree, order));
  TRY(grid_group(&(grid_stream){.ptr = from->ptr, .idx = from->idx, .order = order, .nvec = n, .n = nvals},
                 nto, to->ptr, to->idx, pos, NULL));
  if (valued) gather_values(to->val, from->val, pos, nvals, size);
done:
  grid_free(order);
  grid_free(pos);
  return info;
}

/* first and nonempty of an orientation. */
static GrB_Info add_heads(grid_compressed *c, uint64_t n) {
  uint64_t words = grid_words(n);
  c->first = grid_malloc(n, sizeof *c->first);
  c->nonempty = grid_malloc(words, sizeof *c->nonempty);
  if (!c->first || !c->nonempty) return grid_fail_memory(NULL, "first entries of rows", n, sizeof *c->first);
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t w = 0; w < words; w++) {
    uint64_t bits = 0, end = 64 * w + 64 < n ? 64 * w + 64 : n;
    for (uint64_t v = 64 * w; v < end; v++) {
      bool some = c->ptr[v + 1] > c->ptr[v];
      c->first[v] = some ? c->idx[c->ptr[v]] : 0;
      bits |= (uint64_t)some << (v & 63);
    }
    c->nonempty[w] = bits;
  }
  return GrB_SUCCESS;
}

/* Do the compact indices of both axes stand for the same rows and columns? */
static bool same_axis(const grid_axis *a, const grid_axis *b) {
  if (a->n != b->n || a->dim != b->dim || !a->ids != !b->ids) return false;
  return !a->ids ||
         memcmp(a->ids, b->ids, a->n * (grid_axis_wide(a) ? sizeof(uint64_t) : sizeof(uint32_t))) == 0;
}

static GrB_Info compare(const grid_part *p, const grid_compressed *a, const grid_compressed *b, bool *same) {
  *same = same_axis(&p->row, &p->col) && memcmp(a->ptr, b->ptr, (p->row.n + 1) * sizeof *a->ptr) == 0 &&
          memcmp(a->idx, b->idx, p->nvals * sizeof *a->idx) == 0 &&
          (!a->val || memcmp(a->val, b->val, p->nvals * p->type->size) == 0);
  return GrB_SUCCESS;
}

/* ---- in either memory ---------------------------------------------------------------------------------- */

static GrB_Info share_ranked(const grid_orienting *step, grid_part *p) {
  GrB_Info info = step->add_heads(&p->by_col, p->col.n);
  if (info != GrB_SUCCESS) {
    step->give_back(p->by_col.first);
    step->give_back(p->by_col.nonempty);
    p->by_col.first = NULL;
    p->by_col.nonempty = NULL;
    return info;
  }
  p->by_row = p->by_col;
  p->shared = true;
  return GrB_SUCCESS;
}

GrB_Info grid_part_orient_by(const grid_orienting *step, grid_part *p, const uint32_t *row_degree,
                             const uint32_t *col_degree, bool symmetric, bool detect) {
  grid_compressed row = {0}, col = {0};
  GrB_Info info = GrB_SUCCESS;
  if (grid_part_is_transpose(p, symmetric)) return share_ranked(step, p);
  TRY(step->transpose(p, &row, p->row.n, &p->by_col, p->col.n, col_degree));
  if (!symmetric) {
    TRY(step->transpose(p, &col, p->col.n, &row, p->row.n, row_degree));
    if (detect) TRY(step->compare(p, &row, &col, &symmetric));
    if (symmetric) grid_compressed_free(&col, step->give_back);
  }
  TRY(step->add_heads(&row, p->row.n));
  if (!symmetric) TRY(step->add_heads(&col, p->col.n));
  /* there is a by_row already when another process failed to orient its part, and all try again */
  if (!p->shared) grid_compressed_free(&p->by_row, step->give_back);
  grid_compressed_free(&p->by_col, step->give_back);
  p->by_row = row;
  p->by_col = symmetric ? row : col;
  p->shared = symmetric;
done:
  if (info != GrB_SUCCESS) {
    grid_compressed_free(&row, step->give_back);
    grid_compressed_free(&col, step->give_back);
  }
  return info;
}

GrB_Info grid_part_orient(grid_part *p, const uint32_t *row_degree, const uint32_t *col_degree,
                          bool symmetric, bool detect) {
  static const grid_orienting here = {transpose, add_heads, compare, grid_free};
  return grid_part_orient_by(&here, p, row_degree, col_degree, symmetric, detect);
}
