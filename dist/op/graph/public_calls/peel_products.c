/* Grid_Matrix_peel by products: in each round one of the vertices that leave. */
#include "dist/op/graph/public_calls/peel_products.h"

#include <stdlib.h>
#include <string.h>

#include "dist/op/graph/public_calls/public_calls.h"

/* The type of degrees, INT32 where they fit since most of the time is spent on passes over them, and its
 * operators. */
typedef struct {
  GrB_Type type;
  GrB_Semiring count; /* plus.oneb */
  GrB_BinaryOp minus;
  GrB_UnaryOp identity;
  GrB_IndexUnaryOp at_most;
  GrB_Monoid min;
} degree_operators;

static degree_operators operators_for(int64_t largest) {
  if (largest <= INT32_MAX)
    return (degree_operators){GrB_INT32,         Grid_PLUS_ONEB_SEMIRING_INT32,
                              GrB_MINUS_INT32,   GrB_IDENTITY_INT32,
                              GrB_VALUELE_INT32, GrB_MIN_MONOID_INT32};
  return (degree_operators){GrB_INT64,         Grid_PLUS_ONEB_SEMIRING_INT64,
                            GrB_MINUS_INT64,   GrB_IDENTITY_INT64,
                            GrB_VALUELE_INT64, GrB_MIN_MONOID_INT64};
}

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  degree_operators ops;
  GrB_Vector removed;      /* INT64: of the vertices that have left, what they get */
  GrB_Vector degree;       /* edges into each vertex from those that remain */
  GrB_Vector q;            /* to be removed next */
  GrB_Vector lost, less;   /* edges from q, and the degree without them; workspace */
  Grid_Peel_Level *levels; /* NULL: they are not needed */
  GrB_Index capacity, nlevels;
} peel;

static GrB_Info allocate_levels(peel *p) {
  p->capacity = p->capacity < p->n ? p->capacity : p->n;
  p->levels = malloc((p->capacity + 1) * sizeof *p->levels);
  return Grid_agree(p->levels ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "Grid_Matrix_peel: no memory for levels");
}

/* What is left, in q, before a level. */
static GrB_Info record_level(peel *p, int64_t level) {
  GrB_Info info = GrB_SUCCESS;
  if (p->levels == NULL) goto out;
  TRY(Grid_agree(p->nlevels < p->capacity ? GrB_SUCCESS : GrB_INSUFFICIENT_SPACE,
                 "Grid_Matrix_peel: there are more levels than *n"));
  Grid_Peel_Level *next = p->levels + p->nlevels++;
  next->level = level;
  TRY(GrB_Vector_nvals(&next->vertices, p->q));
  TRY(GrB_Vector_reduce_INT64(&next->degrees, NULL, GrB_PLUS_MONOID_INT64, p->q, NULL));
out:
  return info;
}

static GrB_Info begin(peel *p, GrB_Vector degree, int64_t first) {
  GrB_Vector *const degrees[] = {&p->degree, &p->q, &p->lost, &p->less};
  GrB_Info info;
  int64_t largest;
  TRY(GrB_Vector_reduce_INT64(&largest, NULL, GrB_MAX_MONOID_INT64, degree, NULL));
  p->ops = operators_for(largest);
  TRY(GrB_Vector_new(&p->removed, GrB_INT64, p->n));
  for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++)
    TRY(GrB_Vector_new(degrees[k], p->ops.type, p->n));
  TRY(GrB_Vector_assign(p->degree, NULL, NULL, degree, GrB_ALL, p->n, NULL));
  TRY(GrB_Vector_select_INT64(p->removed, NULL, NULL, GrB_VALUELT_INT64, degree, first, NULL));
out:
  return info;
}

/* Removes q at this level; then q = the vertices that lost an edge and have `level` or fewer left. */
static GrB_Info remove_round(peel *p, int64_t level) {
  GrB_Info info;
  /* removed<q> = level; lost<!removed> = q plus.oneb A; less = degree - lost; degree<less> = less */
  TRY(GrB_Vector_assign_INT64(p->removed, p->q, NULL, level, GrB_ALL, p->n, GrB_DESC_S));
  TRY(GrB_vxm(p->lost, p->removed, NULL, p->ops.count, p->q, p->A, GrB_DESC_RSC));
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->less, NULL, NULL, p->ops.minus, p->degree, p->lost, NULL));
  TRY(GrB_Vector_assign(p->degree, p->less, NULL, p->less, GrB_ALL, p->n, GrB_DESC_S));
  TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, p->ops.at_most, p->less, level, NULL));
out:
  return info;
}

/* Removes the vertices of the least degree in q, which are all that are left, if it is at most `last`; *more:
 * it is. */
static GrB_Info remove_level(bool *more, peel *p, int64_t last) {
  GrB_Info info;
  GrB_Index leaving;
  int64_t level;
  TRY(GrB_Vector_reduce_INT64(&level, NULL, p->ops.min, p->q, NULL));
  *more = level <= last;
  if (!*more) goto out;
  TRY(record_level(p, level));
  TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, p->ops.at_most, p->q, level, NULL));
  for (;;) {
    TRY(GrB_Vector_nvals(&leaving, p->q));
    if (leaving == 0) break;
    TRY(remove_round(p, level));
  }
out:
  return info;
}

GrB_Info grid_peel_by_products(GrB_Vector degree, Grid_Peel_Level *levels, GrB_Index *n, GrB_Matrix A,
                               int64_t first, int64_t last) {
  peel p = {.A = A, .capacity = levels ? *n : 0};
  GrB_Info info;
  GrB_Index left;
  TRY(GrB_Vector_size(&p.n, degree));
  if (levels) TRY(allocate_levels(&p));
  TRY(begin(&p, degree, first));
  for (bool more = true; more;) {
    /* q<!removed> = degree */
    TRY(GrB_Vector_apply(p.q, p.removed, NULL, p.ops.identity, p.degree, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&left, p.q));
    Grid_progress_set(p.n - left, p.n);
    if (left == 0) break;
    TRY(remove_level(&more, &p, last));
  }
  TRY(GrB_Vector_assign(p.degree, p.removed, NULL, p.removed, GrB_ALL, p.n, GrB_DESC_S));
  TRY(GrB_Vector_assign(degree, NULL, NULL, p.degree, GrB_ALL, p.n, NULL));
  if (levels) memcpy(levels, p.levels, p.nlevels * sizeof *levels), *n = p.nlevels;
out:
  free(p.levels);
  GrB_Vector_free(&p.removed);
  GrB_Vector_free(&p.degree);
  GrB_Vector_free(&p.q);
  GrB_Vector_free(&p.lost);
  GrB_Vector_free(&p.less);
  return info;
}
