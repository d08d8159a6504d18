/* Starts and stops the processes of the grid: MPI where needed, the grid's shape, threads. */
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dist/grid/partition.h"
#include "dist/grid/process_grid.h"
#include "dist/grid/short_call.h"
#include "dist/comm/mpi/mpi_library.h"
#include "dist/comm/transport/mpi_init.h"
#include "dist/comm/transport/machines/transport_two_level.h"
#include "dist/grid/cpu_time.h"
#include "semiring/jit/jit_kernel.h"
#include "semiring/threads/possible_threads.h"
#include "semiring/support/tuning.h"
#include "spmat/device/phase_times.h"

/* R x C with C at most half the root of P, and C = 1 up to 16 processes (docs/measurements/grids.md, "Time of
 * a search by grid"). Few grid columns, since each of the C processes that share a row searches for a hit of
 * its own. For C = 2 that inspects 1.6 times the entries without row hubs, 1.08 times with them. R, the
 * number of processes that gather an input, stays near 2 * root(P) where P has the divisors. */
static void default_shape(int P, int *R, int *C) {
  int c = 1;
  for (int d = 1; P > 16 && 4 * d <= P / d; d++)
    if (P % d == 0) c = d;
  *C = c;
  *R = P / c;
}

/* Parses the number at the start of text; returns the rest of text, or NULL if there is no int. */
static const char *read_number(const char *text, int *n) {
  char *end;
  const long v = strtol(text, &end, 10);
  if (end == text || v < INT_MIN || v > INT_MAX) return NULL;
  *n = (int)v;
  return end;
}

/* GRIDBLAS_GRID=RxC overrides the default shape, for programs that take none from their user. */
static GrB_Info shape_from_environment(int P, int *R, int *C) {
  const char *text = getenv("GRIDBLAS_GRID");
  if (!text || !*text) {
    default_shape(P, R, C);
    return GrB_SUCCESS;
  }
  const char *rest = read_number(text, R);
  rest = rest && *rest == 'x' ? read_number(rest + 1, C) : NULL;
  if (rest && *rest == '\0') return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_GRID is \"%s\", not ROWSxCOLUMNS", text);
}

static int threads_of_environment(void) {
  const int wanted = omp_get_max_threads(), most = grid_most_threads();
  if (wanted > most && grid_ctx.k == 0)
    fprintf(
        stderr,
        "gridblas: OMP_NUM_THREADS is %d, but at most %d threads are used (16 a processor, 64 at least)\n",
        wanted, most);
  return wanted;
}

static int default_threads(void) {
  if (getenv("OMP_NUM_THREADS")) return threads_of_environment();
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int share = (int)(cores / grid_mpi_job_processes()), allowed = omp_get_num_procs();
  if (share > allowed) share = allowed;
  return share > 0 ? share : 1;
}

static GrB_Info open_processes(const void *comm, int *rank, int *local_size) {
  *rank = grid_ctx.local_rank = 0;
  *local_size = 1;
  grid_ctx.P = 1;
  grid_ctx.transport = &grid_transport_self;
  if (comm || grid_mpi_wanted()) {
    GrB_Info info = grid_mpi_open(comm, rank, &grid_ctx.P, &grid_ctx.local_rank, local_size);
    if (info != GrB_SUCCESS) return info;
    if (grid_ctx.P > 1) grid_ctx.transport = &grid_transport_mpi;
  }
  return GrB_SUCCESS;
}

void grid_apply_threads(void) {
  grid_set_threads(grid_ctx.threads);
}

/* Gives lower modules what they need to know of the grid. */
static void inform_modules(void) {
  grid_lap_set_process(grid_ctx.P > 1 ? grid_ctx.k : -1);
  grid_jit_set_local_rank(grid_ctx.local_rank, grid_ctx.local_size);
  grid_call_set_default_threads(grid_ctx.threads);
  grid_call_use_common_gate(grid_takes_turns());
}

/* Thresholds are of the process, so that threads of other contexts can read them. */
static GrB_Info tune(bool report) {
  return grid_context_is_default() ? grid_tune_from_environment(report) : GrB_SUCCESS;
}

GrB_Info grid_start(int mode, const void *comm, int R, int C) {
  const char *call = grid_context_is_default() ? "Grid_init" : "Grid_Context_new";
  if (grid_ctx.initialized)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the library is initialised already", call);
  if (mode != GrB_BLOCKING && mode != GrB_NONBLOCKING)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: mode %d is neither GrB_BLOCKING nor GrB_NONBLOCKING", call,
                     mode);
  int rank, local_size;
  const GrB_Info tuned = tune(false); /* the processes and their memory depend on it */
  GrB_Info info = open_processes(comm, &rank, &local_size);
  if (info != GrB_SUCCESS) return info;
  grid_ctx.k = rank;
  if (R == 0 && C == 0 && (info = shape_from_environment(grid_ctx.P, &R, &C)) != GrB_SUCCESS) return info;
  if (R < 1 || C < 1 || (long long)R * C != grid_ctx.P) /* MPI stays up for another call with another shape */
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: a grid of %d x %d does not fit %d process%s", call, R, C,
                     grid_ctx.P, grid_ctx.P == 1 ? "" : "es");
  grid_ctx.R = R;
  grid_ctx.C = C;
  grid_ctx.i = rank % R;
  grid_ctx.j = rank / R;
  grid_ctx.blocking = mode == GrB_BLOCKING;
  grid_ctx.local_size = local_size;
  grid_ctx.threads = grid_possible_threads(default_threads());
  inform_modules();
  grid_apply_threads();
  if (grid_ctx.P > 1) info = grid_mpi_split(grid_ctx.i, grid_ctx.j, rank);
  if (info == GrB_SUCCESS) info = grid_agree(NULL, tuned == GrB_SUCCESS ? tuned : tune(rank == 0));
  if (info == GrB_SUCCESS && grid_ctx.P > 1 && local_size < grid_ctx.P && grid_two_level_open())
    grid_ctx.transport = &grid_transport_two_level;
  return info == GrB_SUCCESS ? grid_partition_init() : info;
}

void grid_stop(void) {
  grid_ctx.initialized = false;
  grid_call_set_default_threads(0);
  grid_partition_finalize();
  grid_cpu_time_stop();
  grid_check_messages_stop();
  grid_two_level_close();
  grid_short_call_stop();
  grid_mpi_close();
}
