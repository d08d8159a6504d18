/* Core numbers by peeling: vertices of the least degree are removed with their edges until none is left,
 * then those of the next degree. A round reads the edges of the vertices that it removes, and no others.
 *
 * Sources: Seidman, Network structure and minimum degree (1983); Matula, Beck (1983); in rounds: Dasari,
 * Ranjan, Zubair, ParK (2014). */
#include "algos/orient.h"
#include "algos/resume.h"

typedef struct {
  GrB_Matrix S;
  GrB_Index n;
  GrB_Vector core;       /* of the removed vertices */
  GrB_Vector degree;     /* full: of the remaining vertices among themselves */
  GrB_Vector q;          /* to be removed next */
  GrB_Vector lost, less; /* edges to q, and the degree without them */
} peel;

/* degree(v) = the number of neighbors of v other than v */
static GrB_Info compute_degrees(peel *p) {
  GrB_Info info;
  GrB_Matrix loops = NULL;
  GrB_Vector some = NULL;
  TRY(GrB_Matrix_new(&loops, GrB_BOOL, p->n, p->n));
  TRY(GrB_Vector_new(&some, GrB_INT64, p->n));
  TRY(Grid_Matrix_degree(some, p->S, false));
  TRY(GrB_Vector_assign_INT64(p->degree, NULL, NULL, 0, GrB_ALL, p->n, NULL));
  TRY(GrB_Vector_assign(p->degree, some, NULL, some, GrB_ALL, p->n, GrB_DESC_S));
  TRY(GrB_Matrix_select_INT64(loops, NULL, NULL, GrB_DIAG, p->S, 0, NULL));
  TRY(Grid_Matrix_degree(some, loops, false));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(p->degree, NULL, NULL, GrB_MINUS_INT64, p->degree, some, NULL));
out:
  GrB_Matrix_free(&loops);
  GrB_Vector_free(&some);
  return info;
}

/* Removes all vertices that are not in the core k + 1. */
static GrB_Info remove_vertices(peel *p, int64_t k) {
  GrB_Info info;
  GrB_Index taken;
  for (;;) {
    TRY(GrB_Vector_nvals(&taken, p->q));
    if (taken == 0) break;
    /* core<q> = k; lost<!core> = q plus.oneb S; less = degree - lost; degree<less> = less */
    TRY(GrB_Vector_assign_INT64(p->core, p->q, NULL, k, GrB_ALL, p->n, GrB_DESC_S));
    TRY(GrB_vxm(p->lost, p->core, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, p->q, p->S, GrB_DESC_RSC));
    TRY(GrB_Vector_eWiseMult_BinaryOp(p->less, NULL, NULL, GrB_MINUS_INT64, p->degree, p->lost, NULL));
    TRY(GrB_Vector_assign(p->degree, p->less, NULL, p->less, GrB_ALL, p->n, GrB_DESC_S));
    TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, GrB_VALUELE_INT64, p->less, k, NULL));
  }
out:
  return info;
}

static GrB_Info peel_all(peel *p) {
  GrB_Info info;
  GrB_Index left;
  int64_t k;
  uint64_t done = 0;
  checkpoint_key c;
  const Grid_Checkpoint_Item state[] = {{.name = "core", .vector = p->core},
                                        {.name = "degree", .vector = p->degree}};
  TRY(grid_checkpoint_key_make(&c, "kcore", p->S, p->n));
  TRY(grid_checkpoint_resume(&done, &c, state, 2));
  for (;;) {
    /* q<!core> = degree; then q keeps the smallest values */
    TRY(GrB_Vector_apply(p->q, p->core, NULL, GrB_IDENTITY_INT64, p->degree, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&left, p->q));
    Grid_progress_set(p->n - left, p->n);
    if (left == 0) break;
    TRY(GrB_Vector_reduce_INT64(&k, NULL, GrB_MIN_MONOID_INT64, p->q, NULL));
    TRY(GrB_Vector_select_INT64(p->q, NULL, NULL, GrB_VALUELE_INT64, p->q, k, NULL));
    TRY(remove_vertices(p, k));
    TRY(grid_checkpoint_iteration(++done, &c, state, 2));
  }
out:
  return info;
}

GrB_Info Grid_kcore(GrB_Vector *core, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  peel p = {.S = NULL};
  GrB_Vector *const vectors[] = {&p.core, &p.degree, &p.q, &p.lost, &p.less};
  enum { VECTORS = sizeof vectors / sizeof *vectors };

  if (core == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_kcore: core is NULL");
  TRY(square_size(&p.n, A, "Grid_kcore"));
  TRY(grid_symmetrize(&p.S, A, p.n));
  for (int k = 0; k < VECTORS; k++) TRY(GrB_Vector_new(vectors[k], GrB_INT64, p.n));
  TRY(compute_degrees(&p));
  TRY(peel_all(&p));
  *core = p.core, p.core = NULL;
out:
  grid_symmetrize_free(&p.S, A);
  for (int k = 0; k < VECTORS; k++) GrB_Vector_free(vectors[k]);
  return info;
}
