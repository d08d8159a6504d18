/* See mpi_init.h. */
#include "dist/comm/transport/mpi_init.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>

#include "dist/comm/mpi/mpi_library.h"
#include "dist/comm/transport/mpi_comms.h"
#include "dist/comm/transport/shm/shm_exchange.h"
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/comm/transport/waits.h"
#include "semiring/support/tuning.h"
#include "semiring/threads/context_section.h"

struct grid_mpi_comms grid_default_mpi GRID_OF_CONTEXT = {
    .comm = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL}, .world = MPI_COMM_NULL};
static bool is_started, is_end_registered; /* the library has initialised MPI; it ends it at program exit */

GrB_Info grid_mpi_check(int rc, const char *call) {
  if (rc == MPI_SUCCESS) return GrB_SUCCESS;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(rc, text, &length);
  return grid_fail(NULL, GrB_PANIC, "%s failed: %.*s", call, length, text);
}

/* The launcher knows the processes outside this grid's communicator; without its word those of the grid. */
int grid_mpi_job_processes(void) {
  static const char *const variable[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
  int most = grid_mpi.machine_size > 0 ? grid_mpi.machine_size : 1;
  for (size_t v = 0; v < sizeof variable / sizeof *variable; v++) {
    const char *text = getenv(variable[v]);
    const long n = text ? strtol(text, NULL, 10) : 0;
    if (n > most && n <= INT_MAX) most = (int)n;
  }
  return most;
}

/* With more processes than cores a waiting process must yield. Sets Open MPI's option before MPI starts,
 * unless the user has set it. */
static void yield_cpu(void) {
  if (grid_mpi_job_processes() > omp_get_num_procs()) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

/* Watches the processes of `machine` and its neighbors. The environment of process 0 decides. */
static GrB_Info watch_processes(MPI_Comm machine) {
  unsigned word[2];
  word[1] = grid_heartbeat_read_timeout(&word[0]);
  GrB_Info info = grid_mpi_check(MPI_Bcast(word, 2, MPI_UNSIGNED, 0, grid_mpi.world), "MPI_Bcast");
  if (info != GrB_SUCCESS) return info;
  if (!word[1])
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "Grid_init: GRIDBLAS_TIMEOUT is no number of seconds: 0 (never), 1, 2, ...");
  MPI_Comm leaders;
  info = grid_mpi_check(MPI_Comm_split(grid_mpi.world, grid_mpi.machine_rank == 0 ? 0 : MPI_UNDEFINED,
                                       grid_mpi.world_rank, &leaders),
                        "MPI_Comm_split");
  if (info != GrB_SUCCESS) return info;
  int job_rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &job_rank);
  grid_mpi.heartbeat = grid_heartbeat_start(&machine, &leaders, grid_mpi.world_rank, job_rank, word[0]);
  if (leaders != MPI_COMM_NULL) MPI_Comm_free(&leaders);
  return GrB_SUCCESS;
}

/* The processes of this machine; GRIDBLAS_TUNE=processes_per_host makes several machines of it. */
static GrB_Info find_machine(void) {
  MPI_Comm machine, part;
  int rank;
  GrB_Info info = grid_mpi_check(
      MPI_Comm_split_type(grid_mpi.world, MPI_COMM_TYPE_SHARED, grid_mpi.world_rank, MPI_INFO_NULL, &machine),
      "MPI_Comm_split_type");
  if (info != GrB_SUCCESS) return info;
  MPI_Comm_rank(machine, &rank);
  const uint64_t per_host = grid_tune.processes_per_host;
  info = grid_mpi_check(MPI_Comm_split(machine, per_host ? (int)((uint64_t)rank / per_host) : 0, rank, &part),
                        "MPI_Comm_split");
  MPI_Comm_free(&machine);
  if (info != GrB_SUCCESS) return info;
  MPI_Comm_size(part, &grid_mpi.machine_size);
  MPI_Comm_rank(part, &grid_mpi.machine_rank);
  grid_mpi.machine = grid_mpi.world_rank;
  info = grid_mpi_check(MPI_Bcast(&grid_mpi.machine, 1, MPI_INT, 0, part), "MPI_Bcast");
  if (info == GrB_SUCCESS) info = watch_processes(part);
  MPI_Comm_free(&part);
  return info;
}

/* grid_mpi.world, and the ranks and sizes; after a failure grid_mpi.world is MPI_COMM_NULL. */
static GrB_Info duplicate_comm(MPI_Comm from) {
  GrB_Info info = grid_mpi_check(MPI_Comm_dup(from, &grid_mpi.world), "MPI_Comm_dup");
  if (info != GrB_SUCCESS) return info;
  MPI_Comm_set_errhandler(grid_mpi.world, MPI_ERRORS_RETURN);
  MPI_Comm_rank(grid_mpi.world, &grid_mpi.world_rank);
  MPI_Comm_size(grid_mpi.world, &grid_mpi.world_size);
  info = find_machine();
  if (info != GrB_SUCCESS) MPI_Comm_free(&grid_mpi.world);
  return info;
}

/* MPI that the program has initialised below MPI_THREAD_SERIALIZED belongs to the program's main thread. */
static GrB_Info check_thread(void) {
  int level = MPI_THREAD_SINGLE, is_main = 0;
  MPI_Query_thread(&level);
  MPI_Is_thread_main(&is_main);
  if (is_main || level >= MPI_THREAD_SERIALIZED) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "Grid_init: MPI was initialised with %s, which allows calls from the main thread only; "
                   "this thread needs MPI_THREAD_SERIALIZED",
                   level == MPI_THREAD_SINGLE ? "MPI_THREAD_SINGLE" : "MPI_THREAD_FUNNELED");
}

bool grid_mpi_allows_threads(void) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level >= MPI_THREAD_MULTIPLE;
}

static void stop_watch(void) {
  grid_heartbeat_stop(grid_mpi.heartbeat);
  grid_mpi.heartbeat = NULL;
}

static void close_comms(void) {
  stop_watch();
  grid_shm_exchange_close();
  grid_mailbox_close();
  for (int s = 0; s < GRID_NSETS; s++)
    if (grid_mpi.comm[s] != MPI_COMM_NULL) MPI_Comm_free(&grid_mpi.comm[s]);
  if (grid_mpi.world != MPI_COMM_NULL) MPI_Comm_free(&grid_mpi.world);
}

/* With the MPI of another launcher each process would be alone. */
static GrB_Info check_launcher(void) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1 || grid_mpi_launched() <= 1) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC,
                   "Grid_init: the launcher started %d processes, but MPI has one: it is not the launcher's; "
                   "GRIDBLAS_MPI names another",
                   grid_mpi_launched());
}

static GrB_Info start_mpi(bool given) {
  int up = 0;
  GrB_Info info = grid_mpi_load(given);
  if (info != GrB_SUCCESS) return info;
  MPI_Initialized(&up);
  if (grid_mpi_is_finalized())
    return grid_fail(NULL, GrB_PANIC, "Grid_init: MPI has been finalised, and it starts only once");
  if (!up) {
    is_started = true;
    int provided;
    yield_cpu();
    info = grid_mpi_check(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    if (info == GrB_SUCCESS) info = check_launcher();
    if (info != GrB_SUCCESS) return info;
  }
  return check_thread();
}

static GrB_Info check_comm(MPI_Comm comm) {
  int inter = 0;
  if (comm == MPI_COMM_NULL)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: argument comm is MPI_COMM_NULL");
  MPI_Comm_test_inter(comm, &inter);
  if (!inter) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: argument comm is an intercommunicator");
}

/* Another communicator than that of a Grid_init that failed after it had duplicated its own? */
static bool is_another(MPI_Comm comm) {
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(comm, grid_mpi.world, &result);
  return result != MPI_CONGRUENT;
}

/* After a Grid_init that failed later, all may be open already. */
GrB_Info grid_mpi_open(const void *comm, int *rank, int *size, int *local_rank, int *local_size) {
  MPI_Comm from = MPI_COMM_WORLD;
  GrB_Info info = start_mpi(comm != NULL);
  if (info == GrB_SUCCESS && comm) MPI_Comm_at(comm, &from);
  if (info == GrB_SUCCESS) info = check_comm(from);
  if (info == GrB_SUCCESS) {
    if (grid_mpi.world != MPI_COMM_NULL && is_another(from)) close_comms();
    if (grid_mpi.world == MPI_COMM_NULL) info = duplicate_comm(from);
  }
  *rank = grid_mpi.world_rank, *size = grid_mpi.world_size;
  *local_rank = grid_mpi.machine_rank, *local_size = grid_mpi.machine_size;
  return info;
}

/* Is each set of this kind on one machine? The same on all processes. */
static GrB_Info is_within_machines(grid_set set, bool *within) {
  int range[2] = {grid_mpi.machine, -grid_mpi.machine}, least[2], yes, all = 0;
  GrB_Info info =
      grid_mpi_check(MPI_Allreduce(range, least, 2, MPI_INT, MPI_MIN, grid_mpi.comm[set]), "MPI_Allreduce");
  if (info != GrB_SUCCESS) return info;
  yes = least[0] == -least[1];
  info = grid_mpi_check(MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, grid_mpi.world), "MPI_Allreduce");
  *within = all;
  return info;
}

/* The mailboxes of a kind of set; if one of them has no memory, none are used, so that all processes choose
 * the same ways. */
static GrB_Info open_mailboxes(grid_set set) {
  int open = grid_mailbox_open((grid_mailbox)set, &grid_mpi.comm[set]), all_open = 0;
  GrB_Info info =
      grid_mpi_check(MPI_Allreduce(&open, &all_open, 1, MPI_INT, MPI_MIN, grid_mpi.world), "MPI_Allreduce");
  if (open && !all_open) grid_mailbox_close_one((grid_mailbox)set);
  return info;
}

GrB_Info grid_mpi_split(int i, int j, int k) {
  const int color[GRID_NSETS] = {i, j, 0}, key[GRID_NSETS] = {j, i, k};
  grid_wait_set_processes(grid_mpi_job_processes());
  for (int s = 0; s < GRID_NSETS; s++) {
    GrB_Info info =
        grid_mpi_check(MPI_Comm_split(grid_mpi.world, color[s], key[s], &grid_mpi.comm[s]), "MPI_Comm_split");
    if (info != GrB_SUCCESS) return info;
    grid_mpi.alltoallv_calls[s] = 0; /* processes that come from other grids had other numbers of them */
    MPI_Comm_set_errhandler(grid_mpi.comm[s], MPI_ERRORS_RETURN);
    bool within;
    if ((info = is_within_machines((grid_set)s, &within)) != GrB_SUCCESS) return info;
    if (within && (info = open_mailboxes((grid_set)s)) != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

const void *grid_mpi_comm(void) {
  return &grid_mpi.comm[GRID_SET_ALL];
}

const void *grid_mpi_set_comm(grid_set set) {
  return &grid_mpi.comm[set];
}
int grid_mpi_machine(void) {
  return grid_mpi.machine;
}

/* MPI can start only once, the library many times: if the library started MPI, it ends at program exit. */
static void end_mpi(void) {
  if (!grid_mpi_is_finalized()) MPI_Finalize();
}

void grid_mpi_close(void) {
  stop_watch();
  if (grid_mpi_is_finalized()) return;
  close_comms();
  if (!is_started || is_end_registered) return;
  is_end_registered = true;
  if (atexit(end_mpi)) end_mpi();
}
