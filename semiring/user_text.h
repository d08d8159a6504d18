/* Name and source text of a user-defined type or operator, stored behind the object in the same block. */
#ifndef GRID_USER_TEXT_H
#define GRID_USER_TEXT_H
#include "semiring/semiring.h"
#include "gridblas_gxb_objects.h"

typedef struct {
  const char *name, *text; /* as given by the program; NULL: none */
} grid_user_text;

/* A text requires a name that is a C identifier; a name alone is used in messages. */
GrB_Info grid_user_text_check(const grid_user_text *u, const char *call);
/* Checks the arguments of a call that creates an operator: the destination, the function, the types (of a
 * unary one y is x), the text. */
GrB_Info grid_user_operator_check(const void *op, bool has_f, GrB_Type z, GrB_Type x, GrB_Type y,
                                  const grid_user_text *u, const char *call);
/* What GrB_*Op_new, Grid_*Op_new and GxB_*Op_new do, for a call of that name; f is not NULL. */
GrB_Info grid_unary_new(GrB_UnaryOp *op, grid_unary_fn f, GrB_Type ztype, GrB_Type xtype, grid_user_text u,
                        const char *call);
GrB_Info grid_binary_new(GrB_BinaryOp *op, grid_binary_fn f, GrB_Type ztype, GrB_Type xtype, GrB_Type ytype,
                         grid_user_text u, const char *call);
GrB_Info grid_index_unary_new(GrB_IndexUnaryOp *op, grid_index_fn f, GrB_Type ztype, GrB_Type xtype,
                              GrB_Type ytype, grid_user_text u, const char *call);
GrB_Info grid_index_binary_new(GxB_IndexBinaryOp *op, grid_index_binary_fn f, GrB_Type ztype, GrB_Type xtype,
                               GrB_Type ytype, GrB_Type theta_type, grid_user_text u, const char *call);
/* The binary operator of an index-binary one and a value of its theta type. */
GrB_Info grid_index_binary_bind(GrB_BinaryOp *op, GxB_IndexBinaryOp index_op, const void *theta,
                                const char *call);
GrB_Info grid_type_new(GrB_Type *type, size_t size, grid_user_text u, const char *call);
/* The name of operators that have none, at this address. */
extern const char grid_no_name[];
/* Allocates a zeroed object of `size` bytes followed by its name and text; *u then points there. NULL when
 * out of memory. */
void *grid_user_text_object(size_t size, grid_user_text *u);
#endif
