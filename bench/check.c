/* Checks of a search's answer: the five rules on every process's share of the input tuples, and the same
 * search by SuiteSparse:GraphBLAS on process 0. Parents and levels are replicated: 8 + 4 + 4 + 1 bytes a
 * vertex on each process. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/program.h"
#include "bench/reference.h"
#include "bench/validate.h"

/* The reference's graph, from the original tuples, not from the matrix under test. */
static int open_reference(checker *c, const options *o) {
  uint64_t *rows, *cols, total;
  const char *why = NULL;

  const int status = gather_tuples(&rows, &cols, &total, c->g);
  if (status != STATUS_OK) return status;
  if (Grid_rank() == 0)
    c->reference = reference_new(c->n, rows, cols, total, !c->g->directed, o->threads, &why);
  free(rows);
  free(cols);
  return fail_anywhere(STATUS_INPUT, why);
}

int checker_open(checker *c, const graph *g, const options *o, bool compare) {
  if (compare && reference_missing() != NULL) {
    fail(STATUS_OK, "--check: levels are not compared: %s", reference_missing());
    compare = false;
  }
  *c = (checker){.g = g, .n = g->n};
  c->parent = malloc(c->n * sizeof *c->parent);
  c->level = malloc(c->n * sizeof *c->level);
  c->depth = malloc(c->n * sizeof *c->depth);
  c->seen = malloc(c->n);
  const bool mine = compare && Grid_rank() == 0;
  if (mine) c->expected = malloc(c->n * sizeof *c->expected);
  const bool room = c->parent != NULL && c->level != NULL && c->depth != NULL && c->seen != NULL &&
                    (!mine || c->expected != NULL);
  int status = fail_anywhere(STATUS_INPUT, room ? NULL : "no memory for the check of the answer");
  if (status == STATUS_OK && compare) status = open_reference(c, o);
  return status;
}

void checker_close(checker *c) {
  if (c->reference != NULL) reference_free(c->reference);
  free(c->parent);
  free(c->level);
  free(c->depth);
  free(c->expected);
  free(c->seen);
  *c = (checker){.g = NULL};
}

/* Together what the processes have seen apart. A vertex's marks are added up in fields of a few bits that
 * can't run over, so one sum over the grid does it. */
static GrB_Info merge_seen(uint8_t *seen, uint64_t n) {
  int bits = 1;
  while (((uint64_t)1 << bits) <= (uint64_t)Grid_size()) bits++;
  const uint64_t fields = 64 / (uint64_t)bits, words = (n + fields - 1) / fields,
                 one = ((uint64_t)1 << bits) - 1;

  if (Grid_size() == 1) return GrB_SUCCESS;
  uint64_t *sum = calloc(words, sizeof *sum);
  GrB_Info info =
      Grid_agree(sum == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the check of the answer");
  for (uint64_t v = 0; info == GrB_SUCCESS && v < n; v++)
    sum[v / fields] |= (uint64_t)seen[v] << (v % fields * (uint64_t)bits);
  if (info == GrB_SUCCESS) info = Grid_sum(sum, words);
  for (uint64_t v = 0; info == GrB_SUCCESS && v < n; v++)
    seen[v] = (sum[v / fields] >> (v % fields * (uint64_t)bits) & one) != 0;
  free(sum);
  return info;
}

/* One rule's outcome, the same on every process. */
static int outcome(const validate_result *r, uint64_t source) {
  char text[300];
  snprintf(text, sizeof text,
           "check %d failed for the search from vertex number %" PRIu64 " (counted from 0): %s", r->rule,
           source, r->text);
  return fail_anywhere(STATUS_CHECK, r->rule == 0 ? NULL : text);
}

/* The five rules; parent, and level where given, are gathered. */
static int five_rules(checker *c, const validate_job *job, uint64_t *inside) {
  const Grid_Edges *e = &c->g->edges;
  validate_result r;

  validate_tree(job, &r);
  int status = outcome(&r, job->root);
  if (status != STATUS_OK) return status;
  memset(c->seen, 0, c->n);
  *inside = 0;
  validate_edges(job, e->rows, e->cols, e->n, c->seen, inside, &r);
  status = outcome(&r, job->root);
  if (status != STATUS_OK) return status;
  if (merge_seen(c->seen, c->n) != GrB_SUCCESS || Grid_sum(inside, 1) != GrB_SUCCESS)
    return fail_library("checking the answer");
  validate_seen(job, c->seen, &r);
  return outcome(&r, job->root);
}

int checker_run(checker *c, GrB_Vector level, GrB_Vector parent, uint64_t source, int64_t limit,
                uint64_t *inside) {
  validate_job job = {.n = c->n,
                      .root = source,
                      .parent = c->parent,
                      .level = level == NULL ? NULL : c->level,
                      .depth = c->depth,
                      .directed = c->g->directed,
                      .limit = limit};
  int status = gather_int64(c->parent, parent, c->n);
  if (status == STATUS_OK && level != NULL) status = gather_int32(c->level, level, c->n);
  if (status == STATUS_OK) status = five_rules(c, &job, inside);
  return status;
}

/* The levels must be SuiteSparse's, entry by entry. (The parents have passed the five rules: any such tree is
 * right.) */
int checker_compare(checker *c, uint64_t source, int64_t limit) {
  const char *why = NULL;
  char text[200];
  bool ran = true;

  if (reference_missing() != NULL) return STATUS_OK;

  if (Grid_rank() == 0) ran = reference_bfs(c->reference, source, limit, c->expected, NULL, NULL, &why);
  const int status = fail_anywhere(STATUS_INPUT, ran ? NULL : why);
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
  return fail_anywhere(STATUS_CHECK, why);
}

int checker_count(checker *c, GrB_Vector parent, uint64_t *inside) {
  const Grid_Edges *e = &c->g->edges;
  const int status = gather_int64(c->parent, parent, c->n);
  const uint64_t n = status == STATUS_OK ? e->n : 0;
  uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (uint64_t k = 0; k < n; k++)
    sum += c->parent[e->rows[k]] >= 0 || (!c->g->directed && c->parent[e->cols[k]] >= 0);
  *inside = sum;
  if (status == STATUS_OK && Grid_sum(inside, 1) != GrB_SUCCESS) return fail_library("counting the edges");
  return status;
}
