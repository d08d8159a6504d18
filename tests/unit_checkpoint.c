/* Checkpoints: the stored objects are restored, on another number of processes too. Damaged files are skipped
 * or refused with a reason, and leave the program's objects unchanged. A crash or a full disk at any step of
 * a write leaves the previous checkpoint. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit.h"
#include <mpi.h>

#include "dist/checkpoint/checkpoint.h"
#include "dist/checkpoint/checkpoint_file.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "tests/random_numbers.h"
#include "tests/assert_all.h"

#define OK(call)                                                                            \
  do {                                                                                      \
    const GrB_Info info_ = (call);                                                          \
    if (info_ != GrB_SUCCESS) fail_msg("%s: %s", Grid_info_name(info_), Grid_last_error()); \
  } while (0)

enum { N = 1000, VECTORS = 6 };
typedef struct {
  char c[12];
} twelve;

static char work_dir[64]; /* a folder of the test's, and the one of the checkpoints in it */
static char folder[96];
static bool launched;

/* ---- the stored objects -------------------------------------------------------------------------------- */

typedef struct {
  GrB_Type type;
  GrB_Vector v[VECTORS];
  GrB_Scalar full, empty;
  int64_t count[2];
  Grid_Checkpoint_Item items[VECTORS + 3];
} world;

static twelve word(uint64_t k, int step) {
  twelve t;
  memset(&t, 0, sizeof t);
  snprintf(t.c, sizeof t.c, "%u.%d", (unsigned)(k % 10000), step % 100);
  return t;
}

/* The objects at a step; step 0: created, and empty. */
static void fill(world *w, int step) {
  for (int k = 0; k < VECTORS; k++) OK(GrB_Vector_clear(w->v[k]));
  OK(GrB_Scalar_clear(w->full));
  w->count[0] = step, w->count[1] = -step;
  if (!step) return;
  OK(GrB_Vector_assign_FP64(w->v[1], NULL, NULL, 0.5 + step, GrB_ALL, N, NULL)); /* iso */
  GrB_Index idx[N], n = 0, first, length;
  double x[N];
  twelve t[N];
  OK(Grid_local_range(N, &first, &length));
  for (uint64_t k = first; k < first + length; k++)
    idx[n] = k, x[n] = (double)k * step + 0.25, t[n++] = word(k, step);
  OK(Grid_Vector_build(w->v[0], idx, x, GrB_FP64, n, NULL)); /* full */
  OK(Grid_Vector_build(w->v[2], idx, t, w->type, n, NULL));
  for (n = 0; n < 400; n++) { /* a bitmap, and a list */
    OK(GrB_Vector_setElement_INT32(w->v[3], (int32_t)(n * 3) + step, (n * n) % N));
    if (n < 9) OK(GrB_Vector_setElement_BOOL(w->v[4], n % 2, n * 111));
  }
  OK(GrB_Scalar_setElement_FP32(w->full, 1.5f * (float)step));
}

static void make(world *w) {
  static const char *const names[] = {"full", "iso", "words", "bitmap", "list", "none"};
  memset(w, 0, sizeof *w);
  OK(GrB_Type_new(&w->type, sizeof(twelve)));
  const GrB_Type types[] = {GrB_FP64, GrB_FP64, w->type, GrB_INT32, GrB_BOOL, GrB_UINT8};
  for (int k = 0; k < VECTORS; k++) {
    OK(GrB_Vector_new(&w->v[k], types[k], N));
    w->items[k] = (Grid_Checkpoint_Item){.name = names[k], .vector = w->v[k]};
  }
  OK(GrB_Scalar_new(&w->full, GrB_FP32));
  OK(GrB_Scalar_new(&w->empty, GrB_FP32));
  w->items[VECTORS] = (Grid_Checkpoint_Item){.name = "a scalar", .scalar = w->full};
  w->items[VECTORS + 1] = (Grid_Checkpoint_Item){.name = "an empty one", .scalar = w->empty};
  w->items[VECTORS + 2] =
      (Grid_Checkpoint_Item){.name = "counters", .bytes = w->count, .size = sizeof w->count};
}

static void drop(world *w) {
  for (int k = 0; k < VECTORS; k++) OK(GrB_Vector_free(&w->v[k]));
  OK(GrB_Scalar_free(&w->full));
  OK(GrB_Scalar_free(&w->empty));
  OK(GrB_Type_free(&w->type));
}

#define ITEMS(w) (w)->items, sizeof(w)->items / sizeof *(w)->items

static bool vectors_equal(GrB_Vector a, GrB_Vector b, size_t size) {
  GrB_Index i[N], j[N], n = N, m = N;
  char x[N * sizeof(twelve)], y[N * sizeof(twelve)];
  if (Grid_Vector_extractLocal(i, x, &n, a) || Grid_Vector_extractLocal(j, y, &m, b)) return false;
  return n == m && !memcmp(i, j, n * sizeof *i) && !memcmp(x, y, n * size);
}

/* w is as it was at that step. */
static void check(const world *w, int step) {
  static const size_t size[] = {8, 8, sizeof(twelve), 4, 1, 1};
  world want;
  float x = 0, y = 0;
  make(&want);
  fill(&want, step);
  bool same = w->count[0] == step && w->count[1] == -step;
  for (int k = 0; k < VECTORS; k++) {
    same = vectors_equal(w->v[k], want.v[k], size[k]) && same;
    GrB_Index n, m;
    OK(GrB_Vector_nvals(&n, w->v[k]));
    OK(GrB_Vector_nvals(&m, want.v[k]));
    assert_int_equal(n, m);
  }
  const GrB_Info a = GrB_Scalar_extractElement_FP32(&x, w->full),
                 b = GrB_Scalar_extractElement_FP32(&y, want.full);
  assert_on_all(same && a == b && x == y);
  assert_int_equal(GrB_Scalar_extractElement_FP32(&x, w->empty), GrB_NO_VALUE);
  drop(&want);
}

/* ---- files ---- */

/* Calls f for the path of every file in the folder, on process 0. Returns their number. */
static int for_each_file(void (*f)(const char *path)) {
  int n = 0;
  DIR *dir = opendir(folder);
  if (!dir) return 0;
  for (const struct dirent *d; (d = readdir(dir));) {
    char path[400];
    if (d->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
    if (f) f(path);
    n++;
  }
  closedir(dir);
  return n;
}

static void remove_file(const char *path) {
  unlink(path);
}

static const char *path_of_lock(void) {
  static char path[sizeof folder + 8];
  snprintf(path, sizeof path, "%s/.lock", folder);
  return path;
}

/* The folder becomes empty. Collective. */
static void sweep(void) {
  OK(Grid_checkpoint_wait());
  if (Grid_rank() == 0) {
    for_each_file(remove_file);
    unlink(path_of_lock());
    rmdir(folder);
  }
  OK(Grid_agree(GrB_SUCCESS, NULL));
  /* the registered computation ends when another folder is written */
  char other[128], path[256];
  snprintf(other, sizeof other, "%s.other", folder);
  int64_t x = 0;
  const Grid_Checkpoint_Item k = {.name = "x", .bytes = &x, .size = sizeof x};
  OK(Grid_checkpoint(other, 0, &k, 1));
  OK(Grid_checkpoint_wait());
  OK(Grid_agree(GrB_SUCCESS, NULL));
  const grid_checkpoint_file part = {0, Grid_size(), Grid_rank()};
  assert_true(grid_checkpoint_path(path, other, part));
  unlink(path);
  OK(Grid_agree(GrB_SUCCESS, NULL));
  snprintf(path, sizeof path, "%s/.lock", other);
  if (Grid_rank() == 0) unlink(path), rmdir(other);
}

static void damage(int step, int part, long at, int what) {
  char path[GRID_CHECKPOINT_PATH];
  if (Grid_rank() == 0) {
    grid_checkpoint_path(path, folder, (grid_checkpoint_file){(uint64_t)step, Grid_size(), part});
    if (what == 'r') {
      unlink(path);
    } else if (what == 't') {
      if (truncate(path, at)) abort();
    } else {
      FILE *f = fopen(path, "r+b");
      if (!f) abort();
      fseek(f, at, at < 0 ? SEEK_END : SEEK_SET);
      const int c = fgetc(f);
      fseek(f, -1, SEEK_CUR);
      fputc(c ^ 16, f);
      fclose(f);
    }
  }
  OK(Grid_agree(GrB_SUCCESS, NULL));
}

static void save_checkpoint(world *w, int step) {
  fill(w, step);
  OK(Grid_checkpoint(folder, (uint64_t)step, ITEMS(w)));
  OK(Grid_checkpoint_wait());
}

/* ---- tests ---- */

static void restore_round_trip(void **state) {
  world w;
  uint64_t step = 77;
  make(&w);
  assert_int_equal(Grid_restore(folder, &step, ITEMS(&w)), GrB_NO_VALUE);
  assert_int_equal(step, 77);
  save_checkpoint(&w, 1);
  fill(&w, 2);
  OK(Grid_checkpoint(folder, 2, ITEMS(&w)));
  fill(&w, 5); /* while it is written */
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  assert_int_equal(step, 2);
  check(&w, 2);
  /* the previous step is deleted, and the computation continues */
  if (Grid_rank() == 0) assert_int_equal(for_each_file(NULL), Grid_size());
  save_checkpoint(&w, 3);
  OK(Grid_restore(folder, &step, w.items + 2, 3)); /* some of it */
  assert_int_equal(step, 3);
  check(&w, 3);
  assert_int_equal(Grid_checkpoint(folder, 3, ITEMS(&w)), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "step 3 does not come after step 3"));
  sweep();
  drop(&w);
}

/* Without a wait between them each step drops the one before last, and of its own folder alone. */
static void two_folders(void **state) {
  world w;
  uint64_t step = 0;
  char first[sizeof folder];
  make(&w);
  for (int k = 1; k <= 3; k++) {
    fill(&w, k);
    OK(Grid_checkpoint(folder, (uint64_t)k, ITEMS(&w)));
  }
  memcpy(first, folder, sizeof first);
  strcpy(folder + strlen(folder) - 4, "next");
  for (int k = 1; k <= 2; k++) {
    fill(&w, k);
    OK(Grid_checkpoint(folder, (uint64_t)k, ITEMS(&w)));
  }
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  assert_int_equal(step, 2);
  check(&w, 2);
  if (Grid_rank() == 0) assert_int_equal(for_each_file(NULL), Grid_size());
  sweep();
  memcpy(folder, first, sizeof first);
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  assert_int_equal(step, 3);
  check(&w, 3);
  if (Grid_rank() == 0) assert_int_equal(for_each_file(NULL), Grid_size());
  sweep();
  drop(&w);
}

/* A symbolic link in place of the file about to be written: its target stays unchanged. */
static void symlink_not_followed(void **state) {
  world w;
  uint64_t step = 0;
  char path[GRID_CHECKPOINT_PATH], fresh[GRID_CHECKPOINT_PATH + 8], other[128];
  make(&w);
  save_checkpoint(&w, 1);
  assert_true(grid_checkpoint_path(path, folder, (grid_checkpoint_file){2, Grid_size(), Grid_rank()}));
  snprintf(fresh, sizeof fresh, "%s.new", path);
  snprintf(other, sizeof other, "%s.%d", folder, Grid_rank());
  FILE *f = fopen(other, "w");
  assert_on_all(f && fputs("precious", f) >= 0 && fclose(f) == 0 && symlink(other, fresh) == 0);
  save_checkpoint(&w, 2);
  struct stat st;
  assert_on_all(stat(other, &st) == 0 && st.st_size == (off_t)strlen("precious") && unlink(other) == 0);
  assert_on_all(lstat(path, &st) == 0 && S_ISREG(st.st_mode));
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  assert_int_equal(step, 2);
  check(&w, 2);
  sweep();
  drop(&w);
}

/* Each kind of damage to the newest step; the one before is what comes. */
static void damaged(void **state) {
  static const struct {
    int what;
    long at;
    const char *message;
  } kinds[] = {{'r', 0, ""},
               {'t', 0, "too short"},
               {'t', 100, "cut short"},
               {'f', 0, "not a part of a checkpoint"},
               {'f', 48, "another version"},
               {'f', 200, "checksum"},
               {'f', -30, "checksum"},
               {'f', 16, "checksum"}};
  world w;
  uint64_t step;
  make(&w);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int part = 0; part<Grid_size(); part += Grid_size()> 1 ? Grid_size() - 1 : 1) {
      save_checkpoint(&w, 4);
      char old[GRID_CHECKPOINT_PATH], saved[GRID_CHECKPOINT_PATH + 8];
      grid_checkpoint_path(old, folder, (grid_checkpoint_file){4, Grid_size(), Grid_rank()});
      snprintf(saved, sizeof saved, "%s.saved", old);
      assert_on_all(!link(old, saved));
      save_checkpoint(&w, 5);
      OK(Grid_agree(GrB_SUCCESS, NULL));  /* process 0 has removed step 4 */
      assert_on_all(!rename(saved, old)); /* as though it had not been removed yet */
      damage(5, part, kinds[k].at, kinds[k].what);
      fill(&w, 6);
      OK(Grid_restore(folder, &step, ITEMS(&w)));
      assert_int_equal(step, 4);
      assert_non_null(strstr(Grid_last_error(), kinds[k].message));
      check(&w, 4);
      /* and now there is none */
      damage(4, part, kinds[k].at, kinds[k].what);
      fill(&w, 6);
      const GrB_Info info = Grid_restore(folder, &step, ITEMS(&w));
      assert_int_equal(info, kinds[k].what == 'r' ? GrB_NO_VALUE : GrB_INVALID_VALUE);
      assert_non_null(strstr(Grid_last_error(), kinds[k].message));
      check(&w, 6);
      sweep();
    }
  drop(&w);
}

static void mismatched_restore(void **state) {
  world w;
  uint64_t step;
  make(&w);
  fill(&w, 1);
#define REFUSED(what, call, text)                                                      \
  do {                                                                                 \
    assert_int_equal(call, what);                                                      \
    if (!strstr(Grid_last_error(), text)) fail_msg("%s: %s", text, Grid_last_error()); \
  } while (0)
  Grid_Checkpoint_Item k[2] = {{.name = "x", .vector = w.v[0]}, {.name = "x", .vector = w.v[1]}};
  REFUSED(GrB_NULL_POINTER, Grid_checkpoint(NULL, 1, k, 1), "folder is NULL");
  REFUSED(GrB_NULL_POINTER, Grid_checkpoint(folder, 1, NULL, 1), "items is NULL");
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint("", 1, k, 1), "empty");
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, 1, k, 2), "two objects are named");
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint("/proc/none/here", 1, k, 1), "cannot make the folder");
  k[1].name = NULL;
  REFUSED(GrB_NULL_POINTER, Grid_checkpoint(folder, 1, k, 2), "no name");
  k[1].name = "";
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, 1, k, 2), "1 to 63 bytes");
  k[1] = (Grid_Checkpoint_Item){.name = "y"};
  REFUSED(GrB_NULL_POINTER, Grid_checkpoint(folder, 1, k, 2), "none of them");
  k[1] = (Grid_Checkpoint_Item){.name = "y", .vector = w.v[0], .scalar = w.full};
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, 1, k, 2), "more than one");
  k[1] = (Grid_Checkpoint_Item){.name = "y", .bytes = &w};
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, 1, k, 2), "0 bytes");
  k[1].size = SIZE_MAX - 20; /* with the image's head and the other items the sum would wrap around */
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, 1, k, 2), "bytes");
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, UINT64_MAX, k, 1), "has no next one");
  assert_int_equal(for_each_file(NULL), 0);
  save_checkpoint(&w, 1);
  REFUSED(GrB_NULL_POINTER, Grid_restore(folder, NULL, ITEMS(&w)), "step is NULL");
  k[0] = (Grid_Checkpoint_Item){.name = "unknown", .vector = w.v[0]};
  REFUSED(GrB_INVALID_VALUE, Grid_restore(folder, &step, k, 1), "lacks an object");
  k[0] = (Grid_Checkpoint_Item){.name = "full", .vector = w.v[3]};
  REFUSED(GrB_DOMAIN_MISMATCH, Grid_restore(folder, &step, k, 1), "\"full\" was saved with values of");
  k[0] = (Grid_Checkpoint_Item){.name = "full", .scalar = w.full};
  REFUSED(GrB_DOMAIN_MISMATCH, Grid_restore(folder, &step, k, 1), "was saved as a vector, not as a scalar");
  GrB_Vector shorter;
  OK(GrB_Vector_new(&shorter, GrB_FP64, N - 1));
  k[0] = (Grid_Checkpoint_Item){.name = "full", .vector = shorter};
  REFUSED(GrB_DIMENSION_MISMATCH, Grid_restore(folder, &step, k, 1), "size 1000, not 999");
  OK(GrB_Vector_free(&shorter));
  /* another computation's, which was not restored */
  OK(GrB_Vector_free(&w.v[5]));
  OK(GrB_Vector_new(&w.v[5], GrB_UINT8, N));
  w.items[5].vector = w.v[5];
  check(&w, 1);
  drop(&w);
}

/* Another computation's checkpoints, written by `wrong`, are not overwritten; if they are restored, they are
 * continued. */
static void foreign_checkpoint(void **state) {
  world w;
  uint64_t step;
  make(&w);
  fill(&w, 1);
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, 1, ITEMS(&w)), "has step 1 of another computation");
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  save_checkpoint(&w, 2);
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  assert_int_equal(step, 2);
  sweep();
  drop(&w);
}

/* Another run has the folder, until it ends; what it leaves does not stop the next one. */
static void locked_folder(void **state) {
  static const char holder[] = "process 7 on a machine\n";
  world w;
  uint64_t step;
  int other = -1;
  make(&w);
  save_checkpoint(&w, 1);
  OK(Grid_restore(folder, &step, ITEMS(&w))); /* by the run that has the lock */
  sweep();
  if (Grid_rank() == 0) {
    mkdir(folder, 0777);
    other = open(path_of_lock(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    assert_true(other >= 0 && !flock(other, LOCK_EX | LOCK_NB));
    assert_int_equal(write(other, holder, sizeof holder - 1), sizeof holder - 1);
  }
  OK(Grid_agree(GrB_SUCCESS, NULL));
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, 1, ITEMS(&w)), "process 7 on a machine uses");
  REFUSED(GrB_INVALID_VALUE, Grid_restore(folder, &step, ITEMS(&w)), "process 7 on a machine uses");
  if (Grid_rank() == 0) {
    assert_int_equal(for_each_file(NULL), 0);
    close(other);
  }
  save_checkpoint(&w, 1);
  sweep();
  drop(&w);
}

/* A disk that is full: files may not grow. */
static void full_disk(void **state) {
  world w;
  uint64_t step;
  struct rlimit before, small;
  make(&w);
  save_checkpoint(&w, 1);
  fill(&w, 2);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before, small.rlim_cur = 300;
  if (Grid_rank() == Grid_size() - 1) setrlimit(RLIMIT_FSIZE, &small);
  OK(Grid_checkpoint(folder, 2, ITEMS(&w)));
  REFUSED(GrB_INVALID_VALUE, Grid_checkpoint(folder, 3, ITEMS(&w)), "step 2 was not written: cannot write");
  setrlimit(RLIMIT_FSIZE, &before);
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  assert_int_equal(step, 1);
  check(&w, 1);
  save_checkpoint(&w, 2); /* the disk has space again */
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  assert_int_equal(step, 2);
  check(&w, 2);
  sweep();
  drop(&w);
}

/* The k-th allocation and all after it fail. */
static void no_memory(void **state) {
  world w;
  uint64_t step;
  GrB_Info info;
  int64_t k = 0;
  make(&w);
  save_checkpoint(&w, 1);
  fill(&w, 2);
  for (int v = 0; v < VECTORS; v++) OK(GrB_Vector_wait(w.v[v], GrB_MATERIALIZE)); /* elements wait no more */
  const int64_t live = grid_mem_live();
  do {
    grid_mem_fail_after(k++);
    info = Grid_checkpoint(folder, 2, ITEMS(&w));
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
  } while (info != GrB_SUCCESS);
  OK(Grid_checkpoint_wait());
  assert_on_all(grid_mem_live() == live);
  fill(&w, 3);
  k = 0;
  do {
    check(&w, 3);
    grid_mem_fail_after(k++);
    info = Grid_restore(folder, &step, ITEMS(&w));
    grid_mem_fail_after(-1);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
  } while (info != GrB_SUCCESS);
  check(&w, 2);
  sweep();
  drop(&w);
}

/* Any bytes replaced by any: refused, or still consistent. */
static void any_bytes(void **state) {
  grid_checkpoint_entry e = {.kind = GRID_CHECKPOINT_VECTOR,
                             .is_list = true,
                             .size = 4,
                             .n = 90,
                             .first = 10,
                             .count = 20,
                             .nvals = 3,
                             .name = "name",
                             .type = "INT32"};
  const uint64_t size = sizeof(grid_image_head) + grid_image_bytes(&e), index[] = {11, 17, 29};
  char *good = calloc(1, size), *bad = malloc(size);
  grid_image_write_entry(good + sizeof(grid_image_head), &e);
  memcpy(e.idx, index, sizeof index);
  const grid_image_head head = {.size = size, .processes = 1};
  for (int k = 0; k < 20000; k++) {
    grid_image_head got;
    uint64_t at = sizeof got;
    memcpy(bad, good, size);
    const uint64_t changes = k ? 1 + draw(3) : 0;
    for (uint64_t c = 0; c < changes; c++)
      bad[sizeof got + draw(size - sizeof got)] = (char)(draw_one_in(3) ? 255 : draw(256));
    grid_image_seal(bad, head);
    assert_null(grid_image_open(&got, bad, size));
    const char *message = NULL;
    while (at < size && !message) message = grid_image_next(&e, &at, bad, size);
    if (!k) assert_null(message);
    if (message) continue;
    assert_true(e.nvals <= e.count && e.first + e.count <= e.n);
    assert_true(e.val + e.nvals * e.size <= bad + size && strlen(e.name) < size && strlen(e.type) < size);
  }
  free(good);
  free(bad);
}

/* ---- on all processes, on fewer, and on one that dies ---- */

static int start(void **state) {
  return Grid_init(GrB_NONBLOCKING, NULL, 0, 0) != GrB_SUCCESS;
}
static int stop(void **state) {
  return GrB_finalize() != GrB_SUCCESS;
}

/* Written by the first `writers` processes, read by the first `readers`. */
static void pass_on(int writers, int readers) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 0; turn < 2; turn++) {
    const int size = turn ? readers : writers;
    MPI_Comm subset;
    MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &subset);
    if (rank < size) {
      world w;
      uint64_t step;
      OK(Grid_init(GrB_NONBLOCKING, &subset, size % 2 ? size : size / 2, size % 2 ? 1 : 2));
      make(&w);
      if (!turn) {
        fill(&w, 8);
        OK(Grid_checkpoint(folder, 8, ITEMS(&w))); /* GrB_finalize waits for it */
      } else {
        OK(Grid_restore(folder, &step, ITEMS(&w)));
        assert_int_equal(step, 8);
        check(&w, 8);
        save_checkpoint(&w, 9);
        OK(Grid_restore(folder, &step, ITEMS(&w)));
        assert_int_equal(step, 9);
        sweep();
      }
      drop(&w);
      OK(GrB_finalize());
      MPI_Comm_free(&subset);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void other_numbers(void **state) {
  int P = 1;
  if (!launched) skip();
  MPI_Comm_size(MPI_COMM_WORLD, &P);
  for (int writers = 1; writers <= P; writers++)
    for (int readers = 1; readers <= P; readers++) pass_on(writers, readers);
}

/* The process is killed at each step of the write of step 2: step 1 is there, or all of step 2. */
static void crashes(void **state) {
  if (launched) skip();
  for (int at = 0; at < GRID_CHECKPOINT_STEPS; at++) {
    world w;
    uint64_t step;
    int status;
    const pid_t child = fork(); /* the library has not started in this process, or has ended */
    if (child == 0) {
      if (GrB_init(GrB_BLOCKING)) _exit(1);
      make(&w);
      save_checkpoint(&w, 1);
      grid_tune.checkpoint_crash_at = at;
      save_checkpoint(&w, 2);
      _exit(2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 99);
    OK(GrB_init(GrB_BLOCKING));
    make(&w);
    OK(Grid_restore(folder, &step, ITEMS(&w)));
    assert_int_equal(step, at < 4 ? 1 : 2); /* 4: it has its name */
    check(&w, (int)step);
    save_checkpoint(&w, 3);
    assert_int_equal(for_each_file(NULL), 1); /* incomplete files are deleted */
    sweep();
    drop(&w);
    OK(GrB_finalize());
  }
}

/* Starts a run that has a checkpoint, and waits. */
static pid_t start_run(void) {
  int ready[2];
  char c;
  assert_int_equal(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    world w;
    if (GrB_init(GrB_BLOCKING)) _exit(1);
    make(&w);
    save_checkpoint(&w, 1);
    if (write(ready[1], "", 1) == 1) pause();
    _exit(1);
  }
  close(ready[1]);
  assert_int_equal(read(ready[0], &c, 1), 1);
  close(ready[0]);
  return child;
}

/* The message names the process that has the folder. Once that is killed, a run resumes. */
static void killed_holder(void **state) {
  if (launched) skip();
  world w;
  uint64_t step;
  char holder[64];
  const pid_t child = start_run();
  snprintf(holder, sizeof holder, "process %ld on ", (long)child);
  OK(GrB_init(GrB_BLOCKING));
  make(&w);
  REFUSED(GrB_INVALID_VALUE, Grid_restore(folder, &step, ITEMS(&w)), holder);
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_int_equal(access(path_of_lock(), F_OK), 0);
  OK(Grid_restore(folder, &step, ITEMS(&w)));
  assert_int_equal(step, 1);
  save_checkpoint(&w, 2);
  drop(&w);
  OK(GrB_finalize());
  assert_int_not_equal(access(path_of_lock(), F_OK), 0);
  for_each_file(remove_file);
  rmdir(folder);
}

/* A lock that another user left and that this one cannot write: the lock names the process that has it. */
static void lock_of_other_user(void **state) {
  if (launched) skip();
  const mode_t before = umask(0);
  assert_int_equal(mkdir(folder, 0777), 0);
  assert_int_equal(chmod(work_dir, 0755), 0);
  const int left = open(path_of_lock(), O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
  assert_true(left >= 0 && write(left, "process 7", 9) == 9);
  close(left);
  umask(before);
  const pid_t child = fork();
  if (child == 0) {
    grid_checkpoint_lock lock;
    char want[64], text[64] = "";
    if (getuid() == 0 && setuid(65534)) _exit(2); /* root may write all files */
    if (grid_checkpoint_lock_folder(&lock, folder, "test") != GrB_SUCCESS || lock.pid != getpid()) _exit(3);
    const int file = open(path_of_lock(), O_RDONLY | O_CLOEXEC);
    snprintf(want, sizeof want, "process %ld on ", (long)getpid());
    const bool named = read(file, text, sizeof text - 1) > 0 && strncmp(text, want, strlen(want)) == 0;
    grid_checkpoint_unlock(&lock, folder);
    _exit(named ? 0 : 4);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  assert_int_not_equal(access(path_of_lock(), F_OK), 0);
  rmdir(folder);
}

/* A lock file that cannot be written, as without quota: the lock holds without a name. */
static void lock_without_text(void **state) {
  if (launched) skip();
  assert_int_equal(mkdir(folder, 0777), 0);
  const pid_t child = fork();
  if (child == 0) {
    grid_checkpoint_lock lock;
    struct rlimit most;
    getrlimit(RLIMIT_FSIZE, &most);
    most.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    alarm(20);
    if (setrlimit(RLIMIT_FSIZE, &most)) _exit(2);
    if (grid_checkpoint_lock_folder(&lock, folder, "test") != GrB_SUCCESS || lock.pid != getpid()) _exit(3);
    const int other = open(path_of_lock(), O_RDONLY | O_CLOEXEC);
    const bool holds = other >= 0 && flock(other, LOCK_EX | LOCK_NB) != 0;
    grid_checkpoint_unlock(&lock, folder);
    _exit(holds ? 0 : 4);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  rmdir(folder);
}

int main(void) {
  int failed = 0, rank = 0;
  launched = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE");
  if (launched) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  }
  const char *under = getenv("TMPDIR");
  snprintf(work_dir, sizeof work_dir, "%.40s/grid_mask_side.XXXXXX", under ? under : "/tmp");
  if (rank == 0 && !mkdtemp(work_dir)) return 2;
  if (launched) MPI_Bcast(work_dir, sizeof work_dir, MPI_BYTE, 0, MPI_COMM_WORLD);
  snprintf(folder, sizeof folder, "%s/kept", work_dir);
  const struct CMUnitTest apart[] = {cmocka_unit_test(crashes), cmocka_unit_test(killed_holder),
                                     cmocka_unit_test(lock_of_other_user),
                                     cmocka_unit_test(lock_without_text), cmocka_unit_test(other_numbers)};
  failed += cmocka_run_group_tests(apart, NULL, NULL);
  const struct CMUnitTest first[] = {cmocka_unit_test(any_bytes),   cmocka_unit_test(restore_round_trip),
                                     cmocka_unit_test(two_folders), cmocka_unit_test(symlink_not_followed),
                                     cmocka_unit_test(damaged),     cmocka_unit_test(full_disk),
                                     cmocka_unit_test(no_memory),   cmocka_unit_test(mismatched_restore)};
  failed += cmocka_run_group_tests(first, start, stop);
  const struct CMUnitTest second[] = {cmocka_unit_test(foreign_checkpoint), cmocka_unit_test(locked_folder)};
  failed += cmocka_run_group_tests(second, start, stop);
  if (rank == 0) rmdir(work_dir);
  if (launched) MPI_Finalize();
  return failed;
}
