/* User-defined operators of the algorithms. Their C text is compiled into the algorithm's file and also
 * passed to the library, which compiles kernels from it at run time. */
#ifndef GRID_OPERATORS_H
#define GRID_OPERATORS_H
#include "algos/algos.h"

#define WITH_TEXT(name, ...) __VA_ARGS__ static const char name##_text[] = #__VA_ARGS__;

/* The text as a program passes it: without `static`. */
static inline const char *plain(const char *text) {
  return text + sizeof "static " - 1;
}

typedef void (*unary)(void *, const void *);
typedef void (*binary)(void *, const void *, const void *);
typedef void (*indexed)(void *, const void *, GrB_Index, GrB_Index, const void *);
#endif
