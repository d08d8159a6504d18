/* Generated graphs: rmat:SCALE[:EDGEFACTOR[:SEED]], the same with rmat-plain, path:N and mesh:ROWSxCOLUMNS.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/program/tuples.h"

int graph_name_numbers(uint64_t v[3], const char *text, const char *marks) {
  int k = 0;
  for (; k < 3 && *text != '\0'; k++) {
    char *end;
    if (*text != marks[k] || text[1] < '0' || text[1] > '9') return -1;
    v[k] = strtoull(text + 1, &end, 10);
    text = end;
  }
  return *text == '\0' ? k : -1;
}

/* With the device on (or in_segments) the tuples of a pattern are not stored: Grid_Matrix_rmat generates them
 * while sorting, and later users generate them again. */
static int generate_rmat(graph *g, const char *name) {
  uint64_t v[3] = {0, 16, 1}, share;
  if (graph_name_numbers(v, name + strlen("rmat"), ":::") < 1 || v[0] < 1 || v[0] > 58)
    return fail(STATUS_INPUT,
                "%s: a generated graph is rmat:SCALE[:EDGEFACTOR[:SEED]] with SCALE from 1 to 58", name);
  g->seed = v[2];
  g->regenerated = g->in_segments || (Grid_device() == Grid_CUDA && !g->weighted);
  if (!g->regenerated) {
    if (Grid_rmat(&g->edges, (int)v[0], v[1], v[2]) != GrB_SUCCESS) return fail_library(name);
    share_of_tuples(&g->first_tuple, &share, g->edges.total);
    return STATUS_OK;
  }
  if (v[1] == 0 || v[1] > (UINT64_C(1) << 60) >> v[0])
    return fail(STATUS_INPUT, "%s: the edge factor is not in 1..%" PRIu64, name, (UINT64_C(1) << 60) >> v[0]);
  g->edgefactor = v[1];
  Grid_Rmat_init(&g->rmat, (int)v[0], v[2]);
  g->edges = (Grid_Edges){.nrows = UINT64_C(1) << v[0], .ncols = UINT64_C(1) << v[0], .total = v[1] << v[0]};
  g->edges.pattern = true;
  strcpy(g->edges.kind, "R-MAT");
  share_of_tuples(&g->first_tuple, &g->edges.n, g->edges.total);
  return STATUS_OK;
}

/* The same graph with unscrambled vertices: those of high degree come first. */
static int generate_plain(graph *g, const char *name) {
  uint64_t v[3] = {0, 16, 1}, first;
  Grid_Edges *e = &g->edges;
  Grid_Rmat rmat;
  if (graph_name_numbers(v, name + strlen("rmat-plain"), ":::") < 1 || v[0] < 1 || v[0] > 40 || v[1] < 1 ||
      v[1] > 1 << 16)
    return fail(STATUS_INPUT,
                "%s: a generated graph is rmat-plain:SCALE[:EDGEFACTOR[:SEED]] with SCALE from 1 to 40 and "
                "EDGEFACTOR from 1 to 65536",
                name);
  g->seed = v[2];
  Grid_Rmat_init(&rmat, (int)v[0], v[2]);
  *e = (Grid_Edges){.nrows = UINT64_C(1) << v[0], .ncols = UINT64_C(1) << v[0], .total = v[1] << v[0]};
  e->pattern = true;
  strcpy(e->kind, "R-MAT, plain");
  share_of_tuples(&first, &e->n, e->total);
  g->first_tuple = first;
  g->own_arrays = true;
  e->rows = malloc((e->n + 1) * sizeof *e->rows);
  e->cols = malloc((e->n + 1) * sizeof *e->cols);
  const bool allocated = e->rows != NULL && e->cols != NULL;
  for (uint64_t k = 0; allocated && k < e->n; k++)
    Grid_Rmat_quadrants(&rmat, first + k, &e->rows[k], &e->cols[k]);
  return fail_on_any(STATUS_INPUT, allocated ? NULL : "no memory for the graph");
}

/* Edge number k of a mesh: first those along the rows, then those along the columns. */
static void mesh_edge(uint64_t *from, uint64_t *to, uint64_t k, uint64_t rows, uint64_t cols) {
  const uint64_t along = rows * (cols - 1);
  if (k < along) {
    *from = k / (cols - 1) * cols + k % (cols - 1);
    *to = *from + 1;
  } else {
    *from = k - along;
    *to = *from + cols;
  }
}

/* A path is a mesh of one row. */
static int generate_mesh(graph *g, const char *kind, uint64_t rows, uint64_t cols) {
  Grid_Edges *e = &g->edges;
  uint64_t first;
  *e = (Grid_Edges){.nrows = rows * cols, .ncols = rows * cols, .pattern = true};
  e->total = rows * (cols - 1) + (rows - 1) * cols;
  strcpy(e->kind, kind);
  share_of_tuples(&first, &e->n, e->total);
  g->own_arrays = true;
  e->rows = malloc((e->n + 1) * sizeof *e->rows);
  e->cols = malloc((e->n + 1) * sizeof *e->cols);
  const bool allocated = e->rows != NULL && e->cols != NULL;
  for (uint64_t k = 0; allocated && k < e->n; k++) mesh_edge(&e->rows[k], &e->cols[k], first + k, rows, cols);
  return fail_on_any(STATUS_INPUT, allocated ? NULL : "no memory for the graph");
}

static int generate_shape(graph *g, const char *name, bool path) {
  uint64_t v[3] = {1, 1, 1};
  const int given = graph_name_numbers(v, name + 4, path ? ":  " : ":x ");
  const uint64_t rows = path ? 1 : v[0], cols = path ? v[0] : v[1], most = UINT64_C(1) << 40;
  if (given != (path ? 1 : 2) || rows == 0 || cols == 0 || rows > most / cols)
    return fail(STATUS_INPUT,
                "%s: a generated graph is path:N or mesh:ROWSxCOLUMNS with at most 2^40 vertices", name);
  return generate_mesh(g, path ? "path" : "mesh", rows, cols);
}

static int generate_path(graph *g, const char *name) {
  return generate_shape(g, name, true);
}
static int generate_mesh_of(graph *g, const char *name) {
  return generate_shape(g, name, false);
}

static const struct {
  const char *begin;
  int (*make)(graph *g, const char *name);
} kinds[] = {{"rmat:", generate_rmat},
             {"rmat-plain:", generate_plain},
             {"path:", generate_path},
             {"mesh:", generate_mesh_of}};

int graph_generate(graph *g, const options *o, bool *known) {
  size_t k = 0;
  const size_t n = sizeof kinds / sizeof kinds[0];
  while (k < n && strncmp(o->graph, kinds[k].begin, strlen(kinds[k].begin)) != 0) k++;
  *known = k < n;
  if (!*known) return STATUS_OK;
  if (o->from != NULL)
    return fail(STATUS_INPUT, "--from %s says how a file is read, and %s is generated", o->from, o->graph);
  return kinds[k].make(g, o->graph);
}

void graph_drop_tuples(graph *g) {
  if (g->own_arrays) {
    free(g->edges.rows);
    free(g->edges.cols);
    g->edges.rows = g->edges.cols = NULL;
  }
  Grid_Edges_free(&g->edges);
}
