/* gridblas report: a page of results. The Python module gridblas_report (python/gridblas_report) makes it;
 * process 0 starts it in the first Python that has matplotlib. */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/command/commands.h"

enum { PATH = 4096, NO_MATPLOTLIB = 77 };

/* The folder of the module: in the build folder, or where the program is installed. */
static const char *find_module(char *folder, size_t capacity) {
  static const char *const locations[] = {"python", "../python", "../share/gridblas"};
  char program[PATH];
  struct stat st;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return "cannot find out where the program is";
  program[length] = '\0';
  *strrchr(program, '/') = '\0';
  for (int k = 0; k < 3; k++) {
    const int n = snprintf(folder, capacity, "%s/%s/gridblas_report", program, locations[k]);
    if (n <= 0 || (size_t)n >= capacity || stat(folder, &st) != 0) continue;
    *strrchr(folder, '/') = '\0';
    return NULL;
  }
  return "the Python module gridblas_report is not where the program is";
}

/* Can other users replace this file? *folder is then the file, or the directory that they may write to.
 * Directories above the first may be writable if they are sticky, like /tmp. */
static bool is_replaceable(const char *file, char folder[PATH]) {
  struct stat st;
  if (snprintf(folder, PATH, "%s", file) >= PATH) return false;
  if (stat(file, &st) == 0 && (st.st_mode & S_IWOTH)) return true;
  mode_t allowed = 0;
  for (char *end; (end = strrchr(folder, '/')) != NULL; allowed = S_ISVTX) {
    end[end == folder] = '\0'; /* the last is "/" */
    if (stat(folder, &st) == 0 && (st.st_mode & S_IWOTH) && !(st.st_mode & allowed)) return true;
    if (end == folder) break;
  }
  return false;
}

/* The same for a path or the file that it is a link to. A name without a folder is one of PATH's. */
static bool is_python_replaceable(const char *python, char folder[PATH]) {
  char path[PATH], real[PATH_MAX], current[PATH_MAX];
  if (strchr(python, '/') == NULL) return false;
  const bool absolute = *python == '/';
  if (!absolute && getcwd(current, sizeof current) == NULL) return false;
  const int n = snprintf(path, sizeof path, "%s%s%s", absolute ? "" : current, absolute ? "" : "/", python);
  if (n < 0 || n >= PATH) return false;
  return is_replaceable(path, folder) || (realpath(path, real) != NULL && is_replaceable(real, folder));
}

/* The module's exit status in this Python; 127: there is no such Python. */
static int run_python(const char *python, const options *o) {
  const char *arg[MOST_RESULTS + 9] = {
      python, "-B", "-m", "gridblas_report", "-o", o->out ? o->out : "report.html", "--"};
  pid_t child;
  int status = 0, n = 7;
  for (int k = 0; k < o->results; k++) arg[n++] = o->result[k];
  if (posix_spawnp(&child, python, NULL, NULL, (char **)(uintptr_t)arg, environ) != 0) return 127;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* On process 0. The module reports errors in a result itself. */
static int make_page(const options *o) {
  char folder[PATH], writable[PATH], path[2 * PATH];
  const char *chosen = getenv("GRIDBLAS_PYTHON"), *before = getenv("PYTHONPATH");
  const char *const python[] = {chosen ? chosen : "python3", chosen ? NULL : "/usr/bin/python3"};
  int status = 127;
  bool drawn_by_none = false;
  const char *lost = find_module(folder, sizeof folder);
  if (lost != NULL) return fail(STATUS_INPUT, "%s", lost);
  if (chosen != NULL && is_python_replaceable(chosen, writable))
    return fail(STATUS_INPUT, "GRIDBLAS_PYTHON=%s is not run: other users may write to %s", chosen, writable);
  snprintf(path, sizeof path, "%s%s%.4000s", folder, before ? ":" : "", before ? before : "");
  setenv("PYTHONPATH", path, 1);
  for (int k = 0; k < 2 && python[k] != NULL && (status == 127 || status == NO_MATPLOTLIB); k++) {
    status = run_python(python[k], o);
    drawn_by_none |= status == NO_MATPLOTLIB;
  }
  if (status == 0) return STATUS_OK;
  if (status == 127 && !drawn_by_none)
    return fail(STATUS_INPUT, "a report is made by Python, and there is no %s (Debian: python3-matplotlib)",
                python[0]);
  if (status == 127 || status == NO_MATPLOTLIB)
    return fail(STATUS_INPUT,
                "a report is drawn by matplotlib, which no Python here has (Debian: "
                "python3-matplotlib; or GRIDBLAS_PYTHON=a Python that has it)");
  return STATUS_INPUT;
}

int cmd_report(const command *c, const options *o) {
  (void)c;
  int status = Grid_rank() == 0 ? make_page(o) : STATUS_OK;
  return Grid_bcast(&status, sizeof status, 0) == GrB_SUCCESS ? status : fail_library(NULL);
}
