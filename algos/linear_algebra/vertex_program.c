/* A vertex program is a product. Gathering along edges is the multiplication of a semiring, the sum its
 * monoid, and apply an operator on two vectors, of states and of sums.
 *
 * A vertex is computed anew only where it, or a vertex with an edge to it, has changed. The mask of these
 * vertices is one more product. The results are those of computing all vertices.
 *
 * Sources: Gonzalez et al., PowerGraph (2012); gather and notify as in Ma et al., Garaph: efficient
 * GPU-accelerated graph processing on a single machine with balanced replication (2017). */
#include <math.h>

#include "algos/checkpoints/resume.h"
#include "algos/support/rounds.h"

/* The mask pays for its product up to one changed vertex in so many. On a mesh of 300 x 300, 100 iterations
 * from one vertex: 140 ms without it, 65 with it up to one in 8, 31 up to one in 2. On a mesh of 40 x 40 and
 * an R-MAT graph the difference is noise. */
static const GrB_Index NOTIFY_FRACTION = 2;

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  GrB_Semiring gather;
  GrB_BinaryOp apply, differ;
  GrB_Vector state, next;
  GrB_Vector sum;
  GrB_Vector moved;  /* FP64: the change, of the vertices that have changed */
  GrB_Vector active; /* BOOL */
} program;

/* sum = the gathered sums; notified: only of vertices that a change can reach. */
static GrB_Info gather(program *p, bool notified) {
  GrB_Info info;
  if (notified) {
    TRY(GrB_vxm(p->active, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, p->moved, p->A, NULL));
    TRY(GrB_Vector_assign_BOOL(p->active, p->moved, NULL, true, GrB_ALL, p->n, GrB_DESC_S));
    TRY(GrB_vxm(p->sum, p->active, NULL, p->gather, p->state, p->A, GrB_DESC_RS));
  } else {
    TRY(GrB_vxm(p->sum, NULL, NULL, p->gather, p->state, p->A, NULL));
  }
out:
  return info;
}

/* *moved: the number of changed vertices; *change: the largest change. */
static GrB_Info apply(program *p, GrB_Index *moved, double *change) {
  GrB_Info info;
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->next, NULL, NULL, p->apply, p->state, p->sum, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->moved, NULL, NULL, p->differ, p->next, p->state, NULL));
  TRY(GrB_Vector_select_FP64(p->moved, NULL, NULL, GrB_VALUENE_FP64, p->moved, 0, NULL));
  TRY(GrB_Vector_assign(p->state, p->next, NULL, p->next, GrB_ALL, p->n, GrB_DESC_S));
  TRY(GrB_Vector_nvals(moved, p->moved));
  *change = 0;
  if (*moved > 0) TRY(GrB_Vector_reduce_FP64(change, NULL, GrB_MAX_MONOID_FP64, p->moved, NULL));
out:
  return info;
}

/* The number of further rounds is unknown; it is estimated as the number of rounds done. */
static double expected_rounds(uint64_t done, uint64_t limit) {
  return (double)(limit - done < done ? limit - done : done);
}

/* After a checkpoint the changed vertices are unknown, so all vertices gather once. */
static GrB_Info run(program *p, uint64_t *done, double *change, double tolerance, uint64_t limit) {
  GrB_Info info;
  checkpoint_key c;
  struct {
    GrB_Index moved;
    double change;
  } last = {p->n, HUGE_VAL};
  const Grid_Checkpoint_Item state[] = {{.name = "state", .vector = p->state},
                                        {.name = "last", .bytes = &last, .size = sizeof last}};
  *done = 0;
  TRY(grid_checkpoint_key_make(&c, "vertex program", p->A, p->n));
  TRY(grid_checkpoint_resume(done, &c, state, 2));
  TRY(grid_checkpoint_check_limit(&c, *done, limit));
  const uint64_t before = *done;
  grid_rebalance_begin();
  while (*done < limit && last.moved > 0 && !(last.change <= tolerance)) {
    TRY(grid_rebalance_round(p->A, expected_rounds(*done, limit)));
    TRY(gather(p, *done > before && last.moved < p->n / NOTIFY_FRACTION));
    TRY(apply(p, &last.moved, &last.change));
    TRY(grid_checkpoint_iteration(++*done, &c, state, 2));
  }
  *change = *done > 0 ? last.change : 0;
out:
  return info;
}

static GrB_Info check_arguments(program *p, const GrB_Vector *state, GrB_Vector start, double tolerance) {
  static const char call[] = "Grid_vertex_program";
  GrB_Info info;
  if (state == NULL || start == NULL)
    return Grid_agree(GrB_NULL_POINTER, state == NULL ? "Grid_vertex_program: state is NULL"
                                                      : "Grid_vertex_program: start is NULL");
  TRY(check_not_negative(tolerance, "tolerance", call));
  TRY(square_size(&p->n, p->A, call));
  TRY(check_vector_size(start, p->n, "start", call));
out:
  return info;
}

GrB_Info Grid_vertex_program(GrB_Vector *state, uint64_t *iterations, double *change, GrB_Matrix A,
                             GrB_Vector start, GrB_Semiring gather_sum, GrB_Type sum, GrB_BinaryOp apply_sum,
                             GrB_BinaryOp differ, double tolerance, uint64_t limit) {
  SPAN;
  program p = {.A = A, .gather = gather_sum, .apply = apply_sum, .differ = differ};
  uint64_t done;
  double last;
  GrB_Info info;

  TRY(check_arguments(&p, state, start, tolerance));
  TRY(GrB_Vector_dup(&p.state, start));
  TRY(GrB_Vector_dup(&p.next, start)); /* for its type */
  TRY(GrB_Vector_new(&p.sum, sum, p.n));
  TRY(GrB_Vector_new(&p.moved, GrB_FP64, p.n));
  TRY(GrB_Vector_new(&p.active, GrB_BOOL, p.n));
  TRY(run(&p, &done, &last, tolerance, limit));
  if (iterations != NULL) *iterations = done;
  if (change != NULL) *change = last;
  *state = p.state, p.state = NULL;

out:
  GrB_Vector_free(&p.state);
  GrB_Vector_free(&p.next);
  GrB_Vector_free(&p.sum);
  GrB_Vector_free(&p.moved);
  GrB_Vector_free(&p.active);
  return info;
}
