/* Small files that claim or expand to huge graphs (dist/io). Each is refused before its memory is taken, with
 * the setting that lifts the limit where a valid file could be meant. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "tests/unit.h"
#ifdef GRIDBLAS_HDF5
#include <hdf5.h>
#endif
#include "dist/io/input/decompress.h"
#include "gridblas.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/test_folder.h"

enum { MIB = 1 << 20, COPIES = 80 };

/* Reading fails with `part` in the message and takes less than `most` bytes at its peak; nothing is left. */
static void expect_refused(const char *path, uint64_t most, const char *part) {
  Grid_Edges e;
  const int64_t live = grid_mem_live();
  grid_mem_reset_peak();
  const uint64_t before = grid_mem_bytes();
  const GrB_Info info = Grid_read(&e, path);
  const uint64_t peak = grid_mem_peak() - before;
  if (info != GrB_INVALID_VALUE || !strstr(Grid_last_error(), part) || peak > most)
    print_message("%d \"%s\" lacks \"%s\", or %llu bytes are more than %llu\n", info, Grid_last_error(), part,
                  (unsigned long long)peak, (unsigned long long)most);
  assert_int_equal(info, GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), part));
  assert_true(peak <= most);
  assert_true(!e.rows && !e.n && grid_mem_live() == live);
}

/* Reading succeeds with so many entries. */
static void expect_entries(const char *path, uint64_t total) {
  Grid_Edges e;
  const GrB_Info info = Grid_read(&e, path);
  if (info != GrB_SUCCESS) print_message("%s\n", Grid_last_error());
  assert_int_equal(info, GrB_SUCCESS);
  assert_true(e.total == total);
  Grid_Edges_free(&e);
}

static const char part[] =
    "compressed bytes expand to more than 67108864, which no graph needs; "
    "GRIDBLAS_TUNE=unpack_ratio=off reads them";

/* Without the terminating zero. */
static void copy_text(char *to, const char *from) {
  while (*from) *to++ = *from++;
}

/* `copies` members, each a MiB of comments: one line, or, with edge, the line "1 2" at the end. */
static const char *write_members(const char *name, grid_packing packing, int copies, bool edge) {
  char *text = malloc(MIB), *all = NULL;
  size_t n = MIB;
  memset(text, '%', MIB);
  for (size_t k = 1023; k < MIB; k += 1024) text[k] = '\n';
  if (edge) copy_text(text + MIB - 5, "\n1 2\n");
  char *member = grid_pack(packing, text, &n);
  if (member && (all = malloc(n * (size_t)copies)))
    for (int k = 0; k < copies; k++) memcpy(all + n * (size_t)k, member, n);
  const char *path = all ? write_file(name, all, n * (size_t)copies, false) : NULL;
  free(text);
  free(all);
  grid_free(member);
  return path;
}

static void compressed_text(void **state) {
  for (grid_packing p = GRID_GZIP; p <= GRID_ZSTD; p++) {
    if (!grid_packing_supported(p)) continue;
    expect_entries(write_members("fits", p, 60, true), 60); /* up to 64 MiB no ratio is too high */
    expect_refused(write_members("comments", p, COPIES, false), 16 * MIB, part);
    expect_refused(write_members("edges", p, COPIES, true), 16 * MIB, part);
    if (Grid_size() > 1) continue;
    grid_tune.unpack_ratio = GRID_TUNE_NEVER;
    expect_entries(write_members("edges", p, COPIES, true), COPIES);
    grid_tune.unpack_ratio = 128;
  }
}

/* One line without an end: METIS allows it. */
static void compressed_line(void **state) {
  enum { N = 70 * MIB };
  char *text = malloc(N);
  memset(text, ' ', N);
  copy_text(text, "2 1\n2\n");
  expect_refused(write_file("line.metis.gz", text, N, true), 300 * (uint64_t)MIB, part);
  free(text);
}

/* ---- npz ---- */

static void put(unsigned char **p, uint64_t v, int bytes) {
  for (int k = 0; k < bytes; k++) *(*p)++ = (unsigned char)(v >> 8 * k);
}

/* A zip archive with one deflated member of `claimed` bytes, of which `n` are there. */
static const char *write_zip(const char *name, const void *bytes, size_t n, uint64_t claimed) {
  uLong deflated = compressBound(n);
  unsigned char *file = malloc(deflated + 256), *p = file, *body = malloc(deflated);
  z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (unsigned)n, .next_out = body};
  z.avail_out = (unsigned)deflated;
  assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflated = z.total_out;
  deflateEnd(&z);
  const uint64_t crc = crc32(0, bytes, (unsigned)n), length = 8;
  for (int central = 0; central < 2; central++) {
    const uint64_t directory = (uint64_t)(p - file);
    put(&p, central ? 0x02014b50 : 0x04034b50, 4);
    if (central) put(&p, 20, 2);
    put(&p, 20, 2), put(&p, 0, 2), put(&p, 8, 2), put(&p, 0, 4), put(&p, crc, 4);
    put(&p, deflated, 4), put(&p, claimed, 4), put(&p, length, 2), put(&p, 0, 2);
    if (central) put(&p, 0, 6), put(&p, 0, 8);
    memcpy(p, "data.npy", 8), p += 8;
    if (!central) memcpy(p, body, deflated), p += deflated;
    if (!central) continue;
    const uint64_t size = (uint64_t)(p - file) - directory;
    put(&p, 0x06054b50, 4), put(&p, 0, 4), put(&p, 1, 2), put(&p, 1, 2), put(&p, size, 4);
    put(&p, directory, 4), put(&p, 0, 2);
  }
  const char *path = write_file(name, file, (size_t)(p - file), false);
  free(file);
  free(body);
  return path;
}

static void npz(void **state) {
  enum { N = 80 * MIB };
  char *zeros = calloc(N, 1);
  expect_refused(write_zip("claims.npz", zeros, 1000, 1000000), MIB, "expected all bytes of a member");
  expect_refused(write_zip("expands.npz", zeros, N, N), MIB, part);
  expect_refused(write_zip("fits.npz", zeros, MIB, MIB), MIB, "without the array format.npy");
  free(zeros);
}

/* ---- headers ---- */

static void headers(void **state) {
  static const struct {
    const char *name, *text, *part;
  } files[] = {
      {"a.mtx", "%%MatrixMarket matrix coordinate real general\n9 9 900000000000\n1 1 1\n", "room for"},
      {"b.mtx", "%%MatrixMarket matrix array real general\n99999999 99999999\n1\n", "room for"},
      {"c.mtx", "%%MatrixMarket matrix coordinate real general\n99999999999999999999 1 1\n", "64 bits"},
      {"a.gr", "p sp 3 900000000000\na 1 2 3\n", "room for"},
      {"a.metis", "3 900000000000\n2\n1\n", "room for"},
      {"b.metis", "900000000000 1\n2\n1\n", "room for"},
      {"a.graph", "3 1 010 1000000\n2\n1\n", "1000 weights at most"},
  };
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    for (int gzip = 0; gzip < 2; gzip++)
      expect_refused(write_file(files[k].name, files[k].text, strlen(files[k].text), gzip), 8 * MIB,
                     files[k].part);
}

/* A page file and a serialized matrix whose first words are huge, one after the other. */
static void binary_headers(void **state) {
  static const char *const names[] = {"words.pages", "words.grb"};
  uint64_t r[] = {0}, c[] = {1};
  for (int f = 0; f < 2; f++) {
    Grid_Edges e;
    memset(&e, 0, sizeof e);
    e.nrows = e.ncols = 2, e.total = 1, e.pattern = true, e.rows = r, e.cols = c, e.n = Grid_rank() == 0;
    assert_int_equal(Grid_write(&e, path_of(names[f]), NULL), GrB_SUCCESS);
    uint64_t words[512] = {0};
    FILE *file = fopen(path_of(names[f]), "rb");
    const size_t n = file ? fread(words, 1, sizeof words, file) : 0;
    if (file) fclose(file);
    assert_true(n > 112);
    barrier();
    for (size_t k = 2; k < 14; k++) {
      const uint64_t old = words[k];
      words[k] = UINT64_C(1) << 40;
      expect_refused(write_file(names[f], words, n, false), 2 * MIB, names[f]);
      words[k] = old;
    }
  }
}

/* ---- HDF5 ---- */

#ifdef GRIDBLAS_HDF5
static void make_set(hid_t file, const char *name, hsize_t n, hsize_t chunk) {
  const hid_t space = H5Screate_simple(1, &n, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(how, 1, &chunk);
  const hid_t set = H5Dcreate2(file, name, H5T_STD_U64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  assert_true(set >= 0);
  H5Dclose(set), H5Pclose(how), H5Sclose(space);
}

/* A COO matrix of n entries, none of which was ever written, described `times` times. */
static const char *write_hdf5(const char *name, hsize_t n, hsize_t chunk, hsize_t times) {
  char text[2000];
  for (hsize_t k = 0; k < 2; k++)
    snprintf(text + k * 1000, 1000,
             "{\"binsparse\": {\"version\": \"0.1\", \"format\": \"COO\", \"shape\": [9, 9], "
             "\"number_of_stored_values\": %llu, \"data_types\": {\"values\": \"uint64\"}}}",
             (unsigned long long)n);
  if (Grid_rank() == 0) {
    const hid_t file = H5Fcreate(path_of(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &times, NULL);
    H5Tset_size(type, 1000);
    const hid_t a = H5Acreate2(file, "binsparse", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(a, type, text) >= 0);
    H5Aclose(a), H5Sclose(space), H5Tclose(type);
    make_set(file, "indices_0", n, chunk);
    make_set(file, "indices_1", n, chunk);
    make_set(file, "values", n, chunk);
    H5Fclose(file);
  }
  barrier();
  return path_of(name);
}

static void hdf5(void **state) {
  expect_entries(write_hdf5("few.h5", 1000, 100, 1), 1000); /* zeros that nobody wrote are zeros */
  expect_refused(write_hdf5("empty.h5", UINT64_C(1) << 40, 1000, 1), 2 * MIB, part);
  expect_refused(write_hdf5("twice.h5", 1000, 100, 2), 2 * MIB, "text in the attribute binsparse");
}
#else
static void hdf5(void **state) {
  skip();
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compressed_text), cmocka_unit_test(compressed_line), cmocka_unit_test(npz),
      cmocka_unit_test(headers),         cmocka_unit_test(binary_headers),  cmocka_unit_test(hdf5)};
  return cmocka_run_group_tests(tests, start, stop);
}
