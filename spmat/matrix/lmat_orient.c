/* Derives from the rows of a local matrix its columns, and the hub neighbors of both. */
#include <omp.h>
#include <string.h>

#include "spmat/device/backend.h"
#include "spmat/matrix/axis.h"
#include "spmat/matrix/device_build.h"
#include "spmat/matrix/lmat_columns.h"
#include "spmat/matrix/lmat_degrees.h"
#include "spmat/matrix/degree_ordered.h"
#include "spmat/matrix/balanced_tiles.h"

/* ---- on the host ---- */

/* The matrix's own counts of its rows or columns. */
static GrB_Info local_degrees(const grid_local_matrix *p, bool rows, uint32_t **degree) {
  const uint64_t n = rows ? p->row.n : p->col.n;
  *degree = grid_malloc(n, sizeof **degree);
  if (!*degree) return grid_fail_memory(NULL, "degrees", n, sizeof **degree);
  grid_lmat_count_degrees(p, rows, *degree);
  return GrB_SUCCESS;
}

/* The smallest of the ends idx[from .. to) that have the highest degree. */
static uint32_t find_highest_degree(const uint32_t *idx, uint64_t from, uint64_t to, const uint32_t *degree) {
  uint32_t best = idx[from], most = degree[best];
  for (uint64_t e = from + 1; e < to; e++)
    if (degree[idx[e]] > most) best = idx[e], most = degree[best];
  return best;
}

static GrB_Info add_hub_neighbors(const grid_local_matrix *p, bool rows, grid_compressed *c,
                                  const uint32_t *degree) {
  const uint64_t n = rows ? p->row.n : p->col.n, words = grid_words(n);
  uint32_t *owned = NULL;
  GrB_Info info = degree ? GrB_SUCCESS : local_degrees(p, !rows, &owned);
  if (info != GrB_SUCCESS) return info;
  const uint32_t *of = degree ? degree : owned;
  c->hub_neighbor = grid_malloc(n, sizeof *c->hub_neighbor);
  c->nonempty = grid_malloc(words, sizeof *c->nonempty);
  if (!c->hub_neighbor || !c->nonempty)
    TRY(grid_fail_memory(NULL, "first entries of rows", n, sizeof *c->hub_neighbor));
#pragma omp parallel for schedule(dynamic, 16) if (p->nvals > 1 << 15)
  for (uint64_t w = 0; w < words; w++) {
    uint64_t bits = 0, end = 64 * w + 64 < n ? 64 * w + 64 : n;
    for (uint64_t v = 64 * w; v < end; v++) {
      const uint64_t from = grid_vector_start(c, v), to = grid_vector_start(c, v + 1);
      c->hub_neighbor[v] = to > from ? find_highest_degree(c->idx, from, to, of) : 0;
      bits |= (uint64_t)(to > from) << (v & 63);
    }
    c->nonempty[w] = bits;
  }
done:
  grid_free(owned);
  return info;
}

/* Do the compact indices of both axes denote the same vertices? */
static bool is_same_axis(const grid_axis *a, const grid_axis *b) {
  if (a->n != b->n || a->dim != b->dim || !a->ids != !b->ids) return false;
  return !a->ids || memcmp(a->ids, b->ids, a->n * grid_axis_id_size(a)) == 0;
}

/* Offsets, which seldom agree by chance, are compared first. */
static bool is_same_offsets(const grid_compressed *a, const grid_compressed *b, uint64_t n) {
  if (!a->offsets64 == !b->offsets64)
    return a->offsets64 ? memcmp(a->offsets64, b->offsets64, n * sizeof *a->offsets64) == 0
                        : memcmp(a->ptr, b->ptr, n * sizeof *a->ptr) == 0;
  for (uint64_t k = 0; k < n; k++) /* one may be 64-bit where 32 bits suffice: it was made on the device */
    if (grid_vector_start(a, k) != grid_vector_start(b, k)) return false;
  return true;
}

static GrB_Info compare(const grid_local_matrix *p, const grid_compressed *col, bool *same) {
  const grid_compressed *row = &p->by_row;
  *same = is_same_axis(&p->row, &p->col) && is_same_offsets(row, col, p->row.n + 1) &&
          memcmp(row->idx, col->idx, p->nvals * sizeof *row->idx) == 0 &&
          (!row->val || memcmp(row->val, col->val, p->nvals * p->type->size) == 0);
  return GrB_SUCCESS;
}

/* ---- in either memory ---- */

static const grid_orient_ops *orient_ops(const grid_local_matrix *p) {
  static const grid_orient_ops host_ops = {grid_lmat_make_columns, add_hub_neighbors, compare, grid_free};
  return p->device ? grid_cuda->builder->orient : &host_ops;
}

static void share(grid_local_matrix *p) {
  p->by_col = p->by_row;
  p->shared = true;
}

GrB_Info grid_lmat_add_cols(grid_local_matrix *p, bool symmetric, bool detect) {
  const grid_orient_ops *step = orient_ops(p);
  grid_compressed col = {0};
  GrB_Info info = GrB_SUCCESS;
  if (grid_compressed_is_built(&p->by_col)) return info;
  if (!symmetric) {
    TRY(step->transpose(p, &col));
    if (detect) TRY(step->compare(p, &col, &symmetric));
  }
  if (symmetric) {
    grid_compressed_free(&col, step->give_back);
    share(p);
  } else {
    p->by_col = col;
  }
  return info;
done:
  grid_compressed_free(&col, step->give_back);
  return info;
}

GrB_Info grid_lmat_add_hub_neighbors(grid_local_matrix *p, bool rows, const uint32_t *degree) {
  const grid_orient_ops *step = orient_ops(p);
  grid_compressed *c = rows ? &p->by_row : &p->by_col, made = *c;
  if (c->nonempty) return GrB_SUCCESS;
  GrB_Info info = step->add_hub_neighbors(p, rows, &made, degree);
  if (info != GrB_SUCCESS) {
    step->give_back(made.hub_neighbor);
    step->give_back(made.nonempty);
    return info;
  }
  if (p->device)
    made.balanced_tiles = grid_balanced_tiles_new();
  else
    made.ranks = grid_degree_order_new(rows ? p->col.n : p->row.n);
  *c = made;
  if (p->shared) p->by_row = p->by_col = made;
  return info;
}

GrB_Info grid_lmat_orient(grid_local_matrix *p, const uint32_t *row_degree, const uint32_t *col_degree,
                          bool symmetric, bool detect) {
  GrB_Info info = grid_lmat_add_cols(p, symmetric, detect);
  if (info == GrB_SUCCESS) info = grid_lmat_add_hub_neighbors(p, true, col_degree);
  if (info == GrB_SUCCESS) info = grid_lmat_add_hub_neighbors(p, false, row_degree);
  return info;
}

/* ---- the transpose as a separate local matrix ---------------------------------------------------------- */

/* Makes its rows; a known orientation is copied. */
static GrB_Info build_transpose(const grid_local_matrix *p, const grid_compressed *known,
                                grid_local_matrix *t) {
  grid_local_matrix view = {
      .row = p->col, .col = p->row, .type = p->type, .iso = p->iso, .iso_val = p->iso_val};
  if (known) {
    view.nvals = p->nvals;
    view.by_row = *known;
    return grid_cpu_lmat_copy_rows(t, &view);
  }
  GrB_Info info = grid_cpu_lmat_copy_rows(t, &view);
  if (info == GrB_SUCCESS) info = grid_lmat_make_columns(p, &t->by_row);
  if (info == GrB_SUCCESS) t->nvals = p->nvals;
  return info;
}

GrB_Info grid_cpu_lmat_transpose(const grid_local_matrix *p, bool symmetric, grid_local_matrix *t) {
  const grid_compressed *known = grid_compressed_is_built(&p->by_col) ? &p->by_col
                                 : symmetric                          ? &p->by_row
                                                                      : NULL;
  grid_lmat_init(t, p->type, p->col.dim, p->row.dim);
  if (!grid_compressed_is_built(&p->by_row)) return GrB_SUCCESS;
  GrB_Info info = build_transpose(p, known, t);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}
