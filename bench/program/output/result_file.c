/* Files that appear only when they are complete: written under a temporary name in the same folder, renamed
 * at the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/program/program.h"

static char message[4400];

static const char *format_error(const char *path, const char *what) {
  snprintf(message, sizeof message, "%.4000s: %s: %s", path, what,
           errno != 0 ? strerror(errno) : "an earlier write failed");
  return message;
}

/* mkstemp makes private files; this sets the permissions of the file that is replaced, or those that fopen
 * would have set. */
static void set_permissions(int fd, const struct stat *replaced) {
  const mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(fd, replaced ? replaced->st_mode & 0777 : 0666 & ~mask);
}

/* output_open on process 0. Returns an error text, or NULL. */
static const char *open_file(output *o, const char *path) {
  struct stat st;
  const bool exists = stat(path, &st) == 0;

  if (exists && S_ISDIR(st.st_mode)) return errno = EISDIR, format_error(path, "cannot write");
  if (exists && access(path, W_OK) != 0) return format_error(path, "cannot write");
  o->path = strdup(path);
  if (exists && !S_ISREG(st.st_mode)) { /* a device or a pipe is written directly */
    const int special =
        open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC); /* creates no file if it has disappeared */
    o->f = special < 0 ? NULL : fdopen(special, "w");
    return o->f == NULL ? format_error(path, "cannot write") : NULL;
  }
  o->temp = malloc(strlen(path) + sizeof ".XXXXXX");
  if (o->path == NULL || o->temp == NULL) return errno = ENOMEM, format_error(path, "cannot write");
  sprintf(o->temp, "%s.XXXXXX", path);
  const int fd = Grid_temporary_create(o->temp);
  if (fd < 0) {
    const char *why = format_error(path, "cannot write");
    free(o->temp);
    o->temp = NULL;
    return why;
  }
  set_permissions(fd, exists ? &st : NULL);
  o->f = fdopen(fd, "w");
  if (o->f != NULL) return NULL;
  close(fd);
  return format_error(path, "cannot write");
}

static bool is_stdout(const char *path) {
  return path != NULL && strcmp(path, "-") == 0;
}

FILE *output_report_stream(const options *o) {
  return is_stdout(o->out) || is_stdout(o->json) || is_stdout(o->numbers) ? stderr : stdout;
}

int output_open(output *o, const char *path) {
  *o = (output){NULL, NULL, NULL};
  if (path == NULL) return STATUS_OK;
  const char *why = NULL;
  if (Grid_rank() == 0) {
    if (is_stdout(path))
      o->f = stdout;
    else
      why = open_file(o, path);
  }
  return fail_on_any(STATUS_INPUT, why);
}

static int stdout_error; /* of the first flush that failed */

void output_flush(FILE *f) {
  if (fflush(f) != 0 && f == stdout && stdout_error == 0) stdout_error = errno;
}

const char *output_error(const output *o) {
  if (errno == 0 && o->f == stdout) errno = stdout_error;
  if (errno == EPIPE && o->f == stdout) return "";
  return format_error(o->path != NULL ? o->path : "standard output", "cannot write");
}

int output_commit(output *o) {
  const char *why = NULL;
  errno = 0;
  if (o->f != NULL) {
    if (fflush(o->f) != 0 || ferror(o->f)) why = output_error(o);
    if (o->f != stdout && fclose(o->f) != 0 && why == NULL) why = output_error(o);
    o->f = NULL;
    if (why == NULL && o->temp != NULL && rename(o->temp, o->path) != 0) why = output_error(o);
    if (why == NULL && o->temp != NULL) {
      Grid_temporary_drop(o->temp);
      free(o->temp);
      o->temp = NULL;
    }
  }
  return fail_on_any(STATUS_INPUT, why);
}

void output_discard(output *o) {
  if (o->f != NULL && o->f != stdout) fclose(o->f);
  if (o->temp != NULL) {
    unlink(o->temp);
    Grid_temporary_drop(o->temp);
  }
  free(o->path);
  free(o->temp);
  *o = (output){NULL, NULL, NULL};
}
