/* The directory of checkpoints, which process 0 lists for all. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dist/checkpoint/checkpoint.h"
#include "semiring/support/mem.h"

static bool is_folder(const char *folder) {
  struct stat is;
  return !stat(folder, &is) && S_ISDIR(is.st_mode);
}

GrB_Info grid_checkpoint_make_folder(const char *folder, const char *call) {
  if (!mkdir(folder, 0777) || is_folder(folder)) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot make the folder %s: %s", call, folder,
                   errno == EEXIST ? "it is a file" : strerror(errno));
}

/* Newest first; files of a step by number of processes, then by process. */
static int compare(const void *x, const void *y) {
  const grid_checkpoint_file *a = x, *b = y;
  if (a->step != b->step) return a->step < b->step ? 1 : -1;
  if (a->processes != b->processes) return a->processes < b->processes ? -1 : 1;
  return (a->process > b->process) - (a->process < b->process);
}

/* Lists all complete files, sorted. */
static GrB_Info list_files(grid_checkpoint_file **files, uint64_t *n, DIR *dir) {
  uint64_t capacity = 0;
  *files = NULL, *n = 0;
  for (const struct dirent *d; (d = readdir(dir));) {
    grid_checkpoint_file name;
    bool is_partial;
    if (!grid_checkpoint_parse_name(&name, &is_partial, d->d_name) || is_partial) continue;
    if (*n == capacity) {
      capacity = 2 * capacity + 16;
      grid_checkpoint_file *more = grid_realloc(*files, capacity, sizeof **files);
      if (!more) return grid_fail_memory(NULL, "the parts of checkpoints", capacity, sizeof **files);
      *files = more;
    }
    (*files)[(*n)++] = name;
  }
  if (*n) qsort(*files, *n, sizeof **files, compare);
  return GrB_SUCCESS;
}

GrB_Info grid_checkpoint_list_steps(grid_checkpoint_step **steps, uint64_t *n, uint64_t *newest,
                                    const char *folder, const char *call) {
  grid_checkpoint_file *files = NULL;
  uint64_t count = 0, whole = 0;
  GrB_Info info = GrB_SUCCESS;
  *steps = NULL, *n = *newest = 0;
  DIR *dir = opendir(folder);
  if (!dir && errno == ENOENT) return info;
  if (!dir)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read the folder %s: %s", call, folder,
                     strerror(errno));
  TRY(list_files(&files, &count, dir));
  *steps = grid_malloc(count, sizeof **steps);
  if (!*steps) TRY(grid_fail_memory(NULL, "checkpoints", count, sizeof **steps));
  if (count) *newest = files[0].step;
  for (uint64_t k = 0; k < count; k++) {
    const grid_checkpoint_file *p = &files[k];
    const bool follows = k && p->step == p[-1].step && p->processes == p[-1].processes;
    whole = follows ? whole + 1 : 1; /* file names are unique */
    if (whole == (uint64_t)p->processes) (*steps)[(*n)++] = (grid_checkpoint_step){p->step, p->processes};
  }
done:
  closedir(dir);
  grid_free(files);
  if (info != GrB_SUCCESS) {
    grid_free(*steps);
    *steps = NULL;
  }
  return info;
}

/* Removes partially written files, or this process's share of the files of steps before `step`. */
static void remove_stale_files(const char *folder, bool partial, uint64_t step) {
  DIR *dir = opendir(folder);
  if (!dir) return;
  for (const struct dirent *d; (d = readdir(dir));) {
    grid_checkpoint_file name;
    bool is_partial;
    if (!grid_checkpoint_parse_name(&name, &is_partial, d->d_name) || partial != is_partial) continue;
    if (partial || (name.step < step && name.process % grid_ctx.P == grid_ctx.k))
      unlinkat(dirfd(dir), d->d_name, 0);
  }
  closedir(dir);
}

void grid_checkpoint_remove_partial(const char *folder) {
  remove_stale_files(folder, true, 0);
}

void grid_checkpoint_remove_before(const char *folder, uint64_t step) {
  remove_stale_files(folder, false, step);
}
