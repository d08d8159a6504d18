/* The table of file formats. formats.c has the rows and detects a file's format; the rows' functions are
 * in this folder, the text readers in dist/io/text. */
#ifndef GRID_FORMATS_H
#define GRID_FORMATS_H
#include "dist/io/formats/output_file.h"
#include "dist/io/text/read_text.h"

typedef struct grid_format_row grid_format_row;
struct grid_format_row {
  Grid_Format what;
  /* Do a file's first GRID_FILE_MAGIC bytes identify the format? NULL: a text's first line decides, or
   * only the name's suffix does. */
  bool (*is)(const unsigned char *start);
  bool by_name; /* of a file that no format's first bytes identify the suffix does */
  bool text;    /* may be compressed */
  /* Both are collective; read leaves *e empty if it fails; write gets `o` open. A sink (or NULL) receives
   * tuples as they are read, if the reader supports that: it then sets sink->begun. */
  GrB_Info (*read)(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink);
  GrB_Info (*write)(const Grid_Edges *e, grid_output *o, grid_packing packing, const grid_format_row *row);
  grid_layout layout; /* of a text format */
  int bytes;          /* format_graph500.c: bytes of an edge */
};

/* text formats */
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

/* Reads a file into e or a sink, as the named format or, for NULL, the detected one (formats.c).
 * no_nan: a value that is not a number is an error. Collective. */
GrB_Info grid_read_as(Grid_Edges *e, const char *path, const char *format, bool no_nan, grid_sink *sink,
                      const char *call);
/* Writes e as Grid_write does, for the public call `call`. Collective. */
GrB_Info grid_write_as(const Grid_Edges *e, const char *path, const char *format, const char *call);
#endif
