/* GrB_extract along a list that is a vector, each process with its chunk of it: t(k) =
 * u(where(k)), and its opposite, t(where(k)) = u(k). To gather on one machine, processes write u to shared
 * memory and read what their lists name. Elsewhere, and for short lists, a process requests the entries of u
 * that its list names, and their owners reply in the order of the requests. To scatter, it sends entries to
 * the owners of their targets.
 */
#include "dist/op/vector_gather.h"

#include "dist/object/device_retry.h"
#include "dist/vector/shm_view.h"
#include "spmat/device/device.h"

static const char gather_call[] = "Grid_Vector_gather", scatter_call[] = "Grid_Vector_scatter";

/* The local entries of `where`: their places in the chunk, and the indices of u that they name. */
typedef struct {
  uint64_t n, *at, *index;
  bool borrows_index; /* of the chunk; never changed then, as there are no places */
} local_list;

static void local_list_free(local_list *l) {
  grid_free(l->at);
  if (!l->borrows_index) grid_free(l->index);
}

/* Are c's values the indices as a list holds them, and do they stay where they are? With the device on, a
 * gather of u moves u there, which may be the list. */
static bool is_index_array(const grid_chunk *c) {
  return c->format == GRID_FULL && !c->iso && !c->device && !grid_device_is_on() &&
         (c->type == GrB_UINT64 || c->type == GrB_INT64);
}

/* To be freed, also after an error; indices are below n. at: with the places. */
static GrB_Info load_list(local_list *l, GrB_Vector where, bool at, uint64_t n, GrB_Vector w,
                          const char *call) {
  const uint64_t m = where->chunk.nvals;
  const bool borrow = !at && is_index_array(&where->chunk);
  *l = (local_list){m, at ? grid_malloc(m, sizeof *l->at) : NULL,
                    borrow ? where->chunk.val : grid_malloc(m, sizeof *l->index), borrow};
  if ((at && !l->at) || !l->index) return grid_fail_memory(NULL, "indices to gather", m, 2 * sizeof *l->at);
  GrB_Info info = borrow ? GrB_SUCCESS : grid_vec_tuples(l->at, l->index, GrB_UINT64, &where->chunk, 0);
  if (info == GrB_SUCCESS && m) info = grid_check_indices(l->index, m, n, &w->head, call);
  return info;
}

/* (*received)[k] = the number of indices that process k requests from this one. */
static GrB_Info exchange_counts(const uint64_t *count, uint64_t **received) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t *one = grid_malloc(P, sizeof *one), n;
  GrB_Info info = grid_agree(NULL, one ? GrB_SUCCESS : grid_fail_memory(NULL, "counts", P, sizeof *one));
  for (uint64_t r = 0; info == GrB_SUCCESS && r < P; r++) one[r] = 1;
  if (info == GrB_SUCCESS) info = grid_exchange_elements(count, one, sizeof *count, (void **)received, &n);
  grid_free(one);
  return info;
}

typedef struct {
  uint64_t *count, *position,
      *sorted; /* to each process; of the list's indices in `sorted`, which is local */
} requests;

static GrB_Info allocate_requests(requests *q, const local_list *l) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  *q = (requests){grid_calloc(P, sizeof *q->count), grid_malloc(l->n, sizeof *q->position),
                  grid_malloc(l->n, sizeof *q->sorted)};
  return q->count && q->position && q->sorted
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "indices to send", l->n, 2 * sizeof *q->position);
}

static void free_requests(requests *q) {
  grid_free(q->count);
  grid_free(q->position);
  grid_free(q->sorted);
}

/* r(k) = u(index[k]) from the owners. A process without memory requests nothing. */
static GrB_Info request_elements(grid_chunk *r, GrB_Vector u, const local_list *l, const requests *q) {
  uint64_t *requested = NULL, *requested_count = NULL, n = 0;
  grid_chunk input, received;
  bool bad;
  grid_chunk_init(&input, u->type, 0);
  grid_chunk_init(&received, u->type, l->n);
  const GrB_Info sorted = grid_list_by_owner(NULL, q->position, q->count, l->index, l->n, u->n);
  for (uint64_t k = 0; sorted == GrB_SUCCESS && k < l->n; k++)
    grid_owner(u->n, l->index[k], &q->sorted[q->position[k]]);
  GrB_Info info = grid_exchange_elements(q->sorted, q->count, sizeof *q->sorted, (void **)&requested, &n);
  TRY(info);
  TRY(exchange_counts(q->count, &requested_count));
  input.n = n;
  info = sorted == GrB_SUCCESS ? grid_vec_gather(&input, &u->chunk, requested, &bad) : sorted;
  TRY(grid_route_chunk(&received, &input, requested_count, info));
  info = grid_vec_gather(r, &received, q->position, &bad);
done:
  grid_chunk_free(&input);
  grid_chunk_free(&received);
  grid_free(requested);
  grid_free(requested_count);
  return info;
}

/* A process reads and clears a bit for each index of u before it reads a view. Requests cost about this
 * many times as much for each index of a list. */
enum { REQUEST_COST = 32 };

/* r(k) = u(index[k]) on several processes; info: the outcome so far. On one machine each reads the values
 * where their owners have written them, unless the lists are short. */
static GrB_Info gather_elements(grid_chunk *r, GrB_Vector u, const local_list *l, GrB_Info info) {
  uint64_t named = l->n;
  requests q;
  grid_chunk whole;
  bool bad;
  const GrB_Info allocated = allocate_requests(&q, l);
  TRY(grid_agree_sum(NULL, info == GrB_SUCCESS ? allocated : info, &named, 1));
  info = named >= u->n / REQUEST_COST && grid_shm_view_vector(&whole, u)
             ? grid_vec_gather(r, &whole, l->index, &bad)
             : request_elements(r, u, l, &q);
done:
  free_requests(&q);
  return info;
}

/* t(at[k]) = r(k) where r has an entry. */
static GrB_Info scatter_replies(grid_chunk *t, const grid_chunk *r, const local_list *l) {
  const uint64_t n = r->nvals;
  uint64_t *k = grid_malloc(n, sizeof *k), where;
  void *x = grid_malloc(n, r->type->size);
  GrB_Info info = k && x ? GrB_SUCCESS : grid_fail_memory(NULL, "gathered entries", n, r->type->size + 8);
  if (info == GrB_SUCCESS) info = grid_vec_tuples(k, x, r->type, r, 0);
  for (uint64_t e = 0; info == GrB_SUCCESS && e < n; e++) k[e] = l->at[k[e]];
  if (info == GrB_SUCCESS) info = grid_vec_build(t, k, x, r->type, 1, n, (grid_dup){.last = true}, &where);
  grid_free(k);
  grid_free(x);
  return info;
}

static GrB_Info gather_lists(grid_chunk *t, GrB_Vector u, GrB_Vector where, GrB_Vector w) {
  local_list l;
  grid_chunk present;
  bool bad;
  const bool all = where->chunk.nvals == where->chunk.n; /* t has a place for each, and no other */
  GrB_Info info = load_list(&l, where, !all, u->n, w, gather_call);
  grid_chunk_init(&present, u->type, l.n);
  grid_chunk *r = all ? t : &present;
  if (grid_ctx.P > 1)
    info = gather_elements(r, u, &l, info);
  else if (info == GrB_SUCCESS)
    info = grid_vec_gather(r, &u->chunk, l.index, &bad);
  if (info == GrB_SUCCESS && !all) info = scatter_replies(t, r, &l);
  grid_chunk_free(&present);
  local_list_free(&l);
  return info;
}

/* What both calls begin with; `along` is as long as where. */
static GrB_Info check(GrB_Vector w, GrB_Vector u, GrB_Vector where, GrB_Vector along, const char *name,
                      const char *call) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_operand(u, &w->head, call, "u"));
  TRY(grid_check_operand(where, &w->head, call, "where"));
  TRY(grid_check_size(where->n, along->n, &w->head, call, "where", name));
  info = grid_check_integers(where, &w->head, call, "where");
done:
  return info;
}

/* On the devices of several processes. */
static GrB_Info gather_remote(grid_chunk *t, GrB_Vector u, GrB_Vector where, bool *bad) {
  GrB_Info info = grid_device_is_on() ? grid_gather_device(t, u, where, bad) : GRID_UNSUPPORTED;
  if (grid_device_is_on() && info == GRID_UNSUPPORTED) grid_report_fallback("gather along a vector");
  return info;
}

static GrB_Info scatter_remote(grid_chunk *t, GrB_Vector u, GrB_Vector where, GrB_BinaryOp dup, uint64_t n,
                               bool *bad) {
  GrB_Info info = grid_device_is_on() ? grid_scatter_device(t, n, u, where, dup, bad) : GRID_UNSUPPORTED;
  if (grid_device_is_on() && info == GRID_UNSUPPORTED) grid_report_fallback("scatter along a vector");
  return info;
}

static GrB_Info gather(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector where,
                       GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  bool bad = false;
  grid_desc d;
  TRY(check(w, u, where, w, "w", gather_call));
  TRY(grid_check_output(w, mask, accum, desc, u->type, gather_call, &d));
  grid_chunk t = grid_reusable_chunk(w, u->type);
  info = grid_ctx.P > 1 ? gather_remote(&t, u, where, &bad)
                        : grid_vec_gather_along(&t, &u->chunk, &where->chunk, &bad);
  if (info == GRID_UNSUPPORTED || bad) info = gather_lists(&t, u, where, w);
  return grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}

GrB_Info Grid_Vector_gather(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector where,
                            GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(gather_call, gather(w, mask, accum, u, where, desc), w, mask, u, where);
}

/* ---- the opposite -------------------------------------------------------------------------------------- */

/* Do u and v have entries at the same indices? False where the answer would take more than a comparison. */
static bool is_same_pattern(const grid_chunk *u, const grid_chunk *v) {
  if (u->device || v->device || u->format != v->format || u->nvals != v->nvals) return false;
  if (u->format == GRID_FULL || u->nvals == 0) return true; /* there may be no arrays */
  if (u->format == GRID_LIST) return memcmp(u->idx, v->idx, u->nvals * sizeof *u->idx) == 0;
  return memcmp(u->bits, v->bits, grid_words(u->n) * sizeof *u->bits) == 0;
}

/* Values to scatter: x[k * step], where step is 0 or 1. */
typedef struct {
  const void *x;
  size_t step;
  void *owned; /* to be freed */
} value_list;

static GrB_Info copy_values(value_list *v, uint64_t *at, const grid_chunk *u) {
  v->x = v->owned = grid_malloc(u->nvals, u->type->size), v->step = 1;
  if (!v->owned) return grid_fail_memory(NULL, "values to scatter", u->nvals, u->type->size);
  return grid_vec_tuples(at, v->owned, u->type, u, 0);
}

/* The list's indices and u's values where both have an entry. The list has no places if that is everywhere,
 * else its order changes. */
static GrB_Info load_values(value_list *v, local_list *l, const grid_chunk *u) {
  grid_chunk r;
  GrB_Info info = GrB_SUCCESS;
  bool bad;
  if (!l->at && (u->format != GRID_BITMAP || u->iso)) {
    *v = (value_list){.x = u->val, .step = !u->iso};
    return info;
  }
  if (!l->at) return copy_values(v, NULL, u);
  grid_chunk_init(&r, u->type, l->n);
  TRY(grid_vec_gather(&r, u, l->at, &bad));
  l->n = r.nvals;
  TRY(copy_values(v, l->at, &r)); /* `at`: numbers in the list now */
  for (uint64_t k = 0; k < l->n; k++) l->index[k] = l->index[l->at[k]];
done:
  grid_chunk_free(&r);
  return info;
}

static GrB_Info scatter_lists(grid_chunk *t, GrB_Vector u, GrB_Vector where, GrB_BinaryOp dup, GrB_Vector w) {
  local_list l;
  grid_routed_entries in = {0};
  value_list v = {0};
  uint64_t twice;
  const bool same = is_same_pattern(&u->chunk, &where->chunk);
  GrB_Info info = load_list(&l, where, !same, w->n, w, scatter_call);
  if (info == GrB_SUCCESS) info = load_values(&v, &l, &u->chunk);
  if (grid_ctx.P == 1) {
    TRY(info);
    info = grid_vec_build(t, l.index, v.x, u->type, v.step, l.n, (grid_dup){.dup = dup}, &twice);
  } else {
    TRY(grid_route(&in, info == GrB_SUCCESS ? l.n : 0, l.index, v.x, v.step, u->type->size, w->n, info));
    info = grid_vec_build(t, in.idx, in.val, u->type, 1, in.n, (grid_dup){.dup = dup}, &twice);
  }
  if (info == GrB_INVALID_VALUE)
    grid_fail(NULL, info, "%s: index %llu occurs more than once, and dup is NULL", scatter_call,
              (unsigned long long)(grid_chunk_first(w->n, grid_ctx.k) + twice));
done:
  grid_routed_entries_free(&in);
  local_list_free(&l);
  grid_free(v.owned);
  return info;
}

static GrB_Info check_dup(GrB_Vector w, GrB_Vector u, GrB_BinaryOp dup) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_binary(dup, &w->head, scatter_call, "dup"));
  if (dup->x != dup->z || dup->y != dup->z)
    return grid_fail(&w->head, GrB_DOMAIN_MISMATCH,
                     "%s: dup takes %s and %s and gives %s; it must have one type", scatter_call,
                     dup->x->name, dup->y->name, dup->z->name);
  TRY(grid_check_cast(dup->x, u->type, &w->head, scatter_call, "u", "dup"));
done:
  return info;
}

static GrB_Info scatter(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp dup, GrB_Vector u,
                        GrB_Vector where, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  bool bad = false;
  grid_desc d;
  TRY(check(w, u, where, u, "u", scatter_call));
  if (dup) TRY(check_dup(w, u, dup));
  const GrB_Type type = dup ? dup->z : u->type;
  TRY(grid_check_output(w, mask, accum, desc, type, scatter_call, &d));
  grid_chunk t = grid_reusable_chunk(w, type);
  info = grid_ctx.P > 1 ? scatter_remote(&t, u, where, dup, w->n, &bad)
                        : grid_vec_combine_along(&t, &u->chunk, &where->chunk, dup, &bad);
  if (info == GRID_UNSUPPORTED || bad) info = scatter_lists(&t, u, where, dup, w);
  return grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}

GrB_Info Grid_Vector_scatter(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp dup,
                             GrB_Vector u, GrB_Vector where, GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(scatter_call, scatter(w, mask, accum, dup, u, where, desc), w, mask, u, where);
}
