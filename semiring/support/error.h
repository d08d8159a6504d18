/* Errors: one place that words them. An object that a call was made on carries the text of its last error
 * (GrB_error); each thread keeps the last text as well, for calls without an object. */
#ifndef GRID_ERROR_H
#define GRID_ERROR_H
#include "GraphBLAS.h"

/* First member of every opaque object. */
typedef struct {
  uint64_t magic; /* GRID_MAGIC while the object lives */
  char *error;    /* text of the last error on it (own memory), or NULL */
  bool builtin;   /* predefined: never freed */
  /* GrB_NAME: a predefined object's own, else the one that a program has set (own memory), or NULL */
  const char *name;
  uint8_t kind; /* GRID_IS_..., of those that hold entries */
} grid_head;

#define GRID_MAGIC 0x6772696462617331ull /* "gridbas1" */
enum { GRID_IS_VECTOR = 1, GRID_IS_MATRIX, GRID_IS_SCALAR };
#define GRID_FREED 0x66726565646f626aull

/* Records text (printf style) as the library's last error and, when head is not NULL, as the object's.
 * Returns info, so that a check reads: return grid_fail(&C->head, GrB_DIMENSION_MISMATCH, "...", ...). */
GrB_Info grid_fail(grid_head *head, GrB_Info info, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for out of memory: says what was asked for. */
GrB_Info grid_fail_memory(grid_head *head, const char *what, uint64_t count, size_t size);
/* An object's end: frees what its head holds, and the object is no live one any more. */
void grid_head_end(grid_head *head);
/* The text of the last error of the calling thread's calls ("" at start). It lasts until that thread's next
 * error. */
const char *grid_last_error(void);
/* What a worker thread has recorded in the call in progress becomes the calling thread's last text; nothing
 * has been recorded since the call began. */
void grid_fetch_worker_error(void);
void grid_forget_worker_error(void);
/* Name of a code: "GrB_DIMENSION_MISMATCH". */
const char *grid_info_name(GrB_Info info);

/* The checks every public call makes, in the order of the specification (section 4.3, 2.2.1). `obj` is an
 * opaque handle, `what` the argument's name as the user wrote it in the signature ("A", "mask", ...). */
GrB_Info grid_check_object(const void *obj, grid_head *out, const char *call, const char *what);
/* Made, and not freed yet. obj is not NULL. */
bool grid_is_live(const void *obj);

/* Inside a function with `GrB_Info info` and a label `done`: leave through the one way out when expr
 * fails. */
#define TRY(expr)                       \
  do {                                  \
    info = (expr);                      \
    if (info != GrB_SUCCESS) goto done; \
  } while (0)

#endif
