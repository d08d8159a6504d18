/* The five rules on the GPU. Each process gets its chunk of the result from the library, and its tuples.
 * Parents are sent in 4 bytes, since every process needs them all; levels are compared locally. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/validate/check_bfs.h"
#include "bench/program/graph/tuples.h"
#include "bench/validate/validate_cuda.h"

struct check_space {
  validate_cuda *gpu;
  GrB_Index first, share; /* of the vertices */
  uint64_t most;          /* the largest chunk of any process */
  /* pinned host memory */
  GrB_Index *at;     /* the chunk */
  int64_t *value;    /* the chunk; levels too */
  uint32_t *segment; /* a chunk's parents, or the flags of all vertices */
};

static int run(checker *c, GrB_Vector level, GrB_Vector parent, uint64_t source, int64_t limit,
               uint64_t *inside);
static int count(checker *c, GrB_Vector parent, uint64_t *inside);
static bool depths(checker *c);
static int generate(checker *c, double *seconds);
static void close_space(checker *c);
static const struct check_device on_cuda = {run, count, depths, generate, close_space};

/* Local; returns an error text, or NULL. */
static const char *make_space(check_space *s, const checker *c) {
  const char *why = NULL;
  Grid_Device_Info d;
  if (Grid_device_info(&d) != GrB_SUCCESS) return Grid_last_error();
  s->gpu = validate_cuda_open(d.number, c->n, s->first, s->share, c->g->directed, &why);
  if (s->gpu == NULL) return why;
  const uint64_t words = validate_cuda_words(s->gpu);
  s->at = validate_cuda_host((s->share + 1) * sizeof *s->at);
  s->value = validate_cuda_host((s->share + 1) * sizeof *s->value);
  s->segment = validate_cuda_host(((words > s->most ? words : s->most) + 1) * sizeof *s->segment);
  return s->at == NULL || s->value == NULL || s->segment == NULL ? "no memory on the host" : NULL;
}

int check_cuda_open(checker *c) {
  c->device = NULL;
  if (Grid_device() != Grid_CUDA) return STATUS_OK;
  c->space = calloc(1, sizeof *c->space);
  int status = fail_on_any(STATUS_INPUT, c->space == NULL ? "no memory for the check of the answer" : NULL);
  if (status != STATUS_OK) return status;
  c->device = &on_cuda;
  GrB_Info info = Grid_local_range(c->n, &c->space->first, &c->space->share);
  c->space->most = c->space->share;
  if (info == GrB_SUCCESS) info = Grid_max(&c->space->most, 1);
  if (info != GrB_SUCCESS) return fail_library("checking the answer");
  const char *why = make_space(c->space, c);
  if (Grid_agree(why == NULL ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, why) != GrB_SUCCESS) {
    fail(STATUS_OK, "the answers are checked on the CPU: %s", Grid_last_error());
    close_space(c);
  }
  return STATUS_OK;
}

static void close_space(checker *c) {
  check_space *s = c->space;
  if (s != NULL) {
    validate_cuda_close(s->gpu);
    validate_cuda_host_free(s->at);
    validate_cuda_host_free(s->value);
    validate_cuda_host_free(s->segment);
  }
  free(s);
  c->space = NULL;
  c->device = NULL;
}

/* ---- between the processes ----------------------------------------------------------------------------- */

/* Every process's chunk of the parents is sent to the others. */
static bool spread_parents(check_space *s, validate_result *r, GrB_Info *info) {
  bool good = true;
  for (int root = 0; *info == GrB_SUCCESS && Grid_size() > 1 && root < Grid_size(); root++) {
    GrB_Index share[2] = {s->first, s->share};
    *info = Grid_bcast(share, sizeof share, root);
    if (root == Grid_rank() && good) good = validate_cuda_get(s->gpu, s->segment, share[0], share[1], r);
    if (*info == GrB_SUCCESS && share[1] > 0)
      *info = Grid_bcast(s->segment, share[1] * sizeof *s->segment, root);
    if (root != Grid_rank() && good && *info == GrB_SUCCESS)
      good = validate_cuda_set(s->gpu, share[0], s->segment, share[1], r);
  }
  return good;
}

static bool merge_marks(check_space *s, validate_result *r, GrB_Info *info) {
  const uint64_t bytes = validate_cuda_words(s->gpu) * sizeof *s->segment;
  bool good = true;
  for (int root = 0; *info == GrB_SUCCESS && Grid_size() > 1 && root < Grid_size(); root++) {
    if (root == Grid_rank() && good) good = validate_cuda_marks(s->gpu, s->segment, r);
    *info = Grid_bcast(s->segment, bytes, root);
    if (root != Grid_rank() && good && *info == GrB_SUCCESS)
      good = validate_cuda_merge_marks(s->gpu, s->segment, r);
  }
  return good;
}

/* ---- the steps ---- */

/* A vector's local entries to s->at and s->value; the library's errors are agreed on. */
static int extract_vector(check_space *s, GrB_Vector v, uint64_t *entries) {
  *entries = s->share;
  const GrB_Info info = Grid_Vector_extractLocal(s->at, s->value, entries, v);
  return Grid_agree(info, NULL) == GrB_SUCCESS ? STATUS_OK : fail_library("taking the answer");
}

/* All parents on every process. */
static int extract_parents(checker *c, GrB_Vector parent, uint64_t source) {
  check_space *s = c->space;
  validate_result r = {0};
  uint64_t entries;
  GrB_Info info = GrB_SUCCESS;

  int status = extract_vector(s, parent, &entries);
  if (status != STATUS_OK) return status;
  if (validate_cuda_clear(s->gpu, &r)) validate_cuda_parents(s->gpu, s->at, s->value, entries, &r);
  status = check_outcome(&r, source);
  if (status != STATUS_OK) return status;
  spread_parents(s, &r, &info);
  return info == GrB_SUCCESS ? check_outcome(&r, source) : fail_library("checking the answer");
}

static int check_levels(checker *c, GrB_Vector level, uint64_t source) {
  check_space *s = c->space;
  validate_result r = {0};
  uint64_t entries;
  const int status = extract_vector(s, level, &entries);
  if (status != STATUS_OK) return status;
  validate_cuda_levels(s->gpu, s->at, (const int32_t *)s->value, entries, &r);
  return check_outcome(&r, source);
}

/* Over this process's tuples. */
static int walk_tuples(checker *c, uint64_t source, uint64_t *inside) {
  const graph *g = c->g;
  validate_result r = {.rule = 0};
  *inside = 0;
  if (g->regenerated) {
    validate_cuda_rmat(c->space->gpu, &g->rmat, g->first_tuple, g->edges.n, inside, &r);
    return check_outcome(&r, source);
  }
  tuples t;
  const int status = tuples_open(&t, g);
  if (status != STATUS_OK) return status;
  while (r.rule == 0 && tuples_next(&t))
    validate_cuda_edges(c->space->gpu, t.rows, t.cols, t.count, inside, &r);
  tuples_close(&t);
  return check_outcome(&r, source);
}

static int run(checker *c, GrB_Vector level, GrB_Vector parent, uint64_t source, int64_t limit,
               uint64_t *inside) {
  check_space *s = c->space;
  validate_result r = {0};
  GrB_Info info = GrB_SUCCESS;

  int status = extract_parents(c, parent, source);
  if (status != STATUS_OK) return status;
  validate_cuda_tree(s->gpu, source, limit, &r);
  status = check_outcome(&r, source);
  if (status == STATUS_OK && level != NULL) status = check_levels(c, level, source);
  if (status == STATUS_OK) status = walk_tuples(c, source, inside);
  if (status != STATUS_OK) return status;
  if (merge_marks(s, &r, &info)) validate_cuda_tree_edges(s->gpu, &r);
  if (info == GrB_SUCCESS) info = Grid_sum(inside, 1);
  return info == GrB_SUCCESS ? check_outcome(&r, source) : fail_library("checking the answer");
}

static int count(checker *c, GrB_Vector parent, uint64_t *inside) {
  int status = extract_parents(c, parent, 0);
  if (status != STATUS_OK) return status;
  validate_cuda_count_only(c->space->gpu);
  status = walk_tuples(c, 0, inside);
  if (status != STATUS_OK) return status;
  return Grid_sum(inside, 1) == GrB_SUCCESS ? STATUS_OK : fail_library("counting the edges");
}

static bool depths(checker *c) {
  validate_result r = {0};
  return validate_cuda_depths(c->space->gpu, c->depth, &r);
}

/* In building, each process generates them all and stores its own. */
static int generate(checker *c, double *seconds) {
  *seconds = validate_cuda_generate(c->space->gpu, &c->g->rmat, 0, c->g->edges.total);
  const int status =
      fail_on_any(STATUS_INPUT, *seconds < 0 ? "generating the graph on the GPU failed" : NULL);
  if (status != STATUS_OK) return status;
  uint64_t ns = (uint64_t)(1e9 * *seconds);
  if (Grid_max(&ns, 1) != GrB_SUCCESS) return fail_library("generating the graph");
  *seconds = 1e-9 * (double)ns;
  return STATUS_OK;
}
