/* Grid_read and Grid_write: the table of formats, and detection of a file's format. */
#include "dist/io/formats/formats.h"
#include "dist/object/burble.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static GrB_Info read_text_format(Grid_Edges *e, const grid_file *f, const grid_format_row *row,
                                 grid_sink *sink) {
  return grid_read_text(e, f, row->layout, false, sink);
}

static const grid_format_row rows[] = {
    {{"edges", ".txt .edges .el .csv .tsv",
      "a line has two vertices, whole numbers, and perhaps a weight; '#' comments"},
     NULL,
     false,
     true,
     read_text_format,
     grid_write_edge_list,
     .layout = GRID_FILE_EDGES},
    {{"matrix-market", ".mtx .mm", "Matrix Market: coordinate or array, real, integer or pattern"},
     NULL,
     true,
     true,
     read_text_format,
     grid_write_matrix_market,
     .layout = GRID_FILE_COORDINATE},
    {{"dimacs", ".gr .dimacs .col", "DIMACS: lines \"a FROM TO WEIGHT\" or \"e U V\""},
     NULL,
     false,
     true,
     read_text_format,
     grid_write_dimacs,
     .layout = GRID_FILE_DIMACS},
    {{"metis", ".metis .graph", "METIS: a line of neighbours a vertex; detected by the name"},
     NULL,
     true,
     true,
     read_text_format,
     grid_write_metis,
     .layout = GRID_FILE_METIS},
    {{"graph500", ".g500", "Graph500: two 64-bit vertices an edge; detected by the name"},
     NULL,
     true,
     false,
     grid_read_graph500,
     grid_write_graph500,
     .bytes = 16},
    {{"graph500-packed", ".g500p", "Graph500: packed, 12 bytes an edge; detected by the name"},
     NULL,
     true,
     false,
     grid_read_graph500,
     grid_write_graph500,
     .bytes = 12},
    {{"grb", ".grb", "what GrB_Matrix_serialize gives"},
     grid_is_blob,
     true,
     false,
     grid_read_blob,
     grid_write_blob},
    {{"pages", ".pages", "gridblas: rows in pages, opened without being read"},
     grid_is_pages,
     true,
     false,
     grid_read_pages,
     grid_write_pages},
    {{"npz", ".npz", "scipy's save_npz: csr, csc or coo"},
     grid_is_npz,
     true,
     false,
     grid_read_npz,
     grid_write_npz},
    {{"binsparse", ".bsp.h5 .h5 .hdf5", "Binsparse in HDF5: CSR, CSC or COO"},
     grid_is_hdf5,
     true,
     false,
     grid_read_binsparse,
     grid_write_binsparse},
};
enum { ROWS = (int)(sizeof rows / sizeof *rows) };

const Grid_Format *Grid_format(int k) {
  return k >= 0 && k < ROWS ? &rows[k].what : NULL;
}

/* ---- detection ---- */

static bool has_suffix(const char *path, size_t length, const char *suffix, size_t n) {
  return length > n && memcmp(path + length - n, suffix, n) == 0;
}

/* The compression implied by the name's suffix; *length then excludes the suffix. */
static grid_packing packing_of_name(const char *path, size_t *length) {
  static const struct {
    const char *suffix;
    grid_packing packing;
  } endings[] = {{".gz", GRID_GZIP}, {".zst", GRID_ZSTD}};
  for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
    if (has_suffix(path, *length, endings[k].suffix, strlen(endings[k].suffix))) {
      *length -= strlen(endings[k].suffix);
      return endings[k].packing;
    }
  return GRID_PLAIN;
}

/* The format with the name's suffix, or NULL. */
static const grid_format_row *format_by_suffix(const char *path, size_t length) {
  for (int k = 0; k < ROWS; k++)
    for (const char *s = rows[k].what.endings; *s;) {
      const size_t n = strcspn(s, " ");
      if (has_suffix(path, length, s, n)) return &rows[k];
      s += n + (s[n] == ' ');
    }
  return NULL;
}

typedef struct {
  char text[200];
} format_names;

static format_names list_names(void) {
  format_names f = {""};
  size_t used = 0;
  for (int k = 0; k < ROWS; k++)
    used += (size_t)snprintf(f.text + used, sizeof f.text - used, "%s%s", k ? ", " : "", rows[k].what.name);
  return f;
}

static GrB_Info find_format_by_name(const grid_format_row **row, const char *name, const char *call) {
  for (int k = 0; k < ROWS; k++)
    if (strcmp(rows[k].what.name, name) == 0) return *row = &rows[k], GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: there is no format '%.40s'; there are %s", call, name,
                   list_names().text);
}

/* Detects by the first bytes, else by the name for formats that have no magic or a file that lacks it; NULL:
 * text, whose first line decides. Several files are a page file. */
static const grid_format_row *detect_format(const grid_file *f) {
  size_t length = strlen(f->path), lengths[GRID_STORE_MAX_FILES];
  const char *names[GRID_STORE_MAX_FILES];
  if (grid_store_names(f->path, names, lengths) != 1) return format_by_suffix(f->path, length);
  for (int k = 0; k < ROWS; k++)
    if (rows[k].is && rows[k].is(f->magic)) return &rows[k];
  const grid_packing named = packing_of_name(f->path, &length);
  const grid_format_row *row = format_by_suffix(f->path, length);
  return row && row->by_name && (row->text || !named) ? row : NULL;
}

/* Refuses files whose first bytes are those of other formats. */
static GrB_Info check_text(const grid_file *f) {
  static const struct {
    const char *start, *reason;
  } others[] = {{"BZh", "is compressed by bzip2; only gzip and zstd are read"},
                {"\xfd"
                 "7zXZ",
                 "is compressed by xz; only gzip and zstd are read"},
                {"\xff\xfe", "is text in UTF-16; iconv -f UTF-16 -t UTF-8 converts it"},
                {"\xfe\xff", "is text in UTF-16; iconv -f UTF-16 -t UTF-8 converts it"},
                {"\x93NUMPY", "is an array of NumPy; scipy.sparse.save_npz writes a matrix that is read"},
                {"MATLAB ", "is a file of MATLAB; mmwrite writes a matrix as Matrix Market, which is read"},
                {"PAR1", "is a Parquet file; two columns of numbers as CSV are read"},
                {"*Vertices", "is a file of Pajek; its edges alone, two numbers a line, are read"},
                {"*vertices", "is a file of Pajek; its edges alone, two numbers a line, are read"}};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (memcmp(f->magic, others[k].start, strlen(others[k].start)) == 0)
      return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s", f->path, others[k].reason);
  return GrB_SUCCESS;
}

/* ---- calls ---- */

/* Of a format without lines: the first value on this process that is not a number. */
static GrB_Info check_values(const Grid_Edges *e, const grid_file *f) {
  for (uint64_t k = 0; f->no_nan && e->values && k < e->n; k++)
    if (isnan(e->values[k]))
      return grid_fail(
          NULL, GrB_INVALID_VALUE, "%s: the weight of the edge from %llu to %llu is not a number", f->path,
          (unsigned long long)(e->rows[k] + e->base), (unsigned long long)(e->cols[k] + e->base));
  return GrB_SUCCESS;
}

/* *row = the named format, or NULL. Local. */
static GrB_Info check_input(const grid_format_row **row, const Grid_Edges *e, const char *path,
                            const char *format, const char *call) {
  *row = NULL;
  if (!e || !path)
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, e ? "path" : "e");
  return format ? find_format_by_name(row, format, call) : GrB_SUCCESS;
}

/* Readers of different formats would wait for each other's messages. Processes may see one file under
 * different names, but then the names' suffixes must not matter. */
static GrB_Info agree_on_format(const grid_format_row *row, const char *call) {
  const uint64_t number = row ? (uint64_t)(row - rows) : ROWS;
  return grid_agree_equal(NULL, GrB_SUCCESS, &(grid_argument){"path or format", number}, 1, call);
}

GrB_Info grid_read_as(Grid_Edges *e, const char *path, const char *format, bool no_nan, grid_sink *sink,
                      const char *call) {
  const grid_format_row *row;
  grid_file f;
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (e) memset(e, 0, sizeof *e);
  TRY(grid_agree(NULL, check_input(&row, e, path, format, call)));
  TRY(grid_file_open(&f, path));
  f.no_nan = no_nan;
  if (!row) row = detect_format(&f);
  info = agree_on_format(row, call);
  if (info == GrB_SUCCESS && (!row || row->text)) info = check_text(&f);
  if (info == GrB_SUCCESS)
    info = row ? row->read(e, &f, row, sink) : grid_read_text(e, &f, GRID_FILE_EDGES, true, sink);
  if (info == GrB_SUCCESS && row && !row->text) snprintf(e->kind, sizeof e->kind, "%s", row->what.name);
  if (info == GrB_SUCCESS && no_nan && row && !row->text) info = grid_agree(NULL, check_values(e, &f));
  grid_file_close(&f);
  if (info != GrB_SUCCESS) Grid_Edges_free(e);
done:
  return info;
}

GrB_Info Grid_read_as(Grid_Edges *e, const char *path, const char *format) {
  return GRID_TRACE_CALL("Grid_read", grid_read_as(e, path, format, false, NULL, "Grid_read"), NULL);
}

GrB_Info Grid_read_weights(Grid_Edges *e, const char *path, const char *format) {
  return GRID_TRACE_CALL("Grid_read_weights", grid_read_as(e, path, format, true, NULL, "Grid_read_weights"),
                         NULL);
}

GrB_Info Grid_read(Grid_Edges *e, const char *path) {
  return Grid_read_as(e, path, NULL);
}

/* Checks the arrays, which are each process's own. */
static GrB_Info check_edges(const Grid_Edges *e) {
  if (e->n && (!e->rows || !e->cols || (!e->pattern && !e->values)))
    return grid_fail(NULL, GrB_NULL_POINTER, "Grid_write: e->%s is NULL",
                     !e->rows   ? "rows"
                     : !e->cols ? "cols"
                                : "values");
  for (uint64_t k = 0; k < e->n; k++)
    if (e->rows[k] >= e->nrows || e->cols[k] >= e->ncols)
      return grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS,
                       "Grid_write: edge %llu (%llu, %llu) is outside %llu x %llu", (unsigned long long)k,
                       (unsigned long long)e->rows[k], (unsigned long long)e->cols[k],
                       (unsigned long long)e->nrows, (unsigned long long)e->ncols);
  return GrB_SUCCESS;
}

/* *row = the format to write: to a stream edges, unless the format or the ending names another. Local. */
static GrB_Info check_output(const grid_format_row **row, grid_packing *packing, const Grid_Edges *e,
                             const char *path, const char *format, bool stream, const char *call) {
  GrB_Info info = check_input(row, e, path, format, call);
  if (info != GrB_SUCCESS) return info;
  size_t length = strlen(path);
  *packing = packing_of_name(path, &length);
  if (!*row) *row = format_by_suffix(path, length);
  if (!*row && stream) *row = &rows[0]; /* edges */
  if (!*row)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: no format has this ending; name one (--to, in a program the argument format): %s",
                     path, list_names().text);
  if (*packing && !(*row)->text)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: only text formats are compressed, and %s is binary", path,
                     (*row)->what.name);
  if (*packing == GRID_ZSTD && !grid_packing_supported(*packing))
    return grid_fail(NULL, GrB_NOT_IMPLEMENTED, "%s: the library was built without libzstd", path);
  return check_edges(e);
}

/* All processes write one file. Agreed on with `info`, the outcome of check_output. */
static GrB_Info agree_on_output(GrB_Info info, const grid_format_row *row, const Grid_Edges *e,
                                const char *path, const char *call) {
  static const Grid_Edges none;
  const Grid_Edges *of = e ? e : &none;
  const grid_argument same[] = {
      {"path", grid_text_value(path)}, {"format", row ? (uint64_t)(row - rows) : ROWS},
      {"e->nrows", of->nrows},         {"e->ncols", of->ncols},
      {"e->symmetric", of->symmetric}, {"e->skew", of->skew},
      {"e->pattern", of->pattern}};
  return grid_agree_equal(NULL, info, same, sizeof same / sizeof *same, call);
}

GrB_Info grid_write_as(const Grid_Edges *e, const char *path, const char *format, const char *call) {
  const grid_format_row *row;
  grid_packing packing = GRID_PLAIN;
  grid_output o;
  bool stream = false;
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  TRY(grid_output_is_stream(&stream, path));
  info = check_output(&row, &packing, e, path, format, stream, call);
  TRY(agree_on_output(info, row, e, path, call));
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): success is agreed on only if there is a format */
  stream = row->text && stream;
  TRY(stream ? grid_output_open_stream(&o, path)
             : grid_output_open(&o, path, row->write == grid_write_pages));
  info = grid_output_close(&o, row->write(e, &o, packing, row));
done:
  return info;
}

GrB_Info Grid_write(const Grid_Edges *e, const char *path, const char *format) {
  return GRID_TRACE_CALL("Grid_write", grid_write_as(e, path, format, "Grid_write"), NULL);
}
