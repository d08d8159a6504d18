/* The searches of bfs_path.c on one thread: lists of vertices in place of vectors. */
#include "algos/traversal/bfs_path.h"

#include <stdlib.h>

#include "algos/rows/local_rows.h"

/* Memory is touched for the vertices found only: an array of n is not read where nothing was found. */
typedef struct {
  uint64_t *found; /* bits of vertices */
  uint32_t *list;  /* the vertices found, by level */
  uint32_t *start; /* of each level, where it begins in the list */
  uint32_t count, depth;
} side;

typedef struct {
  local_rows rows;
  side from, to;
  bool met;
  uint32_t middle; /* the smallest vertex that both have found */
} search;

static inline bool has_found(const side *s, GrB_Index v) {
  return s->found[v / 64] >> v % 64 & 1;
}

static inline void add(side *s, uint32_t v) {
  s->found[v / 64] |= (uint64_t)1 << v % 64;
  s->list[s->count++] = v;
}

static bool begin(side *s, GrB_Index vertex, GrB_Index n) {
  s->found = calloc(n / 64 + 1, sizeof *s->found);
  s->list = malloc(n * sizeof *s->list);
  s->start = malloc((n + 1) * sizeof *s->start);
  if (!s->found || !s->list || !s->start) return false;
  s->start[0] = 0;
  add(s, (uint32_t)vertex);
  return true;
}

static void side_free(side *s) {
  free(s->found), free(s->list), free(s->start);
}

static uint32_t last_level(const side *s) {
  return s->count - s->start[s->depth];
}

/* A level of the search s. */
static void advance(search *m, side *s, const side *other) {
  const local_rows r = m->rows;
  const uint32_t end = s->count;
  for (uint32_t k = s->start[s->depth]; k < end; k++) {
    const GrB_Index last = row_start(&r, s->list[k] + 1);
    for (GrB_Index e = row_start(&r, s->list[k]); e < last; e++) {
      const uint32_t w = (uint32_t)entry_column(&r, e);
      if (has_found(s, w)) continue;
      add(s, w);
      if (has_found(other, w) && (!m->met || w < m->middle)) m->met = true, m->middle = w;
    }
  }
  s->start[++s->depth] = end;
}

/* Whether there is an edge: columns of a row ascend. */
static bool has_edge(const local_rows *r, GrB_Index v, GrB_Index w) {
  GrB_Index first = row_start(r, v), last = row_start(r, v + 1);
  while (first < last) {
    const GrB_Index middle = first + (last - first) / 2, column = entry_column(r, middle);
    if (column == w) return true;
    if (column < w)
      first = middle + 1;
    else
      last = middle;
  }
  return false;
}

/* path[at], path[at + step], ...: the vertices from v, of the last level of s, to its root. Each is followed
 * by the smallest neighbor in the level before. */
static void follow(GrB_Index *path, const search *m, const side *s, uint32_t v, int64_t at, int64_t step) {
  path[at] = v;
  for (uint32_t d = s->depth; d > 0; d--, path[at += step] = v) {
    const GrB_Index of = v;
    v = UINT32_MAX;
    for (uint32_t k = s->start[d - 1]; k < s->start[d]; k++)
      if (s->list[k] < v && has_edge(&m->rows, of, s->list[k])) v = s->list[k];
  }
}

/* Local. */
static GrB_Info find_path(GrB_Index **path, int64_t *length, search *m, GrB_Index source, GrB_Index target) {
  side *const from = &m->from, *const to = &m->to;
  if (!begin(from, source, m->rows.count) || !begin(to, target, m->rows.count)) return GrB_OUT_OF_MEMORY;
  m->met = source == target, m->middle = (uint32_t)source;
  while (!m->met && last_level(from) && last_level(to))
    if (last_level(from) <= last_level(to))
      advance(m, from, to);
    else
      advance(m, to, from);
  *length = m->met ? (int64_t)from->depth + to->depth : -1;
  *path = malloc((size_t)(*length + 2) * sizeof **path);
  if (*path == NULL) return GrB_OUT_OF_MEMORY;
  if (!m->met) return GrB_SUCCESS;
  follow(*path, m, from, m->middle, from->depth, -1);
  follow(*path, m, to, m->middle, from->depth, 1);
  return GrB_SUCCESS;
}

GrB_Info grid_bfs_path_serial(GrB_Index **path, int64_t *length, GrB_Matrix A, GrB_Index source,
                              GrB_Index target) {
  GrB_Info info;
  search m = {.met = false};
  TRY(local_rows_view(&m.rows, A));
  TRY(Grid_agree(find_path(path, length, &m, source, target), "Grid_bfs_path: no memory for two searches"));
out:
  local_rows_free(&m.rows);
  side_free(&m.from), side_free(&m.to);
  return info;
}
