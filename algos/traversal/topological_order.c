/* A topological order and the longest paths of a directed acyclic graph, by peeling. Vertices without an edge
 * into them are at level 0 and are removed with their edges. Those that then have none are at level 1, and so
 * on. A vertex leaves in the round after the last of its predecessors, so its level is the number of edges on
 * a longest path to it. Vertices on a cycle, and those behind one, never leave. By levels, then by numbers,
 * is a topological order. A process that has all of the graph removes one vertex after another, from a queue.
 *
 * Source: Kahn, Topological sorting of large networks (1962). */
#include <stdlib.h>

#include "algos/rows/local_rows.h"
#include "algos/support/serial.h"

/* Up to so many threads one is faster than rounds, of which there is one a level. (A mesh of 10^6 vertices:
 * 57 ms; rounds on 16 threads of a Xeon 276.) */
enum { SERIAL = 16 };

/* ---- serially ---- */

typedef struct {
  local_rows rows;
  uint32_t *degree; /* edges into each vertex, less those from vertices that were removed */
  GrB_Index *queue; /* the vertices without such edges, by level */
  GrB_Index found;  /* their number */
  int64_t *level;   /* -1: not found */
} serial_levels;

static void remove_in_order(serial_levels *s) {
  const local_rows r = s->rows;
  const GrB_Index n = r.count, entries = row_start(&r, n);
  for (GrB_Index e = 0; e < entries; e++) s->degree[entry_column(&r, e)]++;
  for (GrB_Index v = 0; v < n; v++) {
    s->level[v] = s->degree[v] == 0 ? 0 : -1;
    if (s->degree[v] == 0) s->queue[s->found++] = v;
  }
  for (GrB_Index k = 0; k < s->found; k++) {
    const GrB_Index v = s->queue[k], end = row_start(&r, v + 1);
    for (GrB_Index e = row_start(&r, v); e < end; e++) {
      const GrB_Index w = entry_column(&r, e);
      if (--s->degree[w] > 0) continue;
      s->level[w] = s->level[v] + 1;
      s->queue[s->found++] = w;
    }
  }
}

/* level(v) = those found. */
static GrB_Info build_levels(GrB_Vector level, serial_levels *s) {
  GrB_Index k = 0;
  for (GrB_Index v = 0; v < s->rows.count; v++)
    if (s->level[v] >= 0) s->queue[k] = v, s->level[k++] = s->level[v];
  return Grid_Vector_build(level, s->queue, s->level, GrB_INT64, k, NULL);
}

static GrB_Info find_levels_serially(GrB_Vector *level, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  serial_levels s = {.found = 0};
  TRY(GrB_Vector_new(level, GrB_INT64, n));
  TRY(local_rows_view(&s.rows, A));
  s.degree = calloc(n + 1, sizeof *s.degree);
  s.queue = malloc((n + 1) * sizeof *s.queue);
  s.level = malloc((n + 1) * sizeof *s.level);
  TRY(Grid_agree(s.degree && s.queue && s.level ? GrB_SUCCESS : GrB_OUT_OF_MEMORY,
                 "Grid_topological_order: no memory for levels"));
  remove_in_order(&s);
  TRY(build_levels(*level, &s));
out:
  local_rows_free(&s.rows);
  free(s.degree), free(s.queue), free(s.level);
  return info;
}

/* ---- by products ---- */

typedef struct {
  GrB_Vector level;      /* INT64: of the vertices that were removed */
  GrB_Vector degree;     /* of all vertices: edges into each from those that remain */
  GrB_Vector next;       /* to be removed next */
  GrB_Vector lost, less; /* edges from these, and the degree without them; workspace */
} rounds;

static GrB_Info begin_rounds(rounds *r, GrB_Matrix A, GrB_Index n) {
  GrB_Vector *const vectors[] = {&r->level, &r->degree, &r->next, &r->lost, &r->less};
  GrB_Info info;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) TRY(GrB_Vector_new(vectors[k], GrB_INT64, n));
  TRY(Grid_Matrix_degree(r->less, A, true));
  TRY(GrB_Vector_assign_INT64(r->degree, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_assign(r->degree, r->less, NULL, r->less, GrB_ALL, n, GrB_DESC_S));
  TRY(GrB_Vector_select_INT64(r->next, NULL, NULL, GrB_VALUELE_INT64, r->degree, 0, NULL));
out:
  return info;
}

static void free_rounds(rounds *r) {
  GrB_Vector_free(&r->level);
  GrB_Vector_free(&r->degree);
  GrB_Vector_free(&r->next);
  GrB_Vector_free(&r->lost);
  GrB_Vector_free(&r->less);
}

/* Removes the next vertices, which get this level, and finds those after them. */
static GrB_Info remove_level(rounds *r, GrB_Matrix A, GrB_Index n, int64_t level) {
  GrB_Info info;
  /* level<next> = level; lost<!level> = next plus.oneb A; less = degree - lost; degree<less> = less */
  TRY(GrB_Vector_assign_INT64(r->level, r->next, NULL, level, GrB_ALL, n, GrB_DESC_S));
  TRY(GrB_vxm(r->lost, r->level, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, r->next, A, GrB_DESC_RSC));
  TRY(GrB_Vector_eWiseMult_BinaryOp(r->less, NULL, NULL, GrB_MINUS_INT64, r->degree, r->lost, NULL));
  TRY(GrB_Vector_assign(r->degree, r->less, NULL, r->less, GrB_ALL, n, GrB_DESC_S));
  TRY(GrB_Vector_select_INT64(r->next, NULL, NULL, GrB_VALUELE_INT64, r->less, 0, NULL));
out:
  return info;
}

static GrB_Info find_levels(GrB_Vector *level, GrB_Matrix A, GrB_Index n) {
  GrB_Info info;
  GrB_Index found;
  rounds r = {.level = NULL};
  TRY(begin_rounds(&r, A, n));
  for (int64_t k = 0;; k++) {
    TRY(GrB_Vector_nvals(&found, r.next));
    if (found == 0) break;
    TRY(remove_level(&r, A, n, k));
  }
  *level = r.level, r.level = NULL;
out:
  free_rounds(&r);
  return info;
}

GrB_Info Grid_topological_order(GrB_Vector *order, GrB_Vector *level, bool *acyclic, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n, found;
  GrB_Vector levels = NULL, sorted = NULL;

  if (order == NULL && level == NULL && acyclic == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_topological_order: all outputs are NULL");
  TRY(check_distinct(order, level, "Grid_topological_order"));
  TRY(square_size(&n, A, "Grid_topological_order"));
  TRY(grid_prefers_serial(A, n, SERIAL) ? find_levels_serially(&levels, A, n) : find_levels(&levels, A, n));
  TRY(GrB_Vector_nvals(&found, levels));
  if (order != NULL) {
    TRY(GrB_Vector_new(&sorted, GrB_INT64, n));
    TRY(GxB_Vector_sort(NULL, sorted, GrB_LT_INT64, levels, NULL));
  }
  if (order != NULL) *order = sorted, sorted = NULL;
  if (level != NULL) *level = levels, levels = NULL;
  if (acyclic != NULL) *acyclic = found == n;
out:
  GrB_Vector_free(&levels);
  GrB_Vector_free(&sorted);
  return info;
}
