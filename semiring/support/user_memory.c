/* See user_memory.h. */
#include "semiring/support/user_memory.h"

#include <stdlib.h>

#include "semiring/support/mem.h"

grid_user_memory_functions grid_user_memory = {malloc, calloc, realloc, free};

void grid_user_memory_reset(void) {
  grid_user_memory = (grid_user_memory_functions){malloc, calloc, realloc, free};
}

void *grid_user_malloc(size_t count, size_t size) {
  size_t bytes;
  void *test = grid_malloc(1, 1); /* counts as an allocation */
  if (!test || __builtin_mul_overflow(count, size, &bytes)) {
    grid_free(test);
    return NULL;
  }
  grid_free(test);
  return grid_user_memory.malloc(bytes ? bytes : 1);
}

void grid_user_free(void *p) {
  if (p) grid_user_memory.free(p);
}
