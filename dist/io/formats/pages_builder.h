/* The state of building a page file from tuples, and its last step. */
#ifndef GRID_PAGES_BUILDER_H
#define GRID_PAGES_BUILDER_H
#include "dist/io/formats/degree_numbering.h"
#include "dist/io/formats/format_pages_build.h"
#include "dist/io/formats/nonempty_lists.h"
#include "dist/outofcore/sort/sort_runs.h"

struct Grid_Pages_Builder_opaque {
  char *path;
  grid_output *out, owned; /* output file: the caller's, or `owned` */
  grid_run_writer run_writer;
  uint64_t nrows, ncols, bytes, tuples;
  int shift;
  grid_join dup; /* what joins the values of duplicates */
  bool values, mirror, skew, no_loops, symmetric;
  bool is_shape_given, by_names, by_numbers; /* grid_shape_source */
  bool exceeds_32_bits;
  GrB_Info failed; /* outcome of a failed Grid_Pages_append: the file cannot be completed */
  char error_text[240];
  uint64_t largest;
  grid_id_set id_set;
  /* renumbered tuples: buffered until all have arrived, then a batch of them */
  bool is_renumbered;
  grid_tuple_buffer tuple_buffer;
  uint64_t *rows, *cols;
  /* dimensions beyond 32 bits, or few tuples: the pages number the non-empty rows and columns alone */
  bool is_hypersparse;
  bool may_be_few; /* ... as long as the tuples are few; until then they are buffered */
  uint64_t buffered;
  grid_nonempty_lists nonempty;
  uint64_t loops; /* buffered tuples on the diagonal */
  /* degree ordering: the order; the original vertex names, this process's share (the caller's), or NULL:
   * numbers from `base` on */
  bool by_degree;
  bool has_edges; /* all come from one Grid_Edges, with its vertices' names */
  grid_by_degree order;
  uint64_t *names; /* by Grid_Pages_set_names */
  const uint64_t *ids;
  uint64_t ids_count, base;
};

/* pages_builder_write.c: merges the runs of all processes and writes rows and names; the tuples have their
 * last numbers. Collective, agreed on. */
GrB_Info grid_pages_builder_write(Grid_Pages_Builder b, Grid_Pages_Build_Stats *how);
#endif
