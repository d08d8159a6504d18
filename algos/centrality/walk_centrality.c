/* Katz and eigenvector centrality, and hubs and authorities (HITS), by one power iteration.
 *
 * Each has a full vector x and a step that makes the next one of it by products with A:
 *   Katz          next = alpha x A + beta
 *   eigenvector   next = (x + x A) / |.|_2
 *   HITS          a = h A / |.|_1, next h = A a / |.|_1
 * The iteration stops by the L1 norm of the change. Vectors have FP32 where `start` has, else FP64; sums over
 * all vertices are of FP64, as those of many FP32 numbers lose digits.
 *
 * Sources: Katz (1953); Bonacich (1987); Kleinberg, Authoritative sources in a hyperlinked environment
 * (1999). Start vectors and norms are those of NetworkX. */
#include <math.h>

#include "algos/algos.h"
#include "algos/checkpoints/resume.h"
#include "algos/linear_algebra/full_vectors.h"
#include "algos/support/real_operators.h"

typedef struct power power;
struct power {
  const char *call; /* for messages */
  const char *name; /* for checkpoints */
  GrB_Matrix A;
  GrB_Index n;
  real_operators real;
  GrB_Semiring along, against; /* of x A and of A x */
  GrB_Vector x, next, work;
  GrB_Info (*step)(power *p); /* next from x; work may change */
  GrB_Vector other;           /* Katz: beta; HITS: authorities */
  double alpha;
};

/* *v becomes a full vector: `given`, and x where that has no entry or is NULL. */
static GrB_Info make_full(GrB_Vector *v, const power *p, GrB_Vector given, double x) {
  GrB_Info info;
  TRY(GrB_Vector_new(v, p->real.type, p->n));
  TRY(GrB_Vector_assign_FP64(*v, NULL, NULL, x, GrB_ALL, p->n, NULL));
  if (given == NULL) return GrB_SUCCESS;
  TRY(check_vector_size(given, p->n, "a vector", p->call));
  TRY(GrB_Vector_assign(*v, given, NULL, given, GrB_ALL, p->n, GrB_DESC_S));
out:
  return info;
}

/* An entry of A is a weight; that of a BOOL matrix counts 1. */
static GrB_Info make_semirings(power *p) {
  int32_t code;
  GrB_Info info;
  TRY(Grid_agree(GrB_Matrix_get_INT32(p->A, &code, GrB_EL_TYPE_CODE), NULL));
  if (code == GrB_UDT_CODE) return grid_refuse(GrB_DOMAIN_MISMATCH, p->call, "A has a user-defined type");
  const bool pattern = code == GrB_BOOL_CODE;
  /* each process creates its own semirings, so a single process may fail */
  const real_operators *o = &p->real;
  info = GrB_Semiring_new(&p->along, o->sum, pattern ? o->first : o->times);
  if (info == GrB_SUCCESS) info = GrB_Semiring_new(&p->against, o->sum, pattern ? o->second : o->times);
  return Grid_agree(info, NULL);
out:
  return info;
}

/* *sum = sum |v|; work may be v. */
static GrB_Info sum_absolute(double *sum, power *p, GrB_Vector v) {
  GrB_Info info;
  TRY(GrB_Vector_apply(p->work, NULL, NULL, p->real.absolute, v, NULL));
  TRY(GrB_Vector_reduce_FP64(sum, NULL, GrB_PLUS_MONOID_FP64, p->work, NULL));
out:
  return info;
}

/* v /= its norm, which is the root of the sum of squares or the sum of absolute values; 0 stays. */
static GrB_Info normalize(power *p, GrB_Vector v, bool squares) {
  GrB_Info info;
  double norm;
  TRY(squares ? grid_norm_of(&norm, &p->real, v, p->work, p->call) : sum_absolute(&norm, p, v));
  if (!(norm <= p->real.largest))
    TRY(grid_refuse(GrB_INVALID_VALUE, p->call, "numbers are not finite, or their sums overflow"));
  if (norm != 0) TRY(GrB_Vector_apply_BinaryOp2nd_FP64(v, NULL, NULL, p->real.div, v, norm, NULL));
out:
  return info;
}

static GrB_Info katz_step(power *p) {
  GrB_Info info;
  TRY(GrB_Vector_assign(p->next, NULL, NULL, p->other, GrB_ALL, p->n, NULL));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(p->work, NULL, NULL, p->real.times, p->alpha, p->x, NULL));
  TRY(GrB_vxm(p->next, NULL, p->real.plus, p->along, p->work, p->A, NULL));
out:
  return info;
}

static GrB_Info eigenvector_step(power *p) {
  GrB_Info info;
  TRY(GrB_Vector_assign(p->next, NULL, NULL, p->x, GrB_ALL, p->n, NULL));
  TRY(GrB_vxm(p->next, NULL, p->real.plus, p->along, p->x, p->A, NULL));
  TRY(normalize(p, p->next, true));
out:
  return info;
}

/* v = x A or A x, of norm 1, with an entry everywhere. */
static GrB_Info side(power *p, GrB_Vector v, GrB_Vector x, bool authorities) {
  GrB_Info info;
  TRY(GrB_Vector_assign_FP64(v, NULL, NULL, 0.0, GrB_ALL, p->n, NULL));
  if (authorities)
    TRY(GrB_vxm(v, NULL, p->real.plus, p->along, x, p->A, NULL));
  else
    TRY(GrB_mxv(v, NULL, p->real.plus, p->against, p->A, x, NULL));
  TRY(normalize(p, v, false));
out:
  return info;
}

static GrB_Info hits_step(power *p) {
  GrB_Info info;
  TRY(side(p, p->other, p->x, true));
  TRY(side(p, p->next, p->other, false));
out:
  return info;
}

/* *change = sum |x - next|; the two are swapped. */
static GrB_Info advance(power *p, double *change) {
  GrB_Info info;
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->work, NULL, NULL, p->real.minus, p->x, p->next, NULL));
  TRY(sum_absolute(change, p, p->work));
  GrB_Vector swap = p->x;
  p->x = p->next, p->next = swap;
out:
  return info;
}

static GrB_Info choose_type(power *p, GrB_Vector start) {
  int32_t code = GrB_FP64_CODE;
  GrB_Info info = GrB_SUCCESS;
  if (start != NULL) TRY(Grid_agree(GrB_Vector_get_INT32(start, &code, GrB_EL_TYPE_CODE), NULL));
  p->real = real_operators_of(code == GrB_FP32_CODE);
out:
  return info;
}

/* Checks A and the tolerance, and makes the vectors: x is `start`, or `initial` everywhere. */
static GrB_Info begin(power *p, GrB_Vector start, double initial, double tolerance) {
  GrB_Info info;
  TRY(check_not_negative(tolerance, "tolerance", p->call));
  TRY(square_size(&p->n, p->A, p->call));
  TRY(choose_type(p, start));
  TRY(make_semirings(p));
  if (start == NULL)
    TRY(make_full(&p->x, p, NULL, initial / (initial == 0 || p->n == 0 ? 1 : (double)p->n)));
  else
    TRY(make_full(&p->x, p, start, 0));
  TRY(GrB_Vector_new(&p->next, p->real.type, p->n));
  TRY(GrB_Vector_new(&p->work, p->real.type, p->n));
out:
  return info;
}

/* What an iteration passes to the next. */
enum { STATE_ITEMS = 2 };
static Grid_Checkpoint_Item *state_of(Grid_Checkpoint_Item *state, power *p, double *change) {
  state[0] = (Grid_Checkpoint_Item){.name = "x", .vector = p->x};
  state[1] = (Grid_Checkpoint_Item){.name = "change", .bytes = change, .size = sizeof *change};
  return state;
}

/* Runs until `limit` iterations are done or the change is below the tolerance. */
static GrB_Info run(power *p, uint64_t *done, double *change, double tolerance, uint64_t limit) {
  GrB_Info info;
  Grid_Checkpoint_Item state[STATE_ITEMS];
  checkpoint_key c;
  *change = HUGE_VAL, *done = 0;
  TRY(grid_checkpoint_key_make(&c, p->name, p->A, p->n));
  c.key[3] = grid_key_of(p->alpha), c.key[4] = p->real.type == GrB_FP32;
  TRY(grid_checkpoint_resume(done, &c, state_of(state, p, change), STATE_ITEMS));
  TRY(grid_checkpoint_check_limit(&c, *done, limit));
  while (*done < limit && !(*change < tolerance)) {
    Grid_progress_set(*done, limit);
    TRY(p->step(p));
    TRY(advance(p, change));
    TRY(grid_checkpoint_iteration(++*done, &c, state_of(state, p, change), STATE_ITEMS));
  }
  if (*done == 0) *change = 0;
out:
  return info;
}

static void end(power *p) {
  GrB_Semiring_free(&p->along);
  GrB_Semiring_free(&p->against);
  GrB_Vector_free(&p->x);
  GrB_Vector_free(&p->next);
  GrB_Vector_free(&p->work);
  GrB_Vector_free(&p->other);
}

/* Sets the outputs that all have. */
static void deliver(uint64_t *iterations, double *change, uint64_t done, double last) {
  if (iterations != NULL) *iterations = done;
  if (change != NULL) *change = last;
}

/* x /= its sum. */
static GrB_Info scale_start(power *p) {
  GrB_Info info;
  double sum;
  TRY(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, p->x, NULL));
  if (p->n > 0 && (sum == 0 || !(fabs(sum) <= p->real.largest)))
    return grid_refuse(GrB_INVALID_VALUE, p->call, "the sum of start is 0 or not finite");
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(p->x, NULL, NULL, p->real.div, p->x, sum, NULL));
out:
  return info;
}

GrB_Info Grid_katz(GrB_Vector *centrality, uint64_t *iterations, double *change, GrB_Matrix A,
                   GrB_Vector start, GrB_Vector beta, double alpha, double tolerance, uint64_t limit) {
  SPAN;
  power p = {.call = "Grid_katz", .name = "katz", .A = A, .step = katz_step, .alpha = alpha};
  GrB_Info info;
  uint64_t done;
  double last;
  if (centrality == NULL) return grid_refuse(GrB_NULL_POINTER, p.call, "centrality is NULL");
  TRY(begin(&p, start, 0, tolerance));
  if (!(fabs(alpha) <= p.real.largest))
    TRY(grid_refuse(GrB_INVALID_VALUE, p.call, "alpha is %g, not finite in the type of start", alpha));
  TRY(make_full(&p.other, &p, beta, beta == NULL ? 1 : 0));
  TRY(run(&p, &done, &last, tolerance, limit));
  *centrality = p.x, p.x = NULL;
  deliver(iterations, change, done, last);
out:
  end(&p);
  return info;
}

GrB_Info Grid_eigenvector(GrB_Vector *centrality, uint64_t *iterations, double *change, GrB_Matrix A,
                          GrB_Vector start, double tolerance, uint64_t limit) {
  SPAN;
  power p = {.call = "Grid_eigenvector", .name = "eigenvector", .A = A, .step = eigenvector_step};
  GrB_Info info;
  uint64_t done;
  double last;
  if (centrality == NULL) return grid_refuse(GrB_NULL_POINTER, p.call, "centrality is NULL");
  TRY(begin(&p, start, 1, tolerance));
  TRY(scale_start(&p));
  TRY(run(&p, &done, &last, tolerance, limit));
  *centrality = p.x, p.x = NULL;
  deliver(iterations, change, done, last);
out:
  end(&p);
  return info;
}

GrB_Info Grid_hits(GrB_Vector *hub, GrB_Vector *authority, uint64_t *iterations, double *change, GrB_Matrix A,
                   GrB_Vector start, double tolerance, uint64_t limit) {
  SPAN;
  power p = {.call = "Grid_hits", .name = "hits", .A = A, .step = hits_step};
  GrB_Info info;
  uint64_t done;
  double last;
  TRY(check_outputs(hub, authority, p.call));
  TRY(begin(&p, start, 1, tolerance));
  TRY(scale_start(&p));
  TRY(make_full(&p.other, &p, NULL, 0));
  TRY(run(&p, &done, &last, tolerance, limit));
  TRY(side(&p, p.other, p.x, true)); /* the authorities of these hubs */
  if (hub != NULL) *hub = p.x, p.x = NULL;
  if (authority != NULL) *authority = p.other, p.other = NULL;
  deliver(iterations, change, done, last);
out:
  end(&p);
  return info;
}
