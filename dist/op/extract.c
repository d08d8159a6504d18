/* extract.c: GrB_extract of a part of a vector: t(k) = u(I[k]). u's owner of I[k] sends the entry to w's
 * owner of k. */
#include <string.h>

#include "dist/object/vector.h"
#include "spmat/device/device.h"

static const char call[] = "GrB_extract";

/* This process's share of what I asks for: positions k in I, with the values. */
static GrB_Info own_answers(uint64_t **pos, char **val, uint64_t *n, GrB_Vector u, const GrB_Index *I,
                            uint64_t ni) {
  const grid_chunk *c = &u->chunk;
  const uint64_t first = grid_chunk_first(u->n, grid_here.k);
  const size_t size = u->type->size;
  const void *v;
  uint64_t own = 0, m = 0;
  if (c->device) {
    grid_fallback("extract of an index list");
    GrB_Info info = grid_chunk_to_host(c);
    if (info != GrB_SUCCESS) return info;
  }
  for (uint64_t k = 0; k < ni; k++) own += I[k] - first < c->n && grid_chunk_get(c, I[k] - first, NULL);
  *pos = grid_malloc(own, sizeof **pos);
  *val = grid_malloc(own, size);
  *n = own;
  if (!*pos || !*val) return grid_fail_memory(NULL, "extracted entries", own, sizeof **pos + size);
  for (uint64_t k = 0; k < ni; k++) {
    if (I[k] - first >= c->n || !grid_chunk_get(c, I[k] - first, &v)) continue;
    (*pos)[m] = k;
    memcpy(*val + m++ * size, v, size);
  }
  return GrB_SUCCESS;
}

static GrB_Info extract_list(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                             GrB_Vector u, const GrB_Index *I, uint64_t ni) {
  uint64_t *pos = NULL, n = 0, where;
  char *val = NULL;
  grid_delivery in = {0};
  GrB_Info info = own_answers(&pos, &val, &n, u, I, ni);
  info = grid_route(&in, n, pos, val, 1, u->type->size, w->n, info);
  grid_chunk t = grid_spare_chunk(w, u->type);
  if (info == GrB_SUCCESS) info = grid_vec_build(&t, in.idx, in.val, u->type, 1, in.n, (grid_dup){0}, &where);
  info = grid_finish_output(w, mask, accum, d, &t, false, info);
  grid_free(pos);
  grid_free(val);
  grid_delivery_free(&in);
  return info;
}

GrB_Info GrB_Vector_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                            const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_check_output(w, mask, accum, desc, u->type, call, &d));
  if (indices == GrB_ALL) {
    TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
    return grid_finish_borrowed(w, mask, accum, &d, &u->chunk, GrB_SUCCESS);
  }
  TRY(grid_check_size(ni, w->n, &w->head, call, "the index list", "w"));
  TRY(grid_check_indices(indices, ni, u->n, &w->head, call));
  info = extract_list(w, mask, accum, &d, u, indices, ni);
done:
  return info;
}
