/* check_calls.c: GRIDBLAS_CHECK=calls. What only some processes call, under `if (rank == 0)` say, would wait for
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

#include "dist/grid/process_grid.h"
#include "dist/comm/transport/mpi_init.h"

enum { NAME = 64, TAG = 20, MILLISECONDS = 10000 };
static const char END_CALL[] = "GrB_finalize", EXIT_CALL[] = "exit, without GrB_finalize";

bool grid_is_call_check_on;

static struct {
  MPI_Comm comm;
  char *names;           /* of each process's call, NAME bytes each; the own one is sent from here */
  char before[NAME];     /* what all called last */
  MPI_Request *requests; /* one from each process, then one to each */
  uint64_t milliseconds; /* that a process waits before it says so */
  bool in_flight, leaves;
  pid_t process; /* which started */
} calls;

static char *name_of(int k) {
  return calls.names + (size_t)k * NAME;
}

/* ---- one exchange of names ---- */

static GrB_Info check_call(int rc) {
  return rc == MPI_SUCCESS ? GrB_SUCCESS
                           : grid_fail(NULL, GrB_PANIC, "GRIDBLAS_CHECK: MPI failed with its code %d", rc);
}

static GrB_Info announce_call(const char *call) {
  const int P = grid_ctx.P, k = grid_ctx.k;
  GrB_Info info = GrB_SUCCESS;
  memset(name_of(k), 0, NAME);
  snprintf(name_of(k), NAME, "%s", call);
  for (int r = 0; r < 2 * P; r++) calls.requests[r] = MPI_REQUEST_NULL;
  for (int r = 0; r < P && info == GrB_SUCCESS; r++) {
    if (r == k) continue;
    name_of(r)[0] = '\0';
    info = check_call(MPI_Irecv(name_of(r), NAME, MPI_CHAR, r, TAG, calls.comm, &calls.requests[r]));
    if (info == GrB_SUCCESS)
      info = check_call(MPI_Isend(name_of(k), NAME, MPI_CHAR, r, TAG, calls.comm, &calls.requests[P + r]));
  }
  return info;
}

/* One of those who wait says so: the first of them. */
static void report_missing(double seconds) {
  int first = grid_ctx.P, missing = 0;
  for (int r = grid_ctx.P - 1; r >= 0; r--) {
    const bool received = r == grid_ctx.k || calls.requests[r] == MPI_REQUEST_NULL;
    if (received && r < grid_ctx.k) return;
    if (!received) first = r, missing++;
  }
  if (missing == 0) return; /* only the own name is still on its way */
  char others[48] = "";
  if (missing > 1) snprintf(others, sizeof others, " and %d more", missing - 1);
  fprintf(stderr,
          "gridblas: process %d has waited %.0f s in %s for process %d%s, still in %s or in no call of the "
          "library (GRIDBLAS_CHECK; it goes on waiting)\n",
          grid_ctx.k, seconds, name_of(grid_ctx.k), first, others,
          calls.before[0] ? calls.before : "its start");
}

/* Until all names are here; *came is false after `most` milliseconds, 0: however long it takes. */
static GrB_Info wait_for_names(uint64_t most, bool *received) {
  const double since = MPI_Wtime();
  bool exchanged = false;
  for (;;) {
    /* every request is tested, so that those of who came are NULL */
    int all = 1;
    for (int r = 0; r < 2 * grid_ctx.P; r++) {
      int done;
      const GrB_Info info = check_call(MPI_Test(&calls.requests[r], &done, MPI_STATUS_IGNORE));
      if (info != GrB_SUCCESS) return info;
      all = all && done;
    }
    *received = all;
    const double passed = MPI_Wtime() - since;
    if (all || (most && passed * 1e3 > (double)most)) return GrB_SUCCESS;
    if (!exchanged && passed * 1e3 > (double)calls.milliseconds) {
      report_missing(passed);
      exchanged = true;
    }
    if (passed > 0.1) /* it will take a while */
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    else
      sched_yield();
  }
}

static GrB_Info compare_names(void) {
  for (int k = 1; k < grid_ctx.P; k++)
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
static GrB_Info compare(const char *call, bool *exchanged) {
  bool received;
  calls.in_flight = true;
  GrB_Info info = announce_call(call);
  if (info == GrB_SUCCESS) info = wait_for_names(0, &received);
  calls.in_flight = false;
  *exchanged = info == GrB_SUCCESS;
  return *exchanged ? compare_names() : info;
}

GrB_Info grid_compare_calls(const char *call) {
  bool exchanged;
  return compare(call, &exchanged);
}

/* ---- the end ---- */

static bool is_mpi_down(void) {
  int down = 0;
  MPI_Finalized(&down);
  return down;
}

/* Has process k made its last call? */
static bool has_ended(int k) {
  return strcmp(name_of(k), END_CALL) == 0 || strcmp(name_of(k), EXIT_CALL) == 0;
}

/* Who is the first of those that leave speaks for them: nobody may look at what GrB_finalize returns. */
static void report_at_end(void) {
  for (int k = 0; k < grid_ctx.k; k++)
    if (has_ended(k)) return;
  fprintf(stderr, "gridblas: %s\n", grid_last_error());
}

/* The others may still make calls, each of which fails now: only when all are here can the library end. */
GrB_Info grid_compare_end(void) {
  char text[512] = "";
  bool exchanged = true;
  if (!grid_is_call_check_on) return GrB_SUCCESS;
  for (bool together = is_mpi_down(); !together;) {
    const GrB_Info info = compare(END_CALL, &exchanged);
    if (info != GrB_SUCCESS && !text[0]) {
      snprintf(text, sizeof text, "%s", grid_last_error());
      report_at_end();
    }
    together = true; /* and where MPI fails there is nobody to wait for */
    if (!exchanged) break;
    for (int k = 0; k < grid_ctx.P; k++) together = together && has_ended(k);
  }
  grid_compare_stop();
  return text[0] ? grid_fail(NULL, GrB_PANIC, "%s", text) : GrB_SUCCESS;
}

void grid_compare_stop(void) {
  grid_is_call_check_on = false;
  grid_free(calls.names);
  grid_free(calls.requests);
  calls.names = NULL;
  calls.requests = NULL;
}

/* A program ends without GrB_finalize: the others hear of it, if they come soon. A child that it has forked
 * ends for itself. */
static void announce_exit(void) {
  bool received = false;
  if (!grid_is_call_check_on || getpid() != calls.process || !grid_ctx.initialized || calls.in_flight ||
      is_mpi_down())
    return;
  if (announce_call(EXIT_CALL) != GrB_SUCCESS || wait_for_names(calls.milliseconds, &received) != GrB_SUCCESS)
    return;
  if (received && compare_names() != GrB_SUCCESS) report_at_end();
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
  if (grid_ctx.k == 0) info = read_environment(&asked[0], &asked[1]);
  info = grid_agree_sum(NULL, info, asked, 2);
  if (info == GrB_SUCCESS && asked[1]) grid_check_messages_start();
  if (info != GrB_SUCCESS || asked[0] == 0 || grid_ctx.P == 1) return info;
  calls.milliseconds = asked[0];
  calls.process = getpid();
  calls.comm = *(const MPI_Comm *)grid_mpi_comm();
  calls.names = grid_malloc((size_t)grid_ctx.P, NAME);
  calls.requests = grid_malloc(2 * (size_t)grid_ctx.P, sizeof(MPI_Request));
  if (!calls.names || !calls.requests)
    info = grid_fail_memory(NULL, "names of calls", (uint64_t)grid_ctx.P, NAME);
  if (info == GrB_SUCCESS && !calls.leaves) calls.leaves = atexit(announce_exit) == 0;
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS) grid_compare_stop();
  memset(calls.before, 0, NAME);
  grid_is_call_check_on = info == GrB_SUCCESS;
  return info;
}
