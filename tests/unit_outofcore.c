/* Out-of-core matrices: pages decode to what was encoded, and damaged ones never do. A paged matrix has the
 * same products of every kind as the same one in memory, on any number of processes and with any number of
 * pages. Operations that need the whole matrix get it or fail. A damaged, truncated or foreign file is
 * refused on all processes, with a reason. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/unit.h"
#include "dist/outofcore/pages/row_pages.h"
#include "dist/outofcore/file/direct_write.h"
#include "dist/outofcore/sort/sort_runs.h"
#include "gridblas.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/checksum.h"
#include "spmat/convert/page_code.h"
#include "tests/compare_outofcore.h"

static char work_dir[64], file[96];

/* A block's pages are those of the file; on a grid of several columns they are built from it. */
static bool is_one_column(void) {
  int R, C;
  Grid_shape(&R, &C);
  return C == 1;
}

/* ---- the code ------------------------------------------------------------------------------------------ */

enum { MOST = 3000 };

/* Rows of any lengths, columns near and far. */
static uint64_t draw_rows(uint32_t *length, uint64_t rows, uint32_t *idx, uint64_t ncols) {
  uint64_t n = 0;
  for (uint64_t r = 0; r < rows; r++) {
    const uint64_t wish = draw_one_in(3) ? 0 : draw(draw_one_in(9) ? 400 : 6);
    uint64_t c = draw(ncols), left = MOST - n;
    for (length[r] = 0; length[r] < wish && left && c < ncols; left--) {
      idx[n++] = (uint32_t)c;
      length[r]++;
      c += 1 + draw(draw_one_in(5) ? ncols / 2 + 1 : 3);
    }
  }
  return n;
}

/* Do the columns of each row ascend below ncols? */
static bool ascend(const uint32_t *idx, const grid_page_rows *rows, uint64_t ncols) {
  const uint32_t *length = rows->length;
  for (uint64_t e = 0, left = *length - rows->before; e < rows->n; e++, left--) {
    const bool begins = e == 0 || left == 0;
    while (left == 0) left = *++length;
    if (idx[e] >= ncols || (!begins && idx[e] <= idx[e - 1])) return false;
  }
  return true;
}

static void page_code(void **state) {
  static uint32_t length[200], idx[MOST + 4], back[MOST + 4], lengths[200];
  static unsigned char bytes[5 * MOST + 100], broken[sizeof bytes];
  for (int round = 0; round < 300; round++) {
    const uint64_t ncols = UINT64_C(1) << (1 + draw(32)), n = draw_rows(length, 200, idx, ncols - 1);
    uint64_t row = 0, end = 0;
    for (uint64_t at = 0, batch; at < n; at += batch) {
      batch = 1 + draw(draw_one_in(2) ? 9 : draw_one_in(2) ? 700 : MOST);
      if (batch > n - at) batch = n - at;
      while (end + length[row] <= at) end += length[row++];
      const grid_page_rows rows = {length + row, at - end, batch};
      const uint64_t size = grid_page_encode(bytes, idx + at, &rows);
      assert_true(size <= grid_page_bound(batch) && size % 8 == 0);
      memset(bytes + size, 0xa5, GRID_PAGE_SLACK);
      assert_true(grid_page_columns(bytes, size, batch) == size);
      assert_true(grid_page_decode(back, bytes, &rows, ncols));
      assert_memory_equal(back, idx + at, batch * sizeof *idx);
      assert_true(grid_page_columns(bytes, size - 8, batch) == 0);
      /* for any bytes, no write out of bounds, no column out of range, and ascending order */
      memcpy(broken, bytes, size + GRID_PAGE_SLACK);
      for (int k = 0; k < 4; k++) broken[draw(size)] ^= (unsigned char)(1 + draw(255));
      if (grid_page_columns(broken, size, batch) && grid_page_decode(back, broken, &rows, ncols))
        assert_true(ascend(back, &rows, ncols));
    }
    const uint64_t size = grid_lengths_encode(bytes, length, 200);
    assert_true(grid_lengths_decode(lengths, 200, bytes, size));
    assert_memory_equal(lengths, length, sizeof length);
    assert_false(grid_lengths_decode(lengths, 200, bytes, size - 8));
    assert_false(grid_lengths_decode(lengths, 100, bytes, size));
    memset(bytes, 0xff, size);
    assert_false(grid_lengths_decode(lengths, 200, bytes, size));
  }
}

/* ---- the same in memory and on disk -------------------------------------------------------------------- */

/* Edges on all processes, each with some of them: a few rows with many entries, others empty. */
static Grid_Edges draw_edges(uint64_t nrows, uint64_t ncols, uint64_t n, bool valued, bool symmetric) {
  Grid_Edges e;
  memset(&e, 0, sizeof e);
  e.nrows = nrows, e.ncols = ncols, e.pattern = !valued, e.symmetric = symmetric;
  e.rows = malloc((n + 1) * 8), e.cols = malloc((n + 1) * 8), e.values = valued ? malloc((n + 1) * 8) : NULL;
  for (uint64_t k = 0; k < n; k++) {
    uint64_t r = draw_one_in(4) ? draw(3) * nrows / 3 : draw(nrows), c = draw(ncols);
    const double x = 1 + (double)(r * c % 17);
    if (symmetric && c > r) {
      const uint64_t t = r;
      r = c, c = t;
    }
    if (k % (uint64_t)Grid_size() != (uint64_t)Grid_rank()) continue;
    e.rows[e.n] = r, e.cols[e.n] = c;
    if (valued) e.values[e.n] = x;
    e.n++;
  }
  return e;
}

static GrB_Matrix open_paged(void) {
  GrB_Matrix A;
  OK(Grid_memory_limit(1));
  OK(Grid_Matrix_open(&A, file));
  assert_true(is_paged(A));
  return A;
}

static void expect_alike(GrB_Vector got, GrB_Vector want) {
  GrB_Index n, m, at[N], bt[N];
  double x[N], y[N];
  OK(GrB_Vector_nvals(&n, got));
  OK(GrB_Vector_nvals(&m, want));
  assert_true(n == m);
  OK(GrB_Vector_extractTuples_FP64(at, x, &n, got));
  OK(GrB_Vector_extractTuples_FP64(bt, y, &m, want));
  assert_memory_equal(at, bt, n * sizeof *at);
  assert_memory_equal(x, y, n * sizeof *x);
}

static GrB_Vector draw_vector(uint64_t n, uint64_t count) {
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_FP64, n));
  if (count >= n) OK(GrB_Vector_assign_FP64(v, NULL, NULL, 3, GrB_ALL, n, NULL));
  for (uint64_t k = 0; k < count; k++) OK(GrB_Vector_setElement_FP64(v, (double)draw(50), draw(n)));
  OK(GrB_Vector_wait(v, GrB_MATERIALIZE)); /* no pending changes, whose memory would go with the first use */
  return v;
}

/* New dimensions, more than once, with pending changes: it stays on disk. */
static void resized(GrB_Matrix A, GrB_Matrix B, uint64_t nrows, uint64_t ncols) {
  GrB_Matrix of[2];
  GrB_Index rows, cols;
  OK(GrB_Matrix_dup(&of[0], A));
  OK(GrB_Matrix_dup(&of[1], B));
  for (int round = 0; round < 3; round++) {
    rows = draw_one_in(4) ? nrows : 1 + draw(N), cols = draw_one_in(4) ? ncols : 1 + draw(N);
    for (int k = 0; k < 2; k++) {
      if (round) OK(GrB_Matrix_setElement_FP64(of[k], 4, nrows - 1, ncols / 2));
      OK(GrB_Matrix_resize(of[k], rows, cols));
    }
    nrows = rows, ncols = cols;
    OK(GrB_Matrix_nrows(&rows, of[0]));
    OK(GrB_Matrix_ncols(&cols, of[0]));
    assert_true(rows == nrows && cols == ncols && is_paged(of[0]));
    sums(of[0], of[1], rows, cols);
    products(of[0], of[1], rows, cols, 1);
  }
  for (int k = 0; k < 2; k++) GrB_free(&of[k]);
}

/* Within the budget it is loaded into memory. */
static void whole(GrB_Matrix A, GrB_Matrix B, uint64_t nrows, uint64_t ncols) {
  GrB_Matrix C[2];
  for (int k = 0; k < 2; k++) OK(GrB_Matrix_new(&C[k], GrB_FP64, nrows, ncols));
  OK(GrB_Matrix_setElement_FP64(C[0], 5, 0, 0));
  OK(Grid_memory_limit(0));
  /* a changed matrix is no longer the file's */
  OK(GrB_Matrix_setElement_FP64(A, 7, nrows - 1, ncols - 1));
  OK(GrB_Matrix_setElement_FP64(B, 7, nrows - 1, ncols - 1));
  OK(GrB_Matrix_apply(C[0], NULL, NULL, GrB_AINV_FP64, A, NULL));
  OK(GrB_Matrix_apply(C[1], NULL, NULL, GrB_AINV_FP64, B, NULL));
  assert_true(!is_paged(A));
  sums(C[0], C[1], nrows, ncols);
  products(A, B, nrows, ncols, 1);
  GrB_free(&C[0]);
  GrB_free(&C[1]);
}

static void same_as_in_memory(void **state) {
  static const uint64_t shapes[][3] = {{N, N, 4000}, {N, 90, 700}, {70, N, 3000}, {N, N, 0}};
  for (int s = 0; s < 4; s++)
    for (int kind = s % 2; kind < 4; kind += s == 0 ? 1 : 2) {
      const uint64_t rows = shapes[s][0], cols = shapes[s][1];
      const bool valued = kind & 1, symmetric = kind & 2 && rows == cols;
      Grid_Edges e = draw_edges(rows, cols, shapes[s][2], valued, symmetric);
      grid_tune.page_entries = 3 + draw(60);
      grid_tune.page_read_bytes = 100 + draw(900);
      OK(Grid_write(&e, file, NULL));
      Grid_Pages_Info p;
      OK(Grid_pages_info(&p, file));
      assert_true(p.nrows == rows && p.ncols == cols && p.symmetric == symmetric && p.pattern == !valued);
      GrB_Matrix A = open_paged(), B = build(&e);
      /* some pages stay in memory, or all, or none; then memory is scarce again */
      OK(Grid_memory_limit(grid_mem_bytes() + draw(40000)));
      sums(A, B, rows, cols);
      products(A, B, rows, cols, 2);
      OK(Grid_memory_limit(1));
      products(A, B, rows, cols, 5);
      assert_true(is_paged(A));
      assert_true(Grid_Matrix_bytes_read(NULL, A) > 0 || Grid_size() > 1 || !p.nvals);
      resized(A, B, rows, cols);
      whole(A, B, rows, cols);
      GrB_free(&A);
      GrB_free(&B);
      free_edges(&e);
    }
}

/* Cached pages are not read again, and are evicted when memory is needed. */
static void cached_pages(void **state) {
  Grid_Edges e = draw_edges(N, N, 3000, false, true);
  GrB_Vector u = draw_vector(N, N), w;
  grid_tune.page_entries = 50, grid_tune.page_read_bytes = 1000;
  OK(Grid_write(&e, file, NULL));
  OK(GrB_Vector_new(&w, GrB_FP64, N));
  GrB_Matrix A = open_paged();
  uint64_t before = Grid_Matrix_bytes_read(NULL, A), all = 0;
  for (int k = 0; k < 6; k++) {
    OK(Grid_memory_limit(k < 4 ? grid_mem_bytes() + 1000000 : 1));
    OK(GrB_mxv(w, NULL, NULL, GrB_MAX_SECOND_SEMIRING_FP64, A, u, NULL));
    const uint64_t now = Grid_Matrix_bytes_read(NULL, A);
    if (k == 0) all = now - before;
    assert_true(now - before == (k == 0 || k > 3 ? all : 0));
    before = now;
  }
  GrB_free(&A);
  GrB_free(&u);
  GrB_free(&w);
  free_edges(&e);
}

/* w = what x's entries, those below `end`, meet in rows that `done` lacks. */
static void level(GrB_Vector w, GrB_Vector done, GrB_Matrix A, uint64_t end, GrB_Semiring s) {
  GrB_Vector x;
  OK(GrB_Vector_new(&x, GrB_INT64, N));
  OK(GrB_Vector_assign_INT64(x, NULL, NULL, 1, GrB_ALL, N, NULL));
  for (uint64_t k = end; k < N; k++) OK(GrB_Vector_removeElement(x, k));
  OK(GrB_mxv(w, done, NULL, s, A, x, GrB_DESC_RSC));
  OK(GrB_Vector_assign_INT64(done, w, NULL, 1, GrB_ALL, N, GrB_DESC_S));
  GrB_free(&x);
}

/* A pull then leaves few rows open, which are cached: the next level reads no page for them. */
static void open_rows_cached(void **state) {
  const GrB_Semiring by[] = {GrB_LOR_LAND_SEMIRING_BOOL, GrB_MIN_SECOND_SEMIRING_INT64,
                             GrB_PLUS_TIMES_SEMIRING_INT64};
  const uint64_t ends[] = {N - 25, N - 12, N - 6, N};
  grid_tune.page_entries = 50, grid_tune.page_read_bytes = 1000;
  for (int k = 0; k < 3; k++) {
    Grid_Edges e = draw_edges(N, N, 4000, false, false);
    GrB_Matrix A, D = NULL, B = build(&e);
    GrB_Vector done[2], w[2];
    uint64_t first = 0;
    OK(Grid_write(&e, file, NULL));
    A = open_paged();
    for (int side = 0; side < 2; side++) {
      OK(GrB_Vector_new(&done[side], GrB_INT64, N));
      OK(GrB_Vector_new(&w[side], k ? GrB_INT64 : GrB_BOOL, N));
    }
    for (int turn = 0; turn < 8; turn++) { /* a second search, too */
      for (int side = 0; turn == 4 && side < 2; side++) OK(GrB_Vector_clear(done[side]));
      const uint64_t before = Grid_Matrix_bytes_read(NULL, A);
      level(w[0], done[0], A, ends[turn % 4], by[k]);
      level(w[1], done[1], B, ends[turn % 4], by[k]);
      const uint64_t now = Grid_Matrix_bytes_read(NULL, A) - before;
      if (turn == 0) first = now;
      if (k < 2 && turn % 4 > 0) assert_true(now <= first / 2);
      expect_alike(w[0], w[1]);
      if (turn == 1) OK(GrB_Matrix_dup(&D, A)); /* the cached pages of A */
    }
    GrB_free(&A);
    for (int turn = 0; turn < 4; turn++) {
      for (int side = 0; turn == 0 && side < 2; side++) OK(GrB_Vector_clear(done[side]));
      level(w[0], done[0], D, ends[turn], by[k]);
      level(w[1], done[1], B, ends[turn], by[k]);
      expect_alike(w[0], w[1]);
    }
    for (int side = 0; side < 2; side++) {
      GrB_free(&done[side]);
      GrB_free(&w[side]);
    }
    GrB_free(&D);
    GrB_free(&B);
    free_edges(&e);
  }
}

/* Within the budget a file is loaded when it is opened. */
static void loaded_when_it_fits(void **state) {
  Grid_Edges e = draw_edges(N, N, 3000, true, false);
  GrB_Matrix A, B = build(&e);
  OK(Grid_write(&e, file, NULL));
  OK(Grid_memory_limit(0));
  OK(Grid_Matrix_open(&A, file));
  assert_true(!is_paged(A));
  sums(A, B, N, N);
  products(A, B, N, N, 1);
  GrB_free(&A);
  GrB_free(&B);
  free_edges(&e);
}

/* On a grid of several columns a matrix that fits memory, but not as tuples in transit, is loaded as it is
 * read: nothing is written, which would fail here. */
static void loaded_without_temporary(void **state) {
  enum { MANY = 40000 };
  for (int valued = 0; valued < 2; valued++) {
    Grid_Edges e = draw_edges(N, N, MANY, valued, false);
    GrB_Matrix A, B = build(&e);
    GrB_Index nvals;
    OK(Grid_write(&e, file, NULL));
    OK(GrB_Matrix_nvals(&nvals, B));
    setenv("GRIDBLAS_PAGES_FOLDERS", "/none", 1);
    OK(Grid_memory_limit(grid_mem_bytes() + nvals * (valued ? 50 : 30) / (uint64_t)Grid_size()));
    OK(Grid_Matrix_open(&A, file));
    assert_true(!is_paged(A));
    OK(Grid_memory_limit(0));
    unsetenv("GRIDBLAS_PAGES_FOLDERS");
    sums(A, B, N, N);
    products(A, B, N, N, 2);
    GrB_free(&A);
    GrB_free(&B);
    free_edges(&e);
  }
}

/* ---- what is refused ----------------------------------------------------------------------------------- */

static unsigned char *bytes;
static uint64_t size;

static void read_bytes(void) {
  FILE *f = fopen(file, "rb");
  assert_non_null(f);
  size = fread(bytes, 1, 1 << 20, f);
  fclose(f);
  OK(Grid_agree(GrB_SUCCESS, NULL)); /* no process writes it before all have read */
}

/* All wait until process 0 has written. */
static void write_bytes(uint64_t n) {
  int bad = 0;
  if (Grid_rank() == 0) {
    FILE *f = fopen(file, "wb");
    bad = !f || fwrite(bytes, 1, n, f) != n;
    if (f && fclose(f)) bad = 1;
  }
  OK(Grid_agree(bad ? GrB_PANIC : GrB_SUCCESS, "cannot write a test file"));
}

/* Opened and multiplied: GrB_INVALID_VALUE, and w as it was; or what was right before. */
static GrB_Info try_file(GrB_Vector right) {
  GrB_Matrix A = NULL;
  GrB_Vector w;
  GrB_Index n;
  GrB_Info info = Grid_Matrix_open(&A, file);
  if (info != GrB_SUCCESS) {
    assert_null(A);
    return info;
  }
  OK(GrB_Vector_dup(&w, right));
  info = GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, right, NULL);
  if (info != GrB_SUCCESS) expect_alike(w, right);
  OK(GrB_Vector_nvals(&n, w));
  GrB_free(&w);
  GrB_free(&A);
  return info;
}

static void expect_refused(GrB_Vector right, const char *why) {
  const int64_t live = grid_mem_live();
  assert_int_equal(try_file(right), GrB_INVALID_VALUE);
  if (!strstr(Grid_last_error(), why)) fail_msg("'%s' does not say '%s'", Grid_last_error(), why);
  assert_true(grid_mem_live() == live);
}

static void damage(void **state) {
  Grid_Edges e = draw_edges(N, N, 2000, true, false);
  GrB_Vector u = draw_vector(N, N);
  grid_tune.page_entries = 50, grid_tune.page_read_bytes = 1000;
  bytes = malloc(1 << 20);
  OK(Grid_write(&e, file, NULL));
  OK(Grid_memory_limit(1));
  read_bytes();
  grid_pages_head h, bad;
  memcpy(&h, bytes, sizeof h);
  const uint64_t head = grid_pages_head_bytes(&h);
  const uint64_t lengths_end = ((const grid_lengths_row *)(const void *)(bytes + h.lengths))[-1].at;
  /* a bit */
  for (int k = 0; k < 30; k++) {
    const uint64_t at = k < 6 ? draw(head) : k < 15 ? draw(lengths_end) : h.data + draw(size - h.data);
    const unsigned char was = bytes[at];
    bytes[at] ^= (unsigned char)(1 << draw(8));
    write_bytes(size);
    expect_refused(u, at < GRID_PAGES_MAGIC ? "page file" : at < 24 ? "version" : "damaged");
    bytes[at] = was;
  }
  /* the end */
  for (int k = 0; k < 12; k++) {
    write_bytes(k == 0 ? size - 1 : k == 1 ? head : k == 2 ? head - 1 : k == 3 ? 16 : 1 + draw(size - 1));
    expect_refused(u, "");
  }
  /* another version, and header fields that were changed on purpose */
  memcpy(&bad, &h, sizeof h);
  grid_pages_seal(&bad);
  bad.version = 5;
  memcpy(bytes, &bad, head);
  write_bytes(size);
  expect_refused(u, "version 5; this library reads versions 1 to 4");
  for (int k = 0; k < 20; k++) {
    memcpy(&bad, &h, sizeof h);
    uint64_t *const fields[] = {&bad.nrows,  &bad.ncols,   &bad.nvals, &bad.flags, &bad.pages,
                                &bad.blocks, &bad.lengths, &bad.data,  &bad.bytes, &bad.tables};
    *fields[k % 10] = draw_one_in(2) ? UINT64_MAX >> draw(64) : *fields[k % 10] + 1 + draw(9);
    grid_pages_seal(&bad);
    memcpy(bytes, &bad, head);
    write_bytes(size);
    if (try_file(u) == GrB_SUCCESS) assert_true(k % 10 == 1 || k % 10 == 3); /* more columns, other flags */
  }
  /* tables that do not fit each other */
  for (int k = 0; k < 30; k++) {
    memcpy(&bad, &h, sizeof h);
    uint64_t *const word = (uint64_t *)(void *)(bytes + head) + draw(grid_pages_table(&h) / 8), was = *word;
    *word = draw_one_in(2) ? draw(UINT64_MAX) : was + 1 + draw(20);
    bad.tables = grid_checksum((const char *)bytes + head, grid_pages_table(&h), h.pages);
    grid_pages_seal(&bad);
    memcpy(bytes, &bad, head);
    write_bytes(size);
    /* the last rows have no checksum */
    const uint64_t row = (uint64_t)((unsigned char *)word - bytes) - head;
    const bool end = row == h.pages * sizeof(grid_page_row) + 16 || row == grid_pages_table(&h) - 8;
    assert_int_equal(try_file(u), end ? GrB_SUCCESS : GrB_INVALID_VALUE);
    *word = was;
  }
  free(bytes);
  GrB_free(&u);
  free_edges(&e);
}

/* The file of an open matrix is truncated, or removed. */
static void file_changes_while_open(void **state) {
  Grid_Edges e = draw_edges(N, N, 2000, false, true);
  GrB_Vector u = draw_vector(N, N), w[2];
  grid_tune.page_entries = 50, grid_tune.page_read_bytes = 1000;
  OK(Grid_write(&e, file, NULL));
  GrB_Matrix A = open_paged();
  for (int k = 0; k < 2; k++) OK(GrB_Vector_new(&w[k], GrB_FP64, N));
  OK(GrB_vxm(w[0], NULL, NULL, GrB_MAX_SECOND_SEMIRING_FP64, u, A, NULL));
  if (Grid_rank() == 0) assert_int_equal(rename(file, "moved"), 0);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  OK(GrB_vxm(w[1], NULL, NULL, GrB_MAX_SECOND_SEMIRING_FP64, u, A, NULL));
  expect_alike(w[0], w[1]);
  if (Grid_rank() == 0) assert_int_equal(truncate("moved", 5000), 0);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  const GrB_Info info = GrB_vxm(w[1], NULL, NULL, GrB_MAX_SECOND_SEMIRING_FP64, u, A, NULL);
  if (is_one_column()) {
    assert_int_equal(info, GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "became shorter"));
  } else {
    assert_int_equal(info, GrB_SUCCESS); /* pages of its own */
  }
  expect_alike(w[0], w[1]);
  if (Grid_rank() == 0) unlink("moved");
  GrB_free(&A);
  GrB_free(&u);
  for (int k = 0; k < 2; k++) GrB_free(&w[k]);
  free_edges(&e);
}

/* Each allocation of one process fails in turn. */
static void memory(void **state) {
  Grid_Edges e = draw_edges(200, 200, 500, true, false);
  GrB_Vector u = draw_vector(200, 9), w;
  grid_tune.page_entries = 20, grid_tune.page_read_bytes = 300;
  OK(Grid_write(&e, file, NULL));
  OK(GrB_Vector_new(&w, GrB_FP64, 200));
  bool done = false;
  for (int64_t at = 0; !done; at++) {
    const int64_t live = grid_mem_live();
    GrB_Matrix A = NULL;
    OK(Grid_memory_limit(at % 2 ? 1 : 0));
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at / 2);
    GrB_Info info = Grid_Matrix_open(&A, file);
    if (info == GrB_SUCCESS)
      info = GrB_vxm(w, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, u, A, at & 4 ? GrB_DESC_T1 : NULL);
    if (info == GrB_SUCCESS) info = GrB_Matrix_reduce_Monoid(w, NULL, NULL, GrB_PLUS_MONOID_FP64, A, NULL);
    grid_mem_fail_after(-1);
    done = info == GrB_SUCCESS;
    if (!done) assert_int_equal(info, GrB_OUT_OF_MEMORY);
    GrB_Matrix_free(&A);
    OK(GrB_Vector_clear(w));
    if (!done && grid_mem_live() > live + 4) fail_msg("%d blocks are left", (int)(grid_mem_live() - live));
  }
  GrB_free(&u);
  GrB_free(&w);
  free_edges(&e);
}

/* ---- tuples that do not fit ---------------------------------------------------------------------------- */

/* Files that begin with the name of the file to be. */
static int count_files(void) {
  int n = 0;
  DIR *d = opendir(work_dir);
  assert_non_null(d);
  for (const struct dirent *f; (f = readdir(d));) n += strncmp(f->d_name, "a.pages", 7) == 0;
  closedir(d);
  return n;
}

/* In segments, by the processes. */
static GrB_Info put_segments(Grid_Pages_Builder b, const Grid_Edges *e) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0, n; k < e->n && info == GrB_SUCCESS; k += n) {
    n = 1 + k * 7 % 300; /* no draw: processes have different numbers of segments */
    if (n > e->n - k) n = e->n - k;
    info = Grid_Pages_append(b, e->rows + k, e->cols + k, e->values ? e->values + k : NULL, n);
  }
  return info;
}

static GrB_Info build_file(const Grid_Edges *e, int flags, Grid_Pages_Build_Stats *how) {
  Grid_Pages_Builder b = NULL;
  OK(Grid_Pages_begin(&b, file, e->nrows, e->ncols, !e->pattern, flags));
  const GrB_Info put = put_segments(b, e), info = Grid_Pages_end(&b, put, how);
  assert_null(b);
  return info;
}

/* The same matrix as one built in memory, in any number of sort runs. */
static void external(void **state) {
  static const uint64_t limits[] = {0, 1, 300000, 700000};
  for (int round = 0; round < 24; round++) {
    const bool square = draw_one_in(2), valued = draw_one_in(2);
    const uint64_t rows = square ? N : 1 + draw(N), cols = square ? N : 1 + draw(N);
    static const GrB_BinaryOp *const dups[] = {&GrB_MIN_FP64, &GrB_MAX_FP64, &GrB_PLUS_FP64};
    const int flags = (square && draw_one_in(2) ? Grid_MIRROR : 0) | (draw_one_in(3) ? Grid_NO_LOOPS : 0),
              dup = (int)draw(3);
    Grid_Edges e = draw_edges(rows, cols, draw(9000), valued, false);
    Grid_Pages_Build_Stats how;
    Grid_Pages_Info p;
    GrB_Matrix A, B;
    grid_tune.page_entries = 3 + draw(60);
    grid_tune.run_sample_step = 1 + draw(40);
    grid_tune.merge_segment = 64 * (1 + draw(4));
    grid_tune.direct_min_bytes = draw_one_in(2) ? 0 : 1 << 16; /* bytes; no segment is so long */
    OK(Grid_memory_limit(limits[round % 4]));
    OK(build_file(&e, flags | dup * Grid_DUP_MAX, &how));
    OK(Grid_agree(GrB_SUCCESS, NULL));
    assert_int_equal(count_files(), 1);
    assert_true(how.runs > 1 || round % 4 != 1 || e.n < 3200 || Grid_size() > 1);
    OK(Grid_pages_info(&p, file));
    OK(Grid_Matrix_open(&A, file));
    OK(GrB_Matrix_new(&B, valued ? GrB_FP64 : GrB_BOOL, rows, cols));
    OK(Grid_Matrix_build(B, e.rows, e.cols, e.values, valued ? GrB_FP64 : NULL, e.n,
                         valued ? *dups[dup] : NULL, flags));
    assert_true(p.tuples == how.tuples && p.dup == dup * Grid_DUP_MAX);
    assert_true(p.no_loops || !(flags & Grid_NO_LOOPS));
    assert_true(p.symmetric == (flags == Grid_MIRROR || flags == (Grid_MIRROR | Grid_NO_LOOPS)));
    sums(A, B, rows, cols);
    products(A, B, rows, cols, 2);
    GrB_free(&A);
    GrB_free(&B);
    free_edges(&e);
  }
  grid_tune.run_sample_step = 1024;
  grid_tune.merge_segment = 1 << 14;
  grid_tune.direct_min_bytes = 1 << 16;
  OK(Grid_memory_limit(0));
}

/* ---- by degree ----------------------------------------------------------------------------------------- */

/* The names of all vertices, on every process. */
static uint64_t *all_names(const Grid_Edges *e) {
  uint64_t *name = calloc(e->nrows, sizeof *name);
  assert_non_null(name);
  assert_non_null(e->ids);
  for (uint64_t k = 0; k < e->ids_count; k++) name[e->ids_first + k] = e->ids[k];
  OK(Grid_max(name, e->nrows));
  return name;
}

/* How often each vertex is an end of a tuple. */
static uint64_t *all_degrees(const Grid_Edges *e, bool no_loops) {
  uint64_t *degree = calloc(e->nrows, sizeof *degree);
  assert_non_null(degree);
  for (uint64_t k = 0; k < e->n; k++) {
    if (no_loops && e->rows[k] == e->cols[k]) continue;
    degree[e->rows[k]]++;
    degree[e->cols[k]]++;
  }
  OK(Grid_sum(degree, e->nrows));
  return degree;
}

/* The matrix in the file is that of e with vertex name[k] at index k. */
static void expect_permuted(const Grid_Edges *e, int flags, const uint64_t *name) {
  const GrB_Index n = e->nrows;
  GrB_Matrix A, B, C;
  OK(Grid_Matrix_open(&A, file));
  OK(GrB_Matrix_new(&B, e->pattern ? GrB_BOOL : GrB_FP64, n, n));
  OK(GrB_Matrix_dup(&C, B));
  OK(Grid_Matrix_build(B, e->rows, e->cols, e->values, e->pattern ? NULL : GrB_FP64, e->n,
                       e->pattern ? NULL : GrB_MIN_FP64, flags & ~Grid_BY_DEGREE));
  OK(GrB_extract(C, NULL, NULL, B, name, n, name, n, NULL));
  sums(A, C, n, n);
  products(A, C, n, n, 2);
  GrB_free(&A);
  GrB_free(&B);
  GrB_free(&C);
}

/* The file has the matrix of e with its vertices in order. */
static void expect_in_order(const Grid_Edges *e, int flags) {
  const GrB_Index n = e->nrows;
  Grid_Edges read, named;
  Grid_Pages_Info p;
  OK(Grid_pages_info(&p, file));
  assert_true(p.named);
  OK(Grid_Pages_names(&named, file));
  uint64_t *name = all_names(&named), *degree = all_degrees(e, flags & Grid_NO_LOOPS);
  for (uint64_t k = 0; k + 1 < n; k++)
    assert_true(degree[name[k]] > degree[name[k + 1]] ||
                (degree[name[k]] == degree[name[k + 1]] && name[k] < name[k + 1]));
  for (uint64_t k = 0; k < 9; k++) {
    const uint64_t v = draw(n);
    uint64_t at;
    OK(Grid_Edges_find(&at, &named, name[v]));
    assert_true(at == v);
    assert_int_equal(Grid_Edges_find(&at, &named, n + k), GrB_NO_VALUE);
  }
  OK(Grid_read(&read, file)); /* with the same names */
  assert_true(read.ids_count == named.ids_count && read.nrows == named.nrows && named.total == p.nvals);
  assert_memory_equal(read.ids, named.ids, read.ids_count * sizeof *read.ids);
  if (n <= N) expect_permuted(e, flags, name);
  Grid_Edges_free(&read);
  Grid_Edges_free(&named);
  free(name);
  free(degree);
}

/* In memory and not, directed, symmetric, with values. */
static void by_degree(void **state) {
  static const uint64_t limits[] = {0, 1, 300000};
  for (int round = 0; round < 12; round++) {
    const bool valued = draw_one_in(2);
    const int flags =
        Grid_BY_DEGREE | (draw_one_in(2) ? Grid_MIRROR : 0) | (draw_one_in(2) ? Grid_NO_LOOPS : 0);
    const uint64_t n = round % 4 ? 1 + draw(N) : 5000; /* names with more than one checksum */
    Grid_Edges e = draw_edges(n, n, draw(9000), valued, false);
    Grid_Pages_Build_Stats how;
    grid_tune.page_entries = 3 + draw(60);
    grid_tune.run_sample_step = 1 + draw(40);
    OK(Grid_memory_limit(limits[round % 3]));
    OK(build_file(&e, flags, &how));
    OK(Grid_agree(GrB_SUCCESS, NULL));
    assert_int_equal(count_files(), 1);
    if (round % 3 == 0) OK(Grid_memory_limit(1)); /* pages remain on disk */
    expect_in_order(&e, flags);
    free_edges(&e);
  }
  grid_tune.run_sample_step = 1024;
  OK(Grid_memory_limit(0));
  Grid_Pages_Builder b = NULL;
  Grid_Edges names;
  assert_int_equal(Grid_Pages_begin(&b, file, 2, 3, true, Grid_BY_DEGREE), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "Grid_BY_DEGREE is for square matrices"));
  assert_null(b);
  assert_int_equal(Grid_Pages_names(NULL, file), GrB_NULL_POINTER);
  assert_int_equal(Grid_Pages_names(&names, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Pages_names(&names, "none.pages"), GrB_INVALID_VALUE);
  assert_true(!names.ids && !names.nrows);
}

/* Hubs come first: a partition by entries distributes them, and the matrix stays on disk, also under another
 * name. */
static void balanced(void **state) {
  Grid_Edges e = draw_edges(N, N, 9000, false, true);
  Grid_Repartition how;
  grid_tune.page_entries = 50;
  OK(build_file(&e, Grid_BY_DEGREE | Grid_MIRROR, NULL));
  GrB_Matrix A, B;
  OK(Grid_Matrix_open(&B, file));
  OK(Grid_memory_limit(1));
  OK(Grid_Matrix_open(&A, file));
  const bool paged = is_paged(A);
  if (Grid_rank() == 0) assert_int_equal(rename(file, "moved"), 0);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  OK(Grid_Matrix_repartition(&how, A, (Grid_Row_Costs){0, 0}, 0, 0));
  assert_true(is_paged(A) == paged);
  if (paged && Grid_size() > 1 && is_one_column()) assert_true(how.redistributed && how.best < how.load);
  sums(A, B, N, N);
  products(A, B, N, N, 2);
  GrB_free(&A);
  GrB_free(&B);
  OK(Grid_memory_limit(0));
  OK(Grid_partition_set(N, NULL));
  if (Grid_rank() == 0) unlink("moved");
  free_edges(&e);
}

/* Pages become pages, by degree or not, as any other file does: segment by segment. */
static void converted(void **state) {
  enum { MANY = 600000, LARGE_N = 3000, LEAST = 1200000 }; /* runs, and how they are copied, take so much */
  for (int round = 0; round < 10; round++) {
    const bool large = round < 2, valued = round & 2, by_degree = round & 1;
    const int flags = (draw_one_in(2) ? Grid_MIRROR : 0) | (draw_one_in(2) ? Grid_NO_LOOPS : 0);
    const uint64_t n = large ? MANY : draw(3000);
    Grid_Edges e = draw_edges(large ? LARGE_N : N, large ? LARGE_N : N, n, valued, false), once, read;
    GrB_Matrix A = NULL, B;
    OK(Grid_memory_limit(0));
    grid_tune.page_entries = 500, grid_tune.page_read_bytes = 4000;
    OK(build_file(&e, flags, NULL));
    if (!by_degree && !large) OK(Grid_Matrix_open(&A, file));
    if (by_degree && !large) OK(Grid_read(&once, file)); /* no tuple twice */
    const uint64_t used = grid_mem_bytes(), whole = 16 * n / (uint64_t)Grid_size();
    OK(Grid_memory_limit(used + whole / 5));
    grid_mem_reset_peak();
    OK(Grid_Pages_convert(file, file, NULL, false, by_degree ? Grid_BY_DEGREE : 0, &read, NULL));
    if (large && Grid_size() == 1 && grid_mem_peak() - used > whole / 4 + LEAST)
      fail_msg("%d bytes, not %d", (int)(grid_mem_peak() - used), (int)whole / 4 + LEAST);
    assert_true(read.nrows == e.nrows && read.pattern == !valued && read.n == 0);
    OK(Grid_memory_limit(1));
    if (by_degree) {
      if (!large) expect_in_order(&once, flags | Grid_BY_DEGREE);
      if (!large) Grid_Edges_free(&once);
    } else if (A) {
      OK(Grid_Matrix_open(&B, file));
      sums(A, B, N, N);
      products(A, B, N, N, 1);
      GrB_free(&A);
      GrB_free(&B);
    }
    free_edges(&e);
  }
  OK(Grid_memory_limit(0));
}

/* An edge list whose vertex names have 32 bits or more is converted to pages and back, twice. */
static void names_survive(void **state) {
  char text[112];
  snprintf(text, sizeof text, "%s.txt", file);
  for (int round = 0; round < 6; round++) {
    const uint64_t step = round % 2 ? UINT64_C(1) << 40 : 3;
    Grid_Edges e = draw_edges(300, 300, 2000, round >= 2, false), back;
    GrB_Matrix A, B;
    for (uint64_t k = 0; k < e.n; k++) e.rows[k] *= step, e.cols[k] *= step;
    e.nrows = e.ncols = 300 * step;
    OK(Grid_write(&e, text, "edges"));
    OK(Grid_memory_limit(round < 4 ? 0 : 1));
    OK(Grid_Pages_convert(file, text, NULL, false, Grid_BY_DEGREE, NULL, NULL));
    OK(Grid_memory_limit(0));
    if (round % 3 == 0) /* of pages that have names */
      OK(Grid_Pages_convert(file, file, NULL, false, Grid_BY_DEGREE, NULL, NULL));
    OK(Grid_read(&back, file));
    uint64_t *name = all_names(&back);
    for (uint64_t k = 0; k < back.n; k++) {
      back.rows[k] = name[back.rows[k]] / step;
      back.cols[k] = name[back.cols[k]] / step;
    }
    for (uint64_t k = 0; k < e.n; k++) e.rows[k] /= step, e.cols[k] /= step;
    e.nrows = e.ncols = back.nrows = back.ncols = 300;
    A = build(&e), B = build(&back);
    sums(A, B, 300, 300);
    products(A, B, 300, 300, 2);
    GrB_free(&A);
    GrB_free(&B);
    free(name);
    Grid_Edges_free(&back);
    free_edges(&e);
  }
  OK(Grid_agree(GrB_SUCCESS, NULL));
  if (Grid_rank() == 0) unlink(text);
}

/* Names with a wrong bit are refused by operations that need them, and only by those. So is a truncated file,
 * and a header that claims names where there are none. */
static void damaged_names(void **state) {
  Grid_Edges e = draw_edges(5000, 5000, 2000, false, false), names;
  grid_pages_head h, bad;
  GrB_Matrix A;
  bytes = malloc(1 << 20);
  OK(build_file(&e, Grid_BY_DEGREE, NULL));
  read_bytes();
  memcpy(&h, bytes, sizeof h);
  const uint64_t head = grid_pages_head_bytes(&h);
  assert_true(h.version == 4 && grid_pages_names(&h) == 5000 * 4 + 16);
  for (int k = 0; k < 10; k++) {
    const uint64_t at = h.data - grid_pages_names(&h) + draw(grid_pages_names(&h));
    const unsigned char was = bytes[at];
    bytes[at] ^= (unsigned char)(1 << draw(8));
    write_bytes(size);
    const int64_t live = grid_mem_live();
    assert_int_equal(Grid_Pages_names(&names, file), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "damaged: the names of its vertices"));
    assert_int_equal(Grid_read(&names, file), GrB_INVALID_VALUE);
    assert_true(!names.ids && grid_mem_live() == live);
    OK(Grid_Matrix_open(&A, file));
    GrB_free(&A);
    bytes[at] = was;
  }
  write_bytes(size - 8);
  assert_int_equal(Grid_Pages_names(&names, file), GrB_INVALID_VALUE);
  for (int k = 0; k < 4; k++) {
    memcpy(&bad, &h, sizeof h);
    if (k == 0) bad.flags = 0, bad.version = 2;
    if (k == 1) bad.ncols++;
    if (k == 2) bad.flags |= GRID_PAGES_NAMES64, bad.nrows = bad.ncols = 1 << 20;
    if (k == 3) bad.data = bad.lengths;
    grid_pages_seal(&bad);
    if (k == 0) { /* a version that has names, without */
      bad.version = 2;
      bad.checksum = grid_checksum((const char *)&bad, offsetof(grid_pages_head, checksum), bad.version);
    }
    memcpy(bytes, &bad, head);
    write_bytes(size);
    assert_int_equal(Grid_Pages_names(&names, file), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), "damaged"));
    assert_int_equal(Grid_Matrix_open(&A, file), GrB_INVALID_VALUE);
  }
  free(bytes);
  free_edges(&e);
}

/* Duplicates of which one is NaN: the number wins, in either order, from one run or two. */
static void external_nan(void **state) {
  const uint64_t at[] = {2, 2};
  const double values[2][2] = {{NAN, 5}, {5, NAN}};
  for (int round = 0; round < 4; round++) {
    const double *x = values[round % 2];
    Grid_Pages_Builder b;
    GrB_Matrix A;
    double found = 0;
    GrB_Info info = GrB_SUCCESS;
    grid_tune.run_sample_step = 1;
    grid_tune.merge_segment = 64;
    OK(Grid_memory_limit(round / 2 ? 1 : 0));
    OK(Grid_Pages_begin(&b, file, 4, 4, true, 0));
    for (int k = 0; k < 2 && info == GrB_SUCCESS; k++)
      if (Grid_rank() == 0) info = Grid_Pages_append(b, at + k, at + k, x + k, 1);
    OK(Grid_Pages_end(&b, info, NULL));
    OK(Grid_memory_limit(0));
    OK(Grid_Matrix_open(&A, file));
    OK(GrB_Matrix_extractElement_FP64(&found, A, 2, 2));
    assert_true(found == 5);
    GrB_free(&A);
  }
  grid_tune.run_sample_step = 1024;
  grid_tune.merge_segment = 1 << 14;
}

/* The disk is full: an error on all processes, and the existing file stays. */
static void full_disk(void **state) {
  Grid_Edges e = draw_edges(N, N, 9000, true, false);
  struct rlimit was, now;
  Grid_Pages_Info before, after;
  OK(Grid_memory_limit(0));
  OK(build_file(&e, 0, NULL));
  OK(Grid_pages_info(&before, file));
  const int64_t live = grid_mem_live();
  getrlimit(RLIMIT_FSIZE, &was);
  signal(SIGXFSZ, SIG_IGN);
  for (int k = 0; k < 6; k++) {
    now = was;
    now.rlim_cur = k < 3 ? 1000 : 9000u + 9000u * (unsigned)k;
    OK(Grid_memory_limit(k % 3 == 1 ? 1 : 0));
    if (Grid_rank() == Grid_size() - 1) setrlimit(RLIMIT_FSIZE, &now);
    const GrB_Info info = build_file(&e, k % 2 ? Grid_BY_DEGREE : 0, NULL);
    setrlimit(RLIMIT_FSIZE, &was);
    if (k < 3) assert_int_equal(info, GrB_INVALID_VALUE);
    if (info != GrB_SUCCESS) {
      if (!strstr(Grid_last_error(), "cannot write")) fail_msg("%s", Grid_last_error());
      assert_int_equal(count_files(), 1);
      assert_true(grid_mem_live() <= live);
    }
    OK(Grid_pages_info(&after, file));
    assert_true(before.nvals == after.nvals);
  }
  signal(SIGXFSZ, SIG_DFL);
  OK(Grid_memory_limit(0));
  free_edges(&e);
}

/* Each allocation of one process fails in turn, and tuples that cannot be are refused. */
static void no_memory(int flags) {
  Grid_Edges e = draw_edges(200, 200, 500, true, false);
  Grid_Pages_Builder b = NULL;
  const int64_t live = grid_mem_live();
  bool done = false;
  for (int64_t at = 0; !done; at++) {
    OK(Grid_memory_limit(at % 2 ? 1 : 0));
    if (Grid_rank() == Grid_size() - 1) grid_mem_fail_after(at / 2);
    GrB_Info info = Grid_Pages_begin(&b, file, 200, 200, true, flags);
    if (info == GrB_SUCCESS) {
      info = put_segments(b, &e);
      info = Grid_Pages_end(&b, info, NULL);
    }
    grid_mem_fail_after(-1);
    assert_null(b);
    if (info != GrB_SUCCESS && at % 2 == 0) assert_int_equal(info, GrB_OUT_OF_MEMORY);
    done = info == GrB_SUCCESS && at % 2;
    if (grid_mem_live() > live + 4) fail_msg("%d blocks are left", (int)(grid_mem_live() - live));
  }
  OK(Grid_memory_limit(0));
  free_edges(&e);
}

static void external_errors(void **state) {
  Grid_Edges e = draw_edges(200, 200, 500, true, false);
  Grid_Pages_Builder b = NULL;
  no_memory(0);
  no_memory(Grid_BY_DEGREE);
  const uint64_t row = 3, col = 200;
  const double x = 1;
  assert_int_equal(Grid_Pages_begin(NULL, file, 2, 2, true, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_Pages_begin(&b, NULL, 2, 2, true, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_Pages_begin(&b, file, 0, UINT64_C(1) << 61, true, 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Pages_begin(&b, file, UINT64_C(1) << 61, 2, true, 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Pages_begin(&b, file, 2, 3, true, Grid_MIRROR), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Pages_begin(&b, work_dir, 2, 3, true, 0), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Pages_begin(&b, "/nowhere/a.pages", 2, 3, true, 0), GrB_INVALID_VALUE);
  assert_null(b);
  assert_int_equal(Grid_Pages_end(NULL, GrB_SUCCESS, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Pages_append(NULL, &row, &col, &x, 1), GrB_NULL_POINTER);
  OK(Grid_Pages_begin(&b, file, 200, 200, true, 0));
  assert_int_equal(Grid_Pages_append(b, &row, &col, NULL, 1), GrB_NULL_POINTER);
  GrB_Info info = GrB_SUCCESS;
  if (Grid_rank() == 0) info = Grid_Pages_append(b, &row, &col, &x, 1);
  assert_int_equal(Grid_Pages_end(&b, info, NULL), GrB_INDEX_OUT_OF_BOUNDS);
  assert_non_null(strstr(Grid_last_error(), "(3, 200) is outside 200 x 200"));
  assert_int_equal(count_files(), 1);
  /* an error stays recorded even if ignored; incomplete files of a killed process are deleted with the next
   */
  OK(Grid_Pages_begin(&b, file, 200, 200, true, 0));
  if (Grid_rank() == 0) {
    const GrB_Index fine = 4;
    assert_int_equal(Grid_Pages_append(b, &row, &col, &x, 1), GrB_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(Grid_Pages_append(b, &fine, &fine, &x, 1), GrB_INDEX_OUT_OF_BOUNDS);
    char left[128];
    snprintf(left, sizeof left, "%s.unfinished.abcDEF", file);
    FILE *f = fopen(left, "w");
    assert_true(f && fclose(f) == 0);
  }
  assert_int_equal(Grid_Pages_end(&b, GrB_SUCCESS, NULL), GrB_INDEX_OUT_OF_BOUNDS);
  assert_non_null(strstr(Grid_last_error(), "(3, 200) is outside 200 x 200"));
  assert_int_equal(count_files(), 2);
  OK(Grid_Pages_begin(&b, file, 200, 200, true, 0));
  assert_int_equal(Grid_Pages_end(&b, GrB_PANIC, NULL), GrB_PANIC);
  assert_int_equal(count_files(), 1);
  assert_int_equal(Grid_Pages_convert(NULL, file, NULL, false, 0, NULL, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Pages_convert(file, "none", NULL, false, 0, NULL, NULL), GrB_INVALID_VALUE);
  free_edges(&e);
}

static void arguments(void **state) {
  GrB_Matrix A = NULL;
  Grid_Pages_Info p;
  assert_int_equal(Grid_Matrix_open(NULL, file), GrB_NULL_POINTER);
  assert_int_equal(Grid_Matrix_open(&A, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_pages_info(NULL, file), GrB_NULL_POINTER);
  assert_int_equal(Grid_pages_info(&p, NULL), GrB_NULL_POINTER);
  assert_int_equal(Grid_Matrix_open(&A, work_dir), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Matrix_open(&A, "none.pages"), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Matrix_open(&A, GRID_TEST_DIR "/CMakeLists.txt"), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "not a page file"));
  assert_null(A);
  assert_true(Grid_Matrix_bytes_read(NULL, NULL) == 0);
  Grid_Edges e = {.nrows = UINT64_C(1) << 61, .ncols = 4, .pattern = true};
  assert_int_equal(Grid_write(&e, file, NULL), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "more than 2^60"));
  uint64_t row = 3, col = 5; /* mirrored it would lie beyond the rows */
  Grid_Edges oblong = {
      .nrows = 4, .ncols = 6, .pattern = true, .symmetric = true, .rows = &row, .cols = &col};
  oblong.n = oblong.total = 1;
  assert_int_equal(Grid_write(&oblong, file, NULL), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "must be square, this one is 4 x 6"));
  OK(Grid_memory_limit(12345));
  assert_true(Grid_memory_budget() == 12345);
  OK(Grid_memory_limit(0));
  assert_true(Grid_memory_budget() > 1 << 20);
}

static int start(void **state) {
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return -1;
  Grid_threads(1);
  if (Grid_rank() == 0) {
    snprintf(work_dir, sizeof work_dir, "%.40s/pages.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(work_dir)) work_dir[0] = '\0';
  }
  if (Grid_bcast(work_dir, sizeof work_dir, 0) != GrB_SUCCESS || !work_dir[0] || chdir(work_dir) != 0)
    return -1;
  snprintf(file, sizeof file, "%s/a.pages", work_dir);
  return 0;
}

static int stop(void **state) {
  const GrB_Info info = Grid_agree(GrB_SUCCESS, NULL);
  if (Grid_rank() == 0) {
    unlink(file);
    rmdir(work_dir);
  }
  return info == GrB_SUCCESS && GrB_finalize() == GrB_SUCCESS ? 0 : -1;
}

/* ---- several files ------------------------------------------------------------------------------------- */

static void make_folders(const char *const names[], int n) {
  for (int k = 0; Grid_rank() == 0 && k < n; k++) assert_int_equal(mkdir(names[k], 0700), 0);
  OK(Grid_agree(GrB_SUCCESS, NULL));
}

/* A result that does not fit memory goes to unnamed files in all folders. */
static void transposed(void) {
  Grid_Edges e = draw_edges(N, N, 4000, true, false);
  GrB_Matrix A, B = build(&e), C[2];
  OK(Grid_write(&e, file, NULL));
  A = open_paged();
  for (int k = 0; k < 2; k++) {
    OK(GrB_Matrix_new(&C[k], GrB_FP64, N, N));
    OK(GrB_transpose(C[k], NULL, NULL, k ? B : A, NULL));
  }
  assert_true(is_paged(C[0]));
  sums(C[0], C[1], N, N);
  products(C[0], C[1], N, N, 2);
  for (int k = 0; k < 2; k++) GrB_free(&C[k]);
  GrB_free(&A);
  GrB_free(&B);
  free_edges(&e);
}

static void expect_open(const char *path, const char *why) {
  GrB_Matrix A = NULL;
  assert_int_equal(Grid_Matrix_open(&A, path), GrB_INVALID_VALUE);
  assert_null(A);
  if (!strstr(Grid_last_error(), why)) fail_msg("'%s' does not say '%s'", Grid_last_error(), why);
}

static void corrupt_file(const char *path) {
  struct stat st;
  FILE *f = stat(path, &st) == 0 ? fopen(path, "w") : NULL;
  for (off_t k = 0; f && k < st.st_size; k++) fputc(0x5a, f);
  if (!f || fclose(f)) fail_msg("%s cannot be changed", path);
}

static void foreign_files(void) {
  char many[20 * 8 + 1] = "", one[] = "a,b.pages";
  Grid_Edges e = draw_edges(N, N, 4000, false, false);
  GrB_Matrix A;
  Grid_Pages_Info p;
  OK(Grid_write(&e, file, NULL));
  expect_open("a.pages", "name all, with commas");
  expect_open("a.pages,d1/b.pages", "");
  expect_open("d1/b.pages,a.pages,d2/c.pages", "");
  if (Grid_rank() == 0) {
    FILE *f = fopen("x.pages", "w");
    if (!f || fputs("short", f) < 0 || fclose(f)) fail_msg("x.pages cannot be written");
  }
  OK(Grid_agree(GrB_SUCCESS, NULL));
  expect_open("x.pages,a.pages", "do not fit");
  expect_open("a.pages,d1/b.pages,d2/none.pages", "d2/none.pages: cannot open");
  expect_open("none.pages,d1/b.pages", "cannot open");
  for (int k = 0; k < 20; k++) strcat(many, k ? ",a.pages" : "a.pages");
  expect_open(many, "16 files at most");
  assert_int_equal(Grid_write(&e, many, NULL), GrB_INVALID_VALUE);
  assert_int_equal(Grid_write(&e, "a.pages,d1/b.pages,a.pages", NULL), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "named twice"));
  if (Grid_rank() == 0) assert_int_equal(mkfifo("d2/pipe.pages", 0600), 0);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  expect_open("a.pages,d1/b.pages,d2/pipe.pages", "not a regular file");
  if (Grid_rank() == 0) assert_int_equal(unlink("d2/pipe.pages"), 0);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  assert_int_equal(Grid_write(&e, "a.pages,none/b.pages", NULL), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "none/b.pages: cannot write"));
  OK(Grid_pages_info(&p, file)); /* nothing has happened to it */
  /* other files than the first have other bytes */
  OK(Grid_memory_limit(1));
  GrB_Vector u = draw_vector(N, N);
  OK(try_file(u));
  if (Grid_rank() == 0) corrupt_file("d1/b.pages"), corrupt_file("d2/c.pages");
  OK(Grid_agree(GrB_SUCCESS, NULL));
  expect_refused(u, "damaged");
  GrB_free(&u);
  /* a comma of a name's own */
  OK(Grid_write(&e, one, NULL));
  OK(Grid_Matrix_open(&A, one));
  GrB_free(&A);
  if (Grid_rank() == 0) assert_int_equal(unlink(one) | unlink("x.pages"), 0);
  free_edges(&e);
}

static void several_files(void **state) {
  static const char *const folders[] = {"d1", "d2"};
  char alone[sizeof file];
  memcpy(alone, file, sizeof file);
  make_folders(folders, 2);
  snprintf(file, sizeof file, "a.pages,d1/b.pages,d2/c.pages");
  grid_tune.stripe_bytes = GRID_PAGES_ALIGNED;
  same_as_in_memory(state);
  transposed(); /* where the file lies */
  setenv("GRIDBLAS_PAGES_FOLDERS", "d2:d1:.", 1);
  transposed();
  unsetenv("GRIDBLAS_PAGES_FOLDERS");
  grid_tune.page_entries = 50, grid_tune.page_read_bytes = 9000; /* reads of several segments */
  transposed();
  foreign_files();
  OK(Grid_agree(GrB_SUCCESS, NULL));
  if (Grid_rank() == 0) {
    assert_int_equal(unlink("d1/b.pages") | unlink("d2/c.pages") | unlink("a.pages"), 0);
    for (int k = 0; k < 2; k++) assert_int_equal(rmdir(folders[k]), 0); /* nothing leaks */
  }
  grid_tune.stripe_bytes = UINT64_C(1) << 20;
  memcpy(file, alone, sizeof file);
  OK(Grid_memory_limit(0));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(page_code),
                                     cmocka_unit_test(same_as_in_memory),
                                     cmocka_unit_test(cached_pages),
                                     cmocka_unit_test(open_rows_cached),
                                     cmocka_unit_test(loaded_when_it_fits),
                                     cmocka_unit_test(damage),
                                     cmocka_unit_test(loaded_without_temporary),
                                     cmocka_unit_test(file_changes_while_open),
                                     cmocka_unit_test(memory),
                                     cmocka_unit_test(external),
                                     cmocka_unit_test(external_nan),
                                     cmocka_unit_test(full_disk),
                                     cmocka_unit_test(external_errors),
                                     cmocka_unit_test(by_degree),
                                     cmocka_unit_test(balanced),
                                     cmocka_unit_test(converted),
                                     cmocka_unit_test(names_survive),
                                     cmocka_unit_test(damaged_names),
                                     cmocka_unit_test(arguments),
                                     cmocka_unit_test(several_files)};
  return cmocka_run_group_tests(tests, start, stop);
}
