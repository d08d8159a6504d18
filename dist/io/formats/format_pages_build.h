/* The steps of building a page file from tuples, for format_pages_convert.c and the table of formats. */
#ifndef GRID_FORMAT_PAGES_BUILD_H
#define GRID_FORMAT_PAGES_BUILD_H
#include "dist/io/formats/output_file.h"
#include "dist/io/input/tuple_sink.h"
#include "gridblas.h"

/* pages_builder_write.c: bytes that the tuples of a build may take, the same on all processes. Collective. */
GrB_Info grid_pages_free_bytes(uint64_t *bytes);
/* GrB_INVALID_VALUE if there are others than Grid_MIRROR, Grid_NO_LOOPS and Grid_BY_DEGREE. */
GrB_Info grid_pages_check_flags(int flags, const char *call);
/* Are the dimensions those of a page file, and square if the edges are symmetric or `flags` mirror them? */
GrB_Info grid_pages_check_edges(const char *path, const Grid_Edges *e, int flags);

/* *made = a builder for the file `path`, which is created unless `out` is given; the caller ends or cancels
 * it. from: properties of the tuples that are known; its dimensions, if the shape is given by them. named:
 * the caller sets names of the vertices; otherwise, if few of the given rows have tuples, the pages number
 * the non-empty rows and columns alone, as where 32 bits do not number all. Collective, agreed on. */
GrB_Info grid_pages_build_begin(Grid_Pages_Builder *made, const char *path, grid_output *out,
                                const Grid_Edges *from, grid_shape_source shape, bool named, int flags);
/* Local. */
GrB_Info grid_pages_build_append(Grid_Pages_Builder b, const uint64_t *rows, const uint64_t *cols,
                                 const double *values, uint64_t n);
/* Has this process met a name that 32 bits do not hold, in a build whose dimensions follow from the names? */
bool grid_pages_build_exceeds_32_bits(const Grid_Pages_Builder b);
/* Writes the file, unless `outcome` is a failure, and frees b. Collective, agreed on. */
GrB_Info grid_pages_build_end(Grid_Pages_Builder b, GrB_Info outcome, Grid_Pages_Build_Stats *how);
/* Removes the file and frees b. Collective. */
void grid_pages_build_cancel(Grid_Pages_Builder b);
#endif
