/* GRIDBLAS_CHECK=calls. A collective call made by some processes only (under `if (rank == 0)`, say) would
 * wait forever or match another call. So each collective call first exchanges its name with all processes:
 * differing calls fail everywhere before they have any effect. A missing process may only be slow, which
 * is no error: after some seconds a line names the waiting process and the missing one.
 *
 * A call that returned on some processes alone, because of an argument that is wrong there, is noticed by the
 * others at their next message (check_messages.c): they compare "a message of CALL" with its next call. */
#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/mpi/mpi_library.h"
#include "dist/grid/process_grid.h"
#include "dist/comm/transport/mpi_init.h"
#include "semiring/support/c_locale.h"
#include "semiring/threads/context_section.h"

enum { NAME = 64, TAG = 20, MILLISECONDS = 10000 };
static const char END_CALL[] = "GrB_finalize", EXIT_CALL[] = "exit, without GrB_finalize";

bool grid_default_is_call_check_on GRID_OF_CONTEXT;
static bool is_exit_registered;

static struct {
  MPI_Comm comm;
  char *names;           /* name of each process's call, NAME bytes each; this process's is the send buffer */
  char before[NAME];     /* the last call made by all */
  MPI_Request *requests; /* P receives, then P sends */
  uint64_t milliseconds; /* waiting time before the report */
  bool in_flight;
  pid_t process; /* the process that called grid_compare_start */
} default_calls GRID_OF_CONTEXT;
#define calls GRID_IN_CONTEXT(default_calls)

static char *name_of(int k) {
  return calls.names + (size_t)k * NAME;
}

/* ---- one exchange of names ---- */

static const char MESSAGE[] = "a message of ";

/* The members of a set send each other their names. */
static bool is_member(grid_set set, int k) {
  return set == GRID_SET_ALL ||
         (set == GRID_SET_COL ? k / grid_ctx.R == grid_ctx.j : k % grid_ctx.R == grid_ctx.i);
}

static GrB_Info check_call(int rc) {
  return rc == MPI_SUCCESS ? GrB_SUCCESS
                           : grid_fail(NULL, GrB_PANIC, "GRIDBLAS_CHECK: MPI failed with its code %d", rc);
}

static GrB_Info announce_call(grid_set set, const char *call) {
  const int P = grid_ctx.P, k = grid_ctx.k;
  GrB_Info info = GrB_SUCCESS;
  memset(name_of(k), 0, NAME);
  snprintf(name_of(k), NAME, "%s", call);
  for (int r = 0; r < 2 * P; r++) calls.requests[r] = MPI_REQUEST_NULL;
  for (int r = 0; r < P && info == GrB_SUCCESS; r++) {
    if (r == k || !is_member(set, r)) continue;
    name_of(r)[0] = '\0';
    info = check_call(MPI_Irecv(name_of(r), NAME, MPI_CHAR, r, TAG, calls.comm, &calls.requests[r]));
    if (info == GrB_SUCCESS)
      info = check_call(MPI_Isend(name_of(k), NAME, MPI_CHAR, r, TAG, calls.comm, &calls.requests[P + r]));
  }
  return info;
}

/* Of the waiting processes only the first reports. */
static void report_missing(double seconds) {
  int first = grid_ctx.P, missing = 0;
  for (int r = grid_ctx.P - 1; r >= 0; r--) {
    const bool received = r == grid_ctx.k || calls.requests[r] == MPI_REQUEST_NULL;
    if (received && r < grid_ctx.k) return;
    if (!received) first = r, missing++;
  }
  if (missing == 0) return; /* only this process's own sends are incomplete */
  char others[48] = "";
  if (missing > 1) snprintf(others, sizeof others, " and %d more", missing - 1);
  fprintf(stderr,
          "gridblas: process %d has waited %.0f s in %s for process %d%s, still in %s or in no call of the "
          "library (GRIDBLAS_CHECK; it goes on waiting)\n",
          grid_ctx.k, seconds, name_of(grid_ctx.k), first, others,
          calls.before[0] ? calls.before : "its start");
}

/* Waits for all names. *received is false if `most` milliseconds passed first; most = 0: no limit. reported:
 * a long wait is not reported (again). */
static GrB_Info wait_for_names(uint64_t most, bool reported, bool *received) {
  const double since = omp_get_wtime();
  for (;;) {
    /* tests every request, so that completed ones become NULL */
    int all = 1;
    for (int r = 0; r < 2 * grid_ctx.P; r++) {
      int done;
      const GrB_Info info = check_call(MPI_Test(&calls.requests[r], &done, MPI_STATUS_IGNORE));
      if (info != GrB_SUCCESS) return info;
      all = all && done;
    }
    *received = all;
    const double passed = omp_get_wtime() - since;
    if (all || (most && passed * 1e3 > (double)most)) return GrB_SUCCESS;
    if (!reported && passed * 1e3 > (double)calls.milliseconds) {
      report_missing(passed);
      reported = true;
    }
    if (passed > 0.1) /* a long wait: use no CPU time */
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    else
      sched_yield();
  }
}

static GrB_Info fail_names(int first, int k) {
  const bool in_message = strncmp(name_of(first), MESSAGE, strlen(MESSAGE)) == 0 ||
                          strncmp(name_of(k), MESSAGE, strlen(MESSAGE)) == 0;
  grid_calls++; /* some calls count and some do not: cached values are no longer valid on any process */
  if (in_message)
    return grid_fail(
        NULL, GrB_PANIC,
        "process %d is in %s, process %d in %s: a call has returned on some processes alone (was "
        "an argument NULL or another one there?)",
        first, name_of(first), k, name_of(k));
  return grid_fail(NULL, GrB_PANIC,
                   "process %d calls %s, process %d %s: every process must make every call (is one under a "
                   "condition on the rank?)",
                   first, name_of(first), k, name_of(k));
}

static GrB_Info compare_names(grid_set set) {
  int first = 0;
  while (!is_member(set, first)) first++;
  for (int k = first + 1; k < grid_ctx.P; k++)
    if (is_member(set, k) && strcmp(name_of(first), name_of(k)) != 0) return fail_names(first, k);
  return GrB_SUCCESS;
}

/* *exchanged: the names were exchanged. */
static GrB_Info compare(const char *call, bool *exchanged) {
  bool received;
  calls.in_flight = true;
  GrB_Info info = announce_call(GRID_SET_ALL, call);
  if (info == GrB_SUCCESS) info = wait_for_names(0, false, &received);
  calls.in_flight = false;
  *exchanged = info == GrB_SUCCESS;
  if (*exchanged) info = compare_names(GRID_SET_ALL);
  if (info == GrB_SUCCESS) memcpy(calls.before, name_of(0), NAME);
  return info;
}

/* Before a message: are the processes of the set in the same call? */
static GrB_Info compare_message(grid_set set) {
  char name[NAME];
  bool received;
  snprintf(name, sizeof name, "%s%.48s", MESSAGE, calls.before);
  calls.in_flight = true;
  GrB_Info info = announce_call(set, name);
  if (info == GrB_SUCCESS) info = wait_for_names(0, true, &received);
  calls.in_flight = false;
  return info == GrB_SUCCESS ? compare_names(set) : info;
}

GrB_Info grid_compare_calls(const char *call) {
  bool exchanged;
  return compare(call, &exchanged);
}

/* ---- the end ---- */

/* Has process k made its last call? */
static bool has_ended(int k) {
  return strcmp(name_of(k), END_CALL) == 0 || strcmp(name_of(k), EXIT_CALL) == 0;
}

/* The first of the ended processes prints the error, since programs rarely check GrB_finalize. */
static void report_at_end(void) {
  for (int k = 0; k < grid_ctx.k; k++)
    if (has_ended(k)) return;
  fprintf(stderr, "gridblas: %s\n", grid_last_error());
}

/* Other processes may still make calls, each of which fails; the library stops once all have ended. */
GrB_Info grid_compare_end(void) {
  char text[512] = "";
  bool exchanged = true;
  if (!grid_is_call_check_on) return GrB_SUCCESS;
  for (bool together = grid_mpi_is_finalized(); !together;) {
    const GrB_Info info = compare(END_CALL, &exchanged);
    if (info != GrB_SUCCESS && !text[0]) {
      snprintf(text, sizeof text, "%s", grid_last_error());
      report_at_end();
    }
    together = true; /* also if MPI fails, when no answer can come */
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

/* The program exits without GrB_finalize: announces that to the others, and waits for them for a limited
 * time. A forked child does nothing. */
static void announce_exit(void) {
  bool received = false;
  if (!grid_is_call_check_on || getpid() != calls.process || !grid_ctx.initialized || calls.in_flight ||
      grid_mpi_is_finalized())
    return;
  if (announce_call(GRID_SET_ALL, EXIT_CALL) != GrB_SUCCESS ||
      wait_for_names(calls.milliseconds, false, &received) != GrB_SUCCESS)
    return;
  if (received && compare_names(GRID_SET_ALL) != GrB_SUCCESS) report_at_end();
}

/* ---- the start ---- */

/* "calls", "calls:SECONDS" or "messages"; *milliseconds is 0 if calls are not compared. */
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
    const double seconds = grid_strtod(text + 6, &end);
    *milliseconds = isfinite(seconds) && seconds > 0 && seconds < 1e6 ? (uint64_t)ceil(seconds * 1e3) : 0;
    if (*end == '\0' && *milliseconds) return GrB_SUCCESS;
  }
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "GRIDBLAS_CHECK is \"%.32s\", not calls, calls:SECONDS or messages", text);
}

GrB_Info grid_compare_start(void) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t wanted[2] = {0};
  grid_compare_stop(); /* an earlier start may have failed midway */
  if (grid_ctx.k == 0) info = read_environment(&wanted[0], &wanted[1]);
  info = grid_agree_sum(NULL, info, wanted, 2);
  if (info == GrB_SUCCESS && wanted[1]) grid_check_messages_start(NULL);
  if (info != GrB_SUCCESS || wanted[0] == 0 || grid_ctx.P == 1) return info;
  calls.milliseconds = wanted[0];
  calls.process = getpid();
  calls.comm = *(const MPI_Comm *)grid_mpi_comm();
  calls.names = grid_malloc((size_t)grid_ctx.P, NAME);
  calls.requests = grid_malloc(2 * (size_t)grid_ctx.P, sizeof(MPI_Request));
  if (!calls.names || !calls.requests)
    info = grid_fail_memory(NULL, "names of calls", (uint64_t)grid_ctx.P, NAME);
  if (info == GrB_SUCCESS && !is_exit_registered) is_exit_registered = atexit(announce_exit) == 0;
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS) grid_compare_stop();
  memset(calls.before, 0, NAME);
  grid_is_call_check_on = info == GrB_SUCCESS;
  if (grid_is_call_check_on) grid_check_messages_start(compare_message);
  return info;
}
