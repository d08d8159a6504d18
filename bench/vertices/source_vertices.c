/* The sources of --source, --sources and --samples as vertices. */
#include "bench/vertices/source_vertices.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bench/vertices/random_vertices.h"

/* Any vertex of the file may be a source here, also one without edges. */
static int find_named_vertices(uint64_t *source, uint64_t *count, const graph *g, const options *o) {
  const char *left = o->sources;
  uint64_t name;
  for (*count = 0; options_next_source(&name, &left); ++*count) {
    const GrB_Info info = Grid_Edges_find(&source[*count], &g->edges, name);
    if (info == GrB_NO_VALUE) return fail(STATUS_INPUT, "%s: there is no vertex %" PRIu64, o->graph, name);
    if (info != GrB_SUCCESS) return fail_library("finding the sources");
  }
  return STATUS_OK;
}

int sources_find(uint64_t **source, uint64_t *count, bool *chosen, const graph *g, const options *o,
                 uint64_t accepts) {
  uint64_t capacity = 1;
  *count = 0;
  *source = NULL;
  *chosen = false;
  if ((accepts & (OPT_SOURCE | OPT_SOURCES)) == 0) return STATUS_OK;
  for (const char *c = o->sources; c != NULL && *c != '\0'; c++) capacity += *c == ',';
  if (o->samples > capacity) capacity = o->samples;
  *source = malloc(capacity * sizeof **source);
  int status = fail_on_any(STATUS_INPUT, *source == NULL ? "no memory for the sources" : NULL);
  if (status != STATUS_OK) return status;
  if (accepts & OPT_SOURCE) {
    *count = 1;
    return graph_source(*source, chosen, g, o);
  }
  if (o->sources != NULL) return find_named_vertices(*source, count, g, o);
  if (o->samples == 0) return STATUS_OK;
  status = draw_vertices(*source, count, g, o->samples, o->seed);
  if (*count == 0) (*source)[(*count)++] = 0; /* no vertex has an edge */
  return status;
}
