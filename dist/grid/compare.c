/* compare.c: GRIDBLAS_CHECK=calls. What only some processes call, under `if (rank == 0)` say, would wait for
 * the others for ever, or meet another call of theirs. So each call that is not local first tells all others
 * its name, and waits for theirs: calls that differ fail on all, before they have done anything. Who has not
 * come may only be slow, so that waiting for it is no error; after some seconds a line says who waits for
 * whom. */
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dist/grid/grid.h"
#include "dist/grid/mpi_start.h"

enum { NAME = 64, TAG = 20, MILLISECONDS = 10000 };
static const char the_end[] = "GrB_finalize", the_exit[] = "exit, without GrB_finalize";

bool grid_compares_calls;

static struct {
  MPI_Comm comm;
  char *names;           /* of each process's call, NAME bytes each; the own one is sent from here */
  char before[NAME];     /* what all called last */
  MPI_Request *requests; /* one from each process, then one to each */
  uint64_t milliseconds; /* that a process waits before it says so */
  bool under_way, leaves;
  pid_t process; /* which started */
} calls;

static char *name_of(int k) {
  return calls.names + (size_t)k * NAME;
}

/* ---- one exchange of names ---- */

static GrB_Info check(int rc) {
  return rc == MPI_SUCCESS ? GrB_SUCCESS
                           : grid_fail(NULL, GrB_PANIC, "GRIDBLAS_CHECK: MPI failed with its code %d", rc);
}

static GrB_Info post(const char *call) {
  const int P = grid_here.P, k = grid_here.k;
  GrB_Info info = GrB_SUCCESS;
  memset(name_of(k), 0, NAME);
  snprintf(name_of(k), NAME, "%s", call);
  for (int r = 0; r < 2 * P; r++) calls.requests[r] = MPI_REQUEST_NULL;
  for (int r = 0; r < P && info == GrB_SUCCESS; r++) {
    if (r == k) continue;
    name_of(r)[0] = '\0';
    info = check(MPI_Irecv(name_of(r), NAME, MPI_CHAR, r, TAG, calls.comm, &calls.requests[r]));
    if (info == GrB_SUCCESS)
      info = check(MPI_Isend(name_of(k), NAME, MPI_CHAR, r, TAG, calls.comm, &calls.requests[P + r]));
  }
  return info;
}

/* One of those who wait says so: the first of them. */
static void tell_who_is_missing(double seconds) {
  int first = grid_here.P, missing = 0;
  for (int r = grid_here.P - 1; r >= 0; r--) {
    const bool came = r == grid_here.k || calls.requests[r] == MPI_REQUEST_NULL;
    if (came && r < grid_here.k) return;
    if (!came) first = r, missing++;
  }
  if (missing == 0) return; /* only the own name is still on its way */
  char others[48] = "";
  if (missing > 1) snprintf(others, sizeof others, " and %d more", missing - 1);
  fprintf(stderr,
          "gridblas: process %d has waited %.0f s in %s for process %d%s, still in %s or in no call of the "
          "library (GRIDBLAS_CHECK; it goes on waiting)\n",
          grid_here.k, seconds, name_of(grid_here.k), first, others,
          calls.before[0] ? calls.before : "its start");
}

/* Until all names are here; *came is false after `most` milliseconds, 0: however long it takes. */
static GrB_Info wait_for_names(uint64_t most, bool *came) {
  const double since = MPI_Wtime();
  bool told = false;
  for (;;) {
    /* every request is tested, so that those of who came are NULL */
    int all = 1;
    for (int r = 0; r < 2 * grid_here.P; r++) {
      int done;
      const GrB_Info info = check(MPI_Test(&calls.requests[r], &done, MPI_STATUS_IGNORE));
      if (info != GrB_SUCCESS) return info;
      all = all && done;
    }
    *came = all;
    const double passed = MPI_Wtime() - since;
    if (all || (most && passed * 1e3 > (double)most)) return GrB_SUCCESS;
    if (!told && passed * 1e3 > (double)calls.milliseconds) {
      tell_who_is_missing(passed);
      told = true;
    }
    if (passed > 0.1) /* it will take a while */
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    else
      sched_yield();
  }
}

static GrB_Info judge(void) {
  for (int k = 1; k < grid_here.P; k++)
    if (strcmp(name_of(0), name_of(k)) != 0) {
      grid_calls++; /* some calls count and some do not: what was known before, all forget */
      return grid_fail(NULL, GrB_PANIC,
                       "process 0 calls %s, process %d %s: every process must make every call (what stands "
                       "under a condition on the rank is made by some only)",
                       name_of(0), k, name_of(k));
    }
  memcpy(calls.before, name_of(0), NAME);
  return GrB_SUCCESS;
}

/* *told: the names went round. */
static GrB_Info compare(const char *call, bool *told) {
  bool came;
  calls.under_way = true;
  GrB_Info info = post(call);
  if (info == GrB_SUCCESS) info = wait_for_names(0, &came);
  calls.under_way = false;
  *told = info == GrB_SUCCESS;
  return *told ? judge() : info;
}

GrB_Info grid_compare_calls(const char *call) {
  bool told;
  return compare(call, &told);
}

/* ---- the end ---- */

static bool is_mpi_down(void) {
  int down = 0;
  MPI_Finalized(&down);
  return down;
}

/* Has process k made its last call? */
static bool is_over(int k) {
  return strcmp(name_of(k), the_end) == 0 || strcmp(name_of(k), the_exit) == 0;
}

/* Who is the first of those that leave speaks for them: nobody may look at what GrB_finalize returns. */
static void tell_at_the_end(void) {
  for (int k = 0; k < grid_here.k; k++)
    if (is_over(k)) return;
  fprintf(stderr, "gridblas: %s\n", grid_last_error());
}

/* The others may still make calls, each of which fails now: only when all are here can the library end. */
GrB_Info grid_compare_end(void) {
  char text[512] = "";
  bool told = true;
  if (!grid_compares_calls) return GrB_SUCCESS;
  for (bool together = is_mpi_down(); !together;) {
    const GrB_Info info = compare(the_end, &told);
    if (info != GrB_SUCCESS && !text[0]) {
      snprintf(text, sizeof text, "%s", grid_last_error());
      tell_at_the_end();
    }
    together = true; /* and where MPI fails there is nobody to wait for */
    if (!told) break;
    for (int k = 0; k < grid_here.P; k++) together = together && is_over(k);
  }
  grid_compare_stop();
  return text[0] ? grid_fail(NULL, GrB_PANIC, "%s", text) : GrB_SUCCESS;
}

void grid_compare_stop(void) {
  grid_compares_calls = false;
  grid_free(calls.names);
  grid_free(calls.requests);
  calls.names = NULL;
  calls.requests = NULL;
}

/* A program ends without GrB_finalize: the others hear of it, if they come soon. A child that it has forked
 * ends for itself. */
static void leave(void) {
  bool came = false;
  if (!grid_compares_calls || getpid() != calls.process || !grid_here.ready || calls.under_way ||
      is_mpi_down())
    return;
  if (post(the_exit) != GrB_SUCCESS || wait_for_names(calls.milliseconds, &came) != GrB_SUCCESS) return;
  if (came && judge() != GrB_SUCCESS) tell_at_the_end();
}

/* ---- the start ---- */

/* "calls", "calls:SECONDS" or "messages"; *milliseconds is 0 where calls are not to be compared. */
static GrB_Info read_environment(uint64_t *milliseconds, uint64_t *messages) {
  const char *text = getenv("GRIDBLAS_CHECK");
  char *end;
  *milliseconds = 0;
  if (!text || !*text) return GrB_SUCCESS;
  *messages = strcmp(text, "messages") == 0;
  if (*messages) return GrB_SUCCESS;
  if (strcmp(text, "calls") == 0) {
    *milliseconds = MILLISECONDS;
    return GrB_SUCCESS;
  }
  if (strncmp(text, "calls:", 6) == 0) {
    const double seconds = strtod(text + 6, &end);
    *milliseconds = isfinite(seconds) && seconds > 0 && seconds < 1e6 ? (uint64_t)ceil(seconds * 1e3) : 0;
    if (*end == '\0' && *milliseconds) return GrB_SUCCESS;
  }
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "GRIDBLAS_CHECK is \"%.32s\", not calls, calls:SECONDS or messages", text);
}

GrB_Info grid_compare_start(void) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t asked[2] = {0};
  grid_compare_stop(); /* should a start have failed later on */
  if (grid_here.k == 0) info = read_environment(&asked[0], &asked[1]);
  info = grid_agree_sum(NULL, info, asked, 2);
  if (info == GrB_SUCCESS && asked[1]) grid_messages_compare();
  if (info != GrB_SUCCESS || asked[0] == 0 || grid_here.P == 1) return info;
  calls.milliseconds = asked[0];
  calls.process = getpid();
  calls.comm = *(const MPI_Comm *)grid_mpi_comm();
  calls.names = grid_malloc((size_t)grid_here.P, NAME);
  calls.requests = grid_malloc(2 * (size_t)grid_here.P, sizeof(MPI_Request));
  if (!calls.names || !calls.requests)
    info = grid_fail_memory(NULL, "names of calls", (uint64_t)grid_here.P, NAME);
  if (info == GrB_SUCCESS && !calls.leaves) calls.leaves = atexit(leave) == 0;
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS) grid_compare_stop();
  memset(calls.before, 0, NAME);
  grid_compares_calls = info == GrB_SUCCESS;
  return info;
}
