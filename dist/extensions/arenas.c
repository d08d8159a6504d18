/* Arenas: memory functions by number, and the constructors that name one (gridblas_gxb_objects.h). The
 * library's objects are in its own memory, so that a constructor only checks the number. */
#include "dist/extensions/arenas.h"

#include "dist/vector/vector.h"
#include "gridblas_gxb_objects.h"

static bool is_initialized[GxB_NARENAS]; /* 0 always is */

void grid_arenas_reset(void) {
  for (int k = 0; k < GxB_NARENAS; k++) is_initialized[k] = false;
}

static GrB_Info check_number(int arena, const char *call) {
  if (arena >= 0 && arena < GxB_NARENAS) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: argument arena is %d, not 0 .. %d", call, arena,
                   GxB_NARENAS - 1);
}

GrB_Info grid_arena_check(int arena, const char *call) {
  GrB_Info info = grid_semiring_check_init(call);
  if (info == GrB_SUCCESS) info = check_number(arena, call);
  /* cppcheck-suppress arrayIndexOutOfBoundsCond ; check_number refuses others */
  if (info == GrB_SUCCESS && arena > 0 && !is_initialized[arena])
    info =
        grid_fail(NULL, GrB_INVALID_VALUE, "%s: arena %d is not initialised (GxB_arena_init)", call, arena);
  return info;
}

GrB_Info GxB_arena_init(int arena, void *(*user_malloc)(size_t), void *(*user_calloc)(size_t, size_t),
                        void *(*user_realloc)(void *, size_t), void (*user_free)(void *)) {
  static const char call[] = "GxB_arena_init";
  GRID_CALL_SCOPE;
  GrB_Info info = grid_semiring_check_init(call);
  (void)user_calloc, (void)user_realloc;
  if (info == GrB_SUCCESS) info = check_number(arena, call);
  if (info != GrB_SUCCESS) return info;
  if (!user_malloc || !user_free)
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call,
                     user_malloc ? "user_free" : "user_malloc");
  if (arena == 0 || is_initialized[arena])
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: arena %d is initialised already", call, arena);
  is_initialized[arena] = true;
  return GrB_SUCCESS;
}

GrB_Info GxB_arena_initialized(int *initialized, int arena) {
  static const char call[] = "GxB_arena_initialized";
  GrB_Info info = grid_semiring_check_init(call);
  if (info == GrB_SUCCESS) info = check_number(arena, call);
  if (info != GrB_SUCCESS) return info;
  if (!initialized) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument initialized is NULL", call);
  *initialized = arena == 0 || is_initialized[arena];
  return GrB_SUCCESS;
}

/* ---- constructors ---- */

/* The outcome of `make`, if the arena is initialised. */
#define IN_ARENA(call, arena, make)              \
  GrB_Info info = grid_arena_check(arena, call); \
  return info == GrB_SUCCESS ? (make) : info

GrB_Info GxB_Type_new_arena(GrB_Type *type, size_t size, const char *name, const char *definition,
                            int arena) {
  IN_ARENA("GxB_Type_new_arena", arena, GxB_Type_new(type, size, name, definition));
}

GrB_Info GxB_UnaryOp_new_arena(GrB_UnaryOp *op, GxB_unary_function function, GrB_Type ztype, GrB_Type xtype,
                               const char *name, const char *definition, int arena) {
  IN_ARENA("GxB_UnaryOp_new_arena", arena, GxB_UnaryOp_new(op, function, ztype, xtype, name, definition));
}

GrB_Info GxB_BinaryOp_new_arena(GrB_BinaryOp *op, GxB_binary_function function, GrB_Type ztype,
                                GrB_Type xtype, GrB_Type ytype, const char *name, const char *definition,
                                int arena) {
  IN_ARENA("GxB_BinaryOp_new_arena", arena,
           GxB_BinaryOp_new(op, function, ztype, xtype, ytype, name, definition));
}

GrB_Info GxB_IndexUnaryOp_new_arena(GrB_IndexUnaryOp *op, GxB_index_unary_function function, GrB_Type ztype,
                                    GrB_Type xtype, GrB_Type ytype, const char *name, const char *definition,
                                    int arena) {
  IN_ARENA("GxB_IndexUnaryOp_new_arena", arena,
           GxB_IndexUnaryOp_new(op, function, ztype, xtype, ytype, name, definition));
}

GrB_Info GxB_IndexBinaryOp_new_arena(GxB_IndexBinaryOp *op, GxB_index_binary_function function,
                                     GrB_Type ztype, GrB_Type xtype, GrB_Type ytype, GrB_Type theta_type,
                                     const char *name, const char *definition, int arena) {
  IN_ARENA("GxB_IndexBinaryOp_new_arena", arena,
           GxB_IndexBinaryOp_new(op, function, ztype, xtype, ytype, theta_type, name, definition));
}

GrB_Info GxB_BinaryOp_new_IndexOp_arena(GrB_BinaryOp *op, const GxB_IndexBinaryOp index_op,
                                        const GrB_Scalar theta, int arena) {
  IN_ARENA("GxB_BinaryOp_new_IndexOp_arena", arena, GxB_BinaryOp_new_IndexOp(op, index_op, theta));
}

#define DEFINE(P, T, C)                                                                                   \
  GrB_Info GxB_Monoid_new_arena_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity, int arena) {         \
    IN_ARENA("GxB_Monoid_new_arena_" #T, arena, P##_Monoid_new_##T(monoid, op, identity));                \
  }                                                                                                       \
  GrB_Info GxB_Monoid_terminal_new_arena_##T(GrB_Monoid *monoid, GrB_BinaryOp op, C identity, C terminal, \
                                             int arena) {                                                 \
    IN_ARENA("GxB_Monoid_terminal_new_arena_" #T, arena,                                                  \
             GxB_Monoid_terminal_new_##T(monoid, op, identity, terminal));                                \
  }
GRID_PREDEFINED_TYPES(DEFINE)
DEFINE(GrB, UDT, void *)

GrB_Info GxB_Semiring_new_arena(GrB_Semiring *semiring, GrB_Monoid add, GrB_BinaryOp multiply, int arena) {
  IN_ARENA("GxB_Semiring_new_arena", arena, GrB_Semiring_new(semiring, add, multiply));
}

GrB_Info GxB_Descriptor_new_arena(GrB_Descriptor *desc, int arena) {
  IN_ARENA("GxB_Descriptor_new_arena", arena, GrB_Descriptor_new(desc));
}

GrB_Info GxB_Context_new_arena(GxB_Context *Context, int arena) {
  IN_ARENA("GxB_Context_new_arena", arena, GxB_Context_new(Context));
}

/* The arena of the header, then that of the value. */
static GrB_Info check_both(int header_arena, int data_arena, const char *call) {
  GrB_Info info = grid_arena_check(header_arena, call);
  return info == GrB_SUCCESS ? grid_arena_check(data_arena, call) : info;
}

GrB_Info GxB_Scalar_new_arena(GrB_Scalar *s, GrB_Type type, int header_arena, int data_arena) {
  GrB_Info info = check_both(header_arena, data_arena, "GxB_Scalar_new_arena");
  return info == GrB_SUCCESS ? GrB_Scalar_new(s, type) : info;
}

GrB_Info GxB_Scalar_dup_arena(GrB_Scalar *s, const GrB_Scalar t, int header_arena, int data_arena) {
  GrB_Info info = check_both(header_arena, data_arena, "GxB_Scalar_dup_arena");
  return info == GrB_SUCCESS ? GrB_Scalar_dup(s, t) : info;
}

GrB_Info GxB_Scalar_set_arenas(GrB_Scalar *s, int header_arena, int data_arena) {
  static const char call[] = "GxB_Scalar_set_arenas";
  GrB_Info info = check_both(header_arena, data_arena, call);
  if (info == GrB_SUCCESS && !s) info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument s is NULL", call);
  return info == GrB_SUCCESS ? grid_check_local(*s, call, "s") : info;
}
