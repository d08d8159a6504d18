/* Reductions of a matrix (specification 4.3.10). Row sums are a product with a full vector, w = A (+).first
 * 1; the sum of all entries is the sum of the row sums. */
#include <string.h>

#include "dist/op/matrix_reduce.h"
#include "semiring/op_codes.h"

/* FIRST of a user-defined type; calls are made one at a time, so the size can stand here. */
static size_t udt_size;
static void first_udt(void *z, const void *x, const void *y) {
  (void)y;
  memcpy(z, x, udt_size);
}

#define FIRST_OF(T, C) GrB_FIRST_##T,
static GrB_BinaryOp first_of(GrB_Type type, struct GrB_BinaryOp_opaque *udt) {
  const GrB_BinaryOp first[] = {GRID_TYPES(FIRST_OF)};
  if (type->code != GRID_T_UDT) return first[type->code];
  udt_size = type->size;
  *udt = (struct GrB_BinaryOp_opaque){.head = {.magic = GRID_MAGIC, .builtin = true},
                                      .op = GRID_OP_USER,
                                      .z = type,
                                      .x = type,
                                      .y = type,
                                      .f = first_udt,
                                      .uses_x = true,
                                      .name = "FIRST"};
  return udt;
}

/* A binary operator as a monoid: nothing here needs an identity. */
static GrB_Info monoid_of(GrB_BinaryOp op, grid_head *head, const char *call, struct GrB_Monoid_opaque *m) {
  GrB_Info info = grid_check_object(op, head, call, "op");
  if (info != GrB_SUCCESS) return info;
  if (!op->f || op->x != op->z || op->y != op->z)
    return grid_fail(head, GrB_DOMAIN_MISMATCH,
                     "%s: %s(%s, %s) -> %s cannot reduce; its three types must be equal", call, op->name,
                     op->x->name, op->y->name, op->z->name);
  *m = (struct GrB_Monoid_opaque){.head = {.magic = GRID_MAGIC, .builtin = true}, .op = op};
  return GrB_SUCCESS;
}

/* ones(k) = true for every k when that is short, else for those k where A holds entries: a vector as long as
 * a hypersparse dimension fits no memory. */
GrB_Info grid_matrix_ones(GrB_Vector ones, GrB_Matrix A, bool transposed) {
  GrB_Info info;
  GrB_Index nvals, n = 0, *index = NULL;
  TRY(GrB_Matrix_nvals(&nvals, A));
  if (ones->n / GRID_LIST_SHARE <= nvals)
    return GrB_Vector_assign_BOOL(ones, NULL, NULL, true, GrB_ALL, ones->n, NULL);
  Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, A); /* says how many there are */
  index = grid_malloc(n, sizeof *index);
  TRY(grid_agree(&A->head,
                 index ? GrB_SUCCESS : grid_fail_memory(NULL, "indices of entries", n, sizeof *index)));
  TRY(grid_agree(
      &A->head, Grid_Matrix_extractLocal(transposed ? index : NULL, transposed ? NULL : index, NULL, &n, A)));
  info = Grid_Vector_build(ones, index, NULL, NULL, n, NULL);
done:
  grid_free(index);
  return info;
}

static GrB_Info row_sums(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Monoid monoid, GrB_Matrix A,
                         GrB_Descriptor desc, const char *call) {
  grid_desc d;
  struct GrB_BinaryOp_opaque udt;
  GrB_Vector ones = NULL;
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS) info = grid_check_object(monoid, &A->head, call, "op");
  if (info == GrB_SUCCESS) info = grid_desc_get(desc, call, &d);
  if (info != GrB_SUCCESS) return info;
  struct GrB_Semiring_opaque s = {.head = {.magic = GRID_MAGIC, .builtin = true},
                                  .add = monoid,
                                  .mul = first_of(monoid->op->z, &udt)};
  GrB_Index n = d.tran0 ? A->nrows : A->ncols;
  TRY(GrB_Vector_new(&ones, GrB_BOOL, n));
  TRY(grid_matrix_ones(ones, A, d.tran0));
  TRY(GrB_mxv(w, mask, accum, &s, A, ones, desc));
done:
  GrB_Vector_free(&ones);
  return info;
}

/* *w = a new vector of all row sums. */
static GrB_Info all_row_sums(GrB_Vector *w, GrB_Monoid monoid, GrB_Matrix A, const char *call) {
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS) info = grid_check_object(monoid, &A->head, call, "monoid");
  if (info == GrB_SUCCESS && !grid_compatible(monoid->op->z, A->type))
    info =
        grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: A has type %s, which the monoid's type %s cannot take",
                  call, A->type->name, monoid->op->z->name);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(w, monoid->op->z, A->nrows);
  return info == GrB_SUCCESS ? row_sums(*w, NULL, NULL, monoid, A, NULL, call) : info;
}

GrB_Info GrB_Matrix_reduce_Monoid(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                  const GrB_Monoid op, const GrB_Matrix A, const GrB_Descriptor desc) {
  return row_sums(w, mask, accum, op, A, desc, "GrB_Matrix_reduce_Monoid");
}

GrB_Info GrB_Matrix_reduce_BinaryOp(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                    const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Descriptor desc) {
  const char *call = "GrB_Matrix_reduce_BinaryOp";
  struct GrB_Monoid_opaque m;
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS) info = monoid_of(op, &A->head, call, &m);
  return info == GrB_SUCCESS ? row_sums(w, mask, accum, &m, A, desc, call) : info;
}

#define REDUCE(T, C)                                                                      \
  GrB_Info GrB_Matrix_reduce_##T(C *x, const GrB_BinaryOp accum, const GrB_Monoid monoid, \
                                 const GrB_Matrix A, const GrB_Descriptor desc) {         \
    GrB_Vector sums = NULL;                                                               \
    GrB_Info info = all_row_sums(&sums, monoid, A, "GrB_Matrix_reduce");                  \
    if (info == GrB_SUCCESS) info = GrB_Vector_reduce_##T(x, accum, monoid, sums, desc);  \
    GrB_Vector_free(&sums);                                                               \
    return info;                                                                          \
  }
GRID_TYPES(REDUCE)
REDUCE(UDT, void)

GrB_Info GrB_Matrix_reduce_Monoid_Scalar(GrB_Scalar x, const GrB_BinaryOp accum, const GrB_Monoid op,
                                         const GrB_Matrix A, const GrB_Descriptor desc) {
  GrB_Vector sums = NULL;
  GrB_Info info = all_row_sums(&sums, op, A, "GrB_Matrix_reduce_Monoid_Scalar");
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_Monoid_Scalar(x, accum, op, sums, desc);
  GrB_Vector_free(&sums);
  return info;
}

GrB_Info GrB_Matrix_reduce_BinaryOp_Scalar(GrB_Scalar x, const GrB_BinaryOp accum, const GrB_BinaryOp op,
                                           const GrB_Matrix A, const GrB_Descriptor desc) {
  const char *call = "GrB_Matrix_reduce_BinaryOp_Scalar";
  struct GrB_Monoid_opaque m;
  GrB_Vector sums = NULL;
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS) info = monoid_of(op, &A->head, call, &m);
  if (info == GrB_SUCCESS) info = all_row_sums(&sums, &m, A, call);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_BinaryOp_Scalar(x, accum, op, sums, desc);
  GrB_Vector_free(&sums);
  return info;
}
