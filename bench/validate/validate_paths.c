/* The checks of a tree of shortest paths (validate_paths.h). */
#include "bench/validate/validate_paths.h"

#include <inttypes.h>
#include <math.h>

bool validate_distances(const validate_job *tree, const double *distance, validate_result *result) {
  result->rule = 0;
  if (!(distance[tree->root] == 0))
    return validate_edge_violations(result, 2, "the root %" PRIu64 " is at the distance %g", tree->root,
                                    distance[tree->root]);
  for (uint64_t v = 0; v < tree->n; v++) {
    const bool reached = tree->parent[v] >= 0;
    if (reached ? distance[v] >= 0 && !isinf(distance[v]) : isnan(distance[v])) continue;
    return validate_edge_violations(result, 2,
                                    "vertex %" PRIu64 " has the parent %" PRId64 " and the distance %g", v,
                                    tree->parent[v], distance[v]);
  }
  return true;
}

static double behind(double distance, double weight) {
  return (double)((float)distance + (float)weight);
}

/* Does the edge u -> v satisfy rules 3 and 4? Returns the rule that it breaks, or 0. */
static int edge_breaks(const double *distance, uint64_t u, uint64_t v, double weight) {
  if (isnan(distance[u])) return 0;
  if (isnan(distance[v])) return 4;
  return distance[v] > behind(distance[u], weight) ? 3 : 0;
}

/* Is u the parent of v, by an edge of this weight? */
static bool leads(const validate_job *tree, const double *distance, uint64_t u, uint64_t v, double weight) {
  return tree->parent[v] == (int64_t)u && distance[v] == behind(distance[u], weight);
}

bool validate_path_edges(const validate_job *tree, const double *distance, const uint64_t *rows,
                         const uint64_t *cols, const double *weight, uint64_t count, uint8_t *in_input,
                         uint64_t *inside, validate_result *result) {
  uint64_t sum = 0, bad = UINT64_MAX; /* bad: the first edge that breaks a rule */

  result->rule = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) reduction(min : bad)
  for (uint64_t k = 0; k < count; k++) {
    const uint64_t u = rows[k], v = cols[k];
    if (u >= tree->n || v >= tree->n || edge_breaks(distance, u, v, weight[k]) != 0 ||
        edge_breaks(distance, v, u, weight[k]) != 0) {
      bad = k < bad ? k : bad;
      continue;
    }
    sum += tree->parent[u] >= 0;
    if (leads(tree, distance, u, v, weight[k])) {
#pragma omp atomic write
      in_input[v] = 1;
    }
    if (leads(tree, distance, v, u, weight[k])) {
#pragma omp atomic write
      in_input[u] = 1;
    }
  }
  *inside += sum;
  if (bad == UINT64_MAX) return true;

  const uint64_t u = rows[bad], v = cols[bad];
  if (u >= tree->n || v >= tree->n)
    return validate_edge_violations(result, 3, "edge %" PRIu64 " - %" PRIu64 " has an end that is no vertex",
                                    u, v);
  int rule = edge_breaks(distance, u, v, weight[bad]);
  if (rule == 0) rule = edge_breaks(distance, v, u, weight[bad]);
  return validate_edge_violations(
      result, rule, "edge %" PRIu64 " - %" PRIu64 " of weight %g joins the distances %.9g and %.9g%s", u, v,
      weight[bad], distance[u], distance[v], rule == 4 ? " (nan: not reached)" : "");
}
