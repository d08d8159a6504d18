/* A file written by all processes (output_file.h). */
#include "dist/io/formats/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "semiring/support/mem.h"
#include "semiring/support/temporary_files.h"

static GrB_Info fail_io(const char *path, int error) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", path, strerror(error));
}

/* ---- streams ---- */

static const char standard_output[] = "-";

static bool is_standard_output(const char *path) {
  return path && strcmp(path, standard_output) == 0;
}

GrB_Info grid_output_is_stream(bool *stream, const char *path) {
  struct stat st;
  *stream = is_standard_output(path) ||
            (path && grid_ctx.k == 0 && stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
  return grid_ctx.transport->bcast(GRID_SET_ALL, stream, sizeof *stream, 0);
}

/* The program's buffered output comes first. */
static int open_stream(const char *path) {
  if (!is_standard_output(path)) return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  return fflush(stdout) == 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : -1;
}

GrB_Info grid_output_open_stream(grid_output *o, const char *path) {
  GrB_Info info = GrB_SUCCESS;
  *o = (grid_output){.path = is_standard_output(path) ? "standard output" : path, .stream = true};
  if (grid_ctx.k == 0) {
    const int fd = open_stream(path);
    if (fd < 0)
      info = fail_io(o->path, errno);
    else
      o->store.fd[o->store.n++] = fd;
  }
  return grid_agree(NULL, info);
}

static GrB_Info write_stream(const grid_output *o, const char *from, size_t n) {
  while (n > 0) {
    const ssize_t done = write(o->store.fd[0], from, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail_io(o->path, errno);
    from += done;
    n -= (size_t)done;
  }
  return GrB_SUCCESS;
}

/* ---- files ---- */

static const char temp_suffix[] = ".unfinished.XXXXXX";

/* Locks the open file until it is closed; false: another process holds the lock. (HDF5 locks with flock,
 * which is independent of this.) */
static bool lock_file(int fd) {
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_SETLK, &all) == 0;
}

/* Removes an unlocked file: its writer was terminated. */
static void remove_stale_file(const char *path) {
  const int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (lock_file(fd)) unlink(path);
  close(fd);
}

/* Removes unfinished files of terminated writers of `full`. Errors are ignored. */
static void remove_stale_files(const char *full) {
  const char *slash = strrchr(full, '/'), *name = slash ? slash + 1 : full;
  const size_t folder = (size_t)(name - full), length = strlen(name),
               capacity = folder + length + sizeof temp_suffix;
  char *path = grid_malloc(capacity + 1, 1);
  if (!path) return;
  memcpy(path, folder ? full : "./", folder ? folder : 2);
  path[folder ? folder : 2] = '\0';
  DIR *d = opendir(path);
  for (const struct dirent *e; d && (e = readdir(d));) {
    const size_t unfinished = sizeof temp_suffix - sizeof "XXXXXX";
    if (strlen(e->d_name) != length + sizeof temp_suffix - 1 || memcmp(e->d_name, name, length) != 0)
      continue;
    if (memcmp(e->d_name + length, temp_suffix, unfinished) != 0) continue;
    memcpy(path + folder, e->d_name, length + sizeof temp_suffix);
    remove_stale_file(path);
  }
  if (d) closedir(d);
  grid_free(path);
}

static char *name_of(const grid_output *o, int k) {
  return o->name + (size_t)k * o->name_room;
}

static char *temp_of(const grid_output *o, int k) {
  return o->temp + (size_t)k * o->name_room;
}

/* Creates file k, on process 0. */
static GrB_Info make(grid_output *o, int k) {
  const char *name = name_of(o, k);
  char *temp = temp_of(o, k);
  struct stat st;
  const bool exists = stat(name, &st) == 0;
  if (exists && !S_ISREG(st.st_mode))
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", name,
                     S_ISDIR(st.st_mode) ? "is a directory" : "is not a regular file");
  if (access(name, F_OK) == 0 && access(name, W_OK) != 0) return fail_io(name, errno);
  remove_stale_files(name);
  snprintf(temp, o->name_room, "%s%s", name, temp_suffix);
  const int fd = grid_temporary_create(temp, 0666);
  if (fd < 0) return fail_io(name, errno);
  o->store.fd[o->store.n++] = fd;
  if (exists) (void)fchmod(fd, st.st_mode & 0777); /* a file that is replaced keeps its permissions */
  (void)lock_file(fd);
  return GrB_SUCCESS;
}

static GrB_Info make_names(grid_output *o, bool several) {
  const char *name[GRID_STORE_MAX_FILES] = {o->path};
  size_t length[GRID_STORE_MAX_FILES] = {strlen(o->path)};
  o->files = several ? grid_store_names(o->path, name, length) : 1;
  if (!o->files)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: a page file is striped over %d files at most", o->path,
                     GRID_STORE_MAX_FILES);
  o->name_room = strlen(o->path) + sizeof temp_suffix;
  o->name = grid_calloc(2 * (uint64_t)o->files, o->name_room);
  if (!o->name) return grid_fail_memory(NULL, "a file's name", 2 * (uint64_t)o->files, o->name_room);
  o->temp = name_of(o, o->files);
  for (int k = 0; k < o->files; k++) {
    memcpy(name_of(o, k), name[k], length[k]);
    for (int j = 0; j < k; j++)
      if (strcmp(name_of(o, j), name_of(o, k)) == 0)
        return grid_fail(NULL, GrB_INVALID_VALUE, "%s: a file is named twice", o->path);
  }
  return GrB_SUCCESS;
}

static GrB_Info open_temporary(grid_output *o) {
  for (int k = 0; k < o->files; k++) {
    const int fd = open(temp_of(o, k), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return fail_io(name_of(o, k), errno);
    o->store.fd[o->store.n++] = fd;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_output_open(grid_output *o, const char *path, bool several) {
  *o = (grid_output){.path = path};
  if (is_standard_output(path))
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "standard output takes text (edges, matrix-market, dimacs, metis); other formats are "
                     "written to a file with a name");
  GrB_Info info = grid_agree(NULL, make_names(o, several));
  for (int k = 0; grid_ctx.k == 0 && k < o->files && info == GrB_SUCCESS; k++) info = make(o, k);
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS)
    info = grid_ctx.transport->bcast(GRID_SET_ALL, o->temp, (size_t)o->files * o->name_room, 0);
  if (info == GrB_SUCCESS) info = grid_agree(NULL, grid_ctx.k == 0 ? info : open_temporary(o));
  return info == GrB_SUCCESS ? info : grid_output_close(o, info);
}

GrB_Info grid_output_write(const grid_output *o, const void *from, size_t n, uint64_t offset) {
  if (o->stream) return write_stream(o, from, n);
  const int error = grid_store_write(&o->store, from, n, offset);
  return error ? fail_io(o->path, error) : GrB_SUCCESS;
}

/* Renames the files, on process 0; the first one, whose header describes the others, comes last. */
static GrB_Info name_files(const grid_output *o, GrB_Info info) {
  bool existed[GRID_STORE_MAX_FILES] = {false}, named[GRID_STORE_MAX_FILES] = {false};
  for (int k = o->temp ? o->files - 1 : -1; k >= 0; k--) {
    const char *temp = temp_of(o, k);
    existed[k] = access(name_of(o, k), F_OK) == 0;
    named[k] = info == GrB_SUCCESS && rename(temp, name_of(o, k)) == 0;
    if (info == GrB_SUCCESS && !named[k]) info = fail_io(name_of(o, k), errno);
    if (info != GrB_SUCCESS && *temp) unlink(temp);
    Grid_temporary_drop(temp);
  }
  for (int k = 0; info != GrB_SUCCESS && k < o->files; k++)
    if (named[k] && !existed[k]) unlink(name_of(o, k));
  return info;
}

GrB_Info grid_output_close(grid_output *o, GrB_Info info) {
  for (int k = 0; k < o->store.n; k++)
    if (close(o->store.fd[k]) != 0 && info == GrB_SUCCESS)
      info = fail_io(o->stream ? o->path : name_of(o, k), errno);
  o->store.n = 0;
  info = grid_agree(NULL, info);
  if (grid_ctx.k == 0) info = name_files(o, info);
  grid_free(o->name);
  o->name = o->temp = NULL;
  return grid_agree(NULL, info);
}

GrB_Info grid_output_before(uint64_t local_bytes, uint64_t *before, uint64_t *all) {
  uint64_t *every = grid_malloc((size_t)grid_ctx.P, sizeof *every);
  GrB_Info info = grid_agree(
      NULL, every ? GrB_SUCCESS : grid_fail_memory(NULL, "places in a file", (uint64_t)grid_ctx.P, 8));
  if (info == GrB_SUCCESS)
    info = grid_ctx.transport->allgather(GRID_SET_ALL, &local_bytes, sizeof local_bytes, every);
  *before = *all = 0;
  for (int r = 0; info == GrB_SUCCESS && r < grid_ctx.P; r++) {
    if (r < grid_ctx.k) *before += every[r];
    *all += every[r];
  }
  grid_free(every);
  return info;
}
