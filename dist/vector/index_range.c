/* See index_range.h. */
#include "dist/vector/index_range.h"

GrB_Info grid_index_range_read(grid_index_range *r, const GrB_Index *I, GrB_Index ni, uint64_t size,
                               grid_head *out, const char *call, const char *what) {
  *r = (grid_index_range){.step = 1, .backwards = ni == GxB_BACKWARDS};
  if (!I) return grid_fail(out, GrB_NULL_POINTER, "%s: argument %s is NULL", call, what);
  const uint64_t low = I[r->backwards ? GxB_END : GxB_BEGIN], high = I[r->backwards ? GxB_BEGIN : GxB_END];
  if (ni != GxB_RANGE) r->step = I[GxB_INC];
  r->first = I[GxB_BEGIN];
  if (low > high || r->step == 0) return GrB_SUCCESS;
  const uint64_t steps = (high - low) / r->step, most = r->backwards ? high : low + steps * r->step;
  if (most >= size)
    return grid_fail(out, GrB_INDEX_OUT_OF_BOUNDS, "%s: the range %s reaches index %llu, the size is %llu",
                     call, what, (unsigned long long)most, (unsigned long long)size);
  r->n = steps + 1;
  return GrB_SUCCESS;
}

GrB_Index *grid_index_range_expand(const grid_index_range *r) {
  GrB_Index *list = grid_malloc(r->n, sizeof *list);
  if (!list) return NULL;
  for (uint64_t k = 0; k < r->n; k++)
    list[k] = r->backwards ? r->first - k * r->step : r->first + k * r->step;
  return list;
}

GrB_Info grid_index_list_open(grid_index_list *l, const GrB_Index *I, GrB_Index ni, uint64_t size,
                              grid_head *out, const char *call) {
  grid_index_range r;
  *l = (grid_index_list){.I = I, .n = ni};
  if (!grid_is_index_range(I, ni)) return GrB_SUCCESS;
  GrB_Info info = grid_index_range_read(&r, I, ni, size, out, call, "indices");
  if (info != GrB_SUCCESS) return info;
  if (r.first == 0 && r.n == size && !r.backwards) {
    *l = (grid_index_list){.I = GrB_ALL, .n = size};
    return GrB_SUCCESS;
  }
  l->memory = grid_index_range_expand(&r);
  l->I = l->memory, l->n = r.n;
  return grid_agree(out, l->memory ? GrB_SUCCESS : grid_fail_memory(out, "a range", r.n, sizeof *l->I));
}
