/* The same search by SuiteSparse:GraphBLAS, behind plain C functions: reference.c is the only file compiled
 * against SuiteSparse's GraphBLAS.h, and reference_missing.c replaces it where SuiteSparse is not installed.
 * All functions are local to one process. */
#ifndef GRID_REFERENCE_H
#define GRID_REFERENCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reference reference;

/* NULL when SuiteSparse:GraphBLAS is available, else the reason why not. */
const char *reference_missing(void);
/* Its name and version. */
const char *reference_name(void);

/* The graph of the given edges without loops; mirror: every edge counts in both directions. NULL on failure,
 * with a text in *why. threads < 1: SuiteSparse's default. */
reference *reference_new(uint64_t n, const uint64_t *rows, const uint64_t *cols, uint64_t count, bool mirror,
                         int threads, const char **why);
void reference_free(reference *r);

/* Breadth-first search, no deeper than limit (< 0: no limit). level and parent, n entries each, -1 where not
 * reached, may be NULL. *seconds (may be NULL): the time of the search alone, without the copy into the
 * arrays. */
bool reference_bfs(reference *r, uint64_t source, int64_t limit, int32_t *level, int64_t *parent,
                   double *seconds, const char **why);

/* The graph's bytes, its number of entries, and the time to build it from the tuples. */
uint64_t reference_bytes(const reference *r);
uint64_t reference_nvals(const reference *r);
double reference_build_seconds(const reference *r);
#endif
