/* rebalance.c: Grid_Matrix_rebalance, cuts that move between the rounds of an iteration (Jia et al., section
 * 5: what a round took, process by process; a move when it gains more than it costs). */
#include <math.h>
#include <string.h>

#include "dist/grid/worked.h"
#include "dist/object/burble.h"
#include "dist/op/matrix/balance.h"

/* What of a round the slowest process loses to the mean is noise below that part of it. */
static const double NOISE = 0.05;

/* From here on a round is timed. */
static void begin_round(Grid_Balancing *b) {
  grid_worked_from_here();
  b->library.began = grid_worked();
}

/* The same on every process, which the matrix's address is not. */
static bool is_of(const Grid_Balancing *b, GrB_Matrix A) {
  return b->library.nrows == A->nrows && b->library.ncols == A->ncols;
}

static void begin_with(Grid_Balancing *b, GrB_Matrix A) {
  memset(&b->library, 0, sizeof b->library);
  b->library.nrows = A->nrows, b->library.ncols = A->ncols;
  b->library.window = 2;
  b->load = 1;
}

/* Of a window of rounds the quickest counts: a hiccup is not in all of them. Is it full? */
static bool add_round(Grid_Balancing *b, double own) {
  b->rounds++;
  if (b->library.seen++ == 0)
    b->library.first = own, b->library.least = HUGE_VAL;
  else if (own < b->library.least)
    b->library.least = own;
  return b->library.seen == b->library.window;
}

/* The window on all processes: what the slowest took, all together, the most work; what the first round took
 * longer than others. */
typedef struct {
  double most, sum, work, longer;
} round_times;

static void join_times(void *to, const void *from, size_t bytes, void *context) {
  round_times *z = to;
  const round_times *x = from;
  (void)bytes, (void)context;
  z->sum += x->sum;
  if (x->most > z->most) z->most = x->most;
  if (x->work > z->work) z->work = x->work;
  if (x->longer > z->longer) z->longer = x->longer;
}

/* The first round after a move makes anew what is derived from the matrix. */
static void add_first_round(Grid_Balancing *b, const round_times *t) {
  if (!b->library.moved) return;
  b->library.moved = false;
  b->seconds += t->longer;
  grid_balance_cost_more(t->longer, t->work);
}

/* A window has passed. Where a move was found wanting, or was made, the next one takes longer: what is not a
 * matter of the cuts would have them move for ever. */
static GrB_Info look(Grid_Balancing *b, GrB_Matrix A, Grid_Rows row, double rounds, const char *call) {
  const double first = b->library.first, later = b->library.least, least = first < later ? first : later;
  Grid_Balance found = {.load = 1, .best = 1};
  round_times t = {least, least, grid_balance_work(A, row), first - least};
  GrB_Info info = GrB_SUCCESS;
  b->library.seen = 0;
  TRY(grid_here.transport->allreduce_with(GRID_SET_ALL, &t, sizeof t, join_times, NULL));
  add_first_round(b, &t);
  const double lost = t.most - t.sum / grid_here.P;
  b->load = t.sum > 0 ? t.most * grid_here.P / t.sum : 1;
  if (lost <= NOISE * t.most || lost * rounds <= grid_balance_cost(t.work)) goto done;
  TRY(grid_balance(&found, A, row, least, rounds, call));
  b->library.window *= 2;
  if (!found.moved) goto done;
  b->moves++;
  b->seconds += found.seconds;
  b->library.moved = true;
done:
  return info;
}

static GrB_Info rebalance(Grid_Balancing *b, GrB_Matrix A, Grid_Rows row, double rounds) {
  static const char call[] = "Grid_Matrix_rebalance";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!b) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: b is NULL", call);
  TRY(grid_balance_check(A, row, 0, rounds, call));
  const double own = grid_worked() - b->library.began;
  TRY(grid_balance_ready(A));
  if (!grid_balance_can(A)) goto done;
  if (!is_of(b, A))
    begin_with(b, A);
  else if (add_round(b, own))
    TRY(look(b, A, row, rounds, call));
  begin_round(b);
done:
  return info;
}

GrB_Info Grid_Matrix_rebalance(Grid_Balancing *b, GrB_Matrix A, Grid_Rows row, double rounds) {
  return GRID_TOLD("Grid_Matrix_rebalance", rebalance(b, A, row, rounds), A);
}
