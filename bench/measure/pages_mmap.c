/* The comparison of bench/pages.sh: PageRank as a loop over an array of neighbours in a memory-mapped file,
 * with the page cache dropped before each iteration, and with it. pages_mmap FILE.pages CSR writes the arrays
 * of FILE.pages to CSR, runs both, and prints their milliseconds an iteration, and the bytes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gridblas.h"

enum { ITERATIONS = 5 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Offsets, of 8 bytes, and columns, of 4. */
static int write_csr(const char *pages, const char *path, GrB_Index *n, GrB_Index *entries) {
  GrB_Matrix A = NULL;
  GrB_Index *start = NULL, *idx = NULL, values = 0;
  FILE *f = fopen(path, "wb");
  int bad = f == NULL || Grid_Matrix_open(&A, pages) != GrB_SUCCESS ||
            GrB_Matrix_nrows(n, A) != GrB_SUCCESS || GrB_Matrix_nvals(entries, A) != GrB_SUCCESS;
  if (!bad) {
    GrB_Index pointers = *n + 1;
    values = *entries;
    start = malloc(pointers * sizeof *start);
    idx = malloc(*entries * sizeof *idx);
    bad = start == NULL || idx == NULL ||
          Grid_Matrix_exportLocal(start, idx, NULL, &pointers, entries, &values, GrB_CSR_FORMAT, A) !=
              GrB_SUCCESS ||
          fwrite(start, sizeof *start, pointers, f) != pointers;
    for (GrB_Index k = 0; !bad && k < *entries; k++) {
      const uint32_t c = (uint32_t)idx[k];
      bad = fwrite(&c, sizeof c, 1, f) != 1;
    }
  }
  if (f != NULL) bad = fflush(f) != 0 || fsync(fileno(f)) != 0 || fclose(f) != 0 || bad;
  free(start);
  free(idx);
  GrB_Matrix_free(&A);
  return bad;
}

static void iterate(double *next, const double *share, const uint64_t *start, const uint32_t *idx,
                    GrB_Index n) {
#pragma omp parallel for schedule(dynamic, 1024)
  for (GrB_Index v = 0; v < n; v++) {
    double sum = 0;
    for (uint64_t e = start[v]; e < start[v + 1]; e++) sum += share[idx[e]];
    next[v] = 0.15 / (double)n + 0.85 * sum;
  }
}

int main(int argc, char **argv) {
  GrB_Index n = 0, entries = 0;
  if (argc != 3) return fprintf(stderr, "pages_mmap FILE.pages CSR\n"), 2;
  if (GrB_init(GrB_BLOCKING) != GrB_SUCCESS || write_csr(argv[1], argv[2], &n, &entries))
    return fprintf(stderr, "pages_mmap: %s\n", Grid_last_error()), 1;
  GrB_finalize();
  const size_t bytes = (n + 1) * sizeof(uint64_t) + entries * sizeof(uint32_t);
  const int fd = open(argv[2], O_RDONLY);
  char *at = fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
  double *rank = malloc(n * sizeof *rank), *share = malloc(n * sizeof *share);
  if (at == MAP_FAILED || rank == NULL || share == NULL) return perror("pages_mmap"), 1;
  const uint64_t *start = (const uint64_t *)(const void *)at;
  const uint32_t *idx = (const uint32_t *)(const void *)(start + n + 1);
  for (GrB_Index v = 0; v < n; v++) rank[v] = 1 / (double)n;
  for (int kept = 0; kept < 2; kept++) {
    double best = 1e300;
    for (int k = 0; k < ITERATIONS; k++) {
      if (!kept) {
        madvise(at, bytes, MADV_DONTNEED);
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
      }
      const double from = now();
#pragma omp parallel for
      for (GrB_Index v = 0; v < n; v++) {
        const uint64_t degree = start[v + 1] - start[v];
        share[v] = degree ? rank[v] / (double)degree : 0;
      }
      iterate(rank, share, start, idx, n);
      const double ms = now() - from;
      if (ms < best) best = ms;
    }
    printf("%.1f ", best);
  }
  printf("%zu\n", bytes);
  munmap(at, bytes);
  close(fd);
  free(rank);
  free(share);
  return 0;
}
