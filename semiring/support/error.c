/* Errors: formatting, the library's last error text, and the texts that objects hold. */
#include "semiring/support/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "semiring/support/api_lock.h"
#include "semiring/support/mem.h"

enum { TEXT_SIZE = 2048 };
static _Thread_local char last_text[TEXT_SIZE]; /* of the thread's calls */
/* What a worker thread has recorded for the call in progress, until the calling thread takes it. */
static struct {
  char text[TEXT_SIZE];
  atomic_bool failed;
  pthread_mutex_t lock; /* of this text and of the objects' texts */
} worker = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A predefined object holds no text: it is shared by everything. */
static void store_error(grid_head *head, const char *text) {
  if (head == NULL || head->builtin) return;
  char *copy = grid_malloc(strlen(text) + 1, 1);
  if (copy != NULL) strcpy(copy, text);
  grid_free(head->error); /* without memory: no text rather than an old one */
  head->error = copy;
}

GrB_Info grid_fail(grid_head *head, GrB_Info info, const char *fmt, ...) {
  char text[TEXT_SIZE]; /* an argument may be the last text itself */
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  memcpy(last_text, text, strlen(text) + 1);
  pthread_mutex_lock(&worker.lock);
  store_error(head, text);
  if (!grid_call_is_open()) {
    memcpy(worker.text, text, strlen(text) + 1);
    worker.failed = true;
  }
  pthread_mutex_unlock(&worker.lock);
  return info;
}

void grid_forget_worker_error(void) {
  if (atomic_load_explicit(&worker.failed, memory_order_relaxed)) worker.failed = false;
}

void grid_fetch_worker_error(void) {
  if (!worker.failed) return;
  pthread_mutex_lock(&worker.lock);
  memcpy(last_text, worker.text, strlen(worker.text) + 1);
  worker.failed = false;
  pthread_mutex_unlock(&worker.lock);
}

GrB_Info grid_fail_memory(grid_head *head, const char *what, uint64_t count, size_t size) {
  return grid_fail(head, GrB_OUT_OF_MEMORY, "out of memory: %s needs %llu x %zu bytes", what,
                   (unsigned long long)count, size);
}

void grid_head_end(grid_head *head) {
  grid_free(head->error);
  if (!head->builtin) grid_free((char *)(uintptr_t)head->name);
  head->error = NULL, head->name = NULL;
  head->magic = GRID_FREED;
}

const char *grid_last_error(void) {
  if (grid_call_is_open()) grid_fetch_worker_error();
  return last_text;
}

const char *grid_info_name(GrB_Info info) {
  switch (info) {
#define NAME(code) \
  case code:       \
    return #code;
    NAME(GrB_SUCCESS)
    NAME(GrB_NO_VALUE)
    NAME(GrB_UNINITIALIZED_OBJECT)
    NAME(GrB_NULL_POINTER)
    NAME(GrB_INVALID_VALUE)
    NAME(GrB_INVALID_INDEX)
    NAME(GrB_DOMAIN_MISMATCH)
    NAME(GrB_DIMENSION_MISMATCH)
    NAME(GrB_OUTPUT_NOT_EMPTY)
    NAME(GrB_NOT_IMPLEMENTED)
    NAME(GrB_ALREADY_SET)
    NAME(GrB_PANIC)
    NAME(GrB_OUT_OF_MEMORY)
    NAME(GrB_INSUFFICIENT_SPACE)
    NAME(GrB_INVALID_OBJECT)
    NAME(GrB_INDEX_OUT_OF_BOUNDS)
    NAME(GrB_EMPTY_OBJECT)
#undef NAME
  }
  return "unknown code";
}

bool grid_is_live(const void *obj) {
  return ((const grid_head *)obj)->magic == GRID_MAGIC;
}

GrB_Info grid_check_object(const void *obj, grid_head *out, const char *call, const char *what) {
  if (obj == NULL) return grid_fail(out, GrB_NULL_POINTER, "%s: argument %s is NULL", call, what);
  if (!grid_is_live(obj))
    return grid_fail(out, GrB_UNINITIALIZED_OBJECT,
                     "%s: argument %s is not a live object (freed, or never created)", call, what);
  return GrB_SUCCESS;
}
