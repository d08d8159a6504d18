/* Random walks along the edges, of first order (DeepWalk) and of second order (node2vec).
 *
 * A walk is a record that goes from process to process: each decision is made where the row is that decides
 * it (walk_steps.c). A process advances its walks as long as they need rows that it has; those that need
 * others are sent to their owners, all at once. That is a matrix with a walk's record at (row needed, walk),
 * which each process builds of the records that leave it and exports the rows of.
 *
 * The random numbers depend on the walk, its step and the seed alone, so that walks are the same on any grid.
 *
 * Sources: Perozzi, Al-Rfou, Skiena (2014); Grover, Leskovec (2016); Yang et al. (2019). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algos/learning/grow.h"
#include "algos/learning/walk_steps.h"
#include "algos/support/random_values.h"

enum { TOGETHER = 64 }; /* walks that a process advances in turn */

typedef struct {
  GrB_Index n, nwalks;
  walk_rules rules;
  GrB_Type record;           /* of a walker */
  walker *walkers;           /* on this process */
  GrB_Index count, capacity; /* of these */
  /* the vertices visited on this process */
  GrB_Index *walk, *step, visits, space;
  int64_t *vertex;
} walk_set;

/* A local outcome; refused: why, if not for lack of memory. */
static GrB_Info agree(GrB_Info info, const char *refused) {
  return grid_refuse(info, "Grid_random_walks",
                     info == GrB_OUT_OF_MEMORY ? "no memory for the walks" : refused);
}

/* ---- walks on this process ---- */

/* Local. */
static GrB_Info record_visit(walk_set *s, const walker *w) {
  GrB_Info info = GrB_SUCCESS;
  if (s->visits == s->space) {
    const GrB_Index space = 2 * s->space + 1024;
    GROW(s->walk, space);
    GROW(s->step, space);
    GROW(s->vertex, space);
    s->space = space;
  }
  s->walk[s->visits] = w->walk, s->step[s->visits] = w->step;
  s->vertex[s->visits++] = (int64_t)w->at;
out:
  return info;
}

/* Walks in turn, so that the processor reads the rows of several at the same time. The first `active` walkers
 * go on, the `leaving` ones after them need rows of other processes. */
typedef struct {
  GrB_Index active, leaving;
} walk_counts;

/* A step of walker k, one of the active ones, or as much of it as this process can decide. Local. */
static GrB_Info advance_walk(walk_set *s, walker *first, walk_counts *c, GrB_Index k) {
  walker *w = &first[k], *last = &first[c->active - 1];
  if (!has_local_row(&s->rules.rows, walker_row(w))) {
    const walker leaves = *w;
    *w = *last, *last = leaves;
    c->active--, c->leaving++;
    return GrB_SUCCESS;
  }
  walk_outcome outcome;
  do outcome = grid_walker_advance(w, &s->rules);
  while (outcome == WALK_GOES_ON && has_local_row(&s->rules.rows, walker_row(w)));
  if (outcome == WALK_HAS_STEPPED) return record_visit(s, w);
  if (outcome == WALK_ENDS) {
    *w = *last, *last = last[c->leaving];
    c->active--;
  }
  return GrB_SUCCESS;
}

/* Local. */
static GrB_Info advance_walks(walk_set *s) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Index left = 0;
  for (GrB_Index begin = 0; begin < s->count; begin += TOGETHER) {
    walk_counts c = {.active = s->count - begin < TOGETHER ? s->count - begin : TOGETHER};
    while (c.active > 0)
      for (GrB_Index k = c.active; k-- > 0;) TRY(advance_walk(s, s->walkers + begin, &c, k));
    memmove(s->walkers + left, s->walkers + begin, c.leaving * sizeof *s->walkers);
    left += c.leaving;
  }
  s->count = left;
out:
  return info;
}

/* ---- walks that leave ---- */

/* R(row needed, walk) = the record, of those of all processes. */
static GrB_Info build_records(GrB_Matrix *R, const walk_set *s) {
  GrB_Info info;
  GrB_Index *row = malloc((s->count + 1) * sizeof *row), *col = malloc((s->count + 1) * sizeof *col);
  TRY(agree(row == NULL || col == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, ""));
  for (GrB_Index k = 0; k < s->count; k++) row[k] = walker_row(&s->walkers[k]), col[k] = s->walkers[k].walk;
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

/* where(k) = the vertex of walk k, INT64. */
static GrB_Info find_starts(GrB_Vector *where, const walk_set *s, GrB_Vector start) {
  GrB_Info info;
  TRY(GrB_Vector_new(where, GrB_INT64, s->nwalks));
  if (start == NULL) {
    TRY(GrB_Vector_assign_INT64(*where, NULL, NULL, 0, GrB_ALL, s->n, NULL));
    TRY(GrB_Vector_apply_IndexOp_INT64(*where, NULL, NULL, GrB_ROWINDEX_INT64, *where, 0, NULL));
  } else {
    TRY(GrB_Vector_apply(*where, NULL, NULL, GrB_IDENTITY_INT64, start, NULL));
  }
out:
  return info;
}

/* The walks of this process's entries. Local. */
static GrB_Info begin_walks(walk_set *s, GrB_Vector where) {
  GrB_Info info = GrB_OUT_OF_MEMORY;
  GrB_Index first, count, *walk = NULL;
  int64_t *vertex = NULL;
  TRY(Grid_local_range(s->nwalks, &first, &count));
  info = GrB_OUT_OF_MEMORY;
  walk = malloc((count + 1) * sizeof *walk), vertex = malloc((count + 1) * sizeof *vertex);
  if (walk == NULL || vertex == NULL) goto out;
  TRY(Grid_Vector_extractLocal(walk, vertex, &count, where));
  TRY(make_space(s, count + 1));
  for (s->count = 0; s->count < count; s->count++) {
    const uint64_t v = (uint64_t)vertex[s->count];
    if (v >= s->n) TRY(GrB_INDEX_OUT_OF_BOUNDS);
    s->walkers[s->count] = (walker){.walk = walk[s->count], .at = v, .before = v, .proposed = NOT_PROPOSED};
    TRY(record_visit(s, &s->walkers[s->count]));
  }
out:
  free(walk), free(vertex);
  return info;
}

static GrB_Info view_rows(walk_set *s, GrB_Matrix A, bool weighted) {
  GrB_Info info;
  GrB_Matrix W = NULL;
  if (weighted) {
    TRY(GrB_Matrix_new(&W, GrB_FP64, s->n, s->n));
    TRY(GrB_Matrix_apply(W, NULL, NULL, GrB_IDENTITY_FP64, A, NULL));
  }
  TRY(local_rows_view(&s->rules.rows, weighted ? W : A));
  if (weighted) TRY(agree(grid_walk_sum_weights(&s->rules), "a weight is below 0 or not finite"));
out:
  GrB_Matrix_free(&W);
  return info;
}

static void set_rules(walk_rules *r, uint64_t length, double p, double q, uint64_t seed) {
  r->length = length, r->key = grid_random_key(seed);
  r->to_return = 1 / p, r->to_neighbor = 1, r->to_others = 1 / q;
  r->most = fmax(r->to_neighbor, r->to_others), r->second_order = p != 1 || q != 1;
}

/* ---- the function ---- */

static GrB_Info check_arguments(walk_set *s, bool output, GrB_Matrix A, GrB_Vector start, uint64_t length,
                                double p, double q) {
  static const char call[] = "Grid_random_walks";
  if (!output) return grid_refuse(GrB_NULL_POINTER, call, "walks is NULL");
  const GrB_Info info = square_size(&s->n, A, call);
  if (info != GrB_SUCCESS) return info;
  if (length > INT32_MAX) return grid_refuse(GrB_INVALID_VALUE, call, "length is above 2^31 - 1");
  if (!(p >= 1e-6 && p <= 1e6 && q >= 1e-6 && q <= 1e6))
    return grid_refuse(GrB_INVALID_VALUE, call, "p and q must be from 1e-6 to 1e6");
  s->nwalks = s->n;
  return start == NULL ? GrB_SUCCESS : GrB_Vector_size(&s->nwalks, start);
}

static GrB_Info make_walks(GrB_Matrix *made, const walk_set *s) {
  GrB_Info info;
  TRY(GrB_Matrix_new(made, GrB_INT64, s->nwalks, s->rules.length + 1));
  TRY(Grid_Matrix_build(*made, s->walk, s->step, s->vertex, GrB_INT64, s->visits, NULL, 0));
out:
  return info;
}

static void free_walks(walk_set *s) {
  local_rows_free(&s->rules.rows);
  free(s->rules.sums);
  free(s->walkers), free(s->walk), free(s->step), free(s->vertex);
  GrB_Type_free(&s->record);
}

GrB_Info Grid_random_walks(GrB_Matrix *walks, GrB_Matrix A, GrB_Vector start, uint64_t length, bool weighted,
                           double p, double q, uint64_t seed) {
  SPAN;
  GrB_Info info;
  walk_set s = {.n = 0};
  GrB_Vector where = NULL;
  GrB_Matrix made = NULL;
  TRY(check_arguments(&s, walks != NULL, A, start, length, p, q));
  set_rules(&s.rules, length, p, q, seed);
  TRY(find_starts(&where, &s, start));
  TRY(view_rows(&s, A, weighted));
  TRY(Grid_agree(GrB_Type_new(&s.record, sizeof(walker)), NULL));
  TRY(agree(begin_walks(&s, where), "a start is not a vertex of A"));
  TRY(take_walks(&s));
  TRY(make_walks(&made, &s));
  *walks = made, made = NULL;
out:
  free_walks(&s);
  GrB_Vector_free(&where);
  GrB_Matrix_free(&made);
  return info;
}
