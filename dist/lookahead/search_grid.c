/* A search on several GPUs, level by level: kernels, one exchange, one word to the host. All hosts decide
 * on the next level from the same numbers. A small level is sent as lists of fixed length with counters in
 * front, a large one as a bitmap gathered in place. The choice is predicted; a list that is too short is
 * followed by a longer one or by the bitmap. A bitmap is sent on a side stream: the delegates' part goes
 * first, and the next level begins with it. */
#include "dist/lookahead/search_grid.h"

#include <string.h>

#include "dist/comm/device_transport.h"
#include "dist/grid/layout.h"
#include "dist/lookahead/search_delegates.h"
#include "spmat/backend.h"

/* Pull if the entries of the frontier times this exceed those of the rows not found yet. */
static const uint64_t PULL_ABOVE = 20;
/* A frontier list of at most so many entries is always pushed: making its bitmap would cost more. */
static const uint64_t PUSH_BELOW = UINT64_C(1) << 20;
/* A frontier bitmap of at least so many bits does not fit the GPU's cache beside what a pull reads. */
static const uint64_t LARGE = UINT64_C(1) << 27;
/* A large bitmap with fewer than one in SPARSE of its 64-bit words nonzero is read through a bitmap of
 * these words. That is done if more than one in MANY_OPEN of all vertices are pulled. */
static const uint64_t SPARSE = 8, MANY_OPEN = 16;
/* Maximum segments of long vectors for the second kernel of a push; further ones are processed by the
 * first kernel. */
static const uint64_t SEGMENTS_MOST = UINT64_C(1) << 22;

struct grid_search {
  grid_level_search w;
  const grid_device_transport *t;
  uint64_t seq; /* sequence number of the last publish */
  grid_search_job job;
  /* state of the run: level `done` is known, and `in_flight` of its successors (0 or 1) has been launched */
  uint32_t done;
  int in_flight;
  bool begun, is_over, finished; /* begun: the start is known, too */
  bool is_list;                  /* level in flight: sent as lists */
  bool incomplete;               /* level `done`: the lists were too short, and nothing else has been sent */
  uint64_t longest;              /* level `done`: the largest count of a process */
  bool on_side_stream;           /* level `done`: its bitmap may still be in flight */
  bool delegates_device;         /* level `done`: delegates.bits are those of its vertices */
  int at;                        /* level `done`: index of its bits and messages */
  bool have_open;                /* a pull has made the list of open rows */
  int open;                      /* its index */
  bool stale;                    /* rows have been found since it was written */
  bool visited_behind;           /* pulls have found rows that `visited` lacks */
  bool is_clear[2];              /* this process's part of the bits is 0 */
  bool is_shrinking;             /* a pull found less than the previous level, and most of the rest */
  bool last_is_list; /* the frontier is in lists, and this process's bits were set by its list alone */
  uint64_t frontier, frontier_edges, open_rows, open_edges; /* over the grid */
  uint64_t count[GRID_SEARCH_LEVELS + 1];                   /* vertices of each level, on all processes */
  uint64_t local_count[GRID_SEARCH_LEVELS + 1];             /* and on this one */
  grid_search_level what[GRID_SEARCH_LEVELS + 1];
  uint64_t began; /* device time */
};

static uint64_t local_word_count(const grid_search *s) {
  return s->w.q / 64;
}
static uint64_t *local_bitmap(const grid_search *s, int at) {
  return (uint64_t *)(void *)s->w.bits[at] + (uint64_t)s->w.k * local_word_count(s);
}

/* Waits for the side stream. */
static GrB_Info wait_side_stream(grid_search *s) {
  if (!s->on_side_stream) return GrB_SUCCESS;
  s->on_side_stream = false;
  return grid_device_wait_aside();
}

/* ---- memory ---- */

static void search_free(grid_search *s) {
  if (!s) return;
  grid_level_search *w = &s->w;
  (void)wait_side_stream(s);
  for (int b = 0; b < 2; b++) {
    grid_device_free(w->bits[b]);
    grid_device_free(w->message[b]);
    grid_device_free(w->open[b]);
  }
  grid_device_free(w->coarse);
  grid_device_free(w->list);
  grid_device_free(w->lists);
  grid_search_delegates_free(w);
  grid_device_free(w->visited);
  grid_device_free(w->level);
  grid_device_free(w->heads);
  grid_device_free(w->deferred);
  grid_device_free(w->segments);
  grid_device_free(w->counters);
  if (w->record) grid_cuda->levels->unpin(w->record);
  grid_free(s);
}

#define ALLOCATE_DEVICE(to, count, what)                                       \
  do {                                                                         \
    uint64_t count_ = (count);                                                 \
    (to) = grid_device_malloc(count_, sizeof *(to));                           \
    if (!(to)) TRY(grid_device_fail_memory(NULL, what, count_, sizeof *(to))); \
  } while (0)

static GrB_Info make_arrays(grid_search *s) {
  grid_level_search *w = &s->w;
  const uint64_t P = (uint64_t)w->P, nvals = w->graph.nvals, segments = nvals / 64 + 1;
  const uint64_t *nonempty = w->graph.nonempty; /* rows that hold entries: the maximum number of open rows */
  GrB_Info info =
      grid_cuda->chunks->combine(NULL, nonempty, nonempty, GRID_AND, w->graph.n, &w->open_capacity);
  TRY(info);
  for (int b = 0; b < 2; b++) {
    ALLOCATE_DEVICE(w->bits[b], P * w->q / 32, "a search's frontier");
    TRY(grid_device_zero(w->bits[b], P * w->q / 8));
    ALLOCATE_DEVICE(w->message[b], P, "a search's messages");
    TRY(grid_device_zero(w->message[b], P * sizeof *w->message[b]));
    ALLOCATE_DEVICE(w->open[b], w->open_capacity, "a search's open rows");
    s->is_clear[b] = true;
  }
  ALLOCATE_DEVICE(w->coarse, (P * w->q / 64 + 31) / 32, "a search's frontier");
  ALLOCATE_DEVICE(w->visited, w->q / 32, "a search's visited vertices");
  ALLOCATE_DEVICE(w->level, w->q, "a search's levels");
  ALLOCATE_DEVICE(w->heads, P, "a search's numbers");
  ALLOCATE_DEVICE(w->list, w->list_capacity, "a search's lists");
  ALLOCATE_DEVICE(w->lists, P * w->list_capacity, "a search's lists");
  w->deferred_capacity = nvals / 64 + 1;
  ALLOCATE_DEVICE(w->deferred, w->deferred_capacity, "a search's long rows");
  w->segments_capacity = (uint32_t)(segments < SEGMENTS_MOST ? segments : SEGMENTS_MOST);
  ALLOCATE_DEVICE(w->segments, w->segments_capacity, "a search's segments of long rows");
  ALLOCATE_DEVICE(w->counters, 1, "a search's counters");
  void *record = NULL;
  TRY(grid_cuda->levels->pin(&record, sizeof *w->record + P * sizeof *w->record->head));
  w->record = record;
done:
  return info;
}

/* Longer lists would not be cheaper than the bitmap. */
static uint32_t list_capacity(uint64_t q) {
  const uint64_t most = UINT64_C(1) << 17, capacity = q / 16 < most ? q / 16 : most;
  return (uint32_t)(capacity > GRID_LEVEL_LIST ? capacity : GRID_LEVEL_LIST) / 64 * 64 + 64;
}

static GrB_Info search_make(grid_search **made, const grid_search_graph *g) {
  grid_search *s = grid_calloc(1, sizeof *s);
  *made = NULL;
  if (!s) return grid_fail_memory(NULL, "a search", 1, sizeof *s);
  s->w.graph = *g;
  s->w.q = g->q;
  s->w.P = g->P;
  s->w.k = g->k;
  s->w.graph.n = g->n_local;
  s->w.list_capacity = list_capacity(s->w.q);
  GrB_Info info = make_arrays(s);
  if (info == GrB_SUCCESS)
    *made = s;
  else
    search_free(s);
  return info;
}

/* ---- a level ---- */

static GrB_Info gather_bits(grid_search *s, int at) {
  return s->t->allgather(GRID_SET_ALL, local_bitmap(s, at), 8 * local_word_count(s), s->w.bits[at]);
}

/* Sends counters and delegates, with which the next level begins. */
static GrB_Info exchange_heads(grid_search *s, int at) {
  const grid_level_search *w = &s->w;
  const grid_level_head *head = &w->message[at][w->k].head;
  const uint64_t bytes = w->delegates.per_process / 8;
  GrB_Info info = bytes ? grid_cuda->levels->delegates(w, at, false) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) info = s->t->begin();
  if (info != GrB_SUCCESS) return info;
  info = s->t->allgather(GRID_SET_ALL, head, sizeof *head, w->heads);
  if (info == GrB_SUCCESS && bytes)
    info = s->t->allgather(GRID_SET_ALL, (char *)w->delegates.bits + (uint64_t)w->k * bytes, bytes,
                           w->delegates.bits);
  GrB_Info ended = s->t->end();
  return info == GrB_SUCCESS ? ended : info;
}

static GrB_Info send_on_side_stream(grid_search *s, int at) {
  GrB_Info info = grid_device_use_side_stream(true);
  if (info != GrB_SUCCESS) return info;
  info = gather_bits(s, at);
  GrB_Info ended = grid_device_use_side_stream(false);
  s->on_side_stream = true;
  return info == GrB_SUCCESS ? ended : info;
}

/* Sends the messages of index `at` and publishes the counters to the host. */
static GrB_Info exchange(grid_search *s, int at, bool is_list, bool clear) {
  const grid_level_search *w = &s->w;
  GrB_Info info = GrB_SUCCESS;
  const grid_level_message *message = &w->message[at][w->k];
  const grid_level_publish p = {
      .at = at, .from_heads = !is_list, .clear = clear, .open_next = 1 - s->open, .seq = ++s->seq};
  TRY(is_list ? s->t->allgather(GRID_SET_ALL, message, sizeof *message, w->message[at])
              : exchange_heads(s, at));
  if (!is_list) TRY(send_on_side_stream(s, at));
  TRY(grid_cuda->levels->publish(w, &p));
  s->delegates_device = !is_list;
  s->is_list = is_list;
  s->in_flight = 1;
done:
  return info;
}

/* Predicts whether the next level fits the lists. After a shrinking level most remaining rows are
 * unreachable. */
static bool expect_lists(const grid_search *s) {
  uint64_t most = s->frontier_edges < s->open_rows ? s->frontier_edges : s->open_rows;
  return s->is_shrinking || most / s->w.list_capacity < (uint64_t)s->w.P;
}

static bool is_pull_cheaper(const grid_search *s) {
  if (s->job.direction != GRID_SEARCH_AUTO) return s->job.direction == GRID_SEARCH_PULL;
  if (s->last_is_list && s->frontier_edges <= PUSH_BELOW) return false;
  return s->frontier_edges * PULL_ABOVE > s->open_edges;
}

/* Does a pull gain from a bitmap of the frontier bitmap's nonzero words? */
static bool is_coarse_bitmap_cheaper(const grid_search *s) {
  const uint64_t n = (uint64_t)s->w.P * s->w.q;
  return n >= LARGE && s->frontier < n / 64 / SPARSE && s->open_rows > n / MANY_OPEN;
}

/* Makes the frontier's bitmap from the lists (spread's stride): this process's part exists, the rest may
 * hold an older level. */
static GrB_Info make_bitmap(grid_search *s, uint64_t stride) {
  const uint64_t before = (uint64_t)s->w.k * s->w.q / 8, bytes = s->w.q / 8, all = (uint64_t)s->w.P * bytes;
  char *bits = (char *)s->w.bits[s->at];
  GrB_Info info = grid_device_zero(bits, before);
  if (info == GrB_SUCCESS) info = grid_device_zero(bits + before + bytes, all - before - bytes);
  return info == GrB_SUCCESS ? grid_cuda->levels->lists_to_bits(&s->w, s->at, stride) : info;
}

/* Completes lists that were too short: longer ones, or the bitmap. */
static GrB_Info complete(grid_search *s) {
  s->incomplete = false;
  if (s->longest > s->w.list_capacity) {
    s->is_shrinking = false;
    return gather_bits(s, s->at);
  }
  const uint64_t stride = (s->longest + 63) / 64 * 64;
  GrB_Info info = s->t->allgather(GRID_SET_ALL, s->w.list, stride * sizeof *s->w.list, s->w.lists);
  return info == GrB_SUCCESS ? make_bitmap(s, stride) : info;
}

/* Provides the frontier's bitmap and delegates; the bitmap may be in flight while delegates are processed. */
static GrB_Info prepare_pull(grid_search *s) {
  GrB_Info info = GrB_SUCCESS;
  if (s->last_is_list) TRY(make_bitmap(s, 0));
  if (!s->have_open) TRY(wait_side_stream(s));
  if (s->w.delegates.per_process && !s->delegates_device)
    TRY(grid_cuda->levels->delegates(&s->w, s->at, true));
done:
  return info;
}

static GrB_Info launch_pull(grid_search *s, grid_level_step *step) {
  GrB_Info info = GrB_SUCCESS;
  TRY(prepare_pull(s));
  if (s->on_side_stream && s->w.delegates.per_process) {
    step->phase = GRID_LEVEL_DELEGATES;
    TRY(grid_cuda->levels->pull(&s->w, step));
    step->phase = GRID_LEVEL_NONDELEGATES;
    step->open_stale = false;
    step->open = s->open = 1 - s->open;
  }
  TRY(wait_side_stream(s));
  TRY(grid_cuda->levels->pull(&s->w, step));
  if (s->have_open) s->open = 1 - s->open;
  s->have_open = true;
  s->stale = false;
  s->visited_behind = true;
done:
  return info;
}

static GrB_Info launch_push(grid_search *s, grid_level_step *step) {
  GrB_Info info = wait_side_stream(s);
  if (info == GrB_SUCCESS && s->visited_behind) info = grid_cuda->levels->close(&s->w, s->open);
  if (info == GrB_SUCCESS) info = grid_cuda->levels->push(&s->w, step);
  s->visited_behind = false;
  s->stale = true;
  return info;
}

static GrB_Info launch_level(grid_search *s) {
  const uint32_t level = s->done + 1;
  GrB_Info info = GrB_SUCCESS;
  if (s->incomplete) TRY(complete(s));
  const bool pull = is_pull_cheaper(s), is_list = expect_lists(s), first = pull && !s->have_open;
  const int from = s->at, to = 1 - from;
  grid_level_step step = {.level = level,
                          .from = from,
                          .from_list = s->last_is_list,
                          .first = first,
                          .open = s->open,
                          .coarse = pull && is_coarse_bitmap_cheaper(s),
                          .open_stale = s->stale,
                          .list = is_list};
  if (!s->is_clear[to] && !first) TRY(grid_device_zero(local_bitmap(s, to), 8 * local_word_count(s)));
  s->is_clear[to] = false;
  TRY(pull ? launch_pull(s, &step) : launch_push(s, &step));
  s->what[level].pull = pull;
  /* bits set by lists alone are cleared by the same lists */
  const bool clear = s->last_is_list && !pull;
  if (clear) s->is_clear[from] = true;
  info = exchange(s, to, is_list, clear);
done:
  return info;
}

/* ---- between levels ---- */

/* Sums over the processes. */
static void read_counts(grid_search *s, grid_level_head *sum) {
  memset(sum, 0, sizeof *sum);
  s->longest = 0;
  for (int p = 0; p < s->w.P; p++) {
    const grid_level_head *h = &s->w.record->head[p];
    sum->count += h->count;
    sum->edges += h->edges;
    sum->visited += h->visited;
    sum->nvals += h->nvals;
    sum->open += h->open;
    if (h->count > s->longest) s->longest = h->count;
  }
  sum->inspected = s->w.record->head[s->w.k].inspected; /* these two are this process's own */
  sum->time = s->w.record->head[s->w.k].time;
}

/* Updates the remaining rows and entries. A pull does not count the entries of what it found: they are
 * estimated by the average of all open rows. */
static void update_counts(grid_search *s, uint32_t level, const grid_level_head *sum) {
  uint64_t edges = sum->edges;
  if (level == 0) {
    s->open_rows = sum->open;
    s->open_edges = sum->nvals - sum->visited;
    s->began = sum->time;
  } else {
    if (s->what[level].pull && s->open_rows)
      edges = (uint64_t)((double)s->open_edges / (double)s->open_rows * (double)sum->count);
    if (s->what[level].pull && sum->count < s->frontier && sum->count > s->open_rows / 2)
      s->is_shrinking = true;
    s->open_rows -= sum->count < s->open_rows ? sum->count : s->open_rows;
    s->open_edges -= edges < s->open_edges ? edges : s->open_edges;
  }
  s->frontier = sum->count;
  s->frontier_edges = edges;
  s->count[level] = sum->count;
  s->what[level].inspected = sum->inspected;
  s->local_count[level] = s->w.record->head[s->w.k].count;
  s->what[level].microseconds =
      (double)(sum->time - s->began) / 1e3; /* until its end; differences are taken on output */
}

static GrB_Info finish(grid_search *s) {
  if (s->finished) return GrB_SUCCESS;
  s->finished = true;
  GrB_Info info = wait_side_stream(s);
  return info != GrB_SUCCESS || s->have_open ? info : grid_cuda->levels->finish(&s->w);
}

/* Waits for the level in flight. */
static GrB_Info receive_level(grid_search *s) {
  grid_level_head sum;
  GrB_Info info = grid_cuda->levels->wait_seq(&s->w, s->seq);
  if (info != GrB_SUCCESS) return info;
  s->in_flight = 0;
  const uint32_t level = s->begun ? s->done + 1 : 0;
  read_counts(s, &sum);
  update_counts(s, level, &sum);
  s->begun = true;
  s->done = level;
  if (level > 0) s->at = 1 - s->at;
  s->last_is_list = s->is_list && s->longest <= GRID_LEVEL_LIST;
  s->incomplete = s->is_list && !s->last_is_list;
  return info;
}

/* ---- the engine ---- */

static GrB_Info search_count(grid_search *s, uint32_t k, uint64_t *count, grid_search_level *what) {
  GrB_Info info = GrB_SUCCESS;
  /* a level beyond k is in flight, or the search has ended */
  while (!s->is_over && !(s->in_flight && s->begun && s->done >= k)) {
    if (s->in_flight) TRY(receive_level(s)); /* not after a pause */
    s->is_over = s->frontier == 0 || s->done >= s->job.max_levels;
    TRY(s->is_over ? finish(s) : launch_level(s));
  }
  *count = k <= s->done ? s->count[k] : 0;
  if (what) {
    *what = (grid_search_level){0};
    if (k <= s->done && k > 0) {
      *what = s->what[k];
      what->microseconds -= s->what[k - 1].microseconds;
    }
  }
done:
  return info;
}

static GrB_Info search_local_count(grid_search *s, uint32_t k, uint64_t *count) {
  *count = k <= s->done ? s->local_count[k] : 0;
  return GrB_SUCCESS;
}

static GrB_Info search_connect(grid_search *s) {
  return grid_search_delegates_make(&s->w);
}

static uint64_t search_delegates(const grid_search *s, int64_t *threshold) {
  *threshold = s->w.graph.delegates;
  return s->w.delegates.d;
}

static GrB_Info search_start(grid_search *s, const grid_search_job *job) {
  s->job = *job;
  s->w.parent = job->parent;
  s->w.parent_bytes = job->parent_bytes;
  s->done = 0;
  s->begun = s->is_over = s->finished = s->have_open = s->stale = s->visited_behind = s->last_is_list = false;
  s->at = s->open = 0;
  s->incomplete = s->is_shrinking = false;
  s->is_clear[0] = false; /* it holds the frontier */

  GrB_Info info = wait_side_stream(s); /* a failed run may have left messages in flight */
  if (info == GrB_SUCCESS) info = grid_device_transport_get(&s->t);
  if (info != GrB_SUCCESS) return info;
  info = grid_cuda->levels->begin(&s->w, job);
  uint64_t none;
  if (info == GrB_SUCCESS) info = exchange(s, 0, true, false);
  return info == GrB_SUCCESS ? search_count(s, 0, &none, NULL) : info; /* level 1 is in flight */
}

/* Launches no further level; waits for the one in flight. */
static GrB_Info search_wait(grid_search *s) {
  GrB_Info info = s->in_flight ? receive_level(s) : GrB_SUCCESS;
  s->is_over = true;
  return info == GrB_SUCCESS ? finish(s) : info;
}

/* Sets the levels of unvisited rows, if no pull has. */
static GrB_Info search_pause(grid_search *s, uint32_t k) {
  GrB_Info info = s->in_flight && s->done < k ? receive_level(s) : GrB_SUCCESS;
  return info != GrB_SUCCESS || s->finished || s->have_open ? info : grid_cuda->levels->finish(&s->w);
}

static const uint8_t *search_levels(const grid_search *s) {
  return s->w.level;
}

const grid_search_engine grid_search_on_grid = {
    .make = search_make,
    .free = search_free,
    .connect = search_connect,
    .delegates = search_delegates,
    .start = search_start,
    .count = search_count,
    .count_local = search_local_count,
    .wait = search_wait,
    .pause = search_pause,
    .levels = search_levels,
};
