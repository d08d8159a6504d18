/* The functions that the program gave to GxB_init (else those of the C library). Arrays that change owners
 * are allocated by them: the program's arrays that the library takes over and frees, and the library's
 * results that the program frees. The library's own memory is mem.h's. */
#ifndef GRID_USER_MEMORY_H
#define GRID_USER_MEMORY_H
#include <stddef.h>

typedef struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t); /* calloc and realloc may be NULL: without, malloc serves */
  void *(*realloc)(void *, size_t);
  void (*free)(void *);
} grid_user_memory_functions;
extern grid_user_memory_functions grid_user_memory;

/* Back to those of the C library, at GrB_finalize. */
void grid_user_memory_reset(void);
/* NULL when out of memory, or if count * size overflows; 0 bytes give one byte. A test makes it fail as
 * grid_malloc (grid_mem_fail_after). */
void *grid_user_malloc(size_t count, size_t size);
/* The same, of zeros. */
void *grid_user_calloc(size_t count, size_t size);
void grid_user_free(void *p);
#endif
