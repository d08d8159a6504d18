/* The searches of path_products.c on one thread: lists of vertices in place of vectors. */
#include "dist/op/graph/path_serial.h"

#include "dist/op/graph/public_calls/row_view.h"
#include "semiring/support/mem.h"

/* Memory is touched for the vertices found only: an array of n is not read where nothing was found. */
typedef struct {
  uint64_t *found; /* bits of vertices */
  uint32_t *list;  /* the vertices found, by level */
  uint32_t *start; /* of each level, where it begins in the list */
  uint32_t count, depth;
} side;

typedef struct {
  grid_row_arrays rows;
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
  s->found = grid_calloc(n / 64 + 1, sizeof *s->found);
  s->list = grid_malloc(n, sizeof *s->list);
  s->start = grid_malloc(n + 1, sizeof *s->start);
  if (!s->found || !s->list || !s->start) return false;
  s->start[0] = 0;
  add(s, (uint32_t)vertex);
  return true;
}

static void side_free(side *s) {
  grid_free(s->found), grid_free(s->list), grid_free(s->start);
}

static uint32_t last_level(const side *s) {
  return s->count - s->start[s->depth];
}

/* A level of the search s. */
static void advance(search *m, side *s, const side *other) {
  const grid_row_arrays r = m->rows;
  const uint32_t end = s->count;
  for (uint32_t k = s->start[s->depth]; k < end; k++) {
    const GrB_Index last = grid_row_start(&r, s->list[k] + 1);
    for (GrB_Index e = grid_row_start(&r, s->list[k]); e < last; e++) {
      const uint32_t w = (uint32_t)grid_entry_column(&r, e);
      if (has_found(s, w)) continue;
      add(s, w);
      if (has_found(other, w) && (!m->met || w < m->middle)) m->met = true, m->middle = w;
    }
  }
  s->start[++s->depth] = end;
}

/* path[at], path[at + step], ...: the vertices from v, of the last level of s, to its root. Each is followed
 * by the smallest neighbor in the level before. */
static void follow(GrB_Index *path, const search *m, const side *s, uint32_t v, int64_t at, int64_t step) {
  path[at] = v;
  for (uint32_t d = s->depth; d > 0; d--, path[at += step] = v) {
    const GrB_Index begin = grid_row_start(&m->rows, v), end = grid_row_start(&m->rows, v + 1);
    v = UINT32_MAX;
    for (uint32_t k = s->start[d - 1]; k < s->start[d]; k++)
      if (s->list[k] < v && grid_find_column(&m->rows, begin, end, s->list[k]) < end) v = s->list[k];
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
  *path = grid_malloc((size_t)(*length + 2), sizeof **path);
  if (*path == NULL) return GrB_OUT_OF_MEMORY;
  if (!m->met) return GrB_SUCCESS;
  follow(*path, m, from, m->middle, from->depth, -1);
  follow(*path, m, to, m->middle, from->depth, 1);
  return GrB_SUCCESS;
}

GrB_Info grid_path_serial(GrB_Index **path, int64_t *length, GrB_Matrix A, GrB_Index source,
                          GrB_Index target) {
  search m = {.met = false};
  Grid_View view = {0};
  GrB_Info info = grid_view_rows(&m.rows, &view, A);
  if (info == GrB_SUCCESS)
    info = Grid_agree(find_path(path, length, &m, source, target),
                      "Grid_Matrix_path: no memory for two searches");
  Grid_View_free(&view);
  side_free(&m.from), side_free(&m.to);
  return info;
}
