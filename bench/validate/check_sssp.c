/* Checks of shortest paths on every process's input tuples; parents and distances are replicated: 21 bytes a
 * vertex on each process. */
#include "bench/validate/check_sssp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/check/traversal/check_paths.h"
#include "bench/program/graph/tuples.h"
#include "bench/validate/validate_paths.h"

/* Single-precision sums are compared with double-precision ones. */
static const double ALLOWED = 1e-5;

int path_checker_open(path_checker *c, const graph *g, bool compare) {
  const uint64_t n = g->n, m = g->edges.n;
  *c = (path_checker){.g = g, .n = n, .compare = compare};
  c->parent = malloc(n * sizeof *c->parent);
  c->depth = malloc(n * sizeof *c->depth);
  c->distance = malloc(n * sizeof *c->distance);
  c->in_input = malloc(n);
  c->weight = malloc((m + 1) * sizeof *c->weight);
  if (compare && Grid_rank() == 0) c->parent_fp64 = malloc(n * sizeof *c->parent_fp64);
  const bool allocated = c->parent != NULL && c->depth != NULL && c->distance != NULL &&
                         c->in_input != NULL && c->weight != NULL &&
                         (c->parent_fp64 != NULL || !compare || Grid_rank() != 0);
  for (uint64_t k = 0; allocated && k < m; k++)
    c->weight[k] = graph_weight(g, k, g->edges.rows[k], g->edges.cols[k]);
  int status = fail_on_any(STATUS_INPUT, allocated ? NULL : "no memory for the check of the answer");
  c->whole = (check_graph){.n = n, .both_directions = !g->directed};
  if (status == STATUS_OK && compare)
    status = gather_tuples(&c->whole.from, &c->whole.to, &c->whole.weight, &c->whole.m, g);
  return status;
}

void path_checker_close(path_checker *c) {
  free(c->parent), free(c->depth), free(c->distance), free(c->in_input), free(c->weight),
      free(c->parent_fp64);
  free(c->whole.from), free(c->whole.to), free(c->whole.weight);
  *c = (path_checker){.g = NULL};
}

/* The distances, of whatever type, as doubles; NaN: not reached. */
static int gather_distances(path_checker *c, GrB_Vector distance) {
  GrB_Vector fp64 = NULL;
  GrB_Info info = GrB_Vector_new(&fp64, GrB_FP64, c->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_apply(fp64, NULL, NULL, GrB_IDENTITY_FP64, distance, NULL);
  const int status =
      info == GrB_SUCCESS ? gather_fp64(c->distance, fp64, c->n) : fail_library("checking the answer");
  GrB_Vector_free(&fp64);
  return status;
}

/* Rules 3 to 5, and how many tuples there are in the component. */
static int look_at_edges(path_checker *c, const validate_job *tree, bool rules, uint64_t *inside) {
  validate_result r = {.rule = 0};
  tuples t;
  int status = tuples_open(&t, c->g);
  if (status != STATUS_OK) return status;
  memset(c->in_input, 0, c->n);
  *inside = 0;
  while (r.rule == 0 && tuples_next(&t)) {
    const double *weight = c->weight + (t.done - t.count);
    if (rules)
      validate_path_edges(tree, c->distance, t.rows, t.cols, weight, t.count, c->in_input, inside, &r);
    else
      for (uint64_t k = 0; k < t.count; k++) *inside += tree->parent[t.rows[k]] >= 0;
  }
  tuples_close(&t);
  status = check_outcome(&r, tree->root);
  if (status != STATUS_OK) return status;
  if (check_merge_flags(c->in_input, c->n) != GrB_SUCCESS || Grid_sum(inside, 1) != GrB_SUCCESS)
    return fail_library("checking the answer");
  if (rules) validate_tree_edges(tree, c->in_input, &r);
  return check_outcome(&r, tree->root);
}

int path_checker_run(path_checker *c, GrB_Vector distance, GrB_Vector parent, uint64_t source, bool rules,
                     uint64_t *inside) {
  const validate_job tree = {.n = c->n, .root = source, .parent = c->parent, .depth = c->depth, .limit = -1};
  validate_result r = {.rule = 0};
  int status = gather_int64(c->parent, parent, c->n);
  if (status == STATUS_OK) status = gather_distances(c, distance);
  if (status == STATUS_OK && rules) {
    if (validate_tree(&tree, &r)) validate_distances(&tree, c->distance, &r);
    status = check_outcome(&r, source);
  }
  return status == STATUS_OK ? look_at_edges(c, &tree, rules, inside) : status;
}

int path_checker_compare(path_checker *c, uint64_t source) {
  char text[300];
  const char *why = NULL;
  if (!c->compare) return STATUS_OK;
  if (Grid_rank() == 0) {
    for (uint64_t v = 0; v < c->n; v++)
      c->parent_fp64[v] = c->parent[v] < 0 ? (double)NAN : (double)c->parent[v];
    why = check_paths(&c->whole, source, c->distance, c->parent_fp64, false, ALLOWED, text, sizeof text);
  }
  return fail_on_any(why == check_no_memory ? STATUS_INPUT : STATUS_CHECK, why);
}
