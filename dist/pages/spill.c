/* Runs are written; see spill.h. */
#include "dist/pages/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/pages/budget.h"
#include "dist/pages/bytes.h"
#include "dist/pages/past.h"
#include "dist/pages/store.h"
#include "semiring/mem.h"

/* As many keys as two blocks of a disk hold: what a range reads of a run beyond its end. */
uint64_t grid_spill_step = 1024;

/* Tuples that there is room for at first. */
enum { FIRST_ROOM = 1 << 16 };

static GrB_Info write_trouble(const grid_spill *s, int error) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write tuples beside it: %s", s->path,
                   strerror(error));
}

static GrB_Info end_write(grid_spill *s);

/* ---- files -----------------------------------------------------------------------------------------------
 */

/* PATH.tuples.XXXXXX of each process, known to all; where path lists several files, beside one of them. */
static GrB_Info make_files(grid_spill *s, char *names, size_t length) {
  char *own = names + (size_t)grid_here.k * length;
  const int P = grid_here.P;
  GrB_Info info = GrB_SUCCESS;
  memcpy(own + grid_store_name(own, s->path, (unsigned)grid_here.k), ".tuples.XXXXXX",
         sizeof ".tuples.XXXXXX");
  s->fd[grid_here.k] = mkostemp(own, O_CLOEXEC);
  if (s->fd[grid_here.k] < 0) info = write_trouble(s, errno), own[0] = '\0';
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS && P > 1) {
    char *mine = grid_malloc(length, 1);
    info = grid_agree(NULL, mine ? info : grid_fail_memory(NULL, "a file's name", length, 1));
    if (mine) memcpy(mine, own, length);
    if (info == GrB_SUCCESS) info = grid_here.transport->allgather(GRID_SET_ALL, mine, length, names);
    grid_free(mine);
    for (int p = 0; p < P && info == GrB_SUCCESS; p++)
      if (p != grid_here.k &&
          (s->fd[p] = open(names + (size_t)p * length, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)) < 0)
        info = write_trouble(s, errno);
    info = grid_agree(NULL, info); /* all have opened all */
  }
  if (own[0]) unlink(own);
  return info;
}

GrB_Info grid_spill_open(grid_spill *s, const char *path, bool valued, uint64_t bytes) {
  const size_t length = strlen(path) + sizeof ".tuples.XXXXXX", P = (size_t)grid_here.P;
  const uint64_t each = 2 * (sizeof(uint64_t) + (valued ? sizeof(double) : 0)); /* as they are, and sorted */
  *s = (grid_spill){.path = path, .valued = valued, .most = bytes / each > 64 ? bytes / each : 64};
  char *names = grid_calloc(P, length);
  s->fd = grid_malloc(P, sizeof *s->fd);
  for (size_t p = 0; s->fd && p < P; p++) s->fd[p] = -1;
  GrB_Info info =
      grid_agree(NULL, names && s->fd ? GrB_SUCCESS : grid_fail_memory(NULL, "names of files", P, length));
  if (info == GrB_SUCCESS) info = make_files(s, names, length);
  grid_free(names);
  if (info != GrB_SUCCESS) grid_spill_close(s);
  return info;
}

void grid_spill_close(grid_spill *s) {
  end_write(s);
  for (int p = 0; s->fd && p < grid_here.P; p++)
    if (s->fd[p] >= 0) close(s->fd[p]);
  grid_free(s->fd);
  grid_free(s->key);
  grid_free(s->val);
  grid_free(s->run);
  grid_free(s->sample);
  *s = (grid_spill){.path = s->path};
}

/* ---- order -----------------------------------------------------------------------------------------------
 */

typedef struct {
  const uint64_t *key;
  const double *val;
  uint64_t base;
} spill_tuples;

static uint64_t read_tuples(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                            char *load) {
  const spill_tuples *t = s->context;
  (void)bin;
  for (uint64_t k = from; k < to; k++) key[k - from] = t->key[k] - t->base;
  if (load) memcpy(load, t->val + from, (to - from) * sizeof *t->val);
  return to - from;
}

/* As GrB_MIN_FP64: a number comes before a NaN, so that it does not matter which run has which. */
static double lesser(double x, double y) {
  return isnan(x) || y < x ? y : x;
}

void grid_spill_unique(grid_run *r) {
  uint64_t n = 0;
  double *val = (void *)r->load;
  for (uint64_t k = 0; k < r->n; k++) {
    if (n && r->key[n - 1] == r->key[k]) {
      if (val) val[n - 1] = lesser(val[n - 1], val[k]);
      continue;
    }
    r->key[n] = r->key[k];
    if (val) val[n] = val[k];
    n++;
  }
  r->n = n;
}

GrB_Info grid_spill_sort(grid_sorted *to, const uint64_t *key, const double *val, uint64_t n, uint64_t base,
                         uint64_t last) {
  const spill_tuples t = {key, val, base};
  const grid_source from = {.n = n, .times = 1, .read = read_tuples, .context = &t};
  int bits = 1;
  while (bits < 64 && (last - base) >> bits) bits++;
  *to = (grid_sorted){0};
  if (n == 0) return GrB_SUCCESS;
  GrB_Info info = grid_sort_tuples(to, &from, val ? sizeof *val : 0, bits, 0, NULL);
  if (info != GrB_SUCCESS) return info;
  to->n = 0;
#pragma omp parallel for schedule(dynamic, 4)
  for (uint64_t r = 0; r < to->runs; r++) grid_spill_unique(&to->run[r]);
  for (uint64_t r = 0; r < to->runs; r++) to->n += to->run[r].n;
  return info;
}

/* ---- a run -----------------------------------------------------------------------------------------------
 */

/* Room in a list that grows by halves. */
static void *with_room(void *list, uint64_t *room, uint64_t n, size_t size) {
  if (n <= *room) return list;
  const uint64_t more = n + n / 2 + 16;
  void *longer = grid_realloc(list, more, size);
  if (longer) *room = more;
  return longer;
}

static GrB_Info add_run(grid_spill *s, uint64_t n) {
  const uint64_t samples = (n + grid_spill_step - 1) / grid_spill_step;
  void *runs = with_room(s->run, &s->runs_room, s->runs + 1, sizeof *s->run);
  if (runs) s->run = runs;
  void *list = with_room(s->sample, &s->samples_room, s->samples + samples, sizeof *s->sample);
  if (list) s->sample = list;
  if (!runs || !list) return grid_fail_memory(NULL, "a list of runs", s->samples + samples, 8);
  s->run[s->runs++] = (grid_spilled_run){s->end, n, (uint64_t)grid_here.k};
  return GrB_SUCCESS;
}

static void take_samples(grid_spill *s, const grid_sorted *all) {
  uint64_t first = 0;
  for (uint64_t r = 0; r < all->runs; first += all->run[r++].n)
    for (uint64_t k = (first + grid_spill_step - 1) / grid_spill_step * grid_spill_step;
         k < first + all->run[r].n; k += grid_spill_step)
      s->sample[s->samples + k / grid_spill_step] = all->run[r].key[k - first];
  s->samples += (all->n + grid_spill_step - 1) / grid_spill_step;
}

/* A run on its way to the disk while the next one is collected. */
struct grid_spill_write {
  grid_sorted all;
  grid_past to;
  int error;
  bool valued, threaded;
  pthread_t thread;
};

static uint64_t bytes_of(const struct grid_spill_write *w) {
  return w->all.n * (sizeof(uint64_t) + (w->valued ? sizeof(double) : 0));
}

static void *write_pieces(void *context) {
  struct grid_spill_write *w = context;
  const grid_sorted *all = &w->all;
  for (uint64_t r = 0; r < all->runs; r++)
    grid_past_put(&w->to, all->run[r].key, all->run[r].n * sizeof *all->run->key);
  for (uint64_t r = 0; w->valued && r < all->runs; r++)
    grid_past_put(&w->to, all->run[r].load, all->run[r].n * sizeof(double));
  w->error = grid_past_end(&w->to);
  return NULL;
}

/* The run that is being written is there, or an error. */
static GrB_Info end_write(grid_spill *s) {
  struct grid_spill_write *w = s->out;
  if (!w) return GrB_SUCCESS;
  if (w->threaded) pthread_join(w->thread, NULL);
  const int error = w->error;
  grid_past_free(&w->to);
  grid_sorted_free(&w->all);
  grid_free(w);
  s->out = NULL;
  return error ? write_trouble(s, error) : GrB_SUCCESS;
}

static GrB_Info write_run(grid_spill *s) {
  GrB_Info info = end_write(s);
  if (info != GrB_SUCCESS) return info;
  struct grid_spill_write *w = grid_calloc(1, sizeof *w);
  if (!w) return grid_fail_memory(NULL, "a run", 1, sizeof *w);
  info = grid_spill_sort(&w->all, s->key, s->val, s->n, 0, s->largest);
  if (info == GrB_SUCCESS && (info = add_run(s, w->all.n)) != GrB_SUCCESS) grid_sorted_free(&w->all);
  if (info != GrB_SUCCESS) {
    grid_free(w);
    return info;
  }
  take_samples(s, &w->all);
  w->valued = s->valued;
  /* a budget that was set leaves the rest of the memory to others: the system's cache, too */
  grid_past_begin(&w->to, s->fd[grid_here.k], s->end, grid_budget_is_set() ? bytes_of(w) / 32 : 0);
  s->spilled += bytes_of(w);
  s->end += (bytes_of(w) + GRID_PAST_BLOCK - 1) / GRID_PAST_BLOCK * GRID_PAST_BLOCK;
  s->n = s->largest = 0;
  s->out = w;
  w->threaded = pthread_create(&w->thread, NULL, write_pieces, w) == 0;
  if (!w->threaded) write_pieces(w);
  return info;
}

static GrB_Info grow(grid_spill *s) {
  const uint64_t twice = s->room ? 2 * s->room : FIRST_ROOM, room = twice < s->most ? twice : s->most;
  uint64_t *key = grid_realloc(s->key, room, sizeof *key);
  if (key) s->key = key;
  double *val = key && s->valued ? grid_realloc(s->val, room, sizeof *val) : NULL;
  if (val) s->val = val;
  if (!key || (s->valued && !val))
    return grid_fail_memory(NULL, "tuples", room, s->valued ? 2 * sizeof *key : sizeof *key);
  s->room = room;
  return GrB_SUCCESS;
}

GrB_Info grid_spill_room(grid_spill *s) {
  if (s->n < s->room) return GrB_SUCCESS;
  return s->room < s->most ? grow(s) : write_run(s);
}

/* ---- shared ----------------------------------------------------------------------------------------------
 */

GrB_Info grid_spill_share(grid_spill *s, GrB_Info info, uint64_t most_alone) {
  void *run = NULL, *sample = NULL;
  const bool alone = grid_here.P == 1 && s->runs == 0 && s->n <= most_alone;
  if (info == GrB_SUCCESS && s->n && !alone) info = write_run(s);
  const GrB_Info written = end_write(s);
  if (info == GrB_SUCCESS) info = written;
  if (alone) return info;
  grid_free(s->key);
  grid_free(s->val);
  s->key = NULL, s->val = NULL, s->n = s->room = 0;
  uint64_t all[2] = {s->runs, s->samples};
  TRY(grid_agree_sum(NULL, info, all, 2));
  if (grid_here.P == 1) return info;
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
