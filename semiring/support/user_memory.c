/* See user_memory.h. */
#include "semiring/support/user_memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/support/mem.h"

grid_user_memory_functions grid_user_memory = {malloc, calloc, realloc, free};

void grid_user_memory_reset(void) {
  grid_user_memory = (grid_user_memory_functions){malloc, calloc, realloc, free};
}

/* *bytes to request; false: too many, or a test wants a failure. */
static bool count_bytes(size_t count, size_t size, size_t *bytes) {
  void *test = grid_malloc(1, 1); /* counts as an allocation */
  const bool good = test && !__builtin_mul_overflow(count, size, bytes);
  grid_free(test);
  if (good && *bytes == 0) *bytes = 1;
  return good;
}

void *grid_user_malloc(size_t count, size_t size) {
  size_t bytes;
  return count_bytes(count, size, &bytes) ? grid_user_memory.malloc(bytes) : NULL;
}

void *grid_user_calloc(size_t count, size_t size) {
  size_t bytes;
  if (!count_bytes(count, size, &bytes)) return NULL;
  if (grid_user_memory.calloc) return grid_user_memory.calloc(bytes, 1);
  void *p = grid_user_memory.malloc(bytes);
  return p ? memset(p, 0, bytes) : NULL;
}

void grid_user_free(void *p) {
  if (p) grid_user_memory.free(p);
}
