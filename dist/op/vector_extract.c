/* GrB_extract of a part of a vector: t(k) = u(I[k]). u's owner of I[k] sends the entry to
 * w's owner of k; all processes have I, so values alone travel. On one machine w's owner looks it up itself.
 */
#include "dist/object/device_retry.h"
#include "dist/vector/index_list.h"
#include "dist/vector/index_range.h"
#include "dist/vector/shm_view.h"
#include "semiring/op_codes.h"

static const char call[] = "GrB_extract";

/* On several processes. Entries come in the order of their owners, each owner's in the order of k. */
static GrB_Info fetch_entries(grid_chunk *t, GrB_Vector u, const GrB_Index *I, uint64_t ni) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t P = (uint64_t)grid_ctx.P, first = t->n ? grid_chunk_first(ni, grid_ctx.k) : 0;
  grid_chunk whole;
  bool bad = false;
  if (grid_shm_view_vector(&whole, u)) { /* who checks its share has all that it needs */
    info = grid_vec_gather(t, &whole, I + first, &bad);
    return bad ? grid_check_index_list(I, first, first + t->n, u->n, NULL, call) : info;
  }
  info = grid_check_indices(I, ni, u->n, NULL, call);
  if (info != GrB_SUCCESS) return info;
  uint64_t *count = grid_malloc(2 * P, sizeof *count), *position = grid_malloc(t->n, sizeof *position);
  grid_local_indices local = {0};
  grid_chunk requested, received;
  info = count && position ? GrB_SUCCESS : grid_fail_memory(NULL, "places of entries", t->n, 8);
  if (info == GrB_SUCCESS) info = grid_select_local_indices(&local, count, NULL, I, ni, u->n);
  if (info == GrB_SUCCESS) info = grid_list_by_owner(NULL, position, count + P, I + first, t->n, u->n);
  grid_chunk_init(&requested, u->type, local.n);
  grid_chunk_init(&received, u->type, t->n);
  if (info == GrB_SUCCESS) info = grid_vec_gather(&requested, &u->chunk, local.idx, &bad);
  TRY(grid_route_chunk(&received, &requested, count, info));
  TRY(grid_vec_gather(t, &received, position, &bad));
done:
  grid_chunk_free(&requested);
  grid_chunk_free(&received);
  grid_free(local.idx);
  grid_free(position);
  grid_free(count);
  return info;
}

static GrB_Info extract_list(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                             GrB_Vector u, const GrB_Index *I, uint64_t ni) {
  GrB_Info info = GrB_SUCCESS;
  bool bad = false;
  if (!I) return grid_check_indices(I, ni, u->n, &w->head, call);
  grid_chunk t = grid_reusable_chunk(w, u->type);
  info = grid_ctx.P > 1 ? fetch_entries(&t, u, I, ni) : grid_vec_gather(&t, &u->chunk, I, &bad);
  if (bad) info = grid_check_indices(I, ni, u->n, &w->head, call);
  return grid_finish_output(w, mask, accum, d, &t, false, info);
}

static GrB_Info extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                        const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_index_list l = {0};
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_operand(u, &w->head, call, "u"));
  TRY(grid_check_output(w, mask, accum, desc, u->type, call, &d));
  TRY(grid_index_list_open(&l, indices, ni, u->n, &w->head, call));
  if (l.I == GrB_ALL) {
    TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
    grid_begin_output(w, u->type, accum, GRID_OP_OTHER);
    return grid_finish_borrowed(w, mask, accum, &d, &u->chunk, GrB_SUCCESS);
  }
  TRY(grid_check_size(l.n, w->n, &w->head, call, "the index list", "w"));
  info = extract_list(w, mask, accum, &d, u, l.I, l.n);
done:
  grid_index_list_close(&l);
  return info;
}

GrB_Info GrB_Vector_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                            const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(call, extract(w, mask, accum, u, indices, ni, desc), w, mask, u);
}
