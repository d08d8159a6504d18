/* A file that all processes write (output.h). */
#include "dist/format/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dist/pages/bytes.h"

static GrB_Info trouble(const grid_output *o, int error) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", o->path, strerror(error));
}

static const char ending[] = ".unfinished.XXXXXX";

/* The open file is held as long as this process lives; false: another one holds it. (HDF5 locks the files
 * that it writes by flock, which this does not meet.) */
static bool hold(int fd) {
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_SETLK, &all) == 0;
}

/* A file that nobody holds any more: who wrote it was ended in the middle. */
static void remove_unheld(const char *path) {
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  if (hold(fd)) unlink(path);
  close(fd);
}

/* What is left of earlier files that should have become o->path. No memory, no folder to look into: it stays.
 */
static void remove_left(const grid_output *o) {
  const char *slash = strrchr(o->path, '/'), *name = slash ? slash + 1 : o->path;
  const size_t folder = (size_t)(name - o->path), length = strlen(name),
               room = folder + length + sizeof ending;
  char *path = grid_malloc(room + 1, 1);
  if (!path) return;
  memcpy(path, folder ? o->path : "./", folder ? folder : 2);
  path[folder ? folder : 2] = '\0';
  DIR *d = opendir(path);
  for (const struct dirent *e; d && (e = readdir(d));) {
    const size_t unfinished = sizeof ending - sizeof "XXXXXX";
    if (strlen(e->d_name) != length + sizeof ending - 1 || memcmp(e->d_name, name, length) != 0) continue;
    if (memcmp(e->d_name + length, ending, unfinished) != 0) continue;
    memcpy(path + folder, e->d_name, length + sizeof ending);
    remove_unheld(path);
  }
  if (d) closedir(d);
  grid_free(path);
}

/* Process 0's part. mkstemp makes private files; this one gets the rights that fopen would give. */
static GrB_Info make(grid_output *o) {
  struct stat st;
  if (stat(o->path, &st) == 0 && !S_ISREG(st.st_mode))
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", o->path,
                     S_ISDIR(st.st_mode) ? "is a directory" : "is not a regular file");
  if (access(o->path, F_OK) == 0 && access(o->path, W_OK) != 0) return trouble(o, errno);
  remove_left(o);
  o->fd = mkstemp(o->temp);
  if (o->fd < 0) {
    o->temp[0] = '\0';
    return trouble(o, errno);
  }
  (void)hold(o->fd);
  const mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(o->fd, 0666 & ~mask);
  return GrB_SUCCESS;
}

GrB_Info grid_output_open(grid_output *o, const char *path) {
  const size_t room = strlen(path) + sizeof ending;
  *o = (grid_output){.path = path, .fd = -1, .temp = grid_malloc(room, 1)};
  GrB_Info info = grid_agree(NULL, o->temp ? GrB_SUCCESS : grid_fail_memory(NULL, "a file's name", room, 1));
  if (info == GrB_SUCCESS) {
    memcpy(o->temp, path, room - sizeof ending);
    memcpy(o->temp + room - sizeof ending, ending, sizeof ending);
    info = grid_agree(NULL, grid_here.k == 0 ? make(o) : GrB_SUCCESS);
  }
  if (info == GrB_SUCCESS) info = grid_here.transport->bcast(GRID_SET_ALL, o->temp, room, 0);
  if (info == GrB_SUCCESS) {
    if (grid_here.k != 0 && (o->fd = open(o->temp, O_WRONLY | O_CLOEXEC)) < 0) info = trouble(o, errno);
    info = grid_agree(NULL, info);
    if (info != GrB_SUCCESS) return grid_output_close(o, info);
    return info;
  }
  grid_free(o->temp);
  o->temp = NULL;
  return info;
}

GrB_Info grid_output_write(const grid_output *o, const void *from, size_t n, uint64_t offset) {
  const int error = grid_bytes_write(o->fd, from, n, offset);
  return error ? trouble(o, error) : GrB_SUCCESS;
}

GrB_Info grid_output_close(grid_output *o, GrB_Info info) {
  if (o->fd >= 0 && close(o->fd) != 0 && info == GrB_SUCCESS) info = trouble(o, errno);
  info = grid_agree(NULL, info);
  if (grid_here.k == 0) {
    if (info == GrB_SUCCESS && rename(o->temp, o->path) != 0) info = trouble(o, errno);
    if (info != GrB_SUCCESS) unlink(o->temp);
  }
  grid_free(o->temp);
  o->temp = NULL;
  return grid_agree(NULL, info);
}

GrB_Info grid_output_before(uint64_t mine, uint64_t *before, uint64_t *all) {
  uint64_t *every = grid_malloc((size_t)grid_here.P, sizeof *every);
  GrB_Info info = grid_agree(
      NULL, every ? GrB_SUCCESS : grid_fail_memory(NULL, "places in a file", (uint64_t)grid_here.P, 8));
  if (info == GrB_SUCCESS) info = grid_here.transport->allgather(GRID_SET_ALL, &mine, sizeof mine, every);
  *before = *all = 0;
  for (int r = 0; info == GrB_SUCCESS && r < grid_here.P; r++) {
    if (r < grid_here.k) *before += every[r];
    *all += every[r];
  }
  grid_free(every);
  return info;
}
