/* A common numbering of the rows or columns of several blocks, some of which may be hypersparse. */
#include "dist/product/mxm/operands/mxm_panel.h"
#include "spmat/matrix/axis.h"

void grid_numbering_free(grid_numbering *n) {
  for (int r = 0; n->map && r < n->n; r++) grid_free(n->map[r]);
  grid_free(n->map);
  grid_free(n->owned);
  *n = (grid_numbering){0};
}

/* Gathers the id lists of the set's processes; a word before each says whether the axis has one. */
static GrB_Info gather(grid_set set, const grid_axis *local, GrB_Info info, void **got, size_t *bytes,
                       size_t *offset) {
  const size_t size = (size_t)grid_set_size(set), n = local->ids ? local->n : 0;
  uint64_t *sendbuf = grid_malloc(n + 1, sizeof *sendbuf);
  size_t *send = grid_calloc(2 * size, sizeof *send);
  *got = NULL;
  if (info == GrB_SUCCESS && (!sendbuf || !send))
    info = grid_fail_memory(NULL, "a list of rows or columns", n + 1, sizeof *sendbuf);
  TRY(grid_agree(NULL, info));
  sendbuf[0] = local->ids != NULL;
  for (size_t k = 0; k < n; k++) sendbuf[k + 1] = grid_axis_id(local, k);
  for (size_t r = 0; r < size; r++) send[r] = (n + 1) * sizeof *sendbuf; /* all segments begin at 0 */
  info = grid_exchange_alloc(set, sendbuf, send, send + size, got, bytes, offset);
done:
  grid_free(sendbuf);
  grid_free(send);
  return info;
}

/* to = the union of x and y, ascending. Returns its size. */
static uint64_t unite(uint64_t *to, const uint64_t *x, uint64_t nx, const uint64_t *y, uint64_t ny) {
  uint64_t n = 0, i = 0, j = 0;
  while (i < nx || j < ny) {
    const uint64_t id = j == ny || (i < nx && x[i] <= y[j]) ? x[i] : y[j];
    i += i < nx && x[i] == id;
    j += j < ny && y[j] == id;
    to[n++] = id;
  }
  return n;
}

static GrB_Info list_union(grid_numbering *to, const uint64_t *const *ids, const uint64_t *n,
                           uint64_t total) {
  uint64_t *all = grid_malloc(total, sizeof *all), *merged = grid_malloc(total, sizeof *merged), count = 0;
  GrB_Info info = GrB_SUCCESS;
  if (!all || !merged) TRY(grid_fail_memory(NULL, "a list of rows or columns", total, sizeof *all));
  for (int r = 0; r < to->n; r++) {
    count = unite(merged, all, count, ids[r], n[r]);
    uint64_t *swap = all;
    all = merged, merged = swap;
  }
  TRY(grid_axis_list(&to->axis, count));
  to->owned = to->axis.ids;
  for (uint64_t k = 0; k < count; k++) grid_axis_store(&to->axis, k, all[k]);
done:
  grid_free(all);
  grid_free(merged);
  return info;
}

static GrB_Info make_map(const grid_numbering *to, const uint64_t *ids, uint64_t n, uint32_t **map) {
  *map = grid_malloc(n, sizeof **map);
  if (!*map) return grid_fail_memory(NULL, "numbers of rows or columns", n, sizeof **map);
  for (uint64_t k = 0, at = 0; k < n; k++) {
    if (to->axis.ids)
      while (grid_axis_id(&to->axis, at) < ids[k]) at++;
    else
      at = ids[k];
    (*map)[k] = (uint32_t)at;
  }
  return GrB_SUCCESS;
}

static GrB_Info number(grid_numbering *to, const char *got, const size_t *bytes, const size_t *offset) {
  const uint64_t **ids = grid_malloc((size_t)to->n, sizeof *ids), *n = NULL;
  uint64_t *count = grid_malloc((size_t)to->n, sizeof *count), total = 0;
  GrB_Info info = GrB_SUCCESS;
  bool has_full_axis = false;
  if (!ids || !count) TRY(grid_fail_memory(NULL, "lists of rows or columns", (size_t)to->n, sizeof *ids));
  for (int r = 0; r < to->n; r++) {
    n = (const uint64_t *)(const void *)(got + offset[r]);
    has_full_axis |= !n[0];
    ids[r] = n + 1;
    count[r] = bytes[r] / sizeof *n - 1;
    total += count[r];
  }
  if (has_full_axis)
    to->axis.n = to->axis.dim;
  else
    TRY(list_union(to, ids, count, total));
  for (int r = 0; r < to->n; r++)
    if (ids[r][-1]) TRY(make_map(to, ids[r], count[r], &to->map[r]));
done:
  grid_free(ids);
  grid_free(count);
  return info;
}

GrB_Info grid_number(grid_set set, const grid_axis *local, GrB_Info info, grid_numbering *to) {
  const int size = grid_set_size(set);
  size_t *bytes = NULL;
  void *got = NULL;
  *to = (grid_numbering){.axis = *local, .n = size};
  if (size == 1) return grid_agree(NULL, info);
  to->axis = (grid_axis){.dim = local->dim};
  bytes = grid_calloc(2 * (size_t)size, sizeof *bytes);
  to->map = grid_calloc((size_t)size, sizeof *to->map);
  if (info == GrB_SUCCESS && (!bytes || !to->map))
    info = grid_fail_memory(NULL, "lists of rows or columns", (size_t)size, sizeof *bytes);
  TRY(grid_agree(NULL, info));
  TRY(gather(set, local, info, &got, bytes, bytes + size));
  TRY(grid_agree(NULL, number(to, got, bytes, bytes + size)));
done:
  grid_free(bytes);
  grid_free(got);
  return info;
}
