/* Fuzzing of the file readers: any bytes are read twice, in one segment and in small ones. Both reads must
 * have the same result: the same edges or the same message. A libFuzzer target; with GRID_FUZZ_MAIN a program
 * that replays the files it is given. */
#include <string.h>
#include "dist/io/text/text_file.h"

#include "semiring/support/tuning.h"
#include "tests/fuzz_main.h"

/* Every tuple lies inside, ids ascend and can be found. */
static void check_edges(const Grid_Edges *e) {
  uint64_t at;
  must(e->n == e->total && e->pattern == !e->values, "counts");
  for (uint64_t k = 0; k < e->n; k++) must(e->rows[k] < e->nrows && e->cols[k] < e->ncols, "index outside");
  if (!e->ids) return;
  must(e->nrows == e->ncols && e->nrows <= 2 * e->n, "number of ids");
  for (uint64_t k = 0; k < e->nrows; k++) {
    must(k == 0 || e->ids[k - 1] < e->ids[k], "ids don't ascend");
    must(Grid_Edges_find(&at, e, e->ids[k]) == GrB_SUCCESS && at == k, "id not found");
  }
}

static bool same(const void *a, const void *b, uint64_t n) {
  return (!a && !b) || (a && b && memcmp(a, b, n * 8) == 0);
}

static void take(const char *path, const char *format, uint64_t hash) {
  int64_t live = grid_mem_live();
  Grid_Edges e, f;
  char text[2048];
  Grid_threads(hash % 16 == 0 ? 2 : 1); /* threads cost more than these files' reading */
  grid_tune.text_block = 0;
  GrB_Info info = Grid_read_as(&e, path, format);
  snprintf(text, sizeof text, "%s", info == GrB_SUCCESS ? "" : Grid_last_error());
  must(info == GrB_SUCCESS || info == GrB_INVALID_VALUE || info == GrB_NOT_IMPLEMENTED, "outcome");
  must(strlen(text) < 400 && !strchr(text, '\n'), "message");
  if (info == GrB_SUCCESS) check_edges(&e);
  grid_tune.text_block = 1 + hash % 67;
  must(Grid_read_as(&f, path, format) == info, "another outcome in small pieces");
  must(info == GrB_SUCCESS || strcmp(text, Grid_last_error()) == 0, text);
  must(e.n == f.n && e.nrows == f.nrows && e.ncols == f.ncols, "another size in small pieces");
  must(same(e.rows, f.rows, e.n) && same(e.cols, f.cols, e.n) && same(e.values, f.values, e.n) &&
           same(e.ids, f.ids, e.ids ? e.nrows : 0),
       "other edges in small pieces");
  Grid_Edges_free(&e);
  Grid_Edges_free(&f);
  must(grid_mem_live() == live, "a block of memory is lost");
}

/* In the detected format, and in those that only a file name selects. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const formats[] = {NULL, "metis", "graph500", "graph500-packed"};
  const char *path = fuzz_file(data, size);
  uint64_t hash = size;
  for (size_t k = 0; k < size; k++) hash = hash * 31 + data[k];
  for (int k = 0; k < 4; k++) take(path, formats[k], hash);
  return 0;
}
