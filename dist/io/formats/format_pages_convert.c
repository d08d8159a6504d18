/* Grid_Pages_convert: a page file from a file of another format. A reader that can stream its tuples passes
 * them to the builder; other files are read whole. */
#include "dist/io/formats/format_pages_build.h"
#include "dist/io/formats/formats.h"
#include "dist/object/burble.h"

typedef struct {
  grid_sink sink;
  const char *path;
  bool pattern;
  int flags;
  Grid_Pages_Builder build;
} pages_sink;

static GrB_Info begin_sink(grid_sink *s, const Grid_Edges *e, grid_shape_source shape) {
  pages_sink *p = (pages_sink *)s;
  Grid_Edges from = *e;
  GrB_Info info = shape == GRID_SHAPE_GIVEN ? grid_pages_check_edges(p->path, e, p->flags) : GrB_SUCCESS;
  from.pattern |= p->pattern;
  if (info != GrB_SUCCESS) return info;
  return grid_pages_build_begin(&p->build, p->path, NULL, &from, shape, false, p->flags);
}

static GrB_Info receive_tuples(grid_sink *s, const uint64_t *rows, const uint64_t *cols, const double *values,
                               uint64_t n) {
  return grid_pages_build_append(((pages_sink *)s)->build, rows, cols, values, n);
}

/* Appends edges that were read whole, because their format cannot stream tuples. */
static GrB_Info append_edges(pages_sink *p, const Grid_Edges *e) {
  GrB_Info info = begin_sink(&p->sink, e, GRID_SHAPE_GIVEN);
  if (info == GrB_SUCCESS) info = grid_pages_build_append(p->build, e->rows, e->cols, e->values, e->n);
  return p->build ? info : grid_agree(NULL, info);
}

static GrB_Info convert_file(const char *path, const char *from, const char *format, bool pattern, int flags,
                             Grid_Edges *e, Grid_Pages_Build_Stats *how) {
  static const char call[] = "Grid_Pages_convert";
  pages_sink p = {{begin_sink, receive_tuples, 0, false}, path, pattern, flags, NULL};
  GrB_Info info = grid_pages_free_bytes(&p.sink.bytes);
  p.sink.bytes /= 4;
  if (info == GrB_SUCCESS) info = grid_read_as(e, from, format, false, &p.sink, call);
  uint64_t exceeds = p.build && grid_pages_build_exceeds_32_bits(p.build);
  if (p.sink.begun && grid_ctx.P > 1) {
    const GrB_Info known = grid_ctx.transport->allreduce(GRID_SET_ALL, &exceeds, 1, GRID_MAX);
    if (known != GrB_SUCCESS) info = known;
  }
  if (exceeds && p.build) { /* such names are numbered over all processes, with all edges in memory
                             * (number_vertices.h) */
    grid_pages_build_cancel(p.build);
    p.build = NULL;
    p.sink.begun = false;
    info = grid_read_as(e, from, format, false, NULL, call);
  }
  if (info == GrB_SUCCESS && !p.sink.begun) info = append_edges(&p, e);
  return p.build ? grid_pages_build_end(p.build, info, how) : info;
}

GrB_Info Grid_Pages_convert(const char *path, const char *from, const char *format, bool pattern, int flags,
                            Grid_Edges *read, Grid_Pages_Build_Stats *how) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Pages_convert";
  Grid_Edges e = {0};
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (read) *read = e;
  if (!path || !from)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, path ? "from" : "path");
  if (info == GrB_SUCCESS) info = grid_pages_check_flags(flags, call);
  const grid_argument same[] = {
      {"path", grid_text_value(path)}, {"pattern", pattern}, {"flags", (uint64_t)flags}};
  info = grid_agree_equal(NULL, info, same, sizeof same / sizeof *same, call);
  if (info != GrB_SUCCESS) return info;
  info = GRID_TRACE_CALL(call, convert_file(path, from, format, pattern, flags, &e, how), NULL);
  grid_free(e.rows);
  grid_free(e.cols);
  grid_free(e.values);
  grid_free(e.ids);
  e.rows = e.cols = e.ids = NULL;
  e.values = NULL;
  e.n = 0;
  if (read && info == GrB_SUCCESS) *read = e;
  return info;
}
