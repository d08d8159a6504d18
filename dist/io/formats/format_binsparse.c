/* Binsparse in HDF5 (graphblas.org/binsparse-specification): datasets "pointers_to_1", "indices_1",
 * "values" (CSR, CSC) or "indices_0", "indices_1", "values" (COO), described by JSON in the attribute
 * "binsparse". Each process reads its share through HDF5, and writes its share at the file offset where
 * process 0 has allocated the dataset, so no HDF5 call waits for another process. The attribute "crc32" of
 * a dataset, if present, is the CRC-32 of its stored bytes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dist/io/formats/sparse_arrays.h"
#include "dist/io/formats/crc32.h"
#include "dist/io/formats/formats.h"
#include "dist/io/formats/edge_matrix.h"
#include "dist/io/input/decompress.h"
#include "dist/grid/layout.h"
#include "semiring/support/mem.h"

bool grid_is_hdf5(const unsigned char *start) {
  return memcmp(start, "\x89HDF\r\n\x1a\n", 8) == 0;
}

#ifndef GRIDBLAS_HDF5
GrB_Info grid_read_binsparse(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink) {
  (void)sink;
  (void)e, (void)row;
  return grid_fail(NULL, GrB_NOT_IMPLEMENTED, "%s: is an HDF5 file, and the library was built without HDF5",
                   f->path);
}
GrB_Info grid_write_binsparse(const Grid_Edges *e, grid_output *o, grid_packing packing,
                              const grid_format_row *row) {
  (void)e, (void)packing, (void)row;
  return grid_fail(NULL, GrB_NOT_IMPLEMENTED, "%s: the library was built without HDF5", o->path);
}
#else
#include <hdf5.h>
#include <jansson.h>

enum { ATTRIBUTE_MAX = 1 << 20, SCRATCH = 1 << 17 };
static const char checksum_name[] = "crc32";

typedef struct {
  const char *path;
  uint64_t size; /* bytes of the file */
  hid_t file;
  hid_t set[GRID_ARRAYS];
  hid_t type[GRID_ARRAYS];
} container;

static GrB_Info fail_format(const container *c, const char *expected) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: expected %s", c->path, expected);
}

static void close_all(container *c) {
  for (int k = 0; k < GRID_ARRAYS; k++) {
    if (c->type[k] >= 0) H5Tclose(c->type[k]);
    if (c->set[k] >= 0) H5Dclose(c->set[k]);
  }
  if (c->file >= 0) H5Fclose(c->file);
}

/* ---- reading ---- */

/* Reads n elements from `first` on, converted by HDF5 to type `as`. */
static GrB_Info read_elements(const container *c, int array, uint64_t first, uint64_t n, hid_t as, void *to,
                              const char *name) {
  const hsize_t start = first, count = n;
  if (n == 0) return GrB_SUCCESS;
  const hid_t file_space = H5Dget_space(c->set[array]), memory_space = H5Screate_simple(1, &count, NULL);
  const bool done = file_space >= 0 && memory_space >= 0 &&
                    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                    H5Dread(c->set[array], as, memory_space, file_space, H5P_DEFAULT, to) >= 0;
  if (memory_space >= 0) H5Sclose(memory_space);
  if (file_space >= 0) H5Sclose(file_space);
  if (done) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s[%llu]: HDF5 cannot read %llu elements (is it truncated?)",
                   c->path, name, (unsigned long long)first, (unsigned long long)n);
}

static const char *const set_names[2][GRID_ARRAYS] = {{"indices_0", "indices_1", "values"},
                                                      {"pointers_to_1", "indices_1", "values"}};

/* HDF5 clamps numbers that do not fit: as signed 64-bit numbers, negative ones stay negative and huge ones
 * exceed any dimension, so both are detected. */
static GrB_Info read_indices(void *context, int array, uint64_t first, uint64_t n, uint64_t *to) {
  return read_elements(context, array, first, n, H5T_NATIVE_INT64, to,
                       array == GRID_ARRAY_FIRST ? "the first array" : "indices_1");
}

static GrB_Info read_values_set(void *context, uint64_t first, uint64_t n, double *to) {
  const container *c = context;
  GrB_Info info = read_elements(c, GRID_ARRAY_VALUES, first, n, H5T_NATIVE_DOUBLE, to, "values");
  if (info != GrB_SUCCESS || H5Tget_class(c->type[GRID_ARRAY_VALUES]) == H5T_FLOAT) return info;
  for (uint64_t k = 0; k < n; k++)
    if (fabs(to[k]) > 9007199254740992.0) /* 2^53 */
      return grid_fail(NULL, GrB_INVALID_VALUE, "%s: values[%llu]: is more than a double holds exactly",
                       c->path, (unsigned long long)(first + k));
  return info;
}

/* An attribute of several elements would be read beyond the memory of one. */
static bool is_single(hid_t attribute) {
  const hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
  const bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  if (space >= 0) H5Sclose(space);
  return single;
}

/* Reads the attribute "binsparse", a string of fixed or variable length. */
static GrB_Info read_attribute(char **text, const container *c) {
  const hid_t a = H5Aopen(c->file, "binsparse", H5P_DEFAULT);
  if (a < 0) return fail_format(c, "an attribute binsparse (other HDF5 files are not supported)");
  const hid_t type = H5Aget_type(a);
  const bool is_text = type >= 0 && H5Tget_class(type) == H5T_STRING && is_single(a),
             any = is_text && H5Tis_variable_str(type) > 0;
  const size_t n = is_text && !any ? H5Tget_size(type) : 0;
  char *h5_text = NULL;
  bool got = is_text && (any || n < ATTRIBUTE_MAX);
  if (got && any) got = H5Aread(a, type, &h5_text) >= 0 && h5_text && strlen(h5_text) < ATTRIBUTE_MAX;
  const size_t capacity = h5_text ? strlen(h5_text) + 1 : n + 1;
  if (got) *text = grid_calloc(capacity, 1);
  const bool memory = !got || *text;
  if (got && memory && any) strcpy(*text, h5_text);
  if (got && memory && !any) got = H5Aread(a, type, *text) >= 0;
  if (h5_text) H5free_memory(h5_text);
  if (type >= 0) H5Tclose(type);
  H5Aclose(a);
  if (!memory) return grid_fail_memory(NULL, "the attribute binsparse", capacity, 1);
  if (got) return GrB_SUCCESS;
  grid_free(*text);
  return fail_format(c, "text in the attribute binsparse");
}

static GrB_Info parse_description(const container *c, grid_arrays *s, json_t *d) {
  static const struct {
    const char *name;
    grid_arrays_order order;
  } orders[] = {{"CSR", GRID_BY_ROW},
                {"CSC", GRID_BY_COLUMN},
                {"COO", GRID_BY_ENTRY},
                {"COOR", GRID_BY_ENTRY},
                {"COOC", GRID_BY_ENTRY}};
  const char *format = json_string_value(json_object_get(d, "format")),
             *values = json_string_value(json_object_get(json_object_get(d, "data_types"), "values"));
  json_t *structure = json_object_get(d, "structure"), *shape = json_object_get(d, "shape"),
         *nvals = json_object_get(d, "number_of_stored_values");
  if (json_array_size(shape) != 2 || !json_is_integer(json_array_get(shape, 0)) ||
      !json_is_integer(json_array_get(shape, 1)) || !json_is_integer(nvals))
    return fail_format(c, "a shape of two numbers and a number_of_stored_values in the attribute binsparse");
  s->nrows = (uint64_t)json_integer_value(json_array_get(shape, 0));
  s->ncols = (uint64_t)json_integer_value(json_array_get(shape, 1));
  s->nvals = (uint64_t)json_integer_value(nvals);
  if (!values || strstr(values, "complex"))
    return fail_format(c, "real values (complex ones are not supported)");
  s->iso = strncmp(values, "iso[", 4) == 0;
  s->truth = strstr(values, "bint8") != NULL;
  if (structure) {
    const char *name = json_string_value(structure);
    s->symmetric = name && strncmp(name, "symmetric_", 10) == 0;
    s->skew = name && strncmp(name, "skew_symmetric_", 15) == 0;
    if (!s->symmetric && !s->skew)
      return fail_format(c, "a structure that is symmetric or skew-symmetric, or none");
  }
  for (size_t k = 0; format && k < sizeof orders / sizeof *orders; k++)
    if (strcmp(format, orders[k].name) == 0) return s->order = orders[k].order, GrB_SUCCESS;
  return fail_format(c, "one of CSR, CSC, COO, COOR and COOC as the format");
}

static GrB_Info read_description(const container *c, grid_arrays *s) {
  char *text = NULL;
  GrB_Info info = read_attribute(&text, c);
  if (info != GrB_SUCCESS) return info;
  json_t *whole = json_loads(text, 0, NULL);
  info = whole ? GrB_SUCCESS : fail_format(c, "JSON in the attribute binsparse");
  if (info == GrB_SUCCESS) {
    json_t *inner = json_object_get(whole, "binsparse");
    info = parse_description(c, s, inner ? inner : whole);
  }
  if (whole) json_decref(whole);
  grid_free(text);
  return info;
}

/* HDF5 does not check that a contiguous dataset lies within the file, and reads beyond its memory if not. */
static bool has_all_bytes(const container *c, int k, uint64_t n) {
  const uint64_t size = H5Tget_size(c->type[k]);
  const hid_t how = H5Dget_create_plist(c->set[k]);
  const H5D_layout_t layout = how >= 0 ? H5Pget_layout(how) : H5D_LAYOUT_ERROR;
  const haddr_t file_offset = H5Dget_offset(c->set[k]);
  if (how >= 0) H5Pclose(how);
  if (size == 0 || size > 8 || layout == H5D_LAYOUT_ERROR || layout == H5D_COMPACT) return false;
  if (layout != H5D_CONTIGUOUS || n == 0) return true;
  return n <= c->size / size && H5Dget_storage_size(c->set[k]) == n * size && file_offset != HADDR_UNDEF &&
         file_offset <= c->size - n * size;
}

/* A dataset in chunks may be compressed, or have chunks that were never written and read as zeros. HDF5 holds
 * a chunk in memory: neither it nor the dataset may be longer than the stored bytes justify. */
static GrB_Info check_expansion(const container *c, int k, uint64_t n, const char *name) {
  const uint64_t size = H5Tget_size(c->type[k]), stored = H5Dget_storage_size(c->set[k]),
                 packed = stored < c->size ? stored : c->size, limit = grid_unpack_limit(packed);
  const hid_t how = H5Dget_create_plist(c->set[k]);
  hsize_t chunk = 0;
  if (how >= 0 && H5Pget_layout(how) == H5D_CHUNKED) H5Pget_chunk(how, 1, &chunk);
  if (how >= 0) H5Pclose(how);
  if (chunk <= limit / size && n <= limit / size) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: %s", c->path, name, grid_unpack_refusal(packed).text);
}

static uint64_t elements_of(const grid_arrays *s, int k) {
  if (k == GRID_ARRAY_FIRST && s->order != GRID_BY_ENTRY)
    return (s->order == GRID_BY_ROW ? s->nrows : s->ncols) + 1;
  return k == GRID_ARRAY_VALUES && s->iso ? 1 : s->nvals;
}

static GrB_Info open_sets(container *c, grid_arrays *s) {
  for (int k = 0; k < GRID_ARRAYS; k++) {
    const uint64_t n = elements_of(s, k);
    hsize_t length = 0;
    s->names[k] = set_names[s->order != GRID_BY_ENTRY][k];
    c->set[k] = H5Dopen2(c->file, s->names[k], H5P_DEFAULT);
    if (c->set[k] < 0)
      return grid_fail(NULL, GrB_INVALID_VALUE, "%s: expected a dataset %s", c->path, s->names[k]);
    c->type[k] = H5Dget_type(c->set[k]);
    const H5T_class_t class = c->type[k] >= 0 ? H5Tget_class(c->type[k]) : H5T_NO_CLASS;
    if (class != H5T_INTEGER && (k != GRID_ARRAY_VALUES || (class != H5T_FLOAT && class != H5T_ENUM)))
      return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: expected %s", c->path, s->names[k],
                       k == GRID_ARRAY_VALUES ? "numbers" : "whole numbers");
    if (!has_all_bytes(c, k, n))
      return grid_fail(NULL, GrB_INVALID_VALUE,
                       "%s: %s: expected %llu elements of 8 bytes at most in the file", c->path, s->names[k],
                       (unsigned long long)n);
    const hid_t space = H5Dget_space(c->set[k]);
    const bool flat = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                      H5Sget_simple_extent_dims(space, &length, NULL) == 1;
    if (space >= 0) H5Sclose(space);
    if (!flat || length != n)
      return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: expected %llu elements, found %llu", c->path,
                       s->names[k], (unsigned long long)n, (unsigned long long)length);
    const GrB_Info info = check_expansion(c, k, n, s->names[k]);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

static GrB_Info open_container(container *c, grid_arrays *s, uint64_t size) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* suppresses HDF5's error output */
  *c = (container){.path = s->path, .size = size, .set = {-1, -1, -1}, .type = {-1, -1, -1}};
  c->file = H5Fopen(s->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (c->file < 0) return fail_format(c, "an HDF5 file (is it truncated?)");
  GrB_Info info = read_description(c, s);
  return info == GrB_SUCCESS ? open_sets(c, s) : info;
}

/* *has: the dataset has a checksum, *sum. */
static GrB_Info read_checksum(const container *c, int k, const char *name, bool *has, uint32_t *sum) {
  const htri_t file_space = H5Aexists(c->set[k], checksum_name);
  *has = file_space > 0;
  if (file_space == 0) return GrB_SUCCESS;
  const hid_t a = H5Aopen(c->set[k], checksum_name, H5P_DEFAULT);
  const bool read = is_single(a) && H5Aread(a, H5T_NATIVE_UINT32, sum) >= 0;
  if (a >= 0) H5Aclose(a);
  if (read) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: expected a number in the attribute %s", c->path, name,
                   checksum_name);
}

/* CRC of this process's share of n elements, as stored. */
static GrB_Info sum_share(const container *c, int k, uint64_t n, const char *name, uint32_t *sum,
                          uint64_t *bytes) {
  const uint64_t first = grid_even_first(n, grid_ctx.k), end = grid_even_first(n, grid_ctx.k + 1),
                 size = H5Tget_size(c->type[k]);
  char *segment = grid_malloc(SCRATCH, size);
  GrB_Info info = segment ? GrB_SUCCESS : grid_fail_memory(NULL, "checking a dataset", SCRATCH, size);
  *bytes = (end - first) * size;
  for (uint64_t at = first; info == GrB_SUCCESS && at < end; at += SCRATCH) {
    const uint64_t count = end - at < SCRATCH ? end - at : SCRATCH;
    info = read_elements(c, k, at, count, c->type[k], segment, name);
    if (info == GrB_SUCCESS) *sum = grid_crc(*sum, segment, count * size);
  }
  grid_free(segment);
  return info;
}

/* Verifies the dataset's checksum, if it has one. Collective, agreed on. */
static GrB_Info check_set(const container *c, int k, uint64_t n, const char *name) {
  uint32_t want = 0, found = 0, local = 0;
  uint64_t bytes = 0;
  bool has;
  GrB_Info info = read_checksum(c, k, name, &has, &want);
  if (info == GrB_SUCCESS && has) info = sum_share(c, k, n, name, &local, &bytes);
  uint64_t any_has = has;
  info = grid_agree_sum(NULL, info, &any_has, 1);
  if (info != GrB_SUCCESS || !any_has) return info;
  info = grid_crc_concatenate(&found, local, bytes);
  if (info == GrB_SUCCESS && found != want)
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: expected the checksum %08x, found %08x", c->path, name,
                     want, found);
  return grid_agree(NULL, info);
}

GrB_Info grid_read_binsparse(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink) {
  (void)sink;
  (void)row;
  container c;
  grid_arrays s = {.path = f->path, .numbers = read_indices, .values = read_values_set, .context = &c};
  GrB_Info info = grid_agree(NULL, open_container(&c, &s, f->size));
  for (int k = 0; info == GrB_SUCCESS && k < GRID_ARRAYS; k++)
    info = check_set(&c, k, elements_of(&s, k), s.names[k]);
  if (info == GrB_SUCCESS) info = grid_make_edges_from_arrays(e, &s);
  close_all(&c);
  return info;
}

/* ---- writing ---- */

static bool make_attribute(hid_t object, const char *name, hid_t type, hid_t as, const void *value) {
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t a = space >= 0 ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
  const bool made = a >= 0 && H5Awrite(a, as, value) >= 0;
  if (a >= 0) H5Aclose(a);
  if (space >= 0) H5Sclose(space);
  return made;
}

/* Creates a dataset of n elements with its checksum; *file_offset: where HDF5 has allocated it. */
static bool make_set(hid_t file, const char *name, hid_t type, uint64_t n, const void *one, uint32_t sum,
                     uint64_t *file_offset) {
  const hsize_t count = n;
  const hid_t space = H5Screate_simple(1, &count, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  bool made = space >= 0 && how >= 0 && H5Pset_layout(how, H5D_CONTIGUOUS) >= 0 &&
              H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY) >= 0 &&
              H5Pset_fill_time(how, H5D_FILL_TIME_NEVER) >= 0;
  const hid_t set = made ? H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
  made = set >= 0 && make_attribute(set, checksum_name, H5T_STD_U32LE, H5T_NATIVE_UINT32, &sum);
  if (made && one) made = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, one) >= 0;
  if (made && n) *file_offset = H5Dget_offset(set);
  if (made && n && *file_offset == (uint64_t)HADDR_UNDEF) made = false;
  if (set >= 0) H5Dclose(set);
  if (how >= 0) H5Pclose(how);
  if (space >= 0) H5Sclose(space);
  return made;
}

static bool make_description(hid_t file, const char *text) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  const bool made =
      H5Tset_size(type, strlen(text)) >= 0 && make_attribute(file, "binsparse", type, type, text);
  H5Tclose(type);
  return made;
}

/* Uses the HDF5 1.8 file format, whose structures have checksums. */
static hid_t create(const grid_output *o) {
  char name[40]; /* the open file itself, whatever its name refers to by now */
  const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
  snprintf(name, sizeof name, "/proc/self/fd/%d", o->store.fd[0]);
  const hid_t file = H5Pset_libver_bounds(how, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0
                         ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, how)
                         : -1;
  H5Pclose(how);
  return file;
}

static const uint8_t pattern_value = 1; /* the value of all entries of a pattern */

/* Creates the file without its entries, on process 0. */
static GrB_Info make_file(const grid_edge_rows *r, const grid_output *o, const uint32_t sum[GRID_ARRAYS],
                          uint64_t file_offset[GRID_ARRAYS]) {
  char text[600];
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = create(o);
  snprintf(
      text, sizeof text,
      "{\"binsparse\": {\"version\": \"0.1\", \"format\": \"CSR\", \"shape\": [%llu, %llu], "
      "\"number_of_stored_values\": %llu, \"data_types\": {\"pointers_to_1\": \"uint64\", \"indices_1\": "
      "\"uint64\", \"values\": \"%s\"}}}",
      (unsigned long long)r->nrows, (unsigned long long)r->ncols, (unsigned long long)r->nvals,
      r->values ? "float64" : "iso[bint8]");
  bool made =
      file >= 0 && make_description(file, text) &&
      make_set(file, "pointers_to_1", H5T_NATIVE_UINT64, r->nrows + 1, NULL, sum[0], &file_offset[0]) &&
      make_set(file, "indices_1", H5T_NATIVE_UINT64, r->nvals, NULL, sum[1], &file_offset[1]);
  if (made)
    made = r->values ? make_set(file, "values", H5T_NATIVE_DOUBLE, r->nvals, NULL, sum[2], &file_offset[2])
                     : make_set(file, "values", H5T_NATIVE_UINT8, 1, &pattern_value, sum[2], &file_offset[2]);
  if (file >= 0 && H5Fclose(file) < 0) made = false;
  return made ? GrB_SUCCESS : grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: HDF5 fails", o->path);
}

GrB_Info grid_write_binsparse(const Grid_Edges *e, grid_output *o, grid_packing packing,
                              const grid_format_row *row) {
  (void)packing, (void)row;
  grid_edge_rows r;
  uint64_t file_offset[GRID_ARRAYS] = {0};
  uint32_t sum[GRID_ARRAYS] = {0};
  GrB_Info info = grid_make_rows_from_edges(&r, e);
  if (info != GrB_SUCCESS) return info;
  const uint64_t n = r.ptr[r.n], lines = r.n + (grid_ctx.k + 1 == grid_ctx.P);
  const struct {
    const void *from;
    uint64_t n, first;
  } local[GRID_ARRAYS] = {
      {r.ptr, lines, r.first}, {r.cols, n, r.start}, {r.values, r.values ? n : 0, r.start}};
  for (uint64_t k = 0; k <= r.n; k++) r.ptr[k] += r.start;
  for (int k = 0; k < GRID_ARRAYS; k++)
    TRY(grid_crc_concatenate(&sum[k], grid_crc(0, local[k].from, local[k].n * 8), local[k].n * 8));
  if (!r.values) sum[GRID_ARRAY_VALUES] = grid_crc(0, &pattern_value, sizeof pattern_value);
  TRY(grid_agree(NULL, grid_ctx.k == 0 ? make_file(&r, o, sum, file_offset) : GrB_SUCCESS));
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, file_offset, sizeof file_offset, 0));
  for (int k = 0; k < GRID_ARRAYS && info == GrB_SUCCESS; k++)
    info = grid_output_write(o, local[k].from, local[k].n * 8, file_offset[k] + local[k].first * 8);
done:
  grid_edge_rows_free(&r);
  return info;
}
#endif
