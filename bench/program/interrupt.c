/* Signals that end the program: incomplete files are removed first. A signal that is ignored, as by nohup,
 * stays ignored. */
#include <signal.h>
#include <stddef.h>

#include "bench/program/program.h"

static void remove_files(int signal) {
  Grid_temporary_unlink();
  raise(signal); /* SA_RESETHAND: the default action is restored once this function returns */
}

void interrupt_install(void) {
  static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
  struct sigaction before, action = {.sa_handler = remove_files, .sa_flags = SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
    if (sigaction(ends[k], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(ends[k], &action, NULL);
}
