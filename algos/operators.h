/* Operators of an algorithm's own: their C text is compiled into its file, and given to the library, which
 * makes kernels of it at run time. */
#ifndef GRID_OPERATORS_H
#define GRID_OPERATORS_H
#include "algos/algos.h"

#define WITH_TEXT(name, ...) __VA_ARGS__ static const char name##_text[] = #__VA_ARGS__;

/* A text as a program gives it: without `static`. */
static inline const char *plain(const char *text) {
  return text + sizeof "static " - 1;
}

typedef void (*unary)(void *, const void *);
typedef void (*binary)(void *, const void *, const void *);
typedef void (*indexed)(void *, const void *, GrB_Index, GrB_Index, const void *);
#endif
