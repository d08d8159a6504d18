/* What fuzz targets share. With GRID_FUZZ_MAIN a target is a program that replays the files it is given. */
#ifndef GRID_FUZZ_MAIN_H
#define GRID_FUZZ_MAIN_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gridblas.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "fuzz: %s (%s)\n", what, Grid_last_error());
  abort();
}

/* The path of a file without a name that has these bytes. The first call starts the library. */
static inline const char *fuzz_file(const uint8_t *data, size_t size) {
  static int fd = -1;
  static char path[64];
  if (fd < 0) {
    must(GrB_init(GrB_BLOCKING) == GrB_SUCCESS, "GrB_init");
    fd = memfd_create("fuzz", 0);
    must(fd >= 0, "memfd_create");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  must(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size, "write");
  return path;
}

#ifdef GRID_FUZZ_MAIN
int main(int argc, char **argv) {
  for (int a = 1; a < argc; a++) {
    FILE *f = fopen(argv[a], "rb");
    uint8_t *data = malloc(1 << 24);
    if (!f || !data) {
      fprintf(stderr, "fuzz_replay: cannot read %s\n", argv[a]);
      return 2;
    }
    size_t n = fread(data, 1, 1 << 24, f);
    fclose(f);
    LLVMFuzzerTestOneInput(data, n);
    free(data);
  }
  printf("%d files replayed\n", argc - 1);
  return argc > 1 ? 0 : 2;
}
#endif
#endif
