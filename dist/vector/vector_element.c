/* Single entries of a vector. Changes are recorded, or made by the owner; reads come from the owner, or from
 * a replica of a vector that is read often. */
#include <string.h>

#include "dist/vector/shm_view.h"
#include "gridblas_gxb_operations.h"
#include "spmat/device/device.h"
#include "spmat/vector/bound_operator.h"
#include "semiring/support/no_value.h"
#include "semiring/threads/call_gate.h"

static GrB_Info check_element(GrB_Vector w, GrB_Index i, const char *call, const char *what) {
  GrB_Info info = grid_check_single(call);
  if (info == GrB_SUCCESS) info = grid_check_object(w, NULL, call, what);
  if (info != GrB_SUCCESS || i < w->n) return info;
  return grid_fail(&w->head, GrB_INVALID_INDEX, "%s: index %lld is outside %s's size %llu", call,
                   (long long)i, what, (unsigned long long)w->n);
}

static bool is_local(const GrB_Vector v, GrB_Index i, uint64_t *local) {
  return grid_owner(v->n, i, local) == grid_ctx.k;
}

GrB_Info grid_vector_set(GrB_Vector w, const void *x, GrB_Type xtype, GrB_Index i) {
  grid_any_value cast;
  const grid_copier c = grid_copier_bind(w->type, xtype);
  if (c.cast) c.cast(&cast, x, w->type->size), x = &cast;
  return grid_vector_change(w, x, i);
}

/* ---- the usual access in as few instructions as possible ---- */

/* Is v one without pending changes in the memory of the only process? */
static inline bool is_usual(GrB_Vector v, GrB_Index i) {
  return grid_needs_no_check() && v && grid_is_live_handle(v, GRID_IS_VECTOR) &&
         grid_is_of_context(&v->head) && i < v->n && v->pending.n == 0;
}

/* Has v, which is usual, a bitmap or all elements, and the type? */
static inline bool is_dense(GrB_Vector v, GrB_Type type) {
  return v->chunk.format != GRID_LIST && v->type == type;
}

static inline bool is_present(const grid_chunk *c, GrB_Index i) {
  return c->format == GRID_FULL || grid_bit(c->bits, i);
}

/* Of a dense vector with values of this size. */
static inline void *value_at(const grid_chunk *c, GrB_Index i, size_t size) {
  return (char *)c->val + (c->iso ? 0 : i) * size;
}

/* ---- changes ---- */

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

GRID_ALWAYS_INLINE bool overwrite_dense(GrB_Vector w, const void *x, GrB_Type type, size_t size,
                                        GrB_Index i) {
  if (!is_usual(w, i) || !is_dense(w, type) || w->chunk.iso || !is_present(&w->chunk, i)) return false;
  grid_value_copy(value_at(&w->chunk, i, size), x, size);
  return true;
}

/* The same on several processes, behind other changes that wait, where there is room and no message is
 * needed.
 */
static bool append_change(GrB_Vector w, const void *x, GrB_Type type, GrB_Index i) {
  struct grid_call_gate *gate;
  if (!grid_ctx.initialized || grid_ctx.P == 1 || grid_device_is_open() || grid_is_call_check_on || !w)
    return false;
  if (!(gate = grid_read_begin())) return false;
  const bool fits = grid_is_live_handle(w, GRID_IS_VECTOR) && grid_is_of_context(&w->head) && i < w->n &&
                    w->type == type && w->pending.n && w->pending.n < w->pending.capacity;
  if (fits) (void)grid_pending_add(&w->pending, &w->head, (grid_pending_dims){w->n, 1}, type, x, type, i, 0);
  grid_read_end(gate);
  return fits;
}

static __attribute__((noinline)) GrB_Info set_any(GrB_Vector w, const void *x, GrB_Type type, GrB_Index i) {
  if (append_change(w, x, type, i)) return GrB_SUCCESS;
  const bool is_checked = is_usual(w, i) && grid_compatible(w->type, type);
  return is_checked ? grid_vector_set(w, x, type, i) : set_element(w, x, type, i);
}

#define DEFINE(P, T, C)                                                   \
  GrB_Info P##_Vector_setElement_##T(GrB_Vector w, C x, GrB_Index i) {    \
    if (overwrite_dense(w, &x, P##_##T, sizeof x, i)) return GrB_SUCCESS; \
    return set_any(w, &x, P##_##T, i);                                    \
  }
GRID_PREDEFINED_TYPES(DEFINE)
#undef DEFINE
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

/* *value = that of v(i) in the memory of the only process, or NULL. */
static GrB_Info find_local(GrB_Vector v, GrB_Index i, const void **value) {
  bool pending, present;
  GrB_Info info = grid_pending_find(&v->pending, &v->head, v->type->size, i, 0, &pending, value);
  if (info != GrB_SUCCESS || pending) return info;
  info = grid_chunk_read_element(&v->chunk, i, &present, value);
  if (!present) *value = NULL;
  return info;
}

/* Into s or, without one, x, which may be NULL. value NULL: there is no entry. */
static GrB_Info store_element(void *x, GrB_Type xtype, GrB_Scalar s, const void *value, GrB_Type type) {
  if (s)
    grid_scalar_set(s, value, type);
  else if (!value)
    return grid_no_value();
  else if (x) {
    const grid_copier c = grid_copier_bind(xtype, type);
    grid_copy_value(&c, x, value);
  }
  return GrB_SUCCESS;
}

/* x, or s if x is NULL, = v(i). */
static GrB_Info read_element(void *x, GrB_Type xtype, GrB_Scalar s, GrB_Vector v, GrB_Index i) {
  GrB_Info info = GrB_SUCCESS;
  _Alignas(16) char small[sizeof(uint64_t) + GRID_SMALL_VALUE], *buf = small, *big = NULL;
  const void *value = NULL;
  if (grid_is_one_host_process()) {
    TRY(find_local(v, i, &value));
    return store_element(x, xtype, s, value, v->type);
  }
  if (v->type->size > GRID_SMALL_VALUE) {
    buf = big = grid_malloc(1, sizeof(uint64_t) + v->type->size);
    TRY(grid_agree(&v->head, big ? GrB_SUCCESS : grid_fail_memory(NULL, "an element", 1, v->type->size)));
  }
  TRY(bcast_element(v, i, buf));
  uint64_t present;
  memcpy(&present, buf, sizeof present);
  info = store_element(x, xtype, s, present ? buf + sizeof present : NULL, v->type);
done:
  grid_free(big);
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

/* Of any format to any type. */
static __attribute__((noinline)) GrB_Info extract_any(void *x, GrB_Type type, GrB_Vector v, GrB_Index i) {
  const void *value = NULL;
  if (!x || !is_usual(v, i) || !grid_compatible(type, v->type)) return extract_element(x, type, NULL, v, i);
  (void)grid_chunk_get(&v->chunk, i, &value);
  return store_element(x, type, NULL, value, v->type);
}

GRID_ALWAYS_INLINE GrB_Info extract_value(void *x, GrB_Type type, size_t size, GrB_Vector v, GrB_Index i) {
  if (!x || !is_usual(v, i) || !is_dense(v, type)) return extract_any(x, type, v, i);
  if (!is_present(&v->chunk, i)) return grid_no_value();
  grid_value_copy(x, value_at(&v->chunk, i, size), size);
  return GrB_SUCCESS;
}

#define DEFINE(P, T, C)                                                           \
  GrB_Info P##_Vector_extractElement_##T(C *x, const GrB_Vector v, GrB_Index i) { \
    return extract_value(x, P##_##T, sizeof *x, v, i);                            \
  }
GRID_PREDEFINED_TYPES(DEFINE)
#undef DEFINE
GrB_Info GrB_Vector_extractElement_UDT(void *x, const GrB_Vector v, GrB_Index i) {
  return extract_element(x, NULL, NULL, v, i);
}

GrB_Info GrB_Vector_extractElement_Scalar(GrB_Scalar s, const GrB_Vector v, GrB_Index i) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  GrB_Info info = grid_check_scalar(s, NULL, "GrB_Vector_extractElement", "s");
  return info != GrB_SUCCESS ? info : extract_element(NULL, NULL, s, v, i);
}
