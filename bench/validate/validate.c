/* The checks of a breadth-first search tree (validate.h). */
#include "bench/validate/validate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { UNREACHED = -1, UNKNOWN = -2, ON_PATH = -3 };

bool validate_edge_violations(validate_result *result, int rule, const char *format, ...) {
  va_list args;
  va_start(args, format);
  result->rule = rule;
  vsnprintf(result->text, sizeof result->text, format, args);
  va_end(args);
  return false;
}

/* Follows parents from v to a vertex of known depth and sets the depths of all vertices on the path. Two
 * passes: the first marks the path, so that a cycle meets its own mark; the second counts down. */
static bool chase(const validate_job *job, uint64_t v, validate_result *result) {
  int32_t *depth = job->depth, steps = 0;
  uint64_t u = v;

  for (; depth[u] == UNKNOWN; steps++) {
    depth[u] = ON_PATH;
    const int64_t up = job->parent[u];
    if (up < 0 || (uint64_t)up >= job->n)
      return validate_edge_violations(result, 1,
                                      "vertex %" PRIu64 " has parent %" PRId64 ", which is no vertex", u, up);
    if (depth[up] == UNREACHED)
      return validate_edge_violations(
          result, 1, "vertex %" PRIu64 " has parent %" PRId64 ", which is not reached", u, up);
    if (depth[up] == ON_PATH)
      return validate_edge_violations(
          result, 1, "the parents of vertex %" PRIu64 " lead round in a circle through %" PRId64, v, up);
    u = (uint64_t)up;
  }
  steps += depth[u];
  for (u = v; depth[u] == ON_PATH; u = (uint64_t)job->parent[u]) depth[u] = steps--;
  return true;
}

bool validate_tree(const validate_job *job, validate_result *result) {
  result->rule = 0;
  if (job->root >= job->n)
    return validate_edge_violations(result, 1, "the root %" PRIu64 " is no vertex", job->root);
  if (job->parent[job->root] != (int64_t)job->root)
    return validate_edge_violations(result, 1, "the root %" PRIu64 " has parent %" PRId64, job->root,
                                    job->parent[job->root]);

  for (uint64_t v = 0; v < job->n; v++) job->depth[v] = job->parent[v] == UNREACHED ? UNREACHED : UNKNOWN;
  job->depth[job->root] = 0;
  for (uint64_t v = 0; v < job->n; v++) {
    if (job->depth[v] == UNKNOWN && !chase(job, v, result)) return false;
    if (job->limit >= 0 && job->depth[v] > job->limit)
      return validate_edge_violations(result, 2, "vertex %" PRIu64 " has level %" PRId32 ", beyond the limit",
                                      v, job->depth[v]);
  }

  for (uint64_t v = 0; job->level != NULL && v < job->n; v++)
    if (job->level[v] != job->depth[v])
      return validate_edge_violations(
          result, 2, "vertex %" PRIu64 " has level %" PRId32 ", but %" PRId32 " by its parents", v,
          job->level[v], job->depth[v]);
  return true;
}

/* Does the edge u -> v satisfy rules 3 and 4? Returns the rule that it breaks, or 0. */
static int edge_breaks(const validate_job *job, uint64_t u, uint64_t v) {
  const int32_t du = job->depth[u], dv = job->depth[v];
  if (du < 0) return 0;
  if (dv < 0) return job->limit >= 0 && du == job->limit ? 0 : 4;
  return dv > du + 1 ? 3 : 0;
}

bool validate_edges(const validate_job *job, const uint64_t *rows, const uint64_t *cols, uint64_t count,
                    uint8_t *in_input, uint64_t *inside, validate_result *result) {
  const bool both = !job->directed;
  uint64_t sum = 0, bad = UINT64_MAX; /* bad: the first edge that breaks a rule */

  result->rule = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) reduction(min : bad)
  for (uint64_t k = 0; k < count; k++) {
    const uint64_t u = rows[k], v = cols[k];
    if (u >= job->n || v >= job->n || edge_breaks(job, u, v) || (both && edge_breaks(job, v, u))) {
      bad = k < bad ? k : bad;
      continue;
    }
    const int32_t du = job->depth[u], dv = job->depth[v];
    if (du >= 0 || (both && dv >= 0)) sum++;
    if (du >= 0 && dv == du + 1 && job->parent[v] == (int64_t)u) {
#pragma omp atomic write
      in_input[v] = 1;
    }
    if (both && dv >= 0 && du == dv + 1 && job->parent[u] == (int64_t)v) {
#pragma omp atomic write
      in_input[u] = 1;
    }
  }
  *inside += sum;
  if (bad == UINT64_MAX) return true;

  const uint64_t u = rows[bad], v = cols[bad];
  if (u >= job->n || v >= job->n)
    return validate_edge_violations(result, 3, "edge %" PRIu64 " - %" PRIu64 " has an end that is no vertex",
                                    u, v);
  int rule = edge_breaks(job, u, v);
  if (rule == 0) rule = edge_breaks(job, v, u);
  return validate_edge_violations(
      result, rule, "edge %" PRIu64 " %s %" PRIu64 " joins levels %" PRId32 " and %" PRId32 "%s", u,
      both ? "-" : "->", v, job->depth[u], job->depth[v], rule == 4 ? " (-1: not reached)" : "");
}

bool validate_tree_edges(const validate_job *job, const uint8_t *in_input, validate_result *result) {
  result->rule = 0;
  for (uint64_t v = 0; v < job->n; v++)
    if (job->parent[v] >= 0 && v != job->root && !in_input[v])
      return validate_edge_violations(result, 5,
                                      "vertex %" PRIu64 " has parent %" PRId64 ", but there is no such edge",
                                      v, job->parent[v]);
  return true;
}
