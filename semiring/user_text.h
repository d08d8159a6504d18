/* Name and source text of a user-defined type or operator, stored behind the object in the same block. */
#ifndef GRID_USER_TEXT_H
#define GRID_USER_TEXT_H
#include "semiring/semiring.h"

typedef struct {
  const char *name, *text; /* as given by the program; NULL: none */
} grid_user_text;

/* A text requires a name that is a C identifier; a name alone is used in messages. */
GrB_Info grid_user_text_check(const grid_user_text *u, const char *call);
/* Checks the arguments of a call that creates an operator: the destination, the function, the types (of a
 * unary one y is x), the text. */
GrB_Info grid_user_operator_check(const void *op, bool has_f, GrB_Type z, GrB_Type x, GrB_Type y,
                                  const grid_user_text *u, const char *call);
/* Allocates a zeroed object of `size` bytes followed by its name and text; *u then points there. NULL when
 * out of memory. */
void *grid_user_text_object(size_t size, grid_user_text *u);
#endif
