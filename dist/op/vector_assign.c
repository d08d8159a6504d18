/* GrB_assign of a vector or a value to a vector or a part of it (specification 4.3.7).
 *
 * With all indices it is w<mask> accum= u. With a list I each process first learns t, what I brings to its
 * chunk: entries of u travel from u's owner to w's. With an accumulator the rest is w<mask> accum= t. Without
 * one, entries of w in I that t lacks are removed, the others are not: with S = the indices in I, w<mask & S>
 * = t. With replace, which also applies outside of I: z = w, z<S> = t, w<mask> = z. */
#include "dist/op/vector_assign.h"

#include "dist/lookahead/lookahead.h"
#include "dist/object/device_retry.h"
#include "dist/vector/index_list.h"
#include "dist/vector/index_range.h"
#include "dist/vector/shm_view.h"
#include "dist/product/piggybacked_counts.h"
#include "semiring/op_codes.h"

static const char call[] = "GrB_assign";

/* The same as below where all can see u. */
static GrB_Info assign_from_shm(grid_chunk *t, grid_chunk *s, GrB_Vector w, const grid_chunk *whole,
                                const GrB_Index *I, uint64_t ni) {
  grid_local_indices local = {0};
  grid_chunk received = {0};
  uint64_t *position = NULL;
  bool bad;
  GrB_Info info = grid_select_local_indices(&local, NULL, &position, I, ni, w->n);
  TRY(info);
  grid_chunk_init(&received, t->type, local.n);
  TRY(grid_vec_gather(&received, whole, position, &bad));
  info = grid_vec_scatter(t, s, &received, local.idx, local.n, &bad);
done:
  if (received.type) grid_chunk_free(&received);
  grid_free(local.idx);
  grid_free(position);
  return info;
}

/* ... where I is long: each sends what stands at its share of I, to the owners, indices first. */
static GrB_Info gather_by_owner(grid_chunk *t, grid_chunk *s, GrB_Vector w, GrB_Vector u, const GrB_Index *I,
                                uint64_t ni) {
  const uint64_t P = (uint64_t)grid_ctx.P, first = grid_chunk_first(ni, grid_ctx.k),
                 n = grid_chunk_length(ni, grid_ctx.k);
  uint64_t *count = grid_malloc(P, sizeof *count), *order = grid_malloc(n, sizeof *order), *local = NULL,
           m = 0;
  grid_chunk input, received;
  bool bad;
  grid_chunk_init(&input, t->type, n);
  grid_chunk_init(&received, t->type, 0);
  GrB_Info info = grid_check_index_list(I, first, first + n, w->n, &w->head, call);
  if (info == GrB_SUCCESS && (!count || !order))
    info = grid_fail_memory(NULL, "places of entries", n, sizeof *order);
  if (info == GrB_SUCCESS) info = grid_list_by_owner(order, NULL, count, I + first, n, w->n);
  if (info == GrB_SUCCESS && u) info = grid_vec_gather(&input, &u->chunk, order, &bad);
  TRY(grid_agree(&w->head, info));
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): agreed on */
  for (uint64_t k = 0; k < n; k++) order[k] = I[first + order[k]];
  TRY(grid_exchange_elements(order, count, sizeof *order, (void **)&local, &m));
  for (uint64_t k = 0; k < m; k++) local[k] -= grid_chunk_first(w->n, grid_ctx.k);
  if (u) TRY(grid_route_chunk(&received, &input, count, info));
  info = grid_vec_scatter(t, s, u ? &received : NULL, local, m, &bad);
done:
  grid_chunk_free(&input);
  grid_chunk_free(&received);
  grid_free(local);
  grid_free(order);
  grid_free(count);
  return info;
}

/* On several processes: t(I[k]) = u(k), and s = the set of the I[k], in this process's chunk. All processes
 * have I, so u's values alone travel; those for one owner come in the order of k. */
static GrB_Info gather_values(grid_chunk *t, grid_chunk *s, GrB_Vector w, GrB_Vector u, const GrB_Index *I,
                              uint64_t ni) {
  grid_chunk whole;
  if (grid_shares_indices(ni)) return gather_by_owner(t, s, w, u, I, ni);
  if (u && grid_shm_view_vector(&whole, u)) return assign_from_shm(t, s, w, &whole, I, ni);
  const uint64_t P = (uint64_t)grid_ctx.P, n = u ? u->chunk.n : 0;
  uint64_t *count = grid_malloc(P, sizeof *count), *order = grid_malloc(n, sizeof *order);
  grid_local_indices local = {0};
  grid_chunk input, received;
  bool bad;
  grid_chunk_init(&input, t->type, n);
  grid_chunk_init(&received, t->type, 0);
  GrB_Info info =
      count && order ? GrB_SUCCESS : grid_fail_memory(NULL, "places of entries", n, sizeof *order);
  if (info == GrB_SUCCESS) info = grid_select_local_indices(&local, NULL, NULL, I, ni, w->n);
  if (u) {
    if (info == GrB_SUCCESS)
      info = grid_list_by_owner(order, NULL, count, I + grid_chunk_first(ni, grid_ctx.k), n, w->n);
    if (info == GrB_SUCCESS) info = grid_vec_gather(&input, &u->chunk, order, &bad);
    info = grid_route_chunk(&received, &input, count, info);
  }
  if (info == GrB_SUCCESS) info = grid_vec_scatter(t, s, u ? &received : NULL, local.idx, local.n, &bad);
  grid_chunk_free(&input);
  grid_chunk_free(&received);
  grid_free(local.idx);
  grid_free(order);
  grid_free(count);
  return info;
}

/* Is everything in s allowed, as far as mask goes? s keeps only that. Consumes the pattern s. */
static GrB_Info restrict_targets(grid_chunk *s, GrB_Vector mask, const grid_desc *d) {
  grid_mask m;
  grid_chunk allowed;
  grid_chunk_init(&allowed, s->type, s->n);
  GrB_Info info = grid_mask_read(&m, mask ? &mask->chunk : NULL, s->n, d->structure, d->complement);
  if (info == GrB_SUCCESS) info = grid_chunk_write(&allowed, &m, NULL, false, s, false);
  grid_chunk_swap(s, &allowed);
  grid_chunk_free(&allowed);
  grid_mask_free(&m);
  return info;
}

/* w<mask & s> = t */
static GrB_Info finish_targets(GrB_Vector w, GrB_Vector mask, const grid_desc *d, grid_chunk *t,
                               grid_chunk *s, GrB_Info info) {
  grid_mask m = {.n = w->chunk.n};
  if (info == GrB_SUCCESS) info = restrict_targets(s, mask, d);
  if (info == GrB_SUCCESS) info = grid_mask_read(&m, s, w->chunk.n, true, false);
  return grid_finish_masked(w, &m, NULL, false, t, t, false, info);
}

/* z = w, z<s> = t, w<mask, replace> = z */
static GrB_Info finish_replace(GrB_Vector w, GrB_Vector mask, const grid_desc *d, grid_chunk *t,
                               grid_chunk *s, GrB_Info info) {
  grid_mask m = {.n = w->chunk.n};
  grid_chunk z;
  grid_chunk_init(&z, w->type, w->chunk.n);
  if (info == GrB_SUCCESS) info = grid_chunk_copy(&z, &w->chunk);
  if (info == GrB_SUCCESS) info = grid_mask_read(&m, s, w->chunk.n, true, false);
  if (info == GrB_SUCCESS) info = grid_chunk_write(&z, &m, NULL, false, t, false);
  grid_mask_free(&m);
  return grid_finish_output(w, mask, NULL, d, &z, false, info);
}

/* u, or the value x when u is NULL (no value when x is NULL too). */
static GrB_Info assign_list(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const grid_desc *d,
                            GrB_Vector u, const void *x, GrB_Type type, const GrB_Index *I, uint64_t ni) {
  GrB_Info info = GrB_SUCCESS;
  bool bad = false;
  if (!I || (grid_ctx.P > 1 && !grid_shares_indices(ni)))
    info = grid_check_shared_indices(I, ni, w->n, &w->head, call);
  if (info == GrB_SUCCESS) info = grid_chunk_wait(&w->chunk);
  if (info != GrB_SUCCESS) return info;
  grid_chunk s, t = grid_reusable_chunk(w, type);
  grid_chunk_init(&s, GrB_BOOL, w->chunk.n);
  info = grid_ctx.P > 1 ? gather_values(&t, &s, w, u, I, ni)
                        : grid_vec_scatter(&t, &s, u ? &u->chunk : NULL, I, ni, &bad);
  if (bad) info = grid_check_indices(I, ni, w->n, &w->head, call);
  if (info == GrB_SUCCESS && x) info = grid_chunk_fill_pattern(&t, &s, x);
  if (accum || (s.format == GRID_FULL && !mask && !d->complement)) /* every entry of w gives way */
    info = grid_finish_output(w, mask, accum, d, &t, false, info);
  else if (d->replace && (mask || d->complement))
    info = finish_replace(w, mask, d, &t, &s, info);
  else
    info = finish_targets(w, mask, d, &t, &s, info);
  grid_chunk_free(&t);
  grid_chunk_free(&s);
  return info;
}

static GrB_Info vector_assign(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, const void *x,
                              GrB_Type type, const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc,
                              uint64_t before) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_index_list l = {0};
  TRY(grid_check_output(w, mask, accum, desc, type, call, &d));
  TRY(grid_index_list_open(&l, I, ni, w->n, &w->head, call));
  if (l.I == GrB_ALL) {
    if (u) TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
    grid_chunk one = {.n = w->chunk.n, .type = type}; /* the empty list: an empty scalar */
    if (x) one = grid_chunk_of_scalar(x, type, w->chunk.n);
    const grid_chunk *from = u ? &u->chunk : &one;
    bool sure;
    const bool piggybacked = (u || x) && grid_piggyback_is_assign(w, mask, u, accum, &d, before, &sure);
    if (piggybacked && sure) {
      info = grid_finish_infallible(w, mask, &d, from);
    } else {
      grid_begin_output(w, type, accum, GRID_OP_OTHER);
      info = grid_finish_borrowed(w, mask, accum, &d, from, GrB_SUCCESS);
    }
    if (piggybacked && info == GrB_SUCCESS) grid_piggyback_assigned(w, before);
    return info;
  }
  if (u) TRY(grid_check_size(u->n, l.n, &w->head, call, "u", "the index list"));
  info = assign_list(w, mask, accum, &d, u, x, type, l.I, l.n);
done:
  grid_index_list_close(&l);
  return info;
}

GrB_Info grid_vector_assign_value(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const void *x,
                                  GrB_Type type, const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc) {
  return vector_assign(w, mask, accum, NULL, x, type, I, ni, desc, 0);
}

static GrB_Info assign_vector(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                              const GrB_Vector u, const GrB_Index *indices, GrB_Index ni,
                              const GrB_Descriptor desc) {
  const uint64_t before = grid_calls;
  bool handled = false;
  GrB_Info info = GrB_SUCCESS;
  if (u && indices == GrB_ALL)
    info = grid_lookahead_ewise(&(grid_lookahead_ewise_call){GRID_CALL_ASSIGN, w, mask, accum, desc, .u = u},
                                &handled);
  if (handled || info != GrB_SUCCESS) return info;
  info = grid_check_uncounted(w, call, "w");
  if (info == GrB_SUCCESS) info = grid_check_uncounted_operand(u, &w->head, call, "u");
  return info != GrB_SUCCESS ? info
                             : vector_assign(w, mask, accum, u, NULL, u->type, indices, ni, desc, before);
}

GrB_Info GrB_Vector_assign(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,
                           const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(call, assign_vector(w, mask, accum, u, indices, ni, desc), w, mask, u);
}

static GrB_Info assign_value(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const void *x, GrB_Type type,
                             const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc) {
  const uint64_t before = grid_calls;
  bool handled = false;
  GrB_Info info = GrB_SUCCESS;
  if (I == GrB_ALL)
    info = grid_lookahead_ewise(
        &(grid_lookahead_ewise_call){GRID_CALL_ASSIGN, w, mask, accum, desc, .x = x, .type = type}, &handled);
  if (handled || info != GrB_SUCCESS) return info;
  return vector_assign(w, mask, accum, NULL, x, type, I, ni, desc, before);
}

#define DEFINE(P, T, C)                                                                                 \
  GrB_Info P##_Vector_assign_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, C x,    \
                                 const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc) {   \
    return GRID_TRACE_CALL_RETRY(call, assign_value(w, mask, accum, &x, P##_##T, indices, ni, desc), w, \
                                 mask);                                                                 \
  }
GRID_PREDEFINED_TYPES(DEFINE)
#undef DEFINE

GrB_Info GrB_Vector_assign_UDT(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const void *x,
                               const GrB_Index *indices, GrB_Index ni, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_uncounted(w, call, "w");
  if (info == GrB_SUCCESS && !x) info = grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (info == GrB_SUCCESS) info = grid_check_user_type(w->type, &w->head, call);
  if (info != GrB_SUCCESS) return info;
  return GRID_TRACE_CALL_RETRY(call, vector_assign(w, mask, accum, NULL, x, w->type, indices, ni, desc, 0), w,
                               mask);
}

GrB_Info GrB_Vector_assign_Scalar(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                  const GrB_Scalar x, const GrB_Index *indices, GrB_Index ni,
                                  const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_uncounted(w, call, "w");
  if (info == GrB_SUCCESS) info = grid_check_scalar(x, &w->head, call, "x");
  if (info != GrB_SUCCESS) return info;
  return GRID_TRACE_CALL_RETRY(
      call, vector_assign(w, mask, accum, NULL, x->present ? x->val : NULL, x->type, indices, ni, desc, 0), w,
      mask, x);
}
