/* Errors: formatting, the library's last error text, and the texts that objects hold. */
#include "semiring/support/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "semiring/threads/api_lock.h"
#include "semiring/support/mem.h"
#include "semiring/support/no_value.h"
#include "semiring/threads/thread_texts.h"
#include "semiring/threads/worker_error.h"
#include "semiring/threads/context_section.h"

uint32_t grid_default_context_number GRID_OF_CONTEXT = 1;
__thread bool grid_is_value_missing;

/* The thread's last error text, which the caller may change. */
static char *last_text(void) {
  char *text = grid_thread_texts_get()->error;
  if (grid_is_value_missing) strcpy(text, "there is no value");
  grid_is_value_missing = false;
  return text;
}

/* A predefined object holds no text: it is shared by everything. Several threads may fail with one object. */
static void store_error(grid_head *head, const char *text) {
  if (head == NULL || head->builtin) return;
  char *copy = grid_malloc(strlen(text) + 1, 1);
  if (copy != NULL) strcpy(copy, text);
  /* without memory: no text rather than an old one */
  grid_free(__atomic_exchange_n(&head->error, copy, __ATOMIC_ACQ_REL));
}

GrB_Info grid_fail(grid_head *head, GrB_Info info, const char *fmt, ...) {
  char text[GRID_ERROR_TEXT_SIZE]; /* an argument may be the last text itself */
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  memcpy(last_text(), text, strlen(text) + 1);
  store_error(head, text);
  if (!grid_call_is_open()) grid_worker_error_record(text);
  return info;
}

void grid_fetch_worker_error(void) {
  grid_worker_error_take(last_text());
}

GrB_Info grid_fail_memory(grid_head *head, const char *what, uint64_t count, size_t size) {
  return grid_fail(head, GrB_OUT_OF_MEMORY, "out of memory: %s needs %llu x %zu bytes", what,
                   (unsigned long long)count, size);
}

GrB_Info grid_fail_inside(grid_head *head, GrB_Info info, const char *call) {
  if (info == GrB_SUCCESS) return info;
  const char *text = grid_last_error();
  const bool is_named = strncmp(text, call, strlen(call)) == 0;
  return is_named ? grid_fail(head, info, "%s", text) : grid_fail(head, info, "%s: %s", call, text);
}

/* Each block begins with the address of the one before. */
typedef struct {
  _Alignas(16) void *before;
} block;

void *grid_head_alloc(grid_head *head, size_t bytes) {
  block *b = grid_malloc(bytes + sizeof *b, 1);
  if (!b) return NULL;
  b->before = head->blocks;
  head->blocks = b;
  return b + 1;
}

void grid_head_end(grid_head *head) {
  while (head->blocks) {
    block *b = head->blocks;
    head->blocks = b->before;
    grid_free(b);
  }
  grid_free(head->error);
  if (!head->builtin) grid_free((char *)(uintptr_t)head->name);
  head->error = NULL, head->name = NULL;
  head->magic = GRID_FREED;
}

const char *grid_last_error(void) {
  if (grid_call_is_open()) grid_fetch_worker_error();
  return last_text();
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
    NAME(GxB_EXHAUSTED)
#undef NAME
  }
  return "unknown code";
}

GrB_Info grid_fail_handle(const void *obj, grid_kind kind, grid_head *out, const char *call,
                          const char *what) {
  static const char *const name[] = {"?",
                                     "a type",
                                     "a unary operator",
                                     "a binary operator",
                                     "an index unary operator",
                                     "an index binary operator",
                                     "a select operator",
                                     "a monoid",
                                     "a semiring",
                                     "a descriptor",
                                     "a GxB_Context",
                                     "the library",
                                     "a scalar",
                                     "a vector",
                                     "a matrix"};
  if (obj == NULL) return grid_fail(out, GrB_NULL_POINTER, "%s: argument %s is NULL", call, what);
  if (!grid_is_live_handle(obj, GRID_ANY_KIND))
    return grid_fail(out, GrB_UNINITIALIZED_OBJECT,
                     "%s: argument %s is not a live object (freed, or never created)", call, what);
  const grid_head *head = obj;
  if (head->kind == kind)
    return grid_fail(out, GrB_INVALID_OBJECT, "%s: argument %s is %s of a context that %s", call, what,
                     name[kind],
                     head->context == GRID_ENDED_CONTEXT ? "has ended: it can only be freed"
                                                         : "is not in use (Grid_Context_use)");
  return grid_fail(out, GrB_INVALID_OBJECT, "%s: argument %s is %s, not %s", call, what, name[head->kind],
                   name[kind]);
}
