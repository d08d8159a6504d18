/* Life cycle of a local matrix: creation, copying, freeing, size, lookup. */
#include "spmat/matrix/local_matrix.h"

#include "spmat/device/device.h"
#include "spmat/matrix/axis.h"
#include "spmat/matrix/degree_ordered.h"
#include "spmat/matrix/panels32.h"
#include "spmat/matrix/balanced_tiles.h"
#include "spmat/vector/bound_operator.h"

#include <string.h>

/* The first of lo .. hi - 1 whose id is at least `id`, or hi. */
static uint64_t lower_bound(const grid_axis *a, uint64_t lo, uint64_t hi, uint64_t id) {
  while (lo < hi) {
    const uint64_t mid = lo + (hi - lo) / 2;
    if (grid_axis_id(a, mid) < id)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

uint64_t grid_axis_bound(const grid_axis *a, uint64_t id) {
  if (!a->ids) return id < a->n ? id : a->n;
  return lower_bound(a, 0, a->n, id);
}

uint64_t grid_axis_find(const grid_axis *a, uint64_t id) {
  const uint64_t at = grid_axis_bound(a, id);
  return at < a->n && grid_axis_id(a, at) == id ? at : UINT64_MAX;
}

uint64_t grid_axis_seek(const grid_axis *a, uint64_t k, uint64_t id) {
  uint64_t step = 1;
  while (k + step < a->n && grid_axis_id(a, k + step) < id) k += step, step *= 2;
  return lower_bound(a, k, k + step < a->n ? k + step : a->n, id);
}

void grid_lmat_init(grid_local_matrix *p, GrB_Type type, uint64_t rows, uint64_t cols) {
  *p = (grid_local_matrix){.row = {.dim = rows}, .col = {.dim = cols}, .type = type};
}

void grid_compressed_free(grid_compressed *c, void (*give_back)(void *)) {
  give_back(c->ptr);
  give_back(c->offsets64);
  give_back(c->idx);
  give_back(c->hub_neighbor);
  give_back(c->nonempty);
  grid_degree_order_free(c->ranks);
  grid_balanced_tiles_free(c->balanced_tiles);
  grid_panels32_free(c->panels32);
  give_back(c->val);
  *c = (grid_compressed){0};
}

void grid_compressed_finish(grid_compressed *c, GrB_Info outcome, grid_offsets *start, uint32_t *idx,
                            void *val) {
  if (outcome == GrB_SUCCESS) {
    *c = (grid_compressed){.ptr = start->offsets32, .offsets64 = start->offsets64, .idx = idx, .val = val};
    return;
  }
  grid_offsets_free(start);
  grid_free(idx);
  grid_free(val);
}

void grid_lmat_free(grid_local_matrix *p) {
  void (*give_back)(void *) = p->device ? grid_device_free : grid_free;
  if (!p->shared) grid_compressed_free(&p->by_col, give_back);
  grid_compressed_free(&p->by_row, give_back);
  grid_free(p->iso_val);
  give_back(p->row.ids);
  give_back(p->col.ids);
  grid_lmat_init(p, p->type, p->row.dim, p->col.dim);
}

/* A copy in the same memory; *info changes only on failure. */
static void *duplicate(const void *from, size_t count, size_t size, bool device, GrB_Info *info) {
  if (!from || *info != GrB_SUCCESS) return NULL;
  void *to = device ? grid_device_malloc(count, size) : grid_malloc(count, size);
  if (!to)
    *info = device ? grid_device_fail_memory(NULL, "a copy of a matrix block", count, size)
                   : grid_fail_memory(NULL, "a copy of a matrix block", count, size);
  else if (device)
    *info = grid_device_copy(to, from, count * size);
  else
    grid_copy_bytes(to, from, count * size);
  return to;
}

/* Shares the array (host memory), or copies it. */
static void *share(void *from, size_t count, size_t size, bool device, GrB_Info *info) {
  void *to = from && !device && *info == GrB_SUCCESS ? grid_retain(from) : NULL;
  return to ? to : duplicate(from, count, size, device, info);
}

/* Degree order and balanced tiles are not copied: they are built again when needed. */
static void compressed_copy(grid_compressed *to, const grid_compressed *from, uint64_t n,
                            const grid_local_matrix *lmat, GrB_Info *info) {
  const bool device = lmat->device;
  to->ptr = share(from->ptr, n + 1, sizeof *to->ptr, device, info);
  to->offsets64 = share(from->offsets64, n + 1, sizeof *to->offsets64, device, info);
  to->idx = share(from->idx, lmat->nvals, sizeof *to->idx, device, info);
  to->hub_neighbor = share(from->hub_neighbor, n, sizeof *to->hub_neighbor, device, info);
  to->nonempty = share(from->nonempty, grid_words(n), sizeof *to->nonempty, device, info);
  to->ranks = from->ranks ? grid_degree_order_new(from->ranks->n) : NULL;
  to->balanced_tiles = from->balanced_tiles ? grid_balanced_tiles_new() : NULL;
  to->panels32 = from->panels32 ? grid_panels32_new() : NULL;
  to->val = duplicate(from->val, lmat->nvals, lmat->type->size, device, info);
}

GrB_Info grid_lmat_copy(grid_local_matrix *to, const grid_local_matrix *from) {
  const uint64_t refusals = grid_device_oom_count();
  grid_local_matrix p = *from;
  GrB_Info info = GrB_SUCCESS;
  p.host_resident = false;
  p.row.ids = share(from->row.ids, from->row.n, grid_axis_id_size(&from->row), from->device, &info);
  p.col.ids = share(from->col.ids, from->col.n, grid_axis_id_size(&from->col), from->device, &info);
  p.iso_val = duplicate(from->iso_val, 1, from->type->size, false, &info);
  compressed_copy(&p.by_row, &from->by_row, from->row.n, from, &info);
  if (from->shared)
    p.by_col = p.by_row;
  else
    compressed_copy(&p.by_col, &from->by_col, from->col.n, from, &info);
  if (info == GrB_SUCCESS) {
    *to = p;
    return info;
  }
  grid_lmat_free(&p);
  if (grid_device_oom_to_unsupported(info, refusals) != GRID_UNSUPPORTED) return info;
  grid_report_fallback("copies of matrices, for which the device has no room");
  info = grid_lmat_to_host(from);
  return info == GrB_SUCCESS ? grid_lmat_copy(to, from) : info;
}

GrB_Info grid_lmat_share_pattern(grid_local_matrix *to, const grid_local_matrix *from, GrB_Type type) {
  GrB_Info info = GrB_SUCCESS;
  const grid_compressed *c = &from->by_row;
  grid_lmat_init(to, type, from->row.dim, from->col.dim);
  to->nvals = from->nvals;
  to->row.n = from->row.n, to->col.n = from->col.n;
  to->row.ids = share(from->row.ids, from->row.n, grid_axis_id_size(&from->row), false, &info);
  to->col.ids = share(from->col.ids, from->col.n, grid_axis_id_size(&from->col), false, &info);
  to->by_row.ptr = share(c->ptr, from->row.n + 1, sizeof *c->ptr, false, &info);
  to->by_row.offsets64 = share(c->offsets64, from->row.n + 1, sizeof *c->offsets64, false, &info);
  to->by_row.idx = share(c->idx, from->nvals, sizeof *c->idx, false, &info);
  if (info != GrB_SUCCESS) grid_lmat_free(to);
  return info;
}

bool grid_lmat_same_pattern(const grid_local_matrix *a, const grid_local_matrix *b) {
  return a->nvals == b->nvals && a->by_row.idx == b->by_row.idx && a->by_row.ptr == b->by_row.ptr &&
         a->by_row.offsets64 == b->by_row.offsets64 && a->row.ids == b->row.ids && a->col.ids == b->col.ids;
}

GrB_Info grid_cpu_lmat_copy_rows(grid_local_matrix *to, const grid_local_matrix *from) {
  GrB_Info info = grid_lmat_share_pattern(to, from, from->type);
  if (info == GrB_SUCCESS && from->iso) info = grid_lmat_set_iso(to, from->iso_val);
  if (info == GrB_SUCCESS)
    to->by_row.val = duplicate(from->by_row.val, from->nvals, from->type->size, false, &info);
  if (info != GrB_SUCCESS) grid_lmat_free(to);
  return info;
}

static uint64_t compressed_bytes(const grid_compressed *c, uint64_t n, uint64_t nvals, size_t size) {
  uint64_t bytes = 0;
  if (c->ptr) bytes += (n + 1) * sizeof *c->ptr;
  if (c->offsets64) bytes += (n + 1) * sizeof *c->offsets64;
  if (c->idx) bytes += nvals * sizeof *c->idx;
  if (c->hub_neighbor) bytes += n * sizeof *c->hub_neighbor;
  bytes += grid_degree_order_bytes(c->ranks, nvals) + grid_balanced_tiles_bytes(c->balanced_tiles) +
           grid_panels32_bytes(c->panels32);
  if (c->nonempty) bytes += grid_words(n) * sizeof *c->nonempty;
  if (c->val) bytes += nvals * size;
  return bytes;
}

uint64_t grid_lmat_bytes(const grid_local_matrix *p) {
  uint64_t bytes = compressed_bytes(&p->by_row, p->row.n, p->nvals, p->type->size);
  if (!p->shared) bytes += compressed_bytes(&p->by_col, p->col.n, p->nvals, p->type->size);
  if (p->row.ids) bytes += p->row.n * grid_axis_id_size(&p->row);
  if (p->col.ids) bytes += p->col.n * grid_axis_id_size(&p->col);
  return bytes;
}

uint64_t grid_vector_of_entry(const grid_compressed *m, uint64_t n, uint64_t e) {
  uint64_t low = 0, high = n;
  while (low + 1 < high) {
    const uint64_t mid = low + (high - low) / 2;
    if (grid_vector_start(m, mid) <= e)
      low = mid;
    else
      high = mid;
  }
  return low;
}

grid_entries grid_entries_begin(const grid_local_matrix *p) {
  return (grid_entries){.p = p};
}

bool grid_entries_next(grid_entries *it) {
  const grid_local_matrix *p = it->p;
  if (it->e >= p->nvals) return false;
  while (grid_vector_start(&p->by_row, it->r + 1) <= it->e) it->r++;
  it->at = it->e++;
  it->row = grid_axis_id(&p->row, it->r);
  it->col = grid_axis_id(&p->col, p->by_row.idx[it->at]);
  return true;
}

GrB_Info grid_lmat_set_iso(grid_local_matrix *p, const void *one) {
  p->iso = true;
  p->iso_val = grid_malloc(1, p->type->size);
  if (!p->iso_val) return grid_fail_memory(NULL, "a matrix value", 1, p->type->size);
  memcpy(p->iso_val, one, p->type->size);
  return GrB_SUCCESS;
}

GrB_Info grid_lmat_detect_iso(grid_local_matrix *p) {
  const size_t size = p->type->size;
  char *val = p->by_row.val;
  if (p->iso || p->device || !val || p->nvals < 2 || memcmp(val, val + size, (p->nvals - 1) * size) != 0)
    return GrB_SUCCESS;
  GrB_Info info = grid_lmat_set_iso(p, val);
  if (info != GrB_SUCCESS) return info;
  grid_free(val);
  p->by_row.val = NULL;
  return GrB_SUCCESS;
}

/* n values equal to one. */
static char *fill_values(const void *one, size_t size, uint64_t n) {
  char *val = grid_malloc(n, size);
  if (val) grid_value_fill_array(val, one, size, n);
  return val;
}

GrB_Info grid_lmat_expand_iso(grid_local_matrix *p) {
  if (!p->iso) return GrB_SUCCESS;
  const size_t size = p->type->size;
  const bool cols = !p->shared && grid_compressed_is_built(&p->by_col);
  char *val = fill_values(p->iso_val, size, p->nvals),
       *other = cols ? fill_values(p->iso_val, size, p->nvals) : NULL;
  if (!val || (cols && !other)) {
    grid_free(val);
    grid_free(other);
    return grid_fail_memory(NULL, "matrix values", p->nvals, size);
  }
  grid_free(p->iso_val);
  p->iso_val = NULL, p->iso = false;
  p->by_row.val = val;
  if (cols) p->by_col.val = other;
  if (p->shared) p->by_col.val = val;
  return GrB_SUCCESS;
}

GrB_Info grid_cpu_lmat_cast(grid_local_matrix *p, GrB_Type type) {
  if (!p->iso && !grid_compressed_is_built(&p->by_row)) { /* its rows are built with values of that type */
    p->type = type;
    return GrB_SUCCESS;
  }
  uint64_t n = p->iso ? 1 : p->nvals;
  void *from = p->iso ? p->iso_val : p->by_row.val, *to = grid_malloc(n, type->size);
  if (!to) return grid_fail_memory(NULL, "converted matrix values", n, type->size);
  if (from) grid_cast_array(to, type, from, p->type, 1, n);
  grid_free(from);
  if (p->iso)
    p->iso_val = to;
  else
    p->by_row.val = to;
  p->type = type;
  return GrB_SUCCESS;
}
