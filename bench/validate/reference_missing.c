/* Replaces reference.c where SuiteSparse:GraphBLAS is not installed. */
#include "bench/validate/reference.h"

#define MISSING \
  "this build has no SuiteSparse:GraphBLAS to compare with (install libgraphblas-dev and build again)"

const char *reference_missing(void) {
  return MISSING;
}
const char *reference_name(void) {
  return "none";
}

reference *reference_new(uint64_t n, const uint64_t *rows, const uint64_t *cols, uint64_t count, bool mirror,
                         int threads, const char **why) {
  (void)n, (void)rows, (void)cols, (void)count, (void)mirror, (void)threads;
  *why = MISSING;
  return NULL;
}

void reference_free(reference *r) {
  (void)r;
}

bool reference_bfs(reference *r, uint64_t source, int64_t limit, int32_t *level, int64_t *parent,
                   double *seconds, const char **why) {
  (void)r, (void)source, (void)limit, (void)level, (void)parent, (void)seconds;
  *why = MISSING;
  return false;
}

uint64_t reference_bytes(const reference *r) {
  (void)r;
  return 0;
}
uint64_t reference_nvals(const reference *r) {
  (void)r;
  return 0;
}
double reference_build_seconds(const reference *r) {
  (void)r;
  return 0;
}
