/* Writes sorted runs; see sort_runs.h. */
#include "dist/outofcore/sort/sort_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/outofcore/file/memory_budget.h"
#include "dist/outofcore/file/file_bytes.h"
#include "dist/outofcore/file/direct_write.h"
#include "dist/outofcore/file/striped_file.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"

/* initial capacity in tuples */
enum { FIRST_CAPACITY = 1 << 16 };

static GrB_Info fail_write(const grid_run_writer *s, int error) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write tuples beside it: %s", s->path,
                   strerror(error));
}

static GrB_Info end_write(grid_run_writer *s);

/* ---- files ---- */

static GrB_Info agree(const grid_run_writer *s, GrB_Info info) {
  return s->ranks > 1 ? grid_agree(NULL, info) : info;
}

/* Creates each process's file PATH.tuples.XXXXXX and opens all others'; if path lists several files,
 * beside one of them. */
static GrB_Info make_files(grid_run_writer *s, char *names, size_t length) {
  char *local_name = names + (size_t)s->rank * length;
  GrB_Info info = GrB_SUCCESS;
  memcpy(local_name + grid_store_name(local_name, s->path, (unsigned)grid_ctx.k), ".tuples.XXXXXX",
         sizeof ".tuples.XXXXXX");
  s->fd[s->rank] = mkostemp(local_name, O_CLOEXEC);
  if (s->fd[s->rank] < 0) info = fail_write(s, errno), local_name[0] = '\0';
  info = agree(s, info);
  if (info == GrB_SUCCESS && s->ranks > 1) {
    char *padded_name = grid_malloc(length, 1);
    info = grid_agree(NULL, padded_name ? info : grid_fail_memory(NULL, "a file's name", length, 1));
    if (padded_name) memcpy(padded_name, local_name, length);
    if (info == GrB_SUCCESS) info = grid_ctx.transport->allgather(GRID_SET_ALL, padded_name, length, names);
    grid_free(padded_name);
    for (int p = 0; p < s->ranks && info == GrB_SUCCESS; p++)
      if (p != s->rank &&
          (s->fd[p] = open(names + (size_t)p * length, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)) < 0)
        info = fail_write(s, errno);
    info = grid_agree(NULL, info); /* afterwards the files can be unlinked */
  }
  if (local_name[0]) unlink(local_name);
  return info;
}

GrB_Info grid_run_writer_open(grid_run_writer *s, const char *path, bool is_local, bool valued,
                              uint64_t bytes) {
  const size_t length = strlen(path) + sizeof ".tuples.XXXXXX", P = is_local ? 1 : (size_t)grid_ctx.P;
  const uint64_t tuple_bytes =
      2 * (sizeof(uint64_t) + (valued ? sizeof(double) : 0)); /* unsorted and sorted */
  *s = (grid_run_writer){.path = path,
                         .valued = valued,
                         .rank = is_local ? 0 : grid_ctx.k,
                         .ranks = (int)P,
                         .most = bytes / tuple_bytes > 64 ? bytes / tuple_bytes : 64,
                         .sample_step = grid_tune.run_sample_step};
  char *names = grid_calloc(P, length);
  s->fd = grid_malloc(P, sizeof *s->fd);
  for (size_t p = 0; s->fd && p < P; p++) s->fd[p] = -1;
  GrB_Info info =
      agree(s, names && s->fd ? GrB_SUCCESS : grid_fail_memory(NULL, "names of files", P, length));
  if (info == GrB_SUCCESS) info = make_files(s, names, length);
  grid_free(names);
  if (info != GrB_SUCCESS) grid_run_writer_close(s);
  return info;
}

void grid_run_writer_close(grid_run_writer *s) {
  end_write(s);
  for (int p = 0; s->fd && p < s->ranks; p++)
    if (s->fd[p] >= 0) close(s->fd[p]);
  grid_free(s->fd);
  grid_free(s->key);
  grid_free(s->val);
  grid_free(s->run);
  grid_free(s->sample);
  *s = (grid_run_writer){.path = s->path};
}

/* ---- sorting ---- */

typedef struct {
  const uint64_t *key;
  const double *val;
  uint64_t base;
} tuple_view;

static uint64_t read_tuples(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                            char *load) {
  const tuple_view *t = s->context;
  (void)bin;
  for (uint64_t k = from; k < to; k++) key[k - from] = t->key[k] - t->base;
  if (load) memcpy(load, t->val + from, (to - from) * sizeof *t->val);
  return to - from;
}

/* As GrB_MIN_FP64, as the next is GrB_MAX_FP64: a number precedes a NaN, so that the order of runs does not
 * matter. */
static double min_double(double x, double y) {
  return isnan(x) || y < x ? y : x;
}

static double max_double(double x, double y) {
  return isnan(x) || y > x ? y : x;
}

static double plus_double(double x, double y) {
  return x + y;
}

static double times_double(double x, double y) {
  return x * y;
}

void grid_run_unique(grid_run *r, grid_join dup) {
  static double (*const joins[GRID_DUPS])(double, double) = {min_double, max_double, plus_double,
                                                             times_double};
  uint64_t n = 0;
  double *val = (void *)r->load;
  for (uint64_t k = 0; k < r->n; k++) {
    if (n && r->key[n - 1] == r->key[k]) {
      if (val) val[n - 1] = joins[dup](val[n - 1], val[k]);
      continue;
    }
    r->key[n] = r->key[k];
    if (val) val[n] = val[k];
    n++;
  }
  r->n = n;
}

GrB_Info grid_sort_run(grid_sorted *to, const uint64_t *key, const double *val, uint64_t n, uint64_t base,
                       uint64_t last, grid_join dup) {
  const tuple_view t = {key, val, base};
  const grid_source from = {.n = n, .times = 1, .read = read_tuples, .context = &t};
  int bits = 1;
  while (bits < 64 && (last - base) >> bits) bits++;
  *to = (grid_sorted){0};
  if (n == 0) return GrB_SUCCESS;
  GrB_Info info = grid_sort_tuples(to, &from, val ? sizeof *val : 0, bits, 0, NULL);
  if (info != GrB_SUCCESS) return info;
  to->n = 0;
#pragma omp parallel for schedule(dynamic, 4)
  for (uint64_t r = 0; r < to->runs; r++) grid_run_unique(&to->run[r], dup);
  for (uint64_t r = 0; r < to->runs; r++) to->n += to->run[r].n;
  return info;
}

/* ---- runs ---- */

/* Grows an array by half. */
static void *grow_array(void *list, uint64_t *capacity, uint64_t n, size_t size) {
  if (n <= *capacity) return list;
  const uint64_t more = n + n / 2 + 16;
  void *longer = grid_realloc(list, more, size);
  if (longer) *capacity = more;
  return longer;
}

static GrB_Info add_run(grid_run_writer *s, uint64_t n) {
  const uint64_t samples = (n + s->sample_step - 1) / s->sample_step;
  void *runs = grow_array(s->run, &s->runs_capacity, s->runs + 1, sizeof *s->run);
  if (runs) s->run = runs;
  void *list = grow_array(s->sample, &s->samples_capacity, s->samples + samples, sizeof *s->sample);
  if (list) s->sample = list;
  if (!runs || !list) return grid_fail_memory(NULL, "a list of runs", s->samples + samples, 8);
  s->run[s->runs++] = (grid_sorted_run){s->end, n, (uint64_t)s->rank};
  return GrB_SUCCESS;
}

static void add_samples(grid_run_writer *s, const grid_sorted *all) {
  uint64_t first = 0;
  for (uint64_t r = 0; r < all->runs; first += all->run[r++].n)
    for (uint64_t k = (first + s->sample_step - 1) / s->sample_step * s->sample_step;
         k < first + all->run[r].n; k += s->sample_step)
      s->sample[s->samples + k / s->sample_step] = all->run[r].key[k - first];
  s->samples += (all->n + s->sample_step - 1) / s->sample_step;
}

/* A run that is written while the next one is collected. */
struct grid_run_write {
  grid_sorted all;
  grid_direct_writer to;
  int error;
  bool valued, threaded;
  pthread_t thread;
};

static uint64_t bytes_of(const struct grid_run_write *w) {
  return w->all.n * (sizeof(uint64_t) + (w->valued ? sizeof(double) : 0));
}

static void *write_segments(void *context) {
  struct grid_run_write *w = context;
  const grid_sorted *all = &w->all;
  for (uint64_t r = 0; r < all->runs; r++)
    grid_direct_write(&w->to, all->run[r].key, all->run[r].n * sizeof *all->run->key);
  for (uint64_t r = 0; w->valued && r < all->runs; r++)
    grid_direct_write(&w->to, all->run[r].load, all->run[r].n * sizeof(double));
  w->error = grid_direct_end(&w->to);
  return NULL;
}

/* Waits for the run being written. */
static GrB_Info end_write(grid_run_writer *s) {
  struct grid_run_write *w = s->out;
  if (!w) return GrB_SUCCESS;
  if (w->threaded) pthread_join(w->thread, NULL);
  const int error = w->error;
  grid_direct_free(&w->to);
  grid_sorted_free(&w->all);
  grid_free(w);
  s->out = NULL;
  return error ? fail_write(s, error) : GrB_SUCCESS;
}

static GrB_Info write_run(grid_run_writer *s) {
  GrB_Info info = end_write(s);
  if (info != GrB_SUCCESS) return info;
  struct grid_run_write *w = grid_calloc(1, sizeof *w);
  if (!w) return grid_fail_memory(NULL, "a run", 1, sizeof *w);
  info = grid_sort_run(&w->all, s->key, s->val, s->n, 0, s->largest, s->dup);
  if (info == GrB_SUCCESS && (info = add_run(s, w->all.n)) != GrB_SUCCESS) grid_sorted_free(&w->all);
  if (info != GrB_SUCCESS) {
    grid_free(w);
    return info;
  }
  add_samples(s, &w->all);
  w->valued = s->valued;
  /* with a set budget the page cache belongs to others, so direct I/O is used */
  grid_direct_begin(&w->to, s->fd[s->rank], s->end, grid_budget_is_set() ? bytes_of(w) / 32 : 0);
  s->bytes_moved += bytes_of(w);
  s->end += (bytes_of(w) + GRID_DIRECT_BLOCK - 1) / GRID_DIRECT_BLOCK * GRID_DIRECT_BLOCK;
  s->n = s->largest = 0;
  s->out = w;
  w->threaded = pthread_create(&w->thread, NULL, write_segments, w) == 0;
  if (!w->threaded) write_segments(w);
  return info;
}

static GrB_Info grow_buffer(grid_run_writer *s) {
  const uint64_t twice = s->capacity ? 2 * s->capacity : FIRST_CAPACITY,
                 capacity = twice < s->most ? twice : s->most;
  uint64_t *key = grid_realloc(s->key, capacity, sizeof *key);
  if (key) s->key = key;
  double *val = key && s->valued ? grid_realloc(s->val, capacity, sizeof *val) : NULL;
  if (val) s->val = val;
  if (!key || (s->valued && !val))
    return grid_fail_memory(NULL, "tuples", capacity, s->valued ? 2 * sizeof *key : sizeof *key);
  s->capacity = capacity;
  return GrB_SUCCESS;
}

GrB_Info grid_run_writer_reserve(grid_run_writer *s, uint64_t n) {
  GrB_Info info = GrB_SUCCESS;
  while (info == GrB_SUCCESS && s->capacity - s->n < n)
    info = s->capacity < s->most ? grow_buffer(s) : write_run(s);
  return info;
}

/* ---- gathering the runs ---- */

GrB_Info grid_run_writer_finish(grid_run_writer *s, GrB_Info info, uint64_t most_in_memory) {
  void *run = NULL, *sample = NULL;
  const bool in_memory = s->ranks == 1 && s->runs == 0 && s->n <= most_in_memory;
  if (info == GrB_SUCCESS && s->n && !in_memory) info = write_run(s);
  const GrB_Info written = end_write(s);
  if (info == GrB_SUCCESS) info = written;
  if (in_memory) return info;
  grid_free(s->key);
  grid_free(s->val);
  s->key = NULL, s->val = NULL, s->n = s->capacity = 0;
  if (s->ranks == 1) return info;
  uint64_t all[2] = {s->runs, s->samples};
  TRY(grid_agree_sum(NULL, info, all, 2));
  TRY(grid_gather_elements(s->run, s->runs, sizeof *s->run, &run));
  TRY(grid_gather_elements(s->sample, s->samples, sizeof *s->sample, &sample));
  grid_free(s->run);
  grid_free(s->sample);
  s->run = run, s->sample = sample;
  s->runs = all[0], s->samples = all[1];
  run = sample = NULL;
done:
  grid_free(run);
  grid_free(sample);
  return info;
}
