/* See walk_records.h. A walk is a record that goes from process to process: each decision is made where the
 * row is that decides it (spmat/walk_steps.h). A process advances its walks as long as they need rows that it
 * has; those that need others are sent to their owners, all at once. That is a matrix with a walk's record at
 * (row needed, walk), which each process builds of the records that leave it and exports the rows of.
 *
 * Sources: Perozzi, Al-Rfou, Skiena (2014); Grover, Leskovec (2016); Yang et al. (2019). */
#include "dist/op/graph/public_calls/walk_records.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/op/graph/public_calls/public_calls.h"
#include "dist/op/graph/public_calls/row_view.h"
#include "spmat/walk_steps.h"

/* The array gets a length of `elements`, above 0. On failure, as TRY, jumps to `out`; it is unchanged. */
#define GROW(array, elements)                                     \
  do {                                                            \
    void *grown = realloc((array), (elements) * sizeof *(array)); \
    TRY(grown == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS);         \
    (array) = grown;                                              \
  } while (0)

enum { TOGETHER = 64 };  /* walks that a thread advances in turn */
#define ENDED UINT64_MAX /* the number of a walker that is not needed any more */

/* The vertices visited on this process, by one thread. */
typedef struct {
  GrB_Index *walk, *step, count, space;
  int64_t *vertex;
} visit_list;

typedef struct {
  GrB_Index n, nwalks;
  grid_walk_rules rules;
  Grid_View view;            /* of the rows */
  GrB_Type record;           /* of a walker */
  grid_walker *walkers;      /* on this process */
  GrB_Index count, capacity; /* of these */
  visit_list *visited;       /* one of each thread */
  int threads;
} walk_set;

/* A local outcome; refused: why, if not for lack of memory. */
static GrB_Info agree(GrB_Info info, const char *refused) {
  char text[120];
  snprintf(text, sizeof text, "Grid_Matrix_walk: %s",
           info == GrB_OUT_OF_MEMORY ? "no memory for the walks" : refused);
  return Grid_agree(info, text);
}

/* ---- vertices visited ---- */

/* Local. */
static GrB_Info record_visit(visit_list *v, const grid_walker *w) {
  GrB_Info info = GrB_SUCCESS;
  if (v->count == v->space) {
    const GrB_Index space = 2 * v->space + 1024;
    GROW(v->walk, space);
    GROW(v->step, space);
    GROW(v->vertex, space);
    v->space = space;
  }
  v->walk[v->count] = w->walk, v->step[v->count] = w->step;
  v->vertex[v->count++] = (int64_t)w->at;
out:
  return info;
}

static void free_visits(visit_list *v) {
  free(v->walk), free(v->step), free(v->vertex);
  *v = (visit_list){.count = 0};
}

/* Appends those of `from`, which are freed. Local. */
static GrB_Info append_visits(visit_list *v, visit_list *from) {
  GrB_Info info = GrB_SUCCESS;
  const GrB_Index all = v->count + from->count;
  if (from->count == 0) return info;
  GROW(v->walk, all);
  GROW(v->step, all);
  GROW(v->vertex, all);
  memcpy(v->walk + v->count, from->walk, from->count * sizeof *v->walk);
  memcpy(v->step + v->count, from->step, from->count * sizeof *v->step);
  memcpy(v->vertex + v->count, from->vertex, from->count * sizeof *v->vertex);
  v->count = v->space = all;
  free_visits(from);
out:
  return info;
}

/* ---- walks on this process ---- */

static bool has_row(const walk_set *s, const grid_walker *w) {
  return grid_walker_row(w) - s->rules.rows.arrays.first < s->rules.rows.arrays.count;
}

/* Walks in turn, so that the processor reads the rows of several at the same time. The first `active` walkers
 * go on, the `leaving` ones after them need rows of other processes. */
typedef struct {
  GrB_Index active, leaving;
} walk_counts;

/* A step of walker k, one of the active ones, or as much of it as this process can decide. Local. */
static GrB_Info advance_walk(const walk_set *s, visit_list *v, grid_walker *first, walk_counts *c,
                             GrB_Index k) {
  grid_walker *w = &first[k], *last = &first[c->active - 1];
  if (!has_row(s, w)) {
    const grid_walker leaves = *w;
    *w = *last, *last = leaves;
    c->active--, c->leaving++;
    return GrB_SUCCESS;
  }
  grid_walk_outcome outcome;
  do outcome = grid_walker_advance(w, &s->rules);
  while (outcome == GRID_WALK_GOES_ON && has_row(s, w));
  if (outcome == GRID_WALK_HAS_STEPPED) return record_visit(v, w);
  if (outcome == GRID_WALK_ENDS) {
    *w = *last, *last = last[c->leaving];
    c->active--;
  }
  return GrB_SUCCESS;
}

/* Advances `count` walkers; those that do not leave have ended. Local. */
static GrB_Info advance_group(const walk_set *s, visit_list *visited, grid_walker *first, GrB_Index count) {
  GrB_Info info = GrB_SUCCESS;
  walk_counts c = {.active = count};
  visit_list v = *visited; /* no cache line is shared with other threads */
  while (c.active > 0)
    for (GrB_Index k = c.active; k-- > 0;) TRY(advance_walk(s, &v, first, &c, k));
  for (GrB_Index k = c.leaving; k < count; k++) first[k].walk = ENDED;
out:
  *visited = v;
  return info;
}

/* Local. */
static GrB_Info advance_walks(walk_set *s) {
  const GrB_Index groups = (s->count + TOGETHER - 1) / TOGETHER;
  GrB_Index left = 0;
  bool failed = false;
#pragma omp parallel for schedule(dynamic, 4) reduction(|| : failed) num_threads(s->threads) if (groups > 4)
  for (GrB_Index g = 0; g < groups; g++) {
    const GrB_Index begin = g * TOGETHER, rest = s->count - begin;
    failed = advance_group(s, &s->visited[omp_get_thread_num()], s->walkers + begin,
                           rest < TOGETHER ? rest : TOGETHER) != GrB_SUCCESS ||
             failed;
  }
  for (GrB_Index k = 0; k < s->count; k++)
    if (s->walkers[k].walk != ENDED) s->walkers[left++] = s->walkers[k];
  s->count = left;
  return failed ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
}

/* ---- walks that leave ---- */

/* R(row needed, walk) = the record, of those of all processes. */
static GrB_Info build_records(GrB_Matrix *R, const walk_set *s) {
  GrB_Info info;
  GrB_Index *row = malloc((s->count + 1) * sizeof *row), *col = malloc((s->count + 1) * sizeof *col);
  TRY(agree(row == NULL || col == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, ""));
  for (GrB_Index k = 0; k < s->count; k++)
    row[k] = grid_walker_row(&s->walkers[k]), col[k] = s->walkers[k].walk;
  TRY(GrB_Matrix_new(R, s->record, s->n, s->nwalks));
  TRY(Grid_Matrix_build(*R, row, col, s->walkers, s->record, s->count, NULL, 0));
out:
  free(row), free(col);
  return info;
}

/* Local. */
static GrB_Info make_space(walk_set *s, GrB_Index count) {
  GrB_Info info = GrB_SUCCESS;
  if (count <= s->capacity) return info;
  GROW(s->walkers, count);
  s->capacity = count;
out:
  return info;
}

/* Sends each walk to the process that has the row it needs. */
static GrB_Info send_walks(walk_set *s) {
  GrB_Info info;
  GrB_Index rows, cols, values;
  GrB_Matrix R = NULL;
  TRY(build_records(&R, s));
  TRY(Grid_Matrix_exportLocal(NULL, NULL, NULL, &rows, &cols, &values, GrB_COO_FORMAT, R));
  TRY(agree(make_space(s, values), ""));
  TRY(Grid_Matrix_exportLocal(NULL, NULL, s->walkers, &rows, &cols, &values, GrB_COO_FORMAT, R));
  s->count = values;
out:
  GrB_Matrix_free(&R);
  return info;
}

static GrB_Info take_walks(walk_set *s) {
  GrB_Info info;
  for (;;) {
    TRY(agree(advance_walks(s), ""));
    uint64_t leaving = s->count;
    TRY(Grid_sum(&leaving, 1));
    if (leaving == 0) break;
    TRY(send_walks(s));
  }
out:
  return info;
}

/* ---- the beginning ---- */

/* The walks of this process's entries. Local. */
static GrB_Info begin_walks(walk_set *s, GrB_Vector start) {
  GrB_Info info;
  GrB_Index first, count, *walk = NULL;
  int64_t *vertex = NULL;
  s->threads = omp_get_max_threads();
  s->visited = calloc((size_t)s->threads, sizeof *s->visited);
  TRY(Grid_local_range(s->nwalks, &first, &count));
  walk = malloc((count + 1) * sizeof *walk), vertex = malloc((count + 1) * sizeof *vertex);
  TRY(s->visited == NULL || walk == NULL || vertex == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS);
  TRY(Grid_Vector_extractLocal(walk, vertex, &count, start));
  TRY(make_space(s, count + 1));
  for (s->count = 0; s->count < count; s->count++) {
    const uint64_t v = (uint64_t)vertex[s->count];
    TRY(v >= s->n ? GrB_INDEX_OUT_OF_BOUNDS : GrB_SUCCESS);
    s->walkers[s->count] = grid_walk_begin(walk[s->count], v);
    TRY(record_visit(&s->visited[0], &s->walkers[s->count]));
  }
out:
  free(walk), free(vertex);
  return info;
}

/* GrB_INVALID_VALUE: a weight is below 0 or not finite, or their sum is not. Local. */
static GrB_Info sum_weights(grid_walk_rows *r, GrB_Index entries) {
  bool wrong = false;
  r->sums = malloc((entries + 1) * sizeof *r->sums);
  if (r->sums == NULL) return GrB_OUT_OF_MEMORY;
#pragma omp parallel for schedule(dynamic, 1024) reduction(|| : wrong) if (entries > 1 << 14)
  for (GrB_Index row = r->arrays.first; row < r->arrays.first + r->arrays.count; row++) {
    double sum = 0;
    for (GrB_Index k = grid_walk_row(r, row); k < grid_walk_row(r, row + 1); k++) {
      const double x = grid_walk_weight(r, k);
      wrong = wrong || !(x >= 0);
      r->sums[k] = sum += x;
    }
    wrong = wrong || !isfinite(sum);
  }
  return wrong ? GrB_INVALID_VALUE : GrB_SUCCESS;
}

/* The rows of A, with weights in FP64 where it has others. */
static GrB_Info view_rows(walk_set *s, GrB_Matrix A, bool weighted) {
  GrB_Info info;
  GrB_Matrix W = NULL;
  GrB_Type type;
  grid_walk_rows *r = &s->rules.rows;
  TRY(Grid_agree(GxB_Matrix_type(&type, A), NULL));
  if (weighted && type != GrB_FP64) {
    TRY(GrB_Matrix_new(&W, GrB_FP64, s->n, s->n));
    TRY(GrB_Matrix_apply(W, NULL, NULL, GrB_IDENTITY_FP64, A, NULL));
  }
  TRY(grid_view_rows(&r->arrays, &s->view, W != NULL ? W : A));
  if (!weighted) goto out;
  static const double none = 0; /* of a process without entries */
  r->weight = s->view.values != NULL ? s->view.values : &none, r->iso = s->view.iso;
  TRY(agree(sum_weights(r, s->view.n_indices), "a weight is below 0 or not finite"));
out:
  GrB_Matrix_free(&W);
  return info;
}

/* ---- the operation ---- */

static GrB_Info build_walks(GrB_Matrix walks, walk_set *s) {
  GrB_Info info = GrB_SUCCESS;
  visit_list *all = &s->visited[0];
  for (int t = 1; t < s->threads && info == GrB_SUCCESS; t++) info = append_visits(all, &s->visited[t]);
  TRY(agree(info, ""));
  TRY(GrB_Matrix_clear(walks));
  TRY(Grid_Matrix_build(walks, all->walk, all->step, all->vertex, GrB_INT64, all->count, NULL, 0));
out:
  return info;
}

static void free_walks(walk_set *s) {
  for (int t = 0; s->visited != NULL && t < s->threads; t++) free_visits(&s->visited[t]);
  Grid_View_free(&s->view);
  free(s->rules.rows.sums), free(s->walkers), free(s->visited);
  GrB_Type_free(&s->record);
}

GrB_Info grid_walk_by_records(GrB_Matrix walks, GrB_Matrix A, GrB_Vector start, bool weighted, double p,
                              double q, uint64_t seed) {
  GrB_Info info;
  GrB_Index columns;
  GrB_Vector where = NULL; /* start, in INT64 */
  walk_set s = {.n = 0};
  TRY(GrB_Matrix_nrows(&s.n, A));
  TRY(GrB_Matrix_nrows(&s.nwalks, walks));
  TRY(GrB_Matrix_ncols(&columns, walks));
  s.rules = grid_walk_rules_of(columns - 1, p, q, seed);
  TRY(GrB_Vector_new(&where, GrB_INT64, s.nwalks));
  TRY(GrB_Vector_apply(where, NULL, NULL, GrB_IDENTITY_INT64, start, NULL));
  TRY(view_rows(&s, A, weighted));
  TRY(Grid_agree(GrB_Type_new(&s.record, sizeof(grid_walker)), NULL));
  TRY(agree(begin_walks(&s, where), "a start is not a vertex of A"));
  TRY(take_walks(&s));
  TRY(build_walks(walks, &s));
out:
  free_walks(&s);
  GrB_Vector_free(&where);
  return info;
}
