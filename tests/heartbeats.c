/* Several watches of one process (dist/comm/transport/heartbeat.h). They share one thread, and each goes on
 * when another one ends. The one that is left reports a suspended process, which ends the job with a message.
 * Four processes. A check that fails ends the job without that message. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/mpi/mpi_library.h"
#include "dist/comm/transport/heartbeat.h"

enum { SECONDS = 2 };

#define HOLDS(condition)                                                  \
  if (!(condition)) {                                                     \
    fprintf(stderr, "heartbeats.c: line %d: %s\n", __LINE__, #condition); \
    MPI_Abort(MPI_COMM_WORLD, 1);                                         \
  }

/* Threads of this process that tick. */
static int ticking_threads(void) {
  int n = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (const struct dirent *d; tasks && (d = readdir(tasks));) {
    char path[300], name[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", d->d_name);
    FILE *f = fopen(path, "r");
    if (f && !fgets(name, sizeof name, f)) name[0] = '\0';
    if (f) fclose(f);
    n += strcmp(name, "grid-heartbeat\n") == 0;
  }
  if (tasks) closedir(tasks);
  return n;
}

/* A grid of this communicator, whose processes are numbered from `first` on. */
static grid_heartbeat *watch(MPI_Comm comm, int first) {
  int rank, job_rank;
  MPI_Comm leaders;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_rank(MPI_COMM_WORLD, &job_rank);
  MPI_Comm_split(comm, rank == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
  grid_heartbeat *w = grid_heartbeat_start(&comm, &leaders, first + rank, job_rank, SECONDS);
  if (leaders != MPI_COMM_NULL) MPI_Comm_free(&leaders);
  return w;
}

int main(void) {
  int rank, level;
  MPI_Comm half;
  if (grid_mpi_load(false) != GrB_SUCCESS) return 1;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  grid_heartbeat *all = watch(MPI_COMM_WORLD, 100), *part = watch(half, 200);
  HOLDS(all && part && all != part && ticking_threads() == 1);
  grid_heartbeat_stop(all); /* the first one that was started */
  HOLDS(ticking_threads() == 1);
  all = watch(MPI_COMM_WORLD, 300);
  grid_heartbeat_stop(part);
  HOLDS(all && ticking_threads() == 1);
  grid_heartbeat_stop(all);
  HOLDS(ticking_threads() == 0);
  grid_heartbeat_stop(NULL);

  all = watch(MPI_COMM_WORLD, 400), part = watch(half, 500);
  HOLDS(all && part && ticking_threads() == 1);
  grid_heartbeat_stop(all); /* of which none reports */
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 3) raise(SIGSTOP);
  for (int k = 0; k < 10 * SECONDS; k++) sleep(1);
  HOLDS(!"the suspended process was reported");
}
