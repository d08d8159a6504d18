/* Agreement on iso: each block knows only its own values. */
#include <string.h>

#include "dist/matrix/matrix.h"
#include "spmat/device/device.h"

GrB_Info grid_agree_on_entries(grid_head *head, GrB_Info info, const uint64_t *n, size_t words, bool has_one,
                               size_t size, void *one, bool *iso, uint64_t *all) {
  const size_t numbers = words * sizeof *n, record = numbers + 1 + size, P = (size_t)grid_ctx.P;
  char *records = grid_calloc(P + 1, record), *local = records ? records + P * record : NULL;
  const char *first = NULL;
  *iso = false;
  if (info == GrB_SUCCESS && !records) info = grid_fail_memory(head, "values to compare", P + 1, record);
  if (info == GrB_SUCCESS) {
    memcpy(local, n, numbers);
    local[numbers] = has_one;
    memcpy(local + numbers + 1, one, size);
  }
  TRY(grid_agree_gather(head, info, local, record, records));
  if (!records || !one) goto done; /* a failure, which was agreed on */
  *iso = true;
  for (size_t r = 0; r < P; r++) {
    const char *of = records + r * record, *value = of + numbers + 1;
    uint64_t entries;
    memcpy(&entries, of, sizeof entries);
    if (all) memcpy(all + r * words, of, numbers);
    if (entries == 0) continue;
    if (!first) first = value;
    *iso = *iso && of[numbers] && memcmp(value, first, size) == 0;
  }
  *iso = *iso && first;
  if (*iso) memcpy(one, first, size);
done:
  grid_free(records);
  return info;
}

GrB_Info grid_agree_on_iso_value(grid_head *head, GrB_Info info, bool has_value, bool has_one, size_t size,
                                 void *one, bool *iso) {
  const uint64_t n = has_value;
  return grid_agree_on_entries(head, info, &n, 1, has_one, size, one, iso, NULL);
}

static GrB_Info set_iso(grid_local_matrix *p, const char *one) {
  GrB_Info info = GrB_SUCCESS;
  if (!one && !p->iso) return info;
  if (!one) {
    info = grid_lmat_to_host(p);
    return info == GrB_SUCCESS ? grid_lmat_expand_iso(p) : info;
  }
  if (p->iso && memcmp(p->iso_val, one, p->type->size) == 0) return info;
  /* the block has no entries */
  void *val = grid_malloc(1, p->type->size);
  if (!val) return grid_fail_memory(NULL, "a matrix value", 1, p->type->size);
  grid_free(p->iso_val);
  p->iso_val = memcpy(val, one, p->type->size);
  p->iso = true;
  /* value arrays of no entries would leak when values are expanded again */
  void (*give_back)(void *) = p->device ? grid_device_free : grid_free;
  if (!p->shared) give_back(p->by_col.val);
  give_back(p->by_row.val);
  p->by_row.val = p->by_col.val = NULL;
  return info;
}

GrB_Info grid_matrix_agree_iso(GrB_Matrix A) {
  const size_t size = A->type->size;
  grid_local_matrix *p = &A->block;
  bool iso;
  if (grid_ctx.P == 1) return GrB_SUCCESS;
  char *one = grid_calloc(1, size);
  GrB_Info info = one ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, size);
  if (one && p->iso) memcpy(one, p->iso_val, size);
  TRY(grid_agree_on_iso_value(&A->head, info, p->nvals > 0, p->iso, size, one, &iso));
  info = grid_agree(&A->head, set_iso(p, iso ? one : NULL));
done:
  grid_free(one);
  return info;
}
