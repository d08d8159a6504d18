/* The formats of files, one table: formats.c has the rows, and is the one place that tells which format a
 * file has. The functions of the rows are in the files beside it, those of text in dist/io/text. */
#ifndef GRID_FORMATS_H
#define GRID_FORMATS_H
#include "dist/io/formats/output_file.h"
#include "dist/io/text/read_text.h"

typedef struct grid_format_row grid_format_row;
struct grid_format_row {
  Grid_Format what;
  /* Do a file's first GRID_FILE_MAGIC bytes say that it is one? NULL: a text's first line tells, or nothing
   * but the name's ending does (by_name). */
  bool (*is)(const unsigned char *start);
  bool by_name;
  bool text; /* may be packed */
  /* Both are collective; read leaves *e as it was (empty) if it fails, write has `o` open. A sink (or NULL)
   * takes the tuples as they are read, if the format's function can do that: then it has begun. */
  GrB_Info (*read)(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink);
  GrB_Info (*write)(const Grid_Edges *e, grid_output *o, grid_packing packing, const grid_format_row *row);
  grid_layout layout; /* of text */
  int bytes;          /* format_graph500.c: of an edge */
};

/* read_text.c's part of the table */
GrB_Info grid_read_text_format(Grid_Edges *e, const grid_file *f, const grid_format_row *row,
                               grid_sink *sink);
GrB_Info grid_write_edge_list(const Grid_Edges *e, grid_output *o, grid_packing packing,
                              const grid_format_row *row);
GrB_Info grid_write_matrix_market(const Grid_Edges *e, grid_output *o, grid_packing packing,
                                  const grid_format_row *row);
GrB_Info grid_write_dimacs(const Grid_Edges *e, grid_output *o, grid_packing packing,
                           const grid_format_row *row);
GrB_Info grid_write_metis(const Grid_Edges *e, grid_output *o, grid_packing packing,
                          const grid_format_row *row);

GrB_Info grid_read_graph500(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink);
GrB_Info grid_write_graph500(const Grid_Edges *e, grid_output *o, grid_packing packing,
                             const grid_format_row *row);

bool grid_is_blob(const unsigned char *start);
GrB_Info grid_read_blob(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink);
GrB_Info grid_write_blob(const Grid_Edges *e, grid_output *o, grid_packing packing,
                         const grid_format_row *row);

bool grid_is_pages(const unsigned char *start);
GrB_Info grid_read_pages(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink);
GrB_Info grid_write_pages(const Grid_Edges *e, grid_output *o, grid_packing packing,
                          const grid_format_row *row);

bool grid_is_npz(const unsigned char *start);
GrB_Info grid_read_npz(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink);
GrB_Info grid_write_npz(const Grid_Edges *e, grid_output *o, grid_packing packing,
                        const grid_format_row *row);

bool grid_is_hdf5(const unsigned char *start);
GrB_Info grid_read_binsparse(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink);
GrB_Info grid_write_binsparse(const Grid_Edges *e, grid_output *o, grid_packing packing,
                              const grid_format_row *row);

/* formats.c: reads a file as the format of that name, or what it is (NULL), into e, or a sink. Collective. */
GrB_Info grid_read_as(Grid_Edges *e, const char *path, const char *format, grid_sink *sink, const char *call);
#endif
