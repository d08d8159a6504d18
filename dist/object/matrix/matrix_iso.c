/* One value for all: each block knows only its own. */
#include <string.h>

#include "dist/object/matrix/matrix.h"

/* What a process says of its block: the state, then the value. */
enum { EMPTY, ISO, VALUES };

static size_t record_bytes(GrB_Matrix A) {
  return sizeof(uint64_t) + A->type->size;
}

/* The value that all blocks with entries share, or NULL. */
static const char *common_value(GrB_Matrix A, const char *all) {
  const size_t bytes = record_bytes(A);
  const char *one = NULL;
  for (int k = 0; k < grid_here.P; k++) {
    const char *record = all + (size_t)k * bytes, *v = record + sizeof(uint64_t);
    uint64_t state;
    memcpy(&state, record, sizeof state);
    if (state == VALUES) return NULL;
    if (state == EMPTY) continue;
    if (one && memcmp(one, v, A->type->size) != 0) return NULL;
    one = v;
  }
  return one;
}

static GrB_Info become(grid_part *p, const char *one) {
  GrB_Info info = GrB_SUCCESS;
  if (!one && !p->iso) return info;
  if (!one) {
    info = grid_part_to_host(p);
    return info == GrB_SUCCESS ? grid_part_not_iso(p) : info;
  }
  if (p->iso && memcmp(p->iso_val, one, p->type->size) == 0) return info;
  /* no entries */
  void *val = grid_malloc(1, p->type->size);
  if (!val) return grid_fail_memory(NULL, "a matrix value", 1, p->type->size);
  grid_free(p->iso_val);
  p->iso_val = memcpy(val, one, p->type->size);
  p->iso = true;
  if (p->device) return info; /* an array of no values does no harm */
  if (!p->shared) grid_free(p->by_col.val);
  grid_free(p->by_row.val);
  p->by_row.val = p->by_col.val = NULL;
  return info;
}

GrB_Info grid_matrix_agree_iso(GrB_Matrix A) {
  const size_t bytes = record_bytes(A);
  grid_part *p = &A->block;
  const uint64_t state = p->nvals == 0 ? EMPTY : p->iso ? ISO : VALUES;
  char *all = NULL, *own;
  GrB_Info info = GrB_SUCCESS;
  if (grid_here.P == 1) return info;
  all = grid_calloc((size_t)grid_here.P + 1, bytes);
  TRY(grid_agree(&A->head,
                 all ? info : grid_fail_memory(&A->head, "values of blocks", (size_t)grid_here.P, bytes)));
  own = all + (size_t)grid_here.P * bytes;
  memcpy(own, &state, sizeof state);
  if (state == ISO) memcpy(own + sizeof state, p->iso_val, A->type->size);
  TRY(grid_here.transport->allgather(GRID_SET_ALL, own, bytes, all));
  info = grid_agree(&A->head, become(p, common_value(A, all)));
done:
  grid_free(all);
  return info;
}
