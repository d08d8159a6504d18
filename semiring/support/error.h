/* Errors: the one module that formats them. An object holds the text of the last error of a call on it
 * (GrB_error); each thread holds its last text, too, for calls without an object. */
#ifndef GRID_ERROR_H
#define GRID_ERROR_H
#include "GraphBLAS.h"
#include "semiring/threads/context_section.h"

/* First member of every opaque object. */
typedef struct {
  uint64_t magic; /* GRID_MAGIC while the object is live */
  char *error;    /* text of the last error on it (owned), or NULL */
  bool builtin;   /* predefined: never freed */
  /* GrB_NAME: the predefined name, or the one set by the program (owned), or NULL */
  const char *name;
  uint8_t kind; /* grid_kind */
  /* 0: last used on the host; else on the device, for so many small calls (dist/object/call_placement.h) */
  uint8_t device_calls;
  uint32_t context; /* number of the context of a matrix or vector; 0: of none, usable in all */
  void *blocks;     /* memory that is freed with the object (grid_head_alloc), or NULL */
} grid_head;

#define GRID_MAGIC 0x6772696462617331ull /* "gridbas1" */
/* GRID_ANY_KIND: a check accepts all. */
typedef enum {
  GRID_IS_TYPE = 1,
  GRID_IS_UNARY_OP,
  GRID_IS_BINARY_OP,
  GRID_IS_INDEX_UNARY_OP,
  GRID_IS_INDEX_BINARY_OP,
  GRID_IS_SELECT_OP,
  GRID_IS_MONOID,
  GRID_IS_SEMIRING,
  GRID_IS_DESCRIPTOR,
  GRID_IS_CONTEXT,
  GRID_IS_GLOBAL,
  GRID_IS_SCALAR,
  GRID_IS_VECTOR,
  GRID_IS_MATRIX,
  GRID_ANY_KIND
} grid_kind;
struct GxB_IndexBinaryOp_opaque;
struct GB_SelectOp_opaque;
struct GxB_Context_opaque;
/* The kind of objects that a handle of this C type is for. */
#define GRID_KIND_OF(handle)                                           \
  _Generic((handle), GrB_Type                                          \
           : GRID_IS_TYPE, GrB_UnaryOp                                 \
           : GRID_IS_UNARY_OP, GrB_BinaryOp                            \
           : GRID_IS_BINARY_OP, GrB_IndexUnaryOp                       \
           : GRID_IS_INDEX_UNARY_OP, struct GxB_IndexBinaryOp_opaque * \
           : GRID_IS_INDEX_BINARY_OP, struct GB_SelectOp_opaque *      \
           : GRID_IS_SELECT_OP, GrB_Monoid                             \
           : GRID_IS_MONOID, GrB_Semiring                              \
           : GRID_IS_SEMIRING, GrB_Descriptor                          \
           : GRID_IS_DESCRIPTOR, struct GxB_Context_opaque *           \
           : GRID_IS_CONTEXT, GrB_Global                               \
           : GRID_IS_GLOBAL, GrB_Scalar                                \
           : GRID_IS_SCALAR, GrB_Vector                                \
           : GRID_IS_VECTOR, GrB_Matrix                                \
           : GRID_IS_MATRIX)
/* The head of a new object. */
#define GRID_NEW_HEAD(kind_) \
  { .magic = GRID_MAGIC, .kind = kind_ }
/* The head of one that no call frees. */
#define GRID_BUILTIN(kind_, name_) \
  { .magic = GRID_MAGIC, .builtin = true, .name = name_, .kind = kind_ }
#define GRID_FREED 0x66726565646f626aull

/* Records a text (printf style) as the thread's last error and, if head is not NULL, as the object's.
 * Returns info: return grid_fail(&C->head, GrB_DIMENSION_MISMATCH, "...", ...). */
GrB_Info grid_fail(grid_head *head, GrB_Info info, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for out of memory, with the requested size. */
GrB_Info grid_fail_memory(grid_head *head, const char *what, uint64_t count, size_t size);
/* For a call that is computed by other public calls: puts its name before the last text, which becomes the
 * object's. Returns info. */
GrB_Info grid_fail_inside(grid_head *head, GrB_Info info, const char *call);
/* `bytes` of memory that are freed with the object; NULL when out of memory. */
void *grid_head_alloc(grid_head *head, size_t bytes);
/* Frees what the head owns; the object is no longer live. */
void grid_head_end(grid_head *head);
/* The last error text of the calling thread's calls ("" at start), valid until that thread's next error. */
const char *grid_last_error(void);
/* A worker thread's text (worker_error.h), if there is one, becomes the calling thread's last one. */
void grid_fetch_worker_error(void);
/* Name of a code: "GrB_DIMENSION_MISMATCH". */
const char *grid_info_name(GrB_Info info);

/* The number of the context in use, which its objects have. GRID_ENDED_CONTEXT: theirs has ended, and they
 * can only be freed. */
extern uint32_t grid_default_context_number GRID_DECLARED_OF_CONTEXT;
#define grid_context_number GRID_IN_CONTEXT(grid_default_context_number)
#define GRID_ENDED_CONTEXT  UINT32_MAX
static inline bool grid_is_of_context(const grid_head *head) {
  return head->context == grid_context_number || head->context == 0;
}

/* Created and not freed yet, and of the kind that the handle is for. obj is not NULL. */
static inline bool grid_is_live_handle(const void *obj, grid_kind kind) {
  const grid_head *head = (const grid_head *)obj; /* CUDA code includes this, too */
  return head->magic == GRID_MAGIC && (kind == GRID_ANY_KIND || head->kind == kind);
}
#define grid_is_live(obj) grid_is_live_handle(obj, GRID_KIND_OF(obj))
/* The error of a handle that is not a live object of this kind and context. */
GrB_Info grid_fail_handle(const void *obj, grid_kind kind, grid_head *out, const char *call,
                          const char *what);
/* The object checks of every public call, in the order of the specification (4.3, 2.2.1). `obj` is an
 * opaque handle, `what` the argument's name in the signature ("A", "mask", ...). A handle that a program cast
 * to one of another kind gives GrB_INVALID_OBJECT, and so does an object of another context. */
static inline GrB_Info grid_check_handle(const void *obj, grid_kind kind, grid_head *out, const char *call,
                                         const char *what) {
  if (obj && grid_is_live_handle(obj, kind) &&
      (kind == GRID_ANY_KIND || grid_is_of_context((const grid_head *)obj)))
    return GrB_SUCCESS;
  return grid_fail_handle(obj, kind, out, call, what);
}
/* The same for a call that frees the object: it may be one whose context has ended. */
static inline GrB_Info grid_check_freed_handle(const void *obj, grid_kind kind, const char *call,
                                               const char *what) {
  const grid_head *head = (const grid_head *)obj;
  if (head->kind == kind && head->context == GRID_ENDED_CONTEXT) return GrB_SUCCESS;
  return grid_check_handle(obj, kind, NULL, call, what);
}
#define grid_check_object(obj, out, call, what) grid_check_handle(obj, GRID_KIND_OF(obj), out, call, what)
/* In a function with `GrB_Info info` and a label `done`: goes to done if expr fails. */
#define TRY(expr)                       \
  do {                                  \
    info = (expr);                      \
    if (info != GrB_SUCCESS) goto done; \
  } while (0)

#endif
