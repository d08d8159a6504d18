/* The picture of a small graph with its answer. */
#include "bench/algorithm/draw_answer.h"

#include <math.h>
#include <stdlib.h>

#include "bench/algorithm/gather_answer.h"

enum { MOST_VERTICES = 300, MOST_EDGES = 3000, MOST_SOURCES = 6 };

bool answer_has_drawing(const job *j, const algorithm *a) {
  const graph *g = j->g;
  if (j->o->json == NULL || g->ratings || g->n > MOST_VERTICES || g->edges.total > MOST_EDGES) return false;
  return j->columns > 0 || (a->entry != NULL && (!a->sources_are_columns || j->nsources <= MOST_SOURCES));
}

/* The first vector; vertices in it by their names. NULL except on process 0. */
static int vertex_values(double **value, const job *j, const uint64_t *name) {
  gathered_answer e = {.graph = {.n = j->g->n}};
  const int status = gather_answer_vectors(&e, j);
  *value = e.value[0];
  e.value[0] = NULL;
  for (uint64_t k = 0; *value != NULL && j->answer[0].vertices && k < j->g->n; k++)
    if (!isnan((*value)[k])) (*value)[k] = (double)name[(uint64_t)(*value)[k]];
  gathered_answer_free(&e);
  return status;
}

/* The columns of a matrix, each as a vector of all vertices. */
static int column_values(double **value, const triples *t, uint64_t n, uint64_t columns) {
  double *v = *value = malloc((n * columns + 1) * sizeof *v);
  const int status = fail_on_any(STATUS_INPUT, v == NULL ? "no memory for the picture" : NULL);
  for (uint64_t k = 0; status == STATUS_OK && k < n * columns; k++) v[k] = (double)NAN;
  for (uint64_t k = 0; status == STATUS_OK && k < t->n; k++) v[t->col[k] * n + t->row[k]] = t->value[k];
  return status;
}

/* Names of vertices, all of them or those of `vertex`. */
static int names_of(uint64_t **name, const uint64_t *vertex, uint64_t count, const graph *g) {
  *name = malloc((count + 1) * sizeof **name);
  const int status = fail_on_any(STATUS_INPUT, *name == NULL ? "no memory for the picture" : NULL);
  for (uint64_t k = 0; status == STATUS_OK && k < count; k++) (*name)[k] = vertex == NULL ? k : vertex[k];
  return status == STATUS_OK ? graph_names(*name, *name, count, g) : status;
}

int answer_draw(const job *j, const algorithm *a) {
  const graph *g = j->g;
  const bool vectors = j->columns > 0, columns = !vectors && a->sources_are_columns;
  triples entries = {.n = 0};
  drawing d = {.colour = vectors ? j->answer[0].name : a->entry, .directed = g->directed, .vertices = g->n};
  d.columns = columns ? j->nsources : vectors;
  int status = names_of(&d.name, NULL, g->n, g);
  if (status == STATUS_OK && columns) status = names_of(&d.source, j->source, j->nsources, g);
  if (status == STATUS_OK)
    status = gather_tuples(&d.from, &d.to, g->weighted ? &d.weight : NULL, &d.edges, g);
  if (status == STATUS_OK && vectors) status = vertex_values(&d.value, j, d.name);
  if (status == STATUS_OK && !vectors) status = gather_answer_matrix(&entries, j->matrix);
  if (status == STATUS_OK && columns) status = column_values(&d.value, &entries, g->n, j->nsources);
  if (!vectors && !columns)
    d.entries = entries.n, d.row = entries.row, d.col = entries.col, d.entry = entries.value;
  if (status == STATUS_OK) report_drawing(j->r, &d);
  free(d.name), free(d.source), free(d.from), free(d.to), free(d.weight), free(d.value);
  free(entries.row), free(entries.col), free(entries.value);
  return status;
}
