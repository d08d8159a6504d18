/* See lmat_move_labels.h. All threads find the best labels of a class (lmat_best_label.c). One thread changes
 * the labels and the sums of weights, so that these are added up in the same order on any number of threads.
 */
#include "spmat/cpu/matrix/lmat_move_labels.h"

#include <string.h>

#include "spmat/label_class.h"
#include "spmat/vector/bitmap_words.h"

typedef struct {
  const grid_label_moves *x;
  uint64_t *vertex;      /* by classes, ascending in each */
  uint64_t *start;       /* of each class in it, and the end */
  uint64_t *alone;       /* of a class, the vertices that are alone */
  int64_t *best;         /* of a class */
  double *scale;         /* of a class */
  int64_t *column_label; /* by a's compact indices of columns, if these are not the vertices */
  unsigned char *moving; /* of each vertex: it moves in this class */
} mover;

static size_t count_classes(const grid_label_moves *x) {
  return (size_t)1 << x->how->bits;
}

/* ---- classes ------------------------------------------------------------------------------------------- */

static uint32_t class_of(const grid_label_moves *x, uint64_t v) {
  return grid_label_class(v, x->how->key, x->how->bits);
}

/* at[c] = the number of vertices of class c among from .. to - 1. */
static void count_range(uint64_t *at, const grid_label_moves *x, uint64_t from, uint64_t to) {
  memset(at, 0, count_classes(x) * sizeof *at);
  for (uint64_t v = from; v < to; v++) at[class_of(x, v)]++;
}

/* Counts become positions: those of thread t at at[t * classes]. */
static void place_ranges(mover *m, uint64_t *at, uint64_t threads) {
  const size_t classes = count_classes(m->x);
  uint64_t next = 0;
  for (size_t c = 0; c < classes; c++) {
    m->start[c] = next;
    for (uint64_t t = 0; t < threads; t++) {
      const uint64_t count = at[t * classes + c];
      at[t * classes + c] = next;
      next += count;
    }
  }
  m->start[classes] = next;
}

/* Each thread draws the classes of a range of vertices. */
static GrB_Info list_classes(mover *m) {
  const uint64_t n = m->x->n;
  const size_t classes = count_classes(m->x);
  const int threads = grid_word_threads(n / 64);
  uint64_t *at = grid_malloc((size_t)threads * classes, sizeof *at);
  if (!at) return grid_fail_memory(NULL, "classes of vertices", (size_t)threads * classes, sizeof *at);
#pragma omp parallel num_threads(threads)
  {
    const uint64_t id = grid_thread(), all = grid_threads(), from = n * id / all, to = n * (id + 1) / all;
    uint64_t *thread_counts = at + id * classes;
    count_range(thread_counts, m->x, from, to);
#pragma omp barrier
#pragma omp single
    place_ranges(m, at, all);
    for (uint64_t v = from; v < to; v++) m->vertex[thread_counts[class_of(m->x, v)]++] = v;
  }
  grid_free(at);
  return GrB_SUCCESS;
}

/* ---- a class ------------------------------------------------------------------------------------------- */

/* The vertices of a list that are alone: each has its number as its label, and no other vertex has that. */
static uint64_t list_alone(const mover *m, const uint64_t *vertex, uint64_t n) {
  uint64_t alone = 0;
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t v = vertex[k];
    m->alone[alone] = v;
    alone += m->x->label[v] == (int64_t)v && m->x->sum[v] == m->x->weight[v];
  }
  return alone;
}

static const int64_t *labels_of_columns(const mover *m) {
  const grid_axis *columns = &m->x->a->col;
  if (!columns->ids) return m->x->label;
  for (uint64_t k = 0; k < columns->n; k++) m->column_label[k] = m->x->label[grid_axis_id(columns, k)];
  return m->column_label;
}

/* best[k]: where the k-th vertex moves; below 0: it does not. */
static GrB_Info find_best(const mover *m, const uint64_t *vertex, uint64_t n) {
  const grid_label_moves *x = m->x;
  const grid_local_matrix *a = x->a;
  for (uint64_t k = 0; k < n; k++) m->scale[k] = x->scale[vertex[k]];
  const grid_label_rows rows = {.a = a,
                                .val = a->iso ? a->iso_val : a->by_row.val,
                                .type = a->type,
                                .iso = a->iso,
                                .of_column = {.value = labels_of_columns(m)},
                                .row = vertex,
                                .n = n};
  const grid_label_choice choice = {.scale = m->scale,
                                    .label = {.value = x->label},
                                    .bonus = {.value = x->bonus},
                                    .price = {.value = x->how->priced ? x->sum : NULL},
                                    .has_bonus = x->bonus};
  return grid_lmat_best_label(m->best, &rows, &choice);
}

/* Those whose target is the number of a vertex that moves, too, do not. */
static void select_targets(const mover *m, const uint64_t *vertex, uint64_t n) {
  for (uint64_t k = 0; k < n; k++) m->moving[vertex[k]] = m->best[k] >= 0;
  for (uint64_t k = 0; k < n; k++)
    if (m->best[k] >= 0 && m->moving[m->best[k]]) m->best[k] = -1;
  for (uint64_t k = 0; k < n; k++) m->moving[vertex[k]] = false;
}

static uint64_t move_vertices(const mover *m, const uint64_t *vertex, uint64_t n) {
  const grid_label_moves *x = m->x;
  uint64_t moves = 0;
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t v = vertex[k];
    if (m->best[k] < 0) continue;
    x->sum[x->label[v]] -= x->weight[v];
    x->sum[m->best[k]] += x->weight[v];
    x->label[v] = m->best[k];
    moves++;
  }
  return moves;
}

static GrB_Info move_class(uint64_t *moves, const mover *m, size_t class) {
  const uint64_t *vertex = m->vertex + m->start[class];
  uint64_t n = m->start[class + 1] - m->start[class];
  if (m->x->how->alone) {
    n = list_alone(m, vertex, n);
    vertex = m->alone;
  }
  if (n == 0) return GrB_SUCCESS;
  const GrB_Info info = find_best(m, vertex, n);
  if (info != GrB_SUCCESS) return info;
  if (m->x->how->alone) select_targets(m, vertex, n);
  *moves += move_vertices(m, vertex, n);
  return info;
}

/* ---- sweeps -------------------------------------------------------------------------------------------- */

static GrB_Info allocate(mover *m) {
  const grid_label_moves *x = m->x;
  const uint64_t columns = x->a->col.ids ? x->a->col.n : 0;
  uint64_t longest = 0;
  m->vertex = grid_malloc(x->n, sizeof *m->vertex);
  m->start = grid_malloc(count_classes(x) + 1, sizeof *m->start);
  m->column_label = grid_malloc(columns, sizeof *m->column_label);
  m->moving = grid_calloc(x->how->alone ? x->n : 0, sizeof *m->moving);
  if (!m->vertex || !m->start || !m->column_label || !m->moving)
    return grid_fail_memory(NULL, "classes of vertices", x->n, sizeof *m->vertex);
  const GrB_Info info = list_classes(m);
  if (info != GrB_SUCCESS) return info;
  for (size_t c = 0; c < count_classes(x); c++)
    longest = m->start[c + 1] - m->start[c] > longest ? m->start[c + 1] - m->start[c] : longest;
  m->alone = grid_malloc(longest, sizeof *m->alone);
  m->best = grid_malloc(longest, sizeof *m->best);
  m->scale = grid_malloc(longest, sizeof *m->scale);
  return m->alone && m->best && m->scale
             ? info
             : grid_fail_memory(NULL, "labels of a class", longest, sizeof *m->best);
}

static void free_mover(mover *m) {
  grid_free(m->vertex);
  grid_free(m->start);
  grid_free(m->alone);
  grid_free(m->best);
  grid_free(m->scale);
  grid_free(m->column_label);
  grid_free(m->moving);
}

static void sum_weights(const grid_label_moves *x) {
  memset(x->sum, 0, x->n * sizeof *x->sum);
  for (uint64_t v = 0; v < x->n; v++) x->sum[x->label[v]] += x->weight[v];
}

GrB_Info grid_lmat_move_labels(uint64_t *moves, const grid_label_moves *x) {
  mover m = {.x = x};
  GrB_Info info = allocate(&m);
  memset(moves, 0, x->how->sweeps * sizeof *moves);
  sum_weights(x);
  for (uint64_t sweep = 0; info == GrB_SUCCESS && sweep < x->how->sweeps; sweep++) {
    for (size_t class = 0; info == GrB_SUCCESS && class < count_classes(x); class ++)
      info = move_class(moves + sweep, &m, class);
    if (moves[sweep] <= x->how->still) break;
  }
  free_mover(&m);
  return info;
}
