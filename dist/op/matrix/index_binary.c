/* See index_binary.h. Each operand is copied by an index-unary operator into one whose values contain their
 * positions; the operation itself then has an ordinary operator, of two such values, on any grid. */
#include "dist/op/matrix/index_binary.h"

#include <string.h>

#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"

/* A value with its position: row, column, and the value from byte VALUE on. */
enum { VALUE = 2 * sizeof(GrB_Index), ALIGNMENT = 16 };

/* The operator of the call in progress and what is made of it. Calls of other threads wait
 * (semiring/support/api_lock.h), and OpenMP's threads only read it. */
static struct {
  const grid_index_binary *op;
  size_t result_size;
  struct GrB_Type_opaque x, y;                 /* positioned operands */
  struct GrB_BinaryOp_opaque multiply, second; /* z = f(x, y) of positioned operands; z = y of results */
} in_progress;

static void multiply(void *z, const void *x, const void *y) {
  const grid_index_binary *op = in_progress.op;
  GrB_Index at[4];
  memcpy(at, x, VALUE);
  memcpy(at + 2, y, VALUE);
  op->f(z, (const char *)x + VALUE, at[0], at[1], (const char *)y + VALUE, at[2], at[3], op->theta);
}

static void take_second(void *z, const void *x, const void *y) {
  (void)x;
  memmove(z, y, in_progress.result_size);
}

/* z = (i, j, x); y: the bytes of x and of z. */
static void position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  uint32_t bytes[2];
  const GrB_Index at[2] = {i, j};
  memcpy(bytes, y, sizeof bytes);
  memcpy(z, at, VALUE);
  memcpy((char *)z + VALUE, x, bytes[0]);
  memset((char *)z + VALUE + bytes[0], 0, bytes[1] - VALUE - bytes[0]);
}

/* For an operand that is transposed afterwards, and for the row vector of vxm. */
static void position_transposed(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  position(z, x, j, i, y);
}

/* ---- the types and operators of a call ---- */

static struct GrB_Type_opaque positioned_type(GrB_Type of) {
  return (struct GrB_Type_opaque){.head = {.magic = GRID_MAGIC},
                                  .code = GRID_T_UDT,
                                  .size = VALUE + (of->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
                                  .name = "a value with its position"};
}

static struct GrB_BinaryOp_opaque binary(GrB_Type z, GrB_Type x, GrB_Type y, grid_binary_fn f) {
  return (struct GrB_BinaryOp_opaque){.head = {.magic = GRID_MAGIC},
                                      .op = GRID_OP_USER,
                                      .z = z,
                                      .x = x,
                                      .y = y,
                                      .f = f,
                                      .uses_x = true,
                                      .uses_y = true,
                                      .name = "operator of positions"};
}

static GrB_Info begin(GrB_BinaryOp op, grid_head *head) {
  if (op->x->size > UINT32_MAX / 2 || op->y->size > UINT32_MAX / 2)
    return grid_fail(head, GrB_NOT_IMPLEMENTED, "%s: values of 2 GiB and more have no positions", op->name);
  in_progress.op = op->index;
  in_progress.result_size = op->z->size;
  in_progress.x = positioned_type(op->x);
  in_progress.y = positioned_type(op->y);
  in_progress.multiply = binary(op->z, &in_progress.x, &in_progress.y, multiply);
  in_progress.second = binary(op->z, op->z, op->z, take_second);
  return GrB_SUCCESS;
}

static struct GrB_Semiring_opaque semiring_of(GrB_Semiring op) {
  return (struct GrB_Semiring_opaque){
      .head = {.magic = GRID_MAGIC}, .add = op->add, .mul = &in_progress.multiply};
}

static struct GrB_IndexUnaryOp_opaque positioner(GrB_Type z, GrB_Type x, bool transposed) {
  return (struct GrB_IndexUnaryOp_opaque){.head = {.magic = GRID_MAGIC},
                                          .op = GRID_OP_USER,
                                          .z = z,
                                          .x = x,
                                          .y = GrB_UINT64,
                                          .f = transposed ? position_transposed : position,
                                          .name = "position"};
}

static uint64_t sizes_of(GrB_Type z, GrB_Type x) {
  const uint32_t bytes[2] = {(uint32_t)x->size, (uint32_t)z->size};
  uint64_t both;
  memcpy(&both, bytes, sizeof both);
  return both;
}

/* *P = A's entries, cast to x, with their positions in A or in its transpose. */
static GrB_Info position_matrix(GrB_Matrix *P, GrB_Matrix A, GrB_Type z, GrB_Type x, bool transposed) {
  struct GrB_IndexUnaryOp_opaque op = positioner(z, x, transposed);
  GrB_Info info;
  TRY(GrB_Matrix_new(P, z, A->nrows, A->ncols));
  info = GrB_Matrix_apply_IndexOp_UINT64(*P, NULL, NULL, &op, A, sizes_of(z, x), NULL);
done:
  return info;
}

static GrB_Info position_vector(GrB_Vector *p, GrB_Vector u, GrB_Type z, GrB_Type x, bool row) {
  struct GrB_IndexUnaryOp_opaque op = positioner(z, x, row);
  GrB_Info info;
  TRY(GrB_Vector_new(p, z, u->n));
  info = GrB_Vector_apply_IndexOp_UINT64(*p, NULL, NULL, &op, u, sizes_of(z, x), NULL);
done:
  return info;
}

/* ---- products ---- */

static GrB_Info mxm(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Semiring op, GrB_Matrix A,
                    GrB_Matrix B, GrB_Descriptor desc) {
  GrB_Matrix P = NULL, Q = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, "GrB_mxm", &d));
  TRY(begin(op->mul, &C->head));
  struct GrB_Semiring_opaque semiring = semiring_of(op);
  TRY(position_matrix(&P, A, &in_progress.x, op->mul->x, d.tran0));
  TRY(position_matrix(&Q, B, &in_progress.y, op->mul->y, d.tran1));
  info = GrB_mxm(C, mask, accum, &semiring, P, Q, desc);
done:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

static GrB_Info mxv(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring op, GrB_Matrix A,
                    GrB_Vector u, GrB_Descriptor desc, bool flip) {
  const GrB_Type a = flip ? &in_progress.y : &in_progress.x, v = flip ? &in_progress.x : &in_progress.y;
  GrB_Matrix P = NULL;
  GrB_Vector p = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, "GrB_mxv", &d));
  TRY(begin(op->mul, &w->head));
  struct GrB_Semiring_opaque semiring = semiring_of(op);
  TRY(position_matrix(&P, A, a, flip ? op->mul->y : op->mul->x, flip ? d.tran1 : d.tran0));
  TRY(position_vector(&p, u, v, flip ? op->mul->x : op->mul->y, flip));
  info =
      flip ? GrB_vxm(w, mask, accum, &semiring, p, P, desc) : GrB_mxv(w, mask, accum, &semiring, P, p, desc);
done:
  GrB_Matrix_free(&P);
  GrB_Vector_free(&p);
  return info;
}

static GrB_Info kronecker(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                          GrB_Matrix B, GrB_Descriptor desc) {
  GrB_Matrix P = NULL, Q = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, "GrB_kronecker", &d));
  TRY(begin(op, &C->head));
  TRY(position_matrix(&P, A, &in_progress.x, op->x, d.tran0));
  TRY(position_matrix(&Q, B, &in_progress.y, op->y, d.tran1));
  info = GrB_Matrix_kronecker_BinaryOp(C, mask, accum, &in_progress.multiply, P, Q, desc);
done:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

/* ---- eWise ---- */

static struct GrB_Descriptor_opaque descriptor_of(const grid_desc *d, bool of_inputs) {
  struct GrB_Descriptor_opaque of = {.head = {.magic = GRID_MAGIC}};
  if (of_inputs)
    of.tran0 = d->tran0, of.tran1 = d->tran1;
  else
    of.replace = d->replace, of.complement = d->complement, of.structure = d->structure;
  return of;
}

/* The union: T has the results where both have entries; W = A or B elsewhere. */
static GrB_Info matrix_union(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                             GrB_Matrix B, const grid_desc *d, GrB_Matrix P, GrB_Matrix Q) {
  struct GrB_Descriptor_opaque inputs = descriptor_of(d, true), output = descriptor_of(d, false);
  GrB_Matrix T = NULL, W = NULL;
  GrB_Info info;
  TRY(GrB_Matrix_new(&T, op->z, C->nrows, C->ncols));
  TRY(GrB_Matrix_new(&W, op->z, C->nrows, C->ncols));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(T, NULL, NULL, &in_progress.multiply, P, Q, &inputs));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(W, NULL, NULL, &in_progress.second, A, B, &inputs));
  info = GrB_Matrix_eWiseAdd_BinaryOp(C, mask, accum, &in_progress.second, W, T, &output);
done:
  GrB_Matrix_free(&T);
  GrB_Matrix_free(&W);
  return info;
}

static GrB_Info matrix_ewise(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                             GrB_Matrix B, GrB_Descriptor desc, bool add) {
  GrB_Matrix P = NULL, Q = NULL;
  grid_desc d;
  GrB_Info info;
  TRY(grid_desc_get(desc, add ? "GrB_eWiseAdd" : "GrB_eWiseMult", &d));
  TRY(begin(op, &C->head));
  TRY(position_matrix(&P, A, &in_progress.x, op->x, d.tran0));
  TRY(position_matrix(&Q, B, &in_progress.y, op->y, d.tran1));
  info = add ? matrix_union(C, mask, accum, op, A, B, &d, P, Q)
             : GrB_Matrix_eWiseMult_BinaryOp(C, mask, accum, &in_progress.multiply, P, Q, desc);
done:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

static GrB_Info vector_union(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                             GrB_Vector v, GrB_Descriptor desc, GrB_Vector p, GrB_Vector q) {
  GrB_Vector t = NULL, e = NULL;
  GrB_Info info;
  TRY(GrB_Vector_new(&t, op->z, w->n));
  TRY(GrB_Vector_new(&e, op->z, w->n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(t, NULL, NULL, &in_progress.multiply, p, q, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(e, NULL, NULL, &in_progress.second, u, v, NULL));
  info = GrB_Vector_eWiseAdd_BinaryOp(w, mask, accum, &in_progress.second, e, t, desc);
done:
  GrB_Vector_free(&t);
  GrB_Vector_free(&e);
  return info;
}

static GrB_Info vector_ewise(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                             GrB_Vector v, GrB_Descriptor desc, bool add) {
  GrB_Vector p = NULL, q = NULL;
  GrB_Info info;
  TRY(begin(op, &w->head));
  TRY(position_vector(&p, u, &in_progress.x, op->x, false));
  TRY(position_vector(&q, v, &in_progress.y, op->y, false));
  info = add ? vector_union(w, mask, accum, op, u, v, desc, p, q)
             : GrB_Vector_eWiseMult_BinaryOp(w, mask, accum, &in_progress.multiply, p, q, desc);
done:
  GrB_Vector_free(&p);
  GrB_Vector_free(&q);
  return info;
}

const grid_index_binary_calls grid_index_binary_call_table = {.mxm = mxm,
                                                              .mxv = mxv,
                                                              .matrix_ewise = matrix_ewise,
                                                              .vector_ewise = vector_ewise,
                                                              .kronecker = kronecker};
