/* PageRank by power iteration.
 *
 * A vertex passes its rank in equal shares along its links. With x(v) = damping * rank(v) / degree(v) the
 * shares that arrive are A' plus.second x, one product over full vectors. The values of A are not used. The
 * restarts are added: 1 - damping, and the rank of the vertices without links out, distributed like the
 * restarts. The iteration stops by the L1 norm of the change.
 *
 * Source: Page, Brin, Motwani, Winograd (1999); dangling vertices and the fixed number of iterations as in
 * LDBC Graphalytics (Iosup et al., 2016, appendix A.2); the plain variant as in the GAP benchmark suite
 * (Beamer, Asanovic, Patterson, 2015). */
#include <math.h>

#include "algos/checkpoints/resume.h"
#include "algos/support/real_operators.h"
#include "algos/support/rounds.h"

enum { SHORT_SHARE = 32 };

/* The state of an iteration. */
typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  double damping;
  real_operators real; /* of the type of the ranks */
  GrB_Semiring shares; /* plus.first of that type: x * A */
  GrB_Vector rank, next;
  GrB_Vector scale;      /* damping / degree, full unless few vertices have links */
  GrB_Vector x;          /* rank .* scale, in a product alone: its memory is then free for the change */
  GrB_Vector sink;       /* 1 where there are links in, but none out; NULL: nowhere, or their rank is lost */
  GrB_Vector restart;    /* the probability of a restart at each vertex, of sum 1; NULL: uniform */
  double isolated;       /* the sum of that probability over the vertices without any link */
  double restart_factor; /* of restart in rank: all that an isolated vertex gets */
} power;

/* restart = personal / sum(personal), 0 where it has no entry. */
static GrB_Info make_restart(power *p, GrB_Vector personal) {
  GrB_Info info;
  double sum, least;
  bool nan = false;
  GrB_Vector odd = NULL;
  TRY(GrB_Vector_new(&p->restart, GrB_FP64, p->n));
  TRY(GrB_Vector_assign_FP64(p->restart, NULL, NULL, 0.0, GrB_ALL, p->n, NULL));
  TRY(GrB_Vector_assign(p->restart, personal, NULL, personal, GrB_ALL, p->n, GrB_DESC_S));
  TRY(GrB_Vector_new(&odd, GrB_BOOL, p->n));
  /* a minimum and a sum may ignore a NaN: it is the one value that differs from itself */
  TRY(GrB_Vector_eWiseMult_BinaryOp(odd, NULL, NULL, GrB_NE_FP64, p->restart, p->restart, NULL));
  TRY(GrB_Vector_reduce_BOOL(&nan, NULL, GrB_LOR_MONOID_BOOL, odd, NULL));
  TRY(GrB_Vector_reduce_FP64(&least, NULL, GrB_MIN_MONOID_FP64, p->restart, NULL));
  TRY(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, p->restart, NULL));
  if (nan || least < 0 || !(sum > 0) || isinf(sum)) {
    info =
        grid_refuse(GrB_INVALID_VALUE, "Grid_pagerank",
                    "personal has a value below 0 or not finite, or none above 0 (the least is %g, the sum "
                    "%g)",
                    least, sum);
    goto out;
  }
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(p->restart, NULL, NULL, GrB_DIV_FP64, p->restart, sum, NULL));
out:
  GrB_Vector_free(&odd);
  return info;
}

/* isolated = the sum of restart over the `count` vertices without links out or in. */
static GrB_Info compute_isolated(power *p, GrB_Vector out_degree, GrB_Vector in_degree, GrB_Index count) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector share = NULL;
  p->isolated = (double)count / (double)p->n;
  if (p->restart == NULL || count == 0) return info;
  /* share<!out_degree> = restart, then share<!in_degree, replace> = share */
  TRY(GrB_Vector_new(&share, GrB_FP64, p->n));
  TRY(GrB_Vector_assign(share, out_degree, NULL, p->restart, GrB_ALL, p->n, GrB_DESC_SC));
  TRY(GrB_Vector_assign(share, in_degree, NULL, share, GrB_ALL, p->n, GrB_DESC_RSC));
  TRY(GrB_Vector_reduce_FP64(&p->isolated, NULL, GrB_PLUS_MONOID_FP64, share, NULL));
out:
  GrB_Vector_free(&share);
  return info;
}

/* Computes sink and isolated; out_degree: of the `linked` vertices with links out. */
static GrB_Info compute_sinks(power *p, GrB_Vector out_degree, GrB_Index linked) {
  GrB_Info info;
  GrB_Index sinks = 0;
  GrB_Vector in_degree = NULL;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, p->A));
  if (!storage.symmetric) {
    TRY(GrB_Vector_new(&in_degree, GrB_INT64, p->n));
    TRY(Grid_Matrix_degree(in_degree, p->A, true));
    /* sink<!out_degree> = 1, then sink<in_degree, replace> = sink */
    TRY(GrB_Vector_new(&p->sink, p->real.type, p->n));
    TRY(GrB_Vector_assign_FP64(p->sink, out_degree, NULL, 1.0, GrB_ALL, p->n, GrB_DESC_SC));
    TRY(GrB_Vector_assign(p->sink, in_degree, NULL, p->sink, GrB_ALL, p->n, GrB_DESC_RS));
    TRY(GrB_Vector_nvals(&sinks, p->sink));
    if (sinks == 0) GrB_Vector_free(&p->sink);
  }
  TRY(compute_isolated(p, out_degree, in_degree ? in_degree : out_degree, p->n - linked - sinks));
out:
  GrB_Vector_free(&in_degree);
  return info;
}

/* Computes scale and, unless plain, where rank ends. */
static GrB_Info compute_degrees(power *p, bool plain) {
  GrB_Info info;
  GrB_Index linked;
  GrB_Vector degree = NULL;
  TRY(GrB_Vector_new(&degree, GrB_INT64, p->n));
  TRY(Grid_Matrix_degree(degree, p->A, false));
  TRY(GrB_Vector_nvals(&linked, degree));
  if (linked < p->n && !plain) TRY(compute_sinks(p, degree, linked));
  /* scale = damping / degree; that of a sink is never read. Full, it lets products read a full x; but where
   * few vertices have links a short list takes no memory for the others. */
  TRY(GrB_Vector_new(&p->scale, p->real.type, p->n));
  if (linked >= p->n / SHORT_SHARE)
    TRY(GrB_Vector_assign_FP64(p->scale, NULL, NULL, 0.0, GrB_ALL, p->n, NULL));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(p->scale, degree, NULL, GrB_DIV_FP64, p->damping, degree,
                                        GrB_DESC_S));
out:
  GrB_Vector_free(&degree);
  return info;
}

static GrB_Info begin(power *p) {
  GrB_Info info;
  p->restart_factor = 1;
  TRY(GrB_Vector_new(&p->rank, p->real.type, p->n));
  TRY(GrB_Vector_new(&p->next, p->real.type, p->n));
  if (p->restart == NULL)
    TRY(GrB_Vector_assign_FP64(p->rank, NULL, NULL, 1.0 / (double)p->n, GrB_ALL, p->n, NULL));
  else
    TRY(GrB_Vector_assign(p->rank, NULL, NULL, p->restart, GrB_ALL, p->n, NULL));
out:
  return info;
}

/* *lost = the sum of rank where there are no links out. */
static GrB_Info sum_lost(const power *p, double *lost) {
  GrB_Info info = GrB_SUCCESS;
  *lost = 0;
  if (p->sink != NULL) {
    TRY(GrB_Vector_eWiseMult_BinaryOp(p->x, NULL, NULL, p->real.times, p->rank, p->sink, NULL));
    TRY(GrB_Vector_reduce_FP64(lost, NULL, p->real.sum, p->x, NULL));
  }
  *lost += p->restart_factor * p->isolated;
out:
  return info;
}

/* Computes next from rank and swaps them; *change: their L1 distance, with_change only. */
static GrB_Info iterate(power *p, double *change, bool with_change) {
  GrB_Info info;
  double lost;
  TRY(GrB_Vector_new(&p->x, p->real.type, p->n));
  TRY(sum_lost(p, &lost));
  /* next = the restarts */
  p->restart_factor = 1 - p->damping + p->damping * lost;
  if (p->restart == NULL)
    TRY(GrB_Vector_assign_FP64(p->next, NULL, NULL, p->restart_factor / (double)p->n, GrB_ALL, p->n, NULL));
  else
    TRY(GrB_Vector_apply_BinaryOp2nd_FP64(p->next, NULL, NULL, GrB_TIMES_FP64, p->restart, p->restart_factor,
                                          NULL));
  /* next += (rank .* scale) plus.first A */
  TRY(GrB_Vector_eWiseMult_BinaryOp(p->x, NULL, NULL, p->real.times, p->rank, p->scale, NULL));
  TRY(GrB_vxm(p->next, NULL, p->real.plus, p->shares, p->x, p->A, NULL));
  GrB_Vector_free(&p->x);
  if (with_change) { /* change = sum |rank - next| */
    TRY(GrB_Vector_eWiseMult_BinaryOp(p->rank, NULL, NULL, p->real.minus, p->rank, p->next, NULL));
    TRY(GrB_Vector_apply(p->rank, NULL, NULL, p->real.absolute, p->rank, NULL));
    TRY(GrB_Vector_reduce_FP64(change, NULL, p->real.sum, p->rank, NULL));
  }
  GrB_Vector swap = p->rank;
  p->rank = p->next, p->next = swap;
out:
  return info;
}

/* What an iteration passes to the next. */
enum { STATE_ITEMS = 3 };
static Grid_Checkpoint_Item *state_of(Grid_Checkpoint_Item *state, power *p, double *change) {
  state[0] = (Grid_Checkpoint_Item){.name = "rank", .vector = p->rank};
  state[1] = (Grid_Checkpoint_Item){.name = "change", .bytes = change, .size = sizeof *change};
  state[2] = (Grid_Checkpoint_Item){
      .name = "restart_factor", .bytes = &p->restart_factor, .size = sizeof p->restart_factor};
  return state;
}

/* The expected number of further rounds: each changes at most `damping` times as much as the one before. */
static double expected_rounds(const power *p, uint64_t left, double change, double tolerance) {
  if (!(tolerance > 0 && p->damping > 0 && p->damping < 1 && isfinite(change))) return (double)left;
  const double least = log(tolerance / change) / log(p->damping);
  return least < (double)left ? fmax(least, 0) : (double)left;
}

/* Runs until `limit` iterations are done or the change is below the tolerance. */
static GrB_Info run(power *p, uint64_t *done, double *change, double tolerance, uint64_t limit, int flags) {
  GrB_Info info;
  Grid_Checkpoint_Item state[STATE_ITEMS];
  checkpoint_key c;
  TRY(grid_checkpoint_key_make(&c, "pagerank", p->A, p->n));
  c.key[3] = grid_key_of(p->damping), c.key[4] = (uint64_t)flags, c.key[5] = p->restart != NULL;
  *change = HUGE_VAL, *done = 0;
  TRY(grid_checkpoint_resume(done, &c, state_of(state, p, change), STATE_ITEMS));
  TRY(grid_checkpoint_check_limit(&c, *done, limit));
  grid_rebalance_begin();
  while (*done < limit && !(*change < tolerance)) {
    TRY(grid_rebalance_round(p->A, expected_rounds(p, limit - *done, *change, tolerance)));
    /* without a tolerance only the last change counts; a checkpoint may become the last iteration */
    TRY(iterate(p, change, tolerance > 0 || *done + 1 == limit || grid_checkpoint_is_set()));
    ++*done;
    TRY(grid_checkpoint_iteration(*done, &c, state_of(state, p, change), STATE_ITEMS));
  }
  if (*done == 0) *change = 0;
out:
  return info;
}

static GrB_Info check_arguments(const GrB_Vector *rank, double damping, double tolerance, int flags) {
  static const char call[] = "Grid_pagerank";
  const unsigned unknown = (unsigned)flags & ~(unsigned)(Grid_PAGERANK_PLAIN | Grid_PAGERANK_FP32);
  if (rank == NULL) return grid_refuse(GrB_NULL_POINTER, call, "rank is NULL");
  if (!(damping >= 0 && damping <= 1))
    return grid_refuse(GrB_INVALID_VALUE, call, "damping is %g, not in 0..1", damping);
  if (unknown)
    return grid_refuse(GrB_INVALID_VALUE, call,
                       "unknown flag 0x%x in the argument flags; it accepts Grid_PAGERANK_PLAIN (0x%x) and "
                       "Grid_PAGERANK_FP32 (0x%x)",
                       unknown & -unknown, Grid_PAGERANK_PLAIN, Grid_PAGERANK_FP32);
  return check_not_negative(tolerance, "tolerance", call);
}

GrB_Info Grid_pagerank(GrB_Vector *rank, uint64_t *iterations, double *change, GrB_Matrix A,
                       GrB_Vector personal, double damping, double tolerance, uint64_t limit, int flags) {
  SPAN;
  power p = {.A = A, .damping = damping};
  GrB_Info info;
  double last;
  uint64_t done;

  TRY(check_arguments(rank, damping, tolerance, flags));
  TRY(square_size(&p.n, A, "Grid_pagerank"));
  if (personal != NULL) {
    TRY(check_vector_size(personal, p.n, "personal", "Grid_pagerank"));
    TRY(make_restart(&p, personal));
  }
  p.real = real_operators_of((flags & Grid_PAGERANK_FP32) != 0);
  /* each process creates its own semiring, so a single process may fail */
  TRY(Grid_agree(GrB_Semiring_new(&p.shares, p.real.sum, p.real.first), NULL));
  TRY(compute_degrees(&p, (flags & Grid_PAGERANK_PLAIN) != 0));
  TRY(begin(&p));
  TRY(run(&p, &done, &last, tolerance, limit, flags));
  *rank = p.rank, p.rank = NULL;
  if (iterations != NULL) *iterations = done;
  if (change != NULL) *change = last;

out:
  GrB_Semiring_free(&p.shares);
  GrB_Vector_free(&p.rank);
  GrB_Vector_free(&p.next);
  GrB_Vector_free(&p.scale);
  GrB_Vector_free(&p.x);
  GrB_Vector_free(&p.sink);
  GrB_Vector_free(&p.restart);
  return info;
}
