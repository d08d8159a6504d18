/* The program `gridblas`: algorithms and benchmarks on one process or a grid of them. See gridblas --help. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "bench/command/commands.h"
#include "bench/validate/reference.h"

#ifndef GRIDBLAS_VERSION
#define GRIDBLAS_VERSION "(no version)"
#endif

static int show_version(void) {
  unsigned version = 0, subversion = 0;
  if (GrB_getVersion(&version, &subversion) != GrB_SUCCESS) return fail_library(NULL);
  if (Grid_rank() == 0)
    printf("gridblas %s (GraphBLAS C API %u.%u; --check by %s)\n", GRIDBLAS_VERSION, version, subversion,
           reference_missing() == NULL ? reference_name()
                                       : "nothing: SuiteSparse:GraphBLAS was not there at build time");
  return STATUS_OK;
}

static int run(outcome read, const command *c, const options *o, const char *why) {
  const int status = library_settings(o);
  if (status != STATUS_OK && read != READ_WRONG) return status;
  switch (read) {
    case READ_COMMAND:
      return (c->run ? c->run : algorithm_command)(c, o);
    case READ_VERSION:
      return show_version();
    case READ_HELP:
      if (Grid_rank() == 0) options_help(c, commands, stdout);
      return STATUS_OK;
    default:
      return fail(STATUS_INPUT, "%s", why);
  }
}

/* Output that cannot be written, as to a full disk or a closed pipe, is also a failure; only process 0
 * writes. */
static int finish_output(int status) {
  const output out = {stdout, NULL, NULL};
  errno = 0;
  const bool lost = Grid_rank() == 0 && (fflush(stdout) != 0 || ferror(stdout));
  /* an earlier failure has been reported */
  return status != STATUS_OK ? status : fail_on_any(STATUS_INPUT, lost ? output_error(&out) : NULL);
}

/* The library has not started, so the error is printed without it; Grid_rank still works. */
static int start_failed(const options *o) {
  const int processes = Grid_size();
  if (o->R > 0 && (int64_t)o->R * o->C != processes)
    return fail(STATUS_INPUT, "--grid %dx%d is for %" PRId64 " processes, but there %s %d", o->R, o->C,
                (int64_t)o->R * o->C, processes == 1 ? "is" : "are", processes);
  return fail_library(NULL);
}

int main(int argc, char **argv) {
  options o;
  const command *c;
  const char *why;
  int status;

  signal(SIGPIPE, SIG_IGN); /* a forbidden write returns an error instead of ending the program */
  signal(SIGXFSZ, SIG_IGN);
  interrupt_install();
  const outcome read = options_read(&o, &c, &why, commands, argc, argv);
  progress_set_interval(o.progress);
  unsetenv("GRIDBLAS_DEVICE"); /* read only: the device is selected by the commands that use it */
  if (Grid_init(GrB_NONBLOCKING, NULL, o.R, o.C) != GrB_SUCCESS) {
    status = read == READ_WRONG ? fail(STATUS_INPUT, "%s", why) : start_failed(&o);
    /* mpirun ends all processes when the first returns a failure, so with a valid shape the others wait for
     * process 0's message */
    if (Grid_init(GrB_NONBLOCKING, NULL, 0, 0) == GrB_SUCCESS) Grid_agree(GrB_SUCCESS, NULL);
  } else {
    status = finish_output(run(read, c, &o, why));
    progress(NULL);
  }
  GrB_finalize();
  return status;
}
