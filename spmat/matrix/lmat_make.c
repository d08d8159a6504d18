/* Chooses where a local matrix is built: on the device if it is on and supports the case, else on the host.
 */
#include <string.h>

#include "spmat/device/backend.h"
#include "spmat/matrix/device_build.h"
#include "spmat/device/phase_times.h"
#include "spmat/vector/chunk.h"

static const char LONG[] = "building a matrix block of more than 2^32 rows or columns, or as many entries";

/* On the device, an axis up to this length is not hypersparse, however few vectors hold entries. Its offsets
 * and degrees are cheap, and products on several processes support no lists. */
enum { SHORT_AXIS = 1 << 22 };

/* Sets short axes to all vectors before a build there; the second function undoes it if the build is done
 * elsewhere. */
static void expand_short_axes(grid_local_matrix *p) {
  if (p->row.dim <= SHORT_AXIS) p->row.n = p->row.dim;
  if (p->col.dim <= SHORT_AXIS) p->col.n = p->col.dim;
}
static void reset_axes(grid_local_matrix *p, uint64_t rows, uint64_t cols) {
  p->row.n = rows, p->col.n = cols;
}

GrB_Info grid_lmat_build_device(grid_local_matrix *p, uint64_t *keys, int shift, uint64_t n,
                                const void *one) {
  GrB_Info info = grid_lmat_set_iso(p, one);
  if (info == GrB_SUCCESS)
    info = grid_cuda->builder->build(p, &(grid_device_tuples){.keys = keys, .n = n, .shift = shift}, NULL);
  else
    grid_device_free(keys);
  if (info == GrB_SUCCESS) p->device = true;
  if (info != GrB_SUCCESS) {
    grid_free(p->iso_val);
    p->iso_val = NULL;
    p->iso = false;
  }
  return info;
}

/* *to: a copy on the device. */
static GrB_Info send(void **to, const void *from, uint64_t n, size_t size) {
  *to = grid_device_malloc(n, size);
  if (!*to) return grid_device_fail_memory(NULL, "the tuples of a matrix block", n, size);
  return grid_device_write(*to, from, n * size);
}

/* values NULL: a pattern, whose value is `one`. */
static GrB_Info send_and_build(grid_local_matrix *p, const uint64_t *keys, uint64_t n, const void *values,
                               const void *one, grid_duplicates how, grid_pair *bad) {
  void *device = NULL, *val = NULL;
  GrB_Info info;
  grid_lap_start();
  TRY(send(&device, keys, n, sizeof *keys));
  if (values) TRY(send(&val, values, n, p->type->size));
  grid_lap_record("tuples to the device");
  info = values
             ? grid_cuda->builder->build(
                   p, &(grid_device_tuples){.keys = device, .n = n, .shift = 32, .val = val, .how = how}, bad)
             : grid_lmat_build_device(p, device, 32, n, one);
  if (info == GrB_SUCCESS) p->device = true;
  if (info != GRID_UNSUPPORTED) device = NULL; /* consumed */
done:
  grid_device_free(device);
  grid_device_free(val);
  return info;
}

/* Bytes: keys twice, the sort's buffers, and the resulting rows. */
bool grid_build_is_over_limit(uint64_t tuples, size_t size) {
  const uint64_t limit = grid_device_get_limit(), tuple_bytes = 24 + 2 * size;
  return limit && tuples > limit / tuple_bytes;
}

static bool can_send(const grid_local_matrix *p, bool pairs, uint64_t n, const void *values) {
  if (pairs || grid_axis_has_ids64(&p->row) || grid_axis_has_ids64(&p->col)) return false;
  if (grid_build_is_over_limit(n, values ? p->type->size : 0)) return false;
  return !values || grid_device_can_hold(p->type);
}

GrB_Info grid_lmat_make(grid_local_matrix *p, void *keys, bool pairs, uint64_t n, const void *values,
                        const void *one, grid_duplicates how, grid_pair *bad) {
  if (grid_device_is_on() && n > 0 && keys) {
    const uint64_t rows = p->row.n, cols = p->col.n;
    const uint64_t refusals = grid_device_oom_count();
    GrB_Info info = GRID_UNSUPPORTED;
    expand_short_axes(p);
    if (can_send(p, pairs, n, values)) info = send_and_build(p, keys, n, values, one, how, bad);
    info = grid_device_oom_to_unsupported(info, refusals);
    if (info != GRID_UNSUPPORTED) {
      grid_free(keys);
      return info;
    }
    reset_axes(p, rows, cols);
    grid_report_fallback(grid_device_oom_count() != refusals ? "building what the device has no room for"
                         : can_send(p, pairs, n, values)     ? "building a matrix, joining equal tuples"
                         : grid_build_is_over_limit(n, values ? p->type->size : 0)
                             ? "building what the limit of device memory has no room for"
                             : LONG);
  }
  return grid_lmat_build(p, keys, pairs, n, values, one, how, bad);
}

GrB_Info grid_lmat_make_from_tuples(grid_local_matrix *p, const grid_program_tuples *t, const void *values,
                                    const void *one, grid_duplicates how, grid_pair *bad) {
  grid_device_tuples tuples = {.how = how};
  const uint64_t rows = p->row.n, cols = p->col.n, refusals = grid_device_oom_count();
  void *val = NULL;
  GrB_Info info;
  if (t->n == 0 || !can_send(p, false, t->mirror ? 2 * t->n : t->n, values)) return GRID_UNSUPPORTED;
  grid_lap_start();
  TRY(grid_cuda->builder->pack(t, &tuples));
  if (values) TRY(send(&val, values, t->n, p->type->size));
  tuples.val = val;
  grid_lap_record("tuples to the device");
  if (!values) TRY(grid_lmat_set_iso(p, one));
  expand_short_axes(p);
  info = grid_cuda->builder->build(p, &tuples, bad);
  if (info == GRID_UNSUPPORTED) reset_axes(p, rows, cols);
  if (info != GRID_UNSUPPORTED) tuples.keys = NULL; /* consumed */
  if (info == GrB_SUCCESS) p->device = true;
done:
  grid_device_free(tuples.keys);
  grid_device_free(val);
  if (info != GrB_SUCCESS && p->iso) {
    grid_free(p->iso_val);
    p->iso_val = NULL;
    p->iso = false;
  }
  if (grid_device_oom_to_unsupported(info, refusals) == GRID_UNSUPPORTED) reset_axes(p, rows, cols);
  return grid_device_oom_to_unsupported(info, refusals);
}

GrB_Info grid_lmat_make_rmat(grid_local_matrix *p, const grid_rmat_job *job, const void *one) {
  GrB_Info info = grid_lmat_set_iso(p, one);
  grid_lap_start();
  if (info == GrB_SUCCESS) info = grid_cuda->builder->rmat_lmat(p, job);
  if (info == GrB_SUCCESS) {
    p->device = true;
  } else {
    grid_free(p->iso_val);
    p->iso_val = NULL;
    p->iso = false;
  }
  return info;
}

/* A block that the device does not support: the keys move to the host, which builds it. */
static GrB_Info fetch_and_build(grid_local_matrix *p, const uint64_t *device, int shift, uint64_t n,
                                const void *one) {
  grid_pair bad;
  uint64_t *keys = grid_malloc(n, sizeof *keys);
  if (!keys) return grid_fail_memory(NULL, "the tuples of a matrix block", n, sizeof *keys);
  GrB_Info info = grid_device_get(keys, device, n * sizeof *keys);
  if (info != GrB_SUCCESS) {
    grid_free(keys);
    return info;
  }
  const uint64_t low = (UINT64_C(1) << shift) - 1;
  for (uint64_t k = 0; k < n; k++) keys[k] = keys[k] >> shift << 32 | (keys[k] & low);
  grid_report_fallback(LONG);
  return grid_lmat_build(p, keys, false, n, NULL, one, (grid_duplicates){0}, &bad);
}

GrB_Info grid_lmat_make_device(grid_local_matrix *p, uint64_t *keys, int shift, uint64_t n, const void *one) {
  const uint64_t rows = p->row.n, cols = p->col.n;
  expand_short_axes(p);
  GrB_Info info = grid_axis_has_ids64(&p->row) || grid_axis_has_ids64(&p->col)
                      ? GRID_UNSUPPORTED
                      : grid_lmat_build_device(p, keys, shift, n, one);
  if (info != GRID_UNSUPPORTED) return info;
  reset_axes(p, rows, cols);
  info = fetch_and_build(p, keys, shift, n, one);
  grid_device_free(keys);
  return info;
}
