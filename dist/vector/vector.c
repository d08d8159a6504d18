/* GrB_Vector: life cycle, size and single elements. */
#include <string.h>

#include "dist/grid/hooks.h"
#include "dist/object/device_retry.h"
#include "dist/vector/shm_view.h"
#include "gridblas_gxb_operations.h"
#include "spmat/device/device.h"

/* ---- life cycle ---- */

GrB_Info grid_vector_alloc(GrB_Vector *v, GrB_Type type, uint64_t n) {
  GrB_Vector w = grid_calloc(1, sizeof *w);
  *v = w;
  if (!w) return grid_fail_memory(NULL, "GrB_Vector", 1, sizeof *w);
  w->head.magic = GRID_MAGIC, w->head.kind = GRID_IS_VECTOR;
  w->type = type, w->n = n, w->orientation = GrB_COLMAJOR;
  w->options = grid_options_of_new(n, 1);
  grid_chunk_init(&w->chunk, type, grid_chunk_length(n, grid_ctx.k));
  grid_chunk_init(&w->reusable, type, w->chunk.n);
  grid_live_add(GRID_VECTORS, &w->live, w);
  return GrB_SUCCESS;
}

void grid_vector_release(GrB_Vector v) {
  if (!v) return;
  grid_live_remove(&v->live);
  grid_pending_free(&v->pending);
  grid_chunk_free(&v->chunk);
  grid_chunk_free(&v->reusable);
  if (v->read_cache.copied) grid_chunk_free(&v->read_cache.all);
  grid_head_end(&v->head);
  grid_free(v);
}

static GrB_Info check_new(const void *v, GrB_Index n, const char *call) {
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!v) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument v is NULL", call);
  if (n > GrB_INDEX_MAX + 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: size %llu is more than 2^60", call, (unsigned long long)n);
  return GrB_SUCCESS;
}

GrB_Info GrB_Vector_new(GrB_Vector *v, GrB_Type type, GrB_Index n) {
  GRID_CALL_SCOPE;
  GrB_Info info = check_new(v, n, "GrB_Vector_new");
  GrB_Vector w = NULL;
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_object(type, NULL, "GrB_Vector_new", "type"));
  TRY(grid_agree(NULL, grid_vector_alloc(&w, type, n)));
  *v = w, w = NULL;
done:
  grid_vector_release(w);
  return info;
}

static GrB_Info duplicate(GrB_Vector *v, const GrB_Vector u) {
  GrB_Info info = check_new(v, 1, "GrB_Vector_dup");
  GrB_Vector w = NULL;
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_vector(u, "GrB_Vector_dup", "u"));
  info = grid_vector_alloc(&w, u->type, u->n);
  if (info == GrB_SUCCESS) info = grid_chunk_copy(&w->chunk, &u->chunk);
  TRY(grid_agree(NULL, info));
  w->options = u->options;
  *v = w, w = NULL;
done:
  grid_vector_release(w);
  return info;
}

GrB_Info GrB_Vector_dup(GrB_Vector *v, const GrB_Vector u) {
  return GRID_TRACE_CALL_RETRY("GrB_Vector_dup", duplicate(v, u), *v, u);
}

GrB_Info GrB_Vector_free(GrB_Vector *v) {
  GRID_CALL_SCOPE;
  if (!v || !*v) return GrB_SUCCESS;
  if (grid_is_live(*v)) {
    const GrB_Info info = grid_check_object(*v, NULL, "GrB_Vector_free", "v");
    if (info != GrB_SUCCESS) return info;
    grid_lookahead->release(*v);
    grid_vector_release(*v);
    grid_calls++; /* invalidates cached reads of it */
  }
  *v = NULL;
  return GrB_SUCCESS;
}

static GrB_Info wait_vector(GrB_Vector v, GrB_WaitMode mode) {
  GrB_Info info = v ? grid_check_initialized("GrB_Vector_wait") : GrB_SUCCESS; /* ends a lookahead */
  if (info == GrB_SUCCESS) info = grid_wait_object(v, mode, "GrB_Vector_wait");
  if (info == GrB_SUCCESS) info = grid_vector_resolve(v);
  return info == GrB_SUCCESS && v->chunk.device ? grid_device_wait() : info;
}

GrB_Info GrB_Vector_wait(GrB_Vector v, GrB_WaitMode mode) {
  return GRID_TRACE_CALL("GrB_Vector_wait", wait_vector(v, mode), v);
}

GrB_Info GrB_Vector_error(const char **text, const GrB_Vector v) {
  return grid_error_of_object(text, v, "GrB_Vector_error");
}

/* ---- size ---------------------------------------------------------------------------------------------- */

/* Keeps the arrays: a cleared vector is usually filled again. */
GrB_Info GrB_Vector_clear(GrB_Vector v) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_vector(v, "GrB_Vector_clear", "v");
  if (info == GrB_SUCCESS) grid_chunk_empty(&v->chunk);
  return info;
}

GrB_Info GrB_Vector_size(GrB_Index *n, const GrB_Vector v) {
  static const char call[] = "GrB_Vector_size";
  GrB_Info info = grid_check_local(v, call, "v");
  if (info != GrB_SUCCESS) return info;
  if (!n) return grid_fail(&v->head, GrB_NULL_POINTER, "%s: argument n is NULL", call);
  *n = v->n;
  return GrB_SUCCESS;
}

GrB_Info grid_vector_count(uint64_t *nvals, GrB_Vector v) {
  GrB_Info info = grid_chunk_wait(&v->chunk);
  *nvals = v->chunk.nvals;
  return grid_agree_sum(&v->head, info, nvals, 1);
}

static GrB_Info count(GrB_Index *nvals, const GrB_Vector v) {
  bool handled;
  GrB_Info info = grid_lookahead->nvals(nvals, v, &handled);
  if (handled || info != GrB_SUCCESS) return info;
  info = grid_check_single("GrB_Vector_nvals"); /* a count changes nothing */
  if (info == GrB_SUCCESS) info = grid_check_operand(v, NULL, "GrB_Vector_nvals", "v");
  if (info != GrB_SUCCESS) return info;
  if (!nvals) return grid_fail(&v->head, GrB_NULL_POINTER, "GrB_Vector_nvals: argument nvals is NULL");
  if (grid_is_one_host_process()) {
    *nvals = v->chunk.nvals;
    return info;
  }
  if (v->read_cache.counted != grid_calls || grid_device_is_on()) {
    if ((info = grid_vector_count(&v->read_cache.nvals, v)) != GrB_SUCCESS) return info;
    v->read_cache.counted = grid_calls;
  }
  *nvals = v->read_cache.nvals;
  return info;
}

GrB_Info GrB_Vector_nvals(GrB_Index *nvals, const GrB_Vector v) {
  if (grid_is_one_host_process() && grid_burble == GRID_QUIET) return count(nvals, v);
  return GRID_TRACE_CALL("GrB_Vector_nvals", count(nvals, v), v);
}

/* Longer vectors are lists, which the device does not support. */
#define GRID_RESIZE_DEVICE_MAX UINT32_MAX

/* On one process entries keep their positions. */
static GrB_Info resize_single_process(GrB_Vector v, GrB_Index n) {
  GrB_Info info = grid_chunk_resize(&v->chunk, grid_chunk_length(n, grid_ctx.k));
  if ((info = grid_agree(&v->head, info)) != GrB_SUCCESS) return info;
  v->n = n;
  grid_chunk_free(&v->reusable);
  grid_chunk_init(&v->reusable, v->type, v->chunk.n);
  return info;
}

/* Fills t with the first `have` indices of a dense view. */
static GrB_Info copy_prefix(grid_chunk *t, const uint64_t *bits, const char *val, uint64_t have) {
  GrB_Info info = grid_chunk_reserve_dense(t, false);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t w = 0; w < grid_words(t->n); w++)
    t->bits[w] = w < grid_words(have) ? bits[w] & grid_tail(have, w) : 0;
  t->nvals = grid_count_bits(t->bits, grid_words(t->n));
  t->format = GRID_BITMAP;
  memcpy(t->val, val, have * t->type->size);
  return grid_chunk_choose_format(t);
}

/* The same as a list, which needs no memory of t's length. */
static GrB_Info list_view(grid_chunk *t, const uint64_t *bits, const char *val, uint64_t have) {
  const size_t size = t->type->size;
  uint64_t n = 0;
  for (uint64_t w = 0; w < grid_words(have); w++)
    n += (uint64_t)__builtin_popcountll(bits[w] & grid_tail(have, w));
  GrB_Info info = grid_chunk_reserve_list(t, n, false);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t w = 0; w < grid_words(have); w++)
    for (uint64_t left = bits[w] & grid_tail(have, w); left; left &= left - 1) {
      const uint64_t i = 64 * w + (uint64_t)__builtin_ctzll(left);
      t->idx[t->nvals] = i;
      memcpy((char *)t->val + t->nvals++ * size, val + i * size, size);
    }
  t->format = GRID_LIST;
  return GrB_SUCCESS;
}

/* Chunk boundaries move: each process copies its new chunk from the shared view. */
static GrB_Info resize_from_view(GrB_Vector v, GrB_Index n, const grid_chunk *whole, grid_chunk *t) {
  const uint64_t first = grid_chunk_first(n, grid_ctx.k);
  if (t->n == 0 || whole->nvals == 0 || first >= whole->n) return GrB_SUCCESS;
  const uint64_t have = whole->n - first < t->n ? whole->n - first : t->n;
  const bool is_short = have < t->n / GRID_LIST_SHARE; /* then a list is the right format, whatever the
                                                        * number of entries */
  return (is_short ? list_view : copy_prefix)(t, whole->bits + first / 64,
                                              (const char *)whole->val + first * v->type->size, have);
}

/* Chunk boundaries move, so entries may change owners. They are received in ascending order. */
static GrB_Info resize(GrB_Vector v, GrB_Index n) {
  GrB_Info info = grid_check_vector(v, "GrB_Vector_resize", "v");
  if (info == GrB_SUCCESS) info = check_new(&v, n, "GrB_Vector_resize");
  if (info != GrB_SUCCESS || n == v->n) return info;
  if (grid_ctx.P == 1 && (!v->chunk.device || n <= GRID_RESIZE_DEVICE_MAX))
    return resize_single_process(v, n);
  const uint64_t first = grid_chunk_first(v->n, grid_ctx.k), nvals = v->chunk.nvals;
  const size_t size = v->type->size;
  grid_routed_entries in = {0};
  grid_chunk t, whole;
  uint64_t where, kept = 0, *idx = NULL;
  char *val = NULL;
  grid_chunk_init(&t, v->type, grid_chunk_length(n, grid_ctx.k));
  if (grid_shm_view_vector(&whole, v)) {
    TRY(grid_agree(&v->head, resize_from_view(v, n, &whole, &t)));
    goto moved;
  }
  idx = grid_malloc(nvals, sizeof *idx);
  val = grid_malloc(nvals, size);
  if (!idx || !val) {
    info = grid_fail_memory(NULL, "entries of a resized vector", nvals, sizeof *idx + size);
  } else {
    info = grid_vec_tuples(idx, val, v->type, &v->chunk, first);
    while (info == GrB_SUCCESS && kept < nvals && idx[kept] < n) kept++;
  }
  TRY(grid_route(&in, kept, idx, val, 1, size, n, info));
  TRY(grid_agree(&v->head, grid_vec_build(&t, in.idx, in.val, v->type, 1, in.n, (grid_dup){0}, &where)));
moved:
  v->n = n;
  grid_chunk_swap(&v->chunk, &t);
  grid_chunk_free(&v->reusable);
  grid_chunk_init(&v->reusable, v->type, v->chunk.n);
done:
  grid_free(idx);
  grid_free(val);
  grid_routed_entries_free(&in);
  grid_chunk_free(&t);
  return info;
}

GrB_Info GrB_Vector_resize(GrB_Vector v, GrB_Index n) {
  return GRID_TRACE_CALL("GrB_Vector_resize", resize(v, n), v);
}

/* ---- elements ------------------------------------------------------------------------------------------ */

static GrB_Info check_element(GrB_Vector w, GrB_Index i, const char *call, const char *what) {
  GrB_Info info = grid_check_single(call);
  if (info == GrB_SUCCESS) info = grid_check_object(w, NULL, call, what);
  if (info != GrB_SUCCESS || i < w->n) return info;
  return grid_fail(&w->head, GrB_INVALID_INDEX, "%s: index %llu is not below %s's size %llu", call,
                   (unsigned long long)i, what, (unsigned long long)w->n);
}

static bool is_local(const GrB_Vector v, GrB_Index i, uint64_t *local) {
  *local = i - grid_chunk_first(v->n, grid_ctx.k);
  return grid_chunk_of(v->n, i) == grid_ctx.k;
}

GrB_Info grid_vector_set(GrB_Vector w, const void *x, GrB_Type xtype, GrB_Index i) {
  grid_any_value cast;
  const grid_copier c = grid_copier_bind(w->type, xtype);
  if (c.cast) c.cast(&cast, x, w->type->size), x = &cast;
  return grid_vector_change(w, x, i);
}

static GrB_Info set_element(GrB_Vector w, const void *x, GrB_Type xtype, GrB_Index i) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  static const char call[] = "GrB_Vector_setElement";
  GrB_Info info = check_element(w, i, call, "w");
  if (info != GrB_SUCCESS) return info;
  if (!x) return grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (!xtype) TRY(grid_check_user_type(xtype = w->type, &w->head, call));
  TRY(grid_check_cast(w->type, xtype, &w->head, call, "x", "w"));
  info = grid_vector_set(w, x, xtype, i);
done:
  return info;
}

#define DEFINE_AS(P, T, C)                                             \
  GrB_Info P##_Vector_setElement_##T(GrB_Vector w, C x, GrB_Index i) { \
    return set_element(w, &x, P##_##T, i);                             \
  }
#define DEFINE(T, C)         DEFINE_AS(GrB, T, C)
#define DEFINE_COMPLEX(T, C) DEFINE_AS(GxB, T, C)
GRID_TYPES(DEFINE)
GRID_COMPLEX_TYPES(DEFINE_COMPLEX)
#undef DEFINE_AS
#undef DEFINE
#undef DEFINE_COMPLEX
GrB_Info GrB_Vector_setElement_UDT(GrB_Vector w, const void *x, GrB_Index i) {
  return set_element(w, x, NULL, i);
}

GrB_Info GrB_Vector_setElement_Scalar(GrB_Vector w, const GrB_Scalar s, GrB_Index i) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  static const char call[] = "GrB_Vector_setElement";
  GrB_Info info = check_element(w, i, call, "w");
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_scalar(s, &w->head, call, "s"));
  TRY(grid_check_cast(w->type, s->type, &w->head, call, "s", "w"));
  info = s->present ? grid_vector_set(w, s->val, s->type, i) : GrB_Vector_removeElement(w, i);
done:
  return info;
}

GrB_Info GrB_Vector_removeElement(GrB_Vector w, GrB_Index i) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  GrB_Info info = check_element(w, i, "GrB_Vector_removeElement", "w");
  return info == GrB_SUCCESS ? grid_vector_change(w, NULL, i) : info;
}

/* A replicated element: 8 bytes of state, then the value. */
enum { ELEMENT_ABSENT, PRESENT, ELEMENT_FAILED };

/* Looks among the pending changes, which are the same on all processes. */
static GrB_Info find_pending(GrB_Vector v, GrB_Index i, char *buf, bool *pending) {
  const void *x;
  GrB_Info info = grid_pending_find(&v->pending, &v->head, v->type->size, i, 0, pending, &x);
  const uint64_t what = x ? PRESENT : ELEMENT_ABSENT;
  if (info != GrB_SUCCESS || !*pending) return info;
  memcpy(buf, &what, sizeof what);
  if (x) memcpy(buf + sizeof what, x, v->type->size);
  return info;
}

/* A program that reads many elements without changes, as many as cost as much as copying the vector, gets
 * a replica of it. *all: the replica exists. */
static GrB_Info replicate_for_reads(GrB_Vector v, bool *all) {
  enum { A_MESSAGE = 1 << 13 }; /* a message takes as long as copying so many bytes */
  grid_read_cache *k = &v->read_cache;
  grid_chunk whole;
  GrB_Info info = GrB_SUCCESS;
  if (k->read != grid_calls) {
    if (k->copied) grid_chunk_free(&k->all);
    k->read = grid_calls;
    k->reads = 0;
    k->copied = k->refused = false;
  }
  *all = k->copied;
  if (k->copied || k->refused || ++k->reads < 8 + v->n / A_MESSAGE * v->type->size) return info;
  k->refused = true;
  if (!grid_shm_view_vector(&whole, v)) return info;
  grid_chunk_init(&k->all, v->type, v->n);
  info = grid_agree(&v->head, grid_chunk_copy(&k->all, &whole));
  k->copied = *all = info == GrB_SUCCESS;
  if (info != GrB_SUCCESS) grid_chunk_free(&k->all);
  return info;
}

static GrB_Info bcast_element(GrB_Vector v, GrB_Index i, char *buf) {
  GrB_Info info = GrB_SUCCESS;
  const void *x;
  uint64_t local, what = ELEMENT_ABSENT;
  bool present = false, pending, all = false;
  TRY(find_pending(v, i, buf, &pending));
  if (pending) return info;
  if (grid_ctx.P > 1 && !grid_device_is_on()) TRY(replicate_for_reads(v, &all));
  if (all)
    info = grid_chunk_read_element(&v->read_cache.all, i, &present, &x);
  else if (is_local(v, i, &local))
    info = grid_chunk_read_element(&v->chunk, local, &present, &x);
  if (info != GrB_SUCCESS)
    what = ELEMENT_FAILED;
  else if (present)
    what = PRESENT;
  memcpy(buf, &what, sizeof what);
  if (what == PRESENT)
    memcpy(buf + sizeof what, x, v->type->size);
  else
    memset(buf + sizeof what, 0, v->type->size);
  if (all) return info;
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, buf, sizeof what + v->type->size, grid_chunk_of(v->n, i)));
  memcpy(&what, buf, sizeof what);
  if (what == ELEMENT_FAILED)
    info = grid_fail(&v->head, GrB_PANIC, "process %d cannot read the element from its device",
                     grid_chunk_of(v->n, i));
done:
  return info;
}

/* x, or s if x is NULL, = v(i). */
/* Into s or, without one, x, which may be NULL. */
static GrB_Info read_element(void *x, GrB_Type xtype, GrB_Scalar s, GrB_Vector v, GrB_Index i) {
  GrB_Info info = GrB_SUCCESS;
  _Alignas(16) char small[sizeof(uint64_t) + GRID_SMALL_VALUE], *buf = small, *big = NULL;
  if (v->type->size > GRID_SMALL_VALUE) {
    buf = big = grid_malloc(1, sizeof(uint64_t) + v->type->size);
    TRY(grid_agree(&v->head, big ? GrB_SUCCESS : grid_fail_memory(NULL, "an element", 1, v->type->size)));
  }
  info = bcast_element(v, i, buf);
  uint64_t present = 0;
  if (info == GrB_SUCCESS) {
    memcpy(&present, buf, sizeof present);
    const grid_copier c = grid_copier_bind(xtype, v->type);
    if (s)
      grid_scalar_set(s, present ? buf + sizeof present : NULL, v->type);
    else if (!present)
      info = GrB_NO_VALUE;
    else if (x)
      grid_copy_value(&c, x, buf + sizeof present);
  }
  grid_free(big);
done:
  return info;
}

static GrB_Info extract_element(void *x, GrB_Type xtype, GrB_Scalar s, GrB_Vector v, GrB_Index i) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  static const char call[] = "GrB_Vector_extractElement";
  GrB_Info info = check_element(v, i, call, "v");
  if (info != GrB_SUCCESS) return info;
  if (s)
    xtype = s->type;
  else if (!x)
    return grid_fail(&v->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (!xtype) TRY(grid_check_user_type(xtype = v->type, &v->head, call));
  TRY(grid_check_cast(xtype, v->type, &v->head, call, "v", "x"));
  info = read_element(x, xtype, s, v, i);
done:
  return info;
}

GrB_Info GxB_Vector_isStoredElement(const GrB_Vector v, GrB_Index i) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  GrB_Info info = check_element(v, i, "GxB_Vector_isStoredElement", "v");
  return info == GrB_SUCCESS ? read_element(NULL, v->type, NULL, v, i) : info;
}

#define DEFINE_AS(P, T, C)                                                        \
  GrB_Info P##_Vector_extractElement_##T(C *x, const GrB_Vector v, GrB_Index i) { \
    return extract_element(x, P##_##T, NULL, v, i);                               \
  }
#define DEFINE(T, C)         DEFINE_AS(GrB, T, C)
#define DEFINE_COMPLEX(T, C) DEFINE_AS(GxB, T, C)
GRID_TYPES(DEFINE)
GRID_COMPLEX_TYPES(DEFINE_COMPLEX)
#undef DEFINE_AS
#undef DEFINE
#undef DEFINE_COMPLEX
GrB_Info GrB_Vector_extractElement_UDT(void *x, const GrB_Vector v, GrB_Index i) {
  return extract_element(x, NULL, NULL, v, i);
}

GrB_Info GrB_Vector_extractElement_Scalar(GrB_Scalar s, const GrB_Vector v, GrB_Index i) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  GrB_Info info = grid_check_scalar(s, NULL, "GrB_Vector_extractElement", "s");
  return info != GrB_SUCCESS ? info : extract_element(NULL, NULL, s, v, i);
}
