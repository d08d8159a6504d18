/* Moves a local matrix between host and device memory. */
#include <string.h>

#include "spmat/device/device.h"
#include "spmat/matrix/axis.h"
#include "spmat/matrix/degree_ordered.h"
#include "spmat/matrix/panels32.h"
#include "spmat/matrix/balanced_tiles.h"

/* The arrays of a local matrix with their sizes: one list for both directions. */
enum { ARRAYS = 14 };
typedef struct {
  void **at;
  uint64_t bytes;
} array;

static int list_compressed(array *a, int k, grid_compressed *c, uint64_t n, uint64_t nvals, size_t size) {
  a[k++] = (array){(void **)&c->ptr, (n + 1) * sizeof *c->ptr};
  a[k++] = (array){(void **)&c->offsets64, (n + 1) * sizeof *c->offsets64};
  a[k++] = (array){(void **)&c->idx, nvals * sizeof *c->idx};
  a[k++] = (array){(void **)&c->hub_neighbor, n * sizeof *c->hub_neighbor};
  a[k++] = (array){(void **)&c->nonempty, grid_words(n) * sizeof *c->nonempty};
  a[k++] = (array){&c->val, nvals * size};
  return k;
}

static int list_arrays(array *a, grid_local_matrix *p) {
  const size_t size = p->type->size;
  int k = list_compressed(a, 0, &p->by_row, p->row.n, p->nvals, size);
  if (!p->shared) k = list_compressed(a, k, &p->by_col, p->col.n, p->nvals, size);
  a[k++] = (array){&p->row.ids, p->row.n * grid_axis_id_size(&p->row)};
  a[k++] = (array){&p->col.ids, p->col.n * grid_axis_id_size(&p->col)};
  return k;
}

/* to: copies of p's arrays; NULL where p has none. After an error some exist. All are allocated before any is
 * copied. */
static GrB_Info copy_arrays(void **to, const array *a, int n, bool to_device) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < n; k++) {
    if (!*a[k].at) continue;
    to[k] = to_device ? grid_device_malloc(a[k].bytes, 1) : grid_malloc(a[k].bytes, 1);
    if (!to[k])
      return to_device ? grid_device_fail_memory(NULL, "a matrix block", a[k].bytes, 1)
                       : grid_fail_memory(NULL, "a matrix block", a[k].bytes, 1);
  }
  for (int k = 0; k < n && info == GrB_SUCCESS; k++)
    if (to[k])
      info = to_device ? grid_device_write(to[k], *a[k].at, a[k].bytes)
                       : grid_device_get(to[k], *a[k].at, a[k].bytes);
  return info;
}

/* Caches for dense pulls are built again in either memory: the degree order on the host, balanced tiles on
 * the device. */
static void drop_or_move_caches(grid_compressed *c, uint64_t ends, bool to_device) {
  const bool pulled = c->nonempty != NULL;
  grid_degree_order_free(c->ranks);
  grid_balanced_tiles_free(c->balanced_tiles);
  c->ranks = pulled && !to_device ? grid_degree_order_new(ends) : NULL;
  c->balanced_tiles = pulled && to_device ? grid_balanced_tiles_new() : NULL;
  grid_panels32_free(c->panels32);
  c->panels32 = c->offsets64 && to_device ? grid_panels32_new() : NULL;
}

static GrB_Info move(grid_local_matrix *p, bool to_device) {
  array a[ARRAYS];
  void *to[ARRAYS] = {NULL};
  const int n = list_arrays(a, p);
  GrB_Info info = copy_arrays(to, a, n, to_device);
  for (int k = 0; k < n; k++) {
    void *old = info == GrB_SUCCESS ? *a[k].at : to[k];
    if ((info == GrB_SUCCESS) == to_device)
      grid_free(old);
    else
      grid_device_free(old);
    if (info == GrB_SUCCESS) *a[k].at = to[k];
  }
  if (info != GrB_SUCCESS) return info;
  drop_or_move_caches(&p->by_row, p->col.n, to_device);
  if (!p->shared) drop_or_move_caches(&p->by_col, p->row.n, to_device);
  if (p->shared) p->by_col = p->by_row;
  p->device = to_device;
  return info;
}

GrB_Info grid_lmat_to_device(const grid_local_matrix *p) {
  if (p->device) return GrB_SUCCESS;
  return grid_lmat_can_use_device(p) ? move((grid_local_matrix *)p, true) : GRID_UNSUPPORTED;
}
GrB_Info grid_lmat_copy_to_host(grid_local_matrix *copy, const grid_local_matrix *p) {
  array a[ARRAYS];
  void *to[ARRAYS] = {NULL};
  *copy = *p;
  const int n = list_arrays(a, copy);
  GrB_Info info = copy_arrays(to, a, n, false);
  for (int k = 0; k < n; k++) *a[k].at = to[k];
  copy->by_row.balanced_tiles = copy->by_col.balanced_tiles = NULL; /* they belong to p */
  copy->by_row.panels32 = copy->by_col.panels32 = NULL;
  if (copy->shared) copy->by_col = copy->by_row;
  copy->device = false;
  if (!p->iso_val) return info;
  copy->iso_val = grid_malloc(1, p->type->size);
  if (copy->iso_val)
    memcpy(copy->iso_val, p->iso_val, p->type->size);
  else if (info == GrB_SUCCESS)
    info = grid_fail_memory(NULL, "a copy of a matrix block", 1, p->type->size);
  return info;
}
GrB_Info grid_lmat_to_host(const grid_local_matrix *p) {
  return p->device ? move((grid_local_matrix *)p, false) : GrB_SUCCESS;
}
