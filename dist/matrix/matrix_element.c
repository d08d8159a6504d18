/* Single entries of a matrix. Changes are recorded (matrix_pending.c); reads look the entry up where it is.
 */
#include <string.h>

#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_storage.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/object/call_placement.h"
#include "gridblas_gxb_operations.h"
#include "spmat/backend.h"
#include "spmat/vector/bound_operator.h"
#include "semiring/support/no_value.h"
#include "semiring/threads/call_gate.h"

static GrB_Info check_entry(GrB_Matrix A, GrB_Index i, GrB_Index j, const char *call) {
  if (i < A->nrows && j < A->ncols) return GrB_SUCCESS;
  return grid_fail(&A->head, GrB_INVALID_INDEX, "%s: (%lld, %lld) is outside the %llu x %llu matrix", call,
                   (long long)i, (long long)j, (unsigned long long)A->nrows, (unsigned long long)A->ncols);
}

static GrB_Info set_element(GrB_Matrix A, const void *x, GrB_Type xtype, GrB_Index i, GrB_Index j,
                            const char *call) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  GrB_Info info = grid_check_matrix(A, call, "C");
  if (info != GrB_SUCCESS) return info;
  if (!x) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (!xtype && (info = grid_check_user_type(xtype = A->type, &A->head, call)) != GrB_SUCCESS) return info;
  if (!grid_compatible(A->type, xtype))
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: a value of type %s cannot become %s", call,
                     xtype->name, A->type->name);
  if ((info = check_entry(A, i, j, call)) != GrB_SUCCESS) return info;
  return grid_pending_add(&A->pending, &A->head, (grid_pending_dims){A->nrows, A->ncols}, A->type, x, xtype,
                          i, j);
}

static GrB_Info remove_element(GrB_Matrix C, GrB_Index i, GrB_Index j, const char *call) {
  const GrB_Info info = check_entry(C, i, j, call);
  return info == GrB_SUCCESS
             ? grid_pending_add(&C->pending, &C->head, (grid_pending_dims){C->nrows, C->ncols}, C->type, NULL,
                                NULL, i, j)
             : info;
}

GrB_Info GrB_Matrix_removeElement(GrB_Matrix C, GrB_Index i, GrB_Index j) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  const char *call = "GrB_Matrix_removeElement";
  const GrB_Info info = grid_check_matrix(C, call, "C");
  return info == GrB_SUCCESS ? remove_element(C, i, j, call) : info;
}

/* ---- reading ---- */

/* *v = the value of entry (i, j) if this process's block has it, else NULL. */
static GrB_Info find_in_block(GrB_Matrix A, GrB_Index i, GrB_Index j, const void **v) {
  *v = NULL;
  return grid_block_of(A->nrows, A->ncols, i, j) == grid_ctx.k ? grid_storage_of(A)->find(A, i, j, v)
                                                               : GrB_SUCCESS;
}

/* Does a block on the device stay there for this read? The first reads copy single values; many reads without
 * a change are faster from the host. The same on all processes. */
static bool is_read_on_device(GrB_Matrix A) {
  enum { READS = 64 };
  if (!grid_device_is_on() || A->delegates.split || !grid_device_can_index(A->nrows, A->ncols) ||
      !grid_device_can_hold(A->type))
    return false;
  if (grid_ctx.P == 1 && grid_lmat_has_offsets64(&A->block))
    return false; /* only products use such a block on the device */
  if (A->cached.read.read != grid_calls) A->cached.read.read = grid_calls, A->cached.read.reads = 0;
  return A->cached.read.reads++ < READS;
}

/* Bytes of a copy of all entries on one process, at most. */
static uint64_t bytes_of_copy(GrB_Matrix A) {
  const uint64_t rows = A->nrows < A->nvals ? A->nrows : A->nvals;
  return A->nvals * (sizeof(uint32_t) + A->type->size) + rows * (sizeof(uint32_t) + sizeof(uint64_t));
}

/* After as many reads since the last change as all entries cost together, all entries are copied to every
 * process, unless they take too much memory. *all: the copy exists. */
static GrB_Info read_ahead(GrB_Matrix A, bool *all) {
  enum {
    A_MESSAGE = 1 << 13,
    MOST = 8 << 20
  }; /* bytes that take as long as a message; most bytes of the copy */
  const uint64_t bytes = bytes_of_copy(A);
  grid_replicated_matrix w = {0};
  *all = A->cached.read.copied;
  if (*all || A->cached.read.refused || A->delegates.split || A->placement.on_device || A->bitmap.only ||
      A->pages || A->pending.n || bytes > MOST || ++A->cached.read.reads < 8 + bytes / A_MESSAGE)
    return GrB_SUCCESS;
  A->cached.read.refused = true;
  GrB_Info info = grid_matrix_replicate(&w, A, "GrB_Matrix_extractElement");
  A->cached.read.copied = *all = info == GrB_SUCCESS;
  if (*all)
    A->cached.read.all = w.made;
  else
    grid_replicated_matrix_free(&w);
  return info;
}

/* An element as it is sent to all processes. */
typedef struct {
  uint64_t present;
  char value[];
} element;

/* *owner = the process that has (i, j): of a split matrix the last one that finds it, else that of the block.
 */
static GrB_Info find_owner(GrB_Matrix A, GrB_Index i, GrB_Index j, const void **v, int *owner) {
  *owner = grid_block_of(A->nrows, A->ncols, i, j);
  if (!A->delegates.split) {
    const GrB_Info info = find_in_block(A, i, j, v); /* in host memory it cannot fail */
    return A->pages || A->placement.on_device ? grid_agree(&A->head, info) : info;
  }
  *v = grid_cached_find(A, i, j);
  if (!*v) (void)find_in_block(A, i, j, v); /* cannot fail: the block lies on the host */
  uint64_t who = *v ? (uint64_t)grid_ctx.k + 1 : 0;
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &who, 1, GRID_MAX);
  if (info == GrB_SUCCESS && who) *owner = (int)who - 1;
  return info;
}

/* *v = entry (i, j) or NULL. *known: on every process, since pending changes and the copy of all entries are
 * replicated; else *owner has it. */
static GrB_Info find_entry(GrB_Matrix A, GrB_Index i, GrB_Index j, const void **v, bool *known, int *owner) {
  GrB_Info info = GrB_SUCCESS;
  *known = false;
  TRY(grid_pending_find(&A->pending, &A->head, A->type->size, i, j, known, v));
  if (*known) return info;
  if (grid_ctx.P > 1) TRY(read_ahead(A, known));
  if (*known) {
    *v = grid_lmat_find_value(&A->cached.read.all, i, j);
    return info;
  }
  if (A->placement.on_device && !is_read_on_device(A)) TRY(grid_agree(&A->head, grid_matrix_to_host(A)));
  TRY(find_owner(A, i, j, v, owner));
done:
  return info;
}

/* Broadcasts the element from the owner: *v points to x's value, or is NULL. */
static GrB_Info bcast_element(GrB_Matrix A, const void **v, int owner, element *x) {
  x->present = *v != NULL;
  if (*v)
    memcpy(x->value, *v, A->type->size);
  else
    memset(x->value, 0, A->type->size);
  GrB_Info info = grid_ctx.transport->bcast(GRID_SET_ALL, x, sizeof *x + A->type->size, owner);
  *v = x->present ? x->value : NULL;
  return info;
}

static GrB_Info allocate_value(GrB_Matrix A, element **big) {
  *big = grid_malloc(1, sizeof **big + A->type->size);
  return grid_agree(&A->head, *big ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, A->type->size));
}

/* Reading changes nothing, so grid_calls does not count it. */
static inline GrB_Info check_readable(GrB_Matrix A, const char *call) {
  const GrB_Info info = grid_check_single(call);
  if (info != GrB_SUCCESS) return info;
  return grid_check_object(A, NULL, call, "A");
}

/* x, which may be NULL, = the value at v, of A's type. */
static void store_value(void *x, GrB_Type xtype, GrB_Matrix A, const void *v) {
  if (!v || !x) return;
  const grid_copier c = grid_copier_bind(xtype, A->type);
  grid_copy_value(&c, x, v);
}

/* In the memory of the only process. */
static inline GrB_Info find_local(void *x, GrB_Type xtype, GrB_Matrix A, GrB_Index i, GrB_Index j,
                                  bool *found) {
  bool pending;
  const void *v;
  GrB_Info info = grid_pending_find(&A->pending, &A->head, A->type->size, i, j, &pending, &v);
  if (info == GrB_SUCCESS && !pending) {
    if (grid_is_stored_by_rows(A))
      v = grid_lmat_find_value(&A->block, i, j);
    else
      info = grid_storage_of(A)->find(A, i, j, &v);
  }
  if (info != GrB_SUCCESS) return grid_agree(&A->head, info);
  *found = v != NULL;
  store_value(x, xtype, A, v);
  return info;
}

/* *found: A has the entry; x, which may be NULL, becomes its value. */
static GrB_Info find_element(void *x, GrB_Type xtype, GrB_Matrix A, GrB_Index i, GrB_Index j,
                             const char *call, bool *found) {
  GrB_Info info = check_entry(A, i, j, call);
  if (info != GrB_SUCCESS) return info;
  if (grid_is_one_host_process() && !A->delegates.split) return find_local(x, xtype, A, i, j, found);
  _Alignas(16) char small[sizeof(element) + GRID_SMALL_VALUE];
  element *big = NULL;
  const void *v = NULL;
  bool known;
  int owner = 0;
  if (grid_ctx.P > 1 && A->type->size > GRID_SMALL_VALUE) TRY(allocate_value(A, &big));
  TRY(find_entry(A, i, j, &v, &known, &owner));
  if (grid_ctx.P > 1 && !known) TRY(bcast_element(A, &v, owner, big ? big : (element *)small));
  *found = v != NULL;
  store_value(x, xtype, A, v);
done:
  grid_free(big);
  return info;
}

static GrB_Info extract_element(void *x, GrB_Type xtype, GrB_Matrix A, GrB_Index i, GrB_Index j,
                                const char *call, bool *found) {
  GRID_CALL_SCOPE; /* a product of another thread may reorder the rows */
  GRID_PLACED_CALL(0, A);
  GrB_Info info = check_readable(A, call);
  if (info != GrB_SUCCESS) return info;
  if (!x) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  if (!xtype && (info = grid_check_user_type(xtype = A->type, &A->head, call)) != GrB_SUCCESS) return info;
  if (xtype != A->type && !grid_compatible(xtype, A->type))
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: a value of type %s cannot become %s", call,
                     A->type->name, xtype->name);
  return find_element(x, xtype, A, i, j, call, found);
}

GrB_Info GxB_Matrix_isStoredElement(const GrB_Matrix A, GrB_Index i, GrB_Index j) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, A);
  static const char call[] = "GxB_Matrix_isStoredElement";
  bool found = false;
  GrB_Info info = check_readable(A, call);
  if (info == GrB_SUCCESS) info = find_element(NULL, NULL, A, i, j, call, &found);
  return info == GrB_SUCCESS && !found ? grid_no_value() : info;
}

/* Not inlined, so that the plain read saves no registers. */
static __attribute__((noinline)) GrB_Info extract_any(void *x, GrB_Matrix A, GrB_Index i, GrB_Index j,
                                                      GrB_Type type) {
  bool found = false;
  GrB_Info info = extract_element(x, type, A, i, j, "GrB_Matrix_extractElement", &found);
  return info == GrB_SUCCESS && !found ? grid_no_value() : info;
}

/* Is it a read of the memory of the only process? */
static inline bool is_usual_read(GrB_Matrix A, GrB_Index i, GrB_Index j, GrB_Type type) {
  return grid_is_live(A) && grid_is_of_context(&A->head) && i < A->nrows && j < A->ncols && !A->pages &&
         !A->delegates.split && grid_compatible(type, A->type);
}

static inline struct grid_call_gate *begin_read(const void *x, GrB_Matrix A) {
  return grid_needs_no_check() && x && A ? grid_read_begin() : NULL;
}

static __attribute__((noinline)) GrB_Info extract_usual(void *x, GrB_Matrix A, GrB_Index i, GrB_Index j,
                                                        GrB_Type type) {
  struct grid_call_gate *gate = begin_read(x, A);
  if (!gate) return extract_any(x, A, i, j, type);
  bool found = false;
  const bool is_usual = is_usual_read(A, i, j, type);
  const GrB_Info info = is_usual ? find_local(x, type, A, i, j, &found) : GrB_SUCCESS;
  grid_read_end(gate);
  if (!is_usual) return extract_any(x, A, i, j, type);
  return info == GrB_SUCCESS && !found ? grid_no_value() : info;
}

/* Does the block have A(i, j), if anything has it, by rows that are not listed, and in this type? */
static inline bool is_plain_read(GrB_Matrix A, GrB_Index i, GrB_Index j, GrB_Type type) {
  return is_usual_read(A, i, j, type) && A->type == type && A->pending.n == 0 && !A->bitmap.only &&
         !A->block.row.ids && !A->block.col.ids;
}

/* The plain read takes as few instructions as possible. */
GRID_ALWAYS_INLINE GrB_Info extract_value(void *x, size_t size, GrB_Matrix A, GrB_Index i, GrB_Index j,
                                          GrB_Type type) {
  struct grid_call_gate *gate = begin_read(x, A);
  if (!gate) return extract_any(x, A, i, j, type);
  const bool is_plain = is_plain_read(A, i, j, type);
  const uint64_t at = is_plain ? grid_lmat_find(&A->block, i, j) : UINT64_MAX;
  if (at != UINT64_MAX) grid_value_copy(x, grid_lmat_value(&A->block, at), size);
  grid_read_end(gate);
  if (!is_plain) return extract_usual(x, A, i, j, type);
  return at == UINT64_MAX ? grid_no_value() : GrB_SUCCESS;
}

#define ELEMENT(P, T, C_TYPE)                                                                       \
  GrB_Info P##_Matrix_setElement_##T(GrB_Matrix C, C_TYPE x, GrB_Index i, GrB_Index j) {            \
    return set_element(C, &x, P##_##T, i, j, "GrB_Matrix_setElement");                              \
  }                                                                                                 \
  GrB_Info P##_Matrix_extractElement_##T(C_TYPE *x, const GrB_Matrix A, GrB_Index i, GrB_Index j) { \
    return extract_value(x, sizeof *x, A, i, j, P##_##T);                                           \
  }
GRID_PREDEFINED_TYPES(ELEMENT)

GrB_Info GrB_Matrix_setElement_UDT(GrB_Matrix C, const void *x, GrB_Index i, GrB_Index j) {
  return set_element(C, x, NULL, i, j, "GrB_Matrix_setElement");
}

GrB_Info GrB_Matrix_extractElement_UDT(void *x, const GrB_Matrix A, GrB_Index i, GrB_Index j) {
  return extract_any(x, A, i, j, NULL);
}

GrB_Info GrB_Matrix_setElement_Scalar(GrB_Matrix C, const GrB_Scalar s, GrB_Index i, GrB_Index j) {
  GRID_CALL_SCOPE_IF(!grid_is_one_host_process());
  const char *call = "GrB_Matrix_setElement";
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info == GrB_SUCCESS) info = grid_check_object(s, &C->head, call, "s");
  if (info != GrB_SUCCESS) return info;
  if (s->present) return set_element(C, s->val, s->type, i, j, call);
  if (!grid_compatible(C->type, s->type))
    return grid_fail(&C->head, GrB_DOMAIN_MISMATCH, "%s: a value of type %s cannot become %s", call,
                     s->type->name, C->type->name);
  return remove_element(C, i, j, call);
}

GrB_Info GrB_Matrix_extractElement_Scalar(GrB_Scalar s, const GrB_Matrix A, GrB_Index i, GrB_Index j) {
  GRID_CALL_SCOPE;
  const char *call = "GrB_Matrix_extractElement";
  GrB_Info info = check_readable(A, call);
  if (info == GrB_SUCCESS) info = grid_check_object(s, &A->head, call, "s");
  if (info != GrB_SUCCESS) return info;
  bool found = false;
  info = extract_element(s->val, s->type, A, i, j, call, &found);
  if (info == GrB_SUCCESS) s->present = found;
  return info;
}
