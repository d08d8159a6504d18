/* Grid_Matrix_rebalance: repartitions between the rounds of an iteration, if they gain more than they cost by
 * the measured time of a round on each process (Jia et al., section 5). */
#include <math.h>
#include <string.h>

#include "dist/grid/cpu_time.h"
#include "dist/object/burble.h"
#include "dist/plan/balance_partition.h"

/* Differences between the slowest process and the mean below this part of a round are noise. */
static const double NOISE = 0.05;

/* Seconds of work of this process: of its GPU on products, or of its CPU. */
static double work_time(void) {
  return grid_device_is_on() ? grid_device_time() : grid_cpu_time();
}

/* Starts the timer of a round. */
static void begin_round(Grid_Rebalancing *b) {
  if (!grid_device_is_on()) grid_cpu_time_restart();
  b->library.began = work_time();
}

/* The same on every process, which the matrix's address is not. Times of a GPU and of a CPU do not add up. */
static bool is_same_matrix(const Grid_Rebalancing *b, GrB_Matrix A) {
  return b->library.nrows == A->nrows && b->library.ncols == A->ncols &&
         b->library.device == grid_device_is_on();
}

static void reset_measurement(Grid_Rebalancing *b, GrB_Matrix A) {
  memset(&b->library, 0, sizeof b->library);
  b->library.nrows = A->nrows, b->library.ncols = A->ncols;
  b->library.device = grid_device_is_on();
  b->library.window = 2;
  b->load = 1;
}

/* The fastest round of a window counts, since a disturbance is not in all of them. Is the window full? */
static bool add_round(Grid_Rebalancing *b, double seconds) {
  b->rounds++;
  if (b->library.window_rounds++ == 0)
    b->library.first = seconds, b->library.least = HUGE_VAL;
  else if (seconds < b->library.least)
    b->library.least = seconds;
  return b->library.window_rounds == b->library.window;
}

/* The window on all processes: the time of the slowest, the sum of times, the largest work; the additional
 * time of the first round. */
typedef struct {
  double most, sum, work, slower_share;
} round_times;

static void max_times(void *to, const void *from, size_t bytes, void *context) {
  round_times *z = to;
  const round_times *x = from;
  (void)bytes, (void)context;
  z->sum += x->sum;
  if (x->most > z->most) z->most = x->most;
  if (x->work > z->work) z->work = x->work;
  if (x->slower_share > z->slower_share) z->slower_share = x->slower_share;
}

/* The first round after a repartition also makes the cached properties of the matrix again. */
static void add_first_round(Grid_Rebalancing *b, const round_times *t) {
  if (!b->library.redistributed) return;
  b->library.redistributed = false;
  b->seconds += t->slower_share;
  grid_repartition_add_cost(t->slower_share, t->work);
}

/* Evaluates a window. After a repartition, or a decision against one, the next window is longer; else an
 * imbalance that no partition removes would cause repartitions without end. */
static GrB_Info measure(Grid_Rebalancing *b, GrB_Matrix A, Grid_Row_Costs row, double rounds,
                        const char *call) {
  const double first = b->library.first, later = b->library.least, least = first < later ? first : later;
  Grid_Repartition found = {.load = 1, .best = 1};
  round_times t = {least, least, grid_partition_work(A, row), first - least};
  GrB_Info info = GrB_SUCCESS;
  b->library.window_rounds = 0;
  TRY(grid_ctx.transport->allreduce_with(GRID_SET_ALL, &t, sizeof t, max_times, NULL));
  add_first_round(b, &t);
  const double lost = t.most - t.sum / grid_ctx.P;
  b->load = t.sum > 0 ? t.most * grid_ctx.P / t.sum : 1;
  if (lost <= NOISE * t.most || lost * rounds <= grid_repartition_cost(t.work)) goto done;
  TRY(grid_repartition_matrix(&found, A, row, least, rounds, call));
  b->library.window *= 2;
  if (!found.redistributed) goto done;
  b->moves++;
  b->seconds += found.seconds;
  b->library.redistributed = true;
done:
  return info;
}

static GrB_Info rebalance(Grid_Rebalancing *b, GrB_Matrix A, Grid_Row_Costs row, double rounds) {
  static const char call[] = "Grid_Matrix_rebalance";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!b) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: b is NULL", call);
  TRY(grid_repartition_check(A, row, 0, rounds, call));
  const double seconds = work_time() - b->library.began;
  TRY(grid_repartition_prepare(A));
  if (!grid_can_repartition(A)) goto done;
  if (!is_same_matrix(b, A))
    reset_measurement(b, A);
  else if (add_round(b, seconds))
    TRY(measure(b, A, row, rounds, call));
  begin_round(b);
done:
  return info;
}

GrB_Info Grid_Matrix_rebalance(Grid_Rebalancing *b, GrB_Matrix A, Grid_Row_Costs row, double rounds) {
  return GRID_TRACE_CALL("Grid_Matrix_rebalance", rebalance(b, A, row, rounds), A);
}
