/* Generated graphs: rmat:SCALE[:EDGEFACTOR[:SEED]], the same with rmat-plain and web, path:N and
 * mesh:ROWSxCOLUMNS.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/program/graph/generate_web.h"
#include "bench/program/graph/tuples.h"

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
  g->regenerated = !g->renumbered && (g->in_segments || (Grid_device() == Grid_CUDA && !g->weighted));
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

/* Edge number k of a graph `what`. */
typedef void edge_function(uint64_t *from, uint64_t *to, uint64_t k, const void *what);

/* This process's share of `total` edges between n vertices. */
static int generate_edges(graph *g, const char *kind, uint64_t n, uint64_t total, edge_function *edge,
                          const void *what) {
  Grid_Edges *e = &g->edges;
  uint64_t first;
  *e = (Grid_Edges){.nrows = n, .ncols = n, .total = total, .pattern = true};
  strcpy(e->kind, kind);
  share_of_tuples(&first, &e->n, total);
  g->first_tuple = first;
  g->owns_arrays = true;
  e->rows = malloc((e->n + 1) * sizeof *e->rows);
  e->cols = malloc((e->n + 1) * sizeof *e->cols);
  const bool allocated = e->rows != NULL && e->cols != NULL;
  for (uint64_t k = 0; allocated && k < e->n; k++) edge(&e->rows[k], &e->cols[k], first + k, what);
  return fail_on_any(STATUS_INPUT, allocated ? NULL : "no memory for the graph");
}

/* KIND:SCALE[:EDGEFACTOR[:SEED]] of the graphs that are stored. */
static int read_scale(uint64_t v[3], const char *name, const char *kind) {
  if (graph_name_numbers(v, name + strlen(kind), ":::") >= 1 && v[0] >= 1 && v[0] <= 40 && v[1] >= 1 &&
      v[1] <= 1 << 16)
    return STATUS_OK;
  return fail(STATUS_INPUT,
              "%s: a generated graph is %s:SCALE[:EDGEFACTOR[:SEED]] with SCALE from 1 to 40 and EDGEFACTOR "
              "from 1 to 65536",
              name, kind);
}

static void plain_edge(uint64_t *from, uint64_t *to, uint64_t k, const void *rmat) {
  Grid_Rmat_quadrants(rmat, k, from, to);
}

/* R-MAT with unscrambled vertices: those of high degree come first. */
static int generate_plain(graph *g, const char *name) {
  uint64_t v[3] = {0, 16, 1};
  Grid_Rmat rmat;
  const int status = read_scale(v, name, "rmat-plain");
  if (status != STATUS_OK) return status;
  g->seed = v[2];
  Grid_Rmat_init(&rmat, (int)v[0], v[2]);
  return generate_edges(g, "R-MAT, plain", UINT64_C(1) << v[0], v[1] << v[0], plain_edge, &rmat);
}

static void link_of_web(uint64_t *from, uint64_t *to, uint64_t k, const void *w) {
  web_link(from, to, k, w);
}

static int generate_web(graph *g, const char *name) {
  uint64_t v[3] = {0, 16, 1};
  const int status = read_scale(v, name, "web");
  if (status != STATUS_OK) return status;
  g->seed = v[2];
  const web w = {.pages = UINT64_C(1) << v[0], .links_per_page = v[1], .seed = v[2]};
  return generate_edges(g, "web", w.pages, v[1] << v[0], link_of_web, &w);
}

typedef struct {
  uint64_t rows, cols;
} mesh;

/* First the edges along the rows, then those along the columns. */
static void mesh_edge(uint64_t *from, uint64_t *to, uint64_t k, const void *what) {
  const mesh *m = what;
  const uint64_t along = m->rows * (m->cols - 1);
  if (k < along) {
    *from = k / (m->cols - 1) * m->cols + k % (m->cols - 1);
    *to = *from + 1;
  } else {
    *from = k - along;
    *to = *from + m->cols;
  }
}

/* A path is a mesh of one row. */
static int generate_shape(graph *g, const char *name, bool path) {
  uint64_t v[3] = {1, 1, 1};
  const int given = graph_name_numbers(v, name + 4, path ? ":  " : ":x ");
  const uint64_t rows = path ? 1 : v[0], cols = path ? v[0] : v[1], most = UINT64_C(1) << 40;
  if (given != (path ? 1 : 2) || rows == 0 || cols == 0 || rows > most / cols)
    return fail(STATUS_INPUT,
                "%s: a generated graph is path:N or mesh:ROWSxCOLUMNS with at most 2^40 vertices", name);
  const mesh m = {rows, cols};
  return generate_edges(g, path ? "path" : "mesh", rows * cols, rows * (cols - 1) + (rows - 1) * cols,
                        mesh_edge, &m);
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
             {"web:", generate_web},
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

void graph_drop_arrays(graph *g) {
  Grid_Edges arrays = {.rows = g->edges.rows, .cols = g->edges.cols, .values = g->edges.values};
  if (g->owns_arrays) {
    free(arrays.rows);
    free(arrays.cols);
    arrays.rows = arrays.cols = NULL;
  }
  Grid_Edges_free(&arrays);
  g->edges.rows = g->edges.cols = NULL;
  g->edges.values = NULL;
}

void graph_drop_tuples(graph *g) {
  graph_drop_arrays(g);
  if (g->owns_ids) {
    free(g->edges.ids);
    g->edges.ids = NULL;
  }
  Grid_Edges_free(&g->edges);
}
