/* Name and source text of a program's own type or operator: kept behind the object, in the same block. */
#ifndef GRID_USER_TEXT_H
#define GRID_USER_TEXT_H
#include "semiring/semiring.h"

typedef struct {
  const char *name, *text; /* as the program gave them; NULL: none */
} grid_user_text;

/* A text needs a name that is an identifier of C; a name alone is for messages. */
GrB_Info grid_user_text_check(const grid_user_text *u, const char *call);
/* Checks what a call is given for a new operator: where it goes, whether it has a function, its types (of a
 * unary one y is x), the text. */
GrB_Info grid_user_operator_check(const void *op, bool has_f, GrB_Type z, GrB_Type x, GrB_Type y,
                                  const grid_user_text *u, const char *call);
/* A zeroed block for an object of `size` bytes with its name and text behind it; *u then points there. NULL
 * when out of memory. */
void *grid_user_text_object(size_t size, grid_user_text *u);
#endif
