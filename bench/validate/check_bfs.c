/* Checks of a search's result: the five rules on every process's input tuples, and the same search by
 * SuiteSparse:GraphBLAS on process 0. Parents and levels are replicated: 8 + 4 + 4 + 1 bytes a vertex on each
 * process. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/validate/check_bfs.h"
#include "bench/validate/reference.h"
#include "bench/program/graph/tuples.h"

/* The reference's graph, from the original tuples, not from the matrix under test. */
static int open_reference(checker *c, const options *o) {
  uint64_t *rows, *cols, total;
  const char *why = NULL;

  const int status = gather_tuples(&rows, &cols, NULL, &total, c->g);
  if (status != STATUS_OK) return status;
  if (Grid_rank() == 0)
    c->reference = reference_new(c->n, rows, cols, total, !c->g->directed, o->threads, &why);
  free(rows);
  free(cols);
  return fail_on_any(STATUS_INPUT, why);
}

/* The arrays of the checks on the CPU, and of the comparison on process 0. Local. */
static const char *allocate_workspace(checker *c, bool compare) {
  const bool on_host = c->device == NULL, has_reference = compare && Grid_rank() == 0;
  if (on_host) {
    c->parent = malloc(c->n * sizeof *c->parent);
    c->level = malloc(c->n * sizeof *c->level);
    c->in_input = malloc(c->n);
  }
  if (on_host || has_reference) c->depth = malloc(c->n * sizeof *c->depth);
  if (has_reference) c->expected = malloc(c->n * sizeof *c->expected);
  const bool allocated =
      (!on_host || (c->parent != NULL && c->level != NULL && c->in_input != NULL && c->depth != NULL)) &&
      (!has_reference || (c->depth != NULL && c->expected != NULL));
  return allocated ? NULL : "no memory for the check of the answer";
}

int checker_open(checker *c, const graph *g, const options *o, bool compare) {
  if (compare && reference_missing() != NULL) {
    fail(STATUS_OK, "--check: levels are not compared: %s", reference_missing());
    compare = false;
  }
  *c = (checker){.g = g, .n = g->n};
  int status = check_cuda_open(c);
  if (status == STATUS_OK) status = fail_on_any(STATUS_INPUT, allocate_workspace(c, compare));
  if (status == STATUS_OK && compare) status = open_reference(c, o);
  return status;
}

void checker_close(checker *c) {
  if (c->device != NULL) c->device->close(c);
  if (c->reference != NULL) reference_free(c->reference);
  free(c->parent);
  free(c->level);
  free(c->depth);
  free(c->expected);
  free(c->in_input);
  *c = (checker){.g = NULL};
}

/* A vertex's flags are counted in fields of a few bits that cannot overflow, so that one sum over the grid
 * combines them. */
GrB_Info check_merge_flags(uint8_t *in_input, uint64_t n) {
  int bits = 1;
  while (((uint64_t)1 << bits) <= (uint64_t)Grid_size()) bits++;
  const uint64_t fields = 64 / (uint64_t)bits, words = (n + fields - 1) / fields,
                 one = ((uint64_t)1 << bits) - 1;

  if (Grid_size() == 1) return GrB_SUCCESS;
  uint64_t *sum = calloc(words, sizeof *sum);
  GrB_Info info =
      Grid_agree(sum == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the check of the answer");
  for (uint64_t v = 0; info == GrB_SUCCESS && v < n; v++)
    sum[v / fields] |= (uint64_t)in_input[v] << (v % fields * (uint64_t)bits);
  if (info == GrB_SUCCESS) info = Grid_sum(sum, words);
  for (uint64_t v = 0; info == GrB_SUCCESS && v < n; v++)
    in_input[v] = (sum[v / fields] >> (v % fields * (uint64_t)bits) & one) != 0;
  free(sum);
  return info;
}

int check_outcome(const validate_result *r, uint64_t source) {
  uint64_t trouble = r->rule < 0;
  char text[300];
  if (Grid_max(&trouble, 1) != GrB_SUCCESS) return fail_library("checking the answer");
  snprintf(text, sizeof text,
           "check %d failed for the search from vertex number %" PRIu64 " (counted from 0): %s", r->rule,
           source, r->text);
  if (trouble) return fail_on_any(STATUS_INPUT, r->rule < 0 ? r->text : NULL);
  return fail_on_any(STATUS_CHECK, r->rule == 0 ? NULL : text);
}

/* The five rules; parent, and level where given, are gathered. */
static int check_graph500_rules(checker *c, const validate_job *job, uint64_t *inside) {
  validate_result r = {0};
  tuples t;

  validate_tree(job, &r);
  int status = check_outcome(&r, job->root);
  if (status == STATUS_OK) status = tuples_open(&t, c->g);
  if (status != STATUS_OK) return status;
  memset(c->in_input, 0, c->n);
  *inside = 0;
  while (r.rule == 0 && tuples_next(&t))
    validate_edges(job, t.rows, t.cols, t.count, c->in_input, inside, &r);
  tuples_close(&t);
  status = check_outcome(&r, job->root);
  if (status != STATUS_OK) return status;
  if (check_merge_flags(c->in_input, c->n) != GrB_SUCCESS || Grid_sum(inside, 1) != GrB_SUCCESS)
    return fail_library("checking the answer");
  validate_tree_edges(job, c->in_input, &r);
  return check_outcome(&r, job->root);
}

int checker_run(checker *c, GrB_Vector level, GrB_Vector parent, uint64_t source, int64_t limit,
                uint64_t *inside) {
  if (c->device != NULL) return c->device->run(c, level, parent, source, limit, inside);
  validate_job job = {.n = c->n,
                      .root = source,
                      .parent = c->parent,
                      .level = level == NULL ? NULL : c->level,
                      .depth = c->depth,
                      .directed = c->g->directed,
                      .limit = limit};
  int status = gather_int64(c->parent, parent, c->n);
  if (status == STATUS_OK && level != NULL) status = gather_int32(c->level, level, c->n);
  if (status == STATUS_OK) status = check_graph500_rules(c, &job, inside);
  return status;
}

/* The levels must equal SuiteSparse's. (The parents have passed the five rules: any such tree is valid.) */
int checker_compare(checker *c, uint64_t source, int64_t limit) {
  const char *why = NULL;
  char text[200];
  bool ran = true;

  if (reference_missing() != NULL) return STATUS_OK;

  if (Grid_rank() == 0 && c->device != NULL && !c->device->depths(c)) why = "cannot fetch the levels";
  if (c->device != NULL && fail_on_any(STATUS_INPUT, why) != STATUS_OK) return STATUS_INPUT;
  if (Grid_rank() == 0) ran = reference_bfs(c->reference, source, limit, c->expected, NULL, NULL, &why);
  const int status = fail_on_any(STATUS_INPUT, ran ? NULL : why);
  if (status != STATUS_OK) return status;
  why = NULL;
  for (uint64_t v = 0; Grid_rank() == 0 && why == NULL && v < c->n; v++)
    if (c->depth[v] != c->expected[v]) {
      snprintf(text, sizeof text,
               "search from vertex number %" PRIu64 " (counted from 0): %s gives vertex number %" PRIu64
               " level %" PRId32 ", gridblas %" PRId32,
               source, reference_name(), v, c->expected[v], c->depth[v]);
      why = text;
    }
  return fail_on_any(STATUS_CHECK, why);
}

int checker_count(checker *c, GrB_Vector parent, uint64_t *inside) {
  const bool both = !c->g->directed;
  uint64_t sum = 0;
  tuples t;

  if (c->device != NULL) return c->device->count(c, parent, inside);
  int status = gather_int64(c->parent, parent, c->n);
  if (status == STATUS_OK) status = tuples_open(&t, c->g);
  if (status != STATUS_OK) return status;
  while (tuples_next(&t)) {
#pragma omp parallel for reduction(+ : sum)
    for (uint64_t k = 0; k < t.count; k++)
      sum += c->parent[t.rows[k]] >= 0 || (both && c->parent[t.cols[k]] >= 0);
  }
  tuples_close(&t);
  *inside = sum;
  return Grid_sum(inside, 1) == GrB_SUCCESS ? STATUS_OK : fail_library("counting the edges");
}

int checker_generate(checker *c, double *seconds) {
  *seconds = 0;
  return c->device != NULL && c->g->regenerated ? c->device->generate(c, seconds) : STATUS_OK;
}
