/* gather.c: GrB_extract along a list that is a vector, each process with its chunk of it: t(k) = u(where(k)).
 * A process asks the owners of u's entries for those its list names, and they answer in the order asked. */
#include "dist/object/index_list.h"

static const char call[] = "Grid_Vector_gather";

/* The own entries of `where`: their places in the chunk, and the indices of u that they name. */
typedef struct {
  uint64_t n, *at, *index;
} own_list;

static GrB_Info take_list(own_list *l, GrB_Vector where, GrB_Vector u, GrB_Vector w) {
  const uint64_t n = where->chunk.nvals;
  *l = (own_list){n, grid_malloc(n, sizeof *l->at), grid_malloc(n, sizeof *l->index)};
  if (!l->at || !l->index) return grid_fail_memory(NULL, "indices to gather", n, 2 * sizeof *l->at);
  GrB_Info info = grid_vec_tuples(l->at, l->index, GrB_UINT64, &where->chunk, 0);
  if (info == GrB_SUCCESS && n) info = grid_check_indices(l->index, n, u->n, &w->head, call);
  return info;
}

/* Who asked this process for how much: each tells each. */
static GrB_Info tell_counts(const uint64_t *count, uint64_t **came) {
  const uint64_t P = (uint64_t)grid_here.P;
  uint64_t *one = grid_malloc(P, sizeof *one), n;
  GrB_Info info = grid_agree(NULL, one ? GrB_SUCCESS : grid_fail_memory(NULL, "counts", P, sizeof *one));
  for (uint64_t r = 0; info == GrB_SUCCESS && r < P; r++) one[r] = 1;
  if (info == GrB_SUCCESS) info = grid_exchange_elements(count, one, sizeof *count, (void **)came, &n);
  grid_free(one);
  return info;
}

/* r(k) = u(index[k]) on several processes; info: the outcome so far. */
static GrB_Info ask(grid_chunk *r, GrB_Vector u, const own_list *l, GrB_Info info) {
  const uint64_t P = (uint64_t)grid_here.P;
  uint64_t *count = grid_malloc(P, sizeof *count), *place = grid_malloc(l->n, sizeof *place),
           *sorted = grid_malloc(l->n, sizeof *sorted), *asked = NULL, *asked_count = NULL, n = 0;
  grid_chunk given, came;
  bool bad;
  grid_chunk_init(&given, u->type, 0);
  grid_chunk_init(&came, u->type, l->n);
  if (info == GrB_SUCCESS && (!count || !place || !sorted))
    info = grid_fail_memory(NULL, "indices to send", l->n, 2 * sizeof *place);
  if (info == GrB_SUCCESS) info = grid_list_by_owner(NULL, place, count, l->index, l->n, u->n);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < l->n; k++) grid_owner(u->n, l->index[k], &sorted[place[k]]);
  TRY(grid_agree(NULL, info));
  TRY(grid_exchange_elements(sorted, count, sizeof *sorted, (void **)&asked, &n));
  TRY(tell_counts(count, &asked_count));
  given.n = n;
  info = grid_vec_gather(&given, &u->chunk, asked, &bad);
  TRY(grid_route_chunk(&came, &given, asked_count, info));
  info = grid_vec_gather(r, &came, place, &bad);
done:
  grid_chunk_free(&given);
  grid_chunk_free(&came);
  grid_free(count);
  grid_free(place);
  grid_free(sorted);
  grid_free(asked);
  grid_free(asked_count);
  return info;
}

/* t(at[k]) = r(k) where r has an entry. */
static GrB_Info spread(grid_chunk *t, const grid_chunk *r, const own_list *l) {
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

static GrB_Info gather(grid_chunk *t, GrB_Vector u, GrB_Vector where, GrB_Vector w) {
  own_list l;
  grid_chunk some;
  bool bad;
  GrB_Info info = take_list(&l, where, u, w);
  const bool all = where->chunk.nvals == where->chunk.n; /* t has a place for each, and no other */
  grid_chunk_init(&some, u->type, l.n);
  grid_chunk *r = all ? t : &some;
  if (grid_here.P > 1)
    info = ask(r, u, &l, info);
  else if (info == GrB_SUCCESS)
    info = grid_vec_gather(r, &u->chunk, l.index, &bad);
  if (info == GrB_SUCCESS && !all) info = spread(t, r, &l);
  grid_chunk_free(&some);
  grid_free(l.at);
  grid_free(l.index);
  return info;
}

GrB_Info Grid_Vector_gather(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector where,
                            GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_check_object(where, &w->head, call, "where"));
  TRY(grid_check_output(w, mask, accum, desc, u->type, call, &d));
  TRY(grid_check_size(where->n, w->n, &w->head, call, "where", "w"));
  const int code = where->type->code;
  if (code == GRID_T_UDT || code == GRID_T_FP32 || code == GRID_T_FP64 || code == GRID_T_BOOL)
    return grid_fail(&w->head, GrB_DOMAIN_MISMATCH, "%s: where has the type %s; indices are integers", call,
                     where->type->name);
  grid_chunk t = grid_spare_chunk(w, u->type);
  info = gather(&t, u, where, w);
  return grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}
