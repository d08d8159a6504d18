/* Texts of the calling thread that public functions return. They are not _Thread_local arrays, which each
 * thread of a program would have, whether it calls the library or not. */
#ifndef GRID_THREAD_TEXTS_H
#define GRID_THREAD_TEXTS_H
#include <limits.h>

#include "GraphBLAS.h"

#include "semiring/threads/worker_error.h"

typedef struct {
  char error[GRID_ERROR_TEXT_SIZE];  /* the last one */
  char folder[PATH_MAX];             /* a name that GrB_get returns */
  char short_name[GxB_MAX_NAME_LEN]; /* of an operator, without prefix and type */
} grid_thread_texts;

/* Empty at first. Freed when the thread ends. Without memory several threads have the same ones. */
grid_thread_texts *grid_thread_texts_get(void);
#endif
