/* Degrees of a local matrix; see lmat_degrees.h. */
#include "spmat/matrix/lmat_degrees.h"

#include <omp.h>
#include <string.h>

/* Degrees from offsets. */
static void count_starts(const grid_compressed *c, uint64_t n, uint32_t *degree) {
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t v = 0; v < n; v++)
    degree[v] = (uint32_t)(grid_vector_start(c, v + 1) - grid_vector_start(c, v));
}

static void count_columns_serially(const grid_local_matrix *p, uint64_t n, uint32_t *degree) {
  memset(degree, 0, n * sizeof *degree);
  for (uint64_t e = 0; e < p->nvals; e++) degree[p->by_row.idx[e]]++;
}

/* Columns, whose entries are in all rows: atomic additions. */
static void count_columns(const grid_local_matrix *p, uint32_t *degree) {
  memset(degree, 0, p->col.n * sizeof *degree);
#pragma omp parallel for schedule(static) if (p->nvals > 1 << 15)
  for (uint64_t e = 0; e < p->nvals; e++) {
#pragma omp atomic
    degree[p->by_row.idx[e]]++;
  }
}

/* The same with separate counts for each thread, of one byte, which fit its cache: those of thread t in
 * counts[t * n ..]. A count of 256 begins at 0 again and is added to the degree. */
static void count_columns_per_thread(const grid_local_matrix *p, uint64_t threads, unsigned char *counts,
                                     uint32_t *degree) {
  const uint64_t n = p->col.n;
  memset(degree, 0, n * sizeof *degree);
#pragma omp parallel for schedule(static, 1) num_threads((int)threads)
  for (uint64_t t = 0; t < threads; t++) {
    unsigned char *thread_counts = counts + t * n;
    memset(thread_counts, 0, n);
    for (uint64_t e = p->nvals * t / threads, end = p->nvals * (t + 1) / threads; e < end; e++) {
      const uint32_t v = p->by_row.idx[e];
      if (++thread_counts[v]) continue;
#pragma omp atomic
      degree[v] += 256;
    }
  }
#pragma omp parallel for schedule(static) num_threads((int)threads)
  for (uint64_t v = 0; v < n; v++)
    for (uint64_t t = 0; t < threads; t++) degree[v] += counts[t * n + v];
}

void grid_lmat_count_degrees(const grid_local_matrix *p, bool rows, uint32_t *degree) {
  const grid_compressed *c = rows ? &p->by_row : &p->by_col;
  const uint64_t threads = p->nvals > 1 << 15 ? (uint64_t)omp_get_max_threads() : 1,
                 n = rows ? p->row.n : p->col.n;
  if (p->nvals == 0) {
    memset(degree, 0, n * sizeof *degree);
  } else if (grid_compressed_is_built(c)) {
    count_starts(c, n, degree);
  } else if (threads == 1) {
    count_columns_serially(p, n, degree);
  } else { /* separate counts take no more memory than the entries; without memory this way is slower */
    unsigned char *counts = threads * n <= 4 * p->nvals ? grid_malloc(threads, n) : NULL;
    if (counts)
      count_columns_per_thread(p, threads, counts, degree);
    else
      count_columns(p, degree);
    grid_free(counts);
  }
}
