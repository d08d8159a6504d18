/* See assign_region.h. */
#include "dist/op/submatrix/assign_region.h"

void grid_assign_region_free(grid_assign_region *r) {
  grid_local_list_free(&r->rows);
  grid_local_list_free(&r->cols);
}

static uint64_t axis_estimate(const GrB_Index *list, uint64_t n, uint64_t dim) {
  return list == GrB_ALL || n > dim ? dim : n;
}

uint64_t grid_assign_estimate(GrB_Matrix C, GrB_Matrix mask, const GrB_Index *I, uint64_t ni,
                              const GrB_Index *J, uint64_t nj) {
  uint64_t n;
  if (mask || !C || !grid_is_live(C)) return 0;
  return __builtin_mul_overflow(axis_estimate(I, ni, C->nrows), axis_estimate(J, nj, C->ncols), &n)
             ? UINT64_MAX
             : n;
}

static GrB_Info find_axis(grid_index_set *set, grid_local_list *local, const grid_list *l, uint64_t dim,
                          bool rows, GrB_Matrix listed, GrB_Info info) {
  *set = (grid_index_set){.n = grid_block_length(dim, rows)};
  if (l->all) return info;
  if (grid_ctx.P == 1) {
    *set = l->set;
    return info;
  }
  info = grid_local_list_make(local, l, dim, rows, false, listed ? grid_hypersparse_axis(listed, rows) : NULL,
                              info);
  if (info != GrB_SUCCESS) return info;
  *set = local->index;
  return info;
}

GrB_Info grid_assign_find_region(grid_assign_region *r, const grid_assignment *a, GrB_Matrix listed,
                                 GrB_Info info) {
  info = find_axis(&r->at.rows, &r->rows, &a->rows, a->C->nrows, true, listed, info);
  return find_axis(&r->at.cols, &r->cols, &a->cols, a->C->ncols, false, listed, info);
}

GrB_Info grid_assign_extract_region(grid_assign_region *r, uint64_t first, uint64_t end) {
  grid_index_set *s = &r->at.rows;
  if (!s->list) {
    const uint64_t from = s->first > first ? s->first : first, last = s->first + s->n;
    *s = (grid_index_set){.first = from,
                          .n = from < last && from < end ? (last < end ? last : end) - from : 0};
    return GrB_SUCCESS;
  }
  uint64_t n = 0, *retained = r->rows.memory[1];
  if (!retained) retained = r->rows.memory[1] = grid_malloc(s->n, sizeof *retained);
  if (!retained) return grid_fail_memory(NULL, "rows of a slice", s->n, sizeof *retained);
  for (uint64_t k = 0; k < s->n; k++)
    if (s->list[k] >= first && s->list[k] < end) retained[n++] = s->list[k];
  *s = (grid_index_set){.list = retained, .n = n};
  return GrB_SUCCESS;
}

/* ---- writing ---- */

/* z = C's block with t in it: in place of the region, or (region NULL) of the entries that t has. */
static GrB_Info store_region(grid_local_matrix *z, const grid_assignment *a, grid_local_matrix *t,
                             const grid_region *region) {
  const grid_local_matrix *c = &a->C->block;
  GrB_Info info = t->nvals == 0 ? GrB_SUCCESS : grid_lmat_cast(t, c->type);
  grid_lmat_init(z, c->type, c->row.dim, c->col.dim);
  return info == GrB_SUCCESS ? grid_lmat_assign(z, c, t, region) : info;
}

GrB_Info grid_assign_store(const grid_assignment *a, grid_local_matrix *t, bool in_region, bool with_mask,
                           GrB_Info info) {
  const grid_desc plain = {0};
  grid_assign_region r = {0};
  grid_local_matrix z = {0};
  const GrB_Info outcome = info; /* agreed on at the end */
  TRY(grid_matrix_require(a->C, GRID_WHOLE));
  info = outcome;
  if (in_region) info = grid_assign_find_region(&r, a, a->C, info);
  if (info == GrB_SUCCESS) info = store_region(&z, a, t, in_region ? &r.at : NULL);
  info =
      grid_finish_matrix(a->C, with_mask ? a->mask : NULL, NULL, with_mask ? &a->d : &plain, &z, false, info);
done:
  grid_assign_region_free(&r);
  grid_lmat_free(t);
  return info;
}

GrB_Info grid_assign_finish(const grid_assignment *a, grid_local_matrix *t, GrB_Info info) {
  if (a->accum || grid_assign_covers_all(a))
    return grid_finish_matrix(a->C, a->mask, a->accum, &a->d, t, false, info);
  return grid_assign_store(a, t, true, a->mask || a->d.complement, info);
}

GrB_Info grid_assign_read_lists(grid_assignment *a, const GrB_Index *I, GrB_Index ni, const GrB_Index *J,
                                GrB_Index nj, bool shares) {
  GrB_Info info = grid_list_read(&a->rows, I, ni, a->C->nrows, shares, &a->C->head, a->call, "I");
  if (info != GrB_SUCCESS) return info;
  return grid_list_read(&a->cols, J, nj, a->C->ncols, shares, &a->C->head, a->call, "J");
}

void grid_assign_free_lists(grid_assignment *a) {
  grid_list_free(&a->rows);
  grid_list_free(&a->cols);
}
