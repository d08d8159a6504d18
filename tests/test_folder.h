/* A folder shared by all processes, for the files of an I/O test. */
#ifndef GRID_TEST_FOLDER_H
#define GRID_TEST_FOLDER_H
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include "gridblas.h"

/* A huge allocation fails under AddressSanitizer too, rather than ending the program. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

static char dir[256];

static inline const char *path_of(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return path;
}

/* A barrier. */
static inline void barrier(void) {
  assert_int_equal(Grid_agree(GrB_SUCCESS, NULL), GrB_SUCCESS);
}

/* Process 0 writes the file, plain or gzip, and all wait for it. */
static inline const char *write_file(const char *name, const void *bytes, size_t n, bool gzip) {
  const char *path = path_of(name);
  int bad = 0;
  if (Grid_rank() == 0 && gzip) {
    gzFile f = gzopen(path, "wb1");
    bad = !f || (n && gzwrite(f, bytes, (unsigned)n) != (int)n);
    if (f && gzclose(f) != Z_OK) bad = 1;
  } else if (Grid_rank() == 0) {
    FILE *f = fopen(path, "wb");
    bad = !f || fwrite(bytes, 1, n, f) != n;
    if (f && fclose(f)) bad = 1;
  }
  assert_int_equal(Grid_agree(bad ? GrB_PANIC : GrB_SUCCESS, "cannot write a test file"), GrB_SUCCESS);
  return path;
}

/* For cmocka: starts the library with one thread a process, and makes the folder. */
static int start(void **state) {
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return -1;
  Grid_threads(1);
  if (Grid_rank() == 0) {
    snprintf(dir, sizeof dir, "%s/grid.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(dir)) dir[0] = '\0';
  }
  return Grid_bcast(dir, sizeof dir, 0) == GrB_SUCCESS && dir[0] ? 0 : -1;
}

/* ... empties and removes it, and finalizes. */
static int stop(void **state) {
  barrier();
  DIR *d = Grid_rank() == 0 ? opendir(dir) : NULL;
  for (const struct dirent *f; d && (f = readdir(d));) unlink(path_of(f->d_name));
  if (d) closedir(d);
  if (Grid_rank() == 0) rmdir(dir);
  return GrB_finalize() == GrB_SUCCESS ? 0 : -1;
}
#endif
