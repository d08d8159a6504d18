/* The searches of bfs_path.c on one thread: lists of vertices in place of vectors. */
#include "algos/traversal/bfs_path.h"

#include <stdlib.h>

#include "algos/support/local_rows.h"

typedef struct {
  uint64_t *found;    /* bits of vertices */
  uint32_t *position; /* of the vertices found, in the list */
  uint32_t *list;     /* the vertices found, by level */
  uint32_t *parent;   /* of each in the list, the smallest */
  uint32_t level;     /* the position at which the last level begins */
  uint32_t count;
  int64_t depth;
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

static inline void add(side *s, uint32_t v, uint32_t parent) {
  s->found[v / 64] |= (uint64_t)1 << v % 64;
  s->position[v] = s->count;
  s->parent[s->count] = parent;
  s->list[s->count++] = v;
}

static bool begin(side *s, GrB_Index vertex, GrB_Index n) {
  s->found = calloc(n / 64 + 1, sizeof *s->found);
  s->position = malloc(n * sizeof *s->position);
  s->list = malloc(n * sizeof *s->list);
  s->parent = malloc(n * sizeof *s->parent);
  if (!s->found || !s->position || !s->list || !s->parent) return false;
  add(s, (uint32_t)vertex, (uint32_t)vertex);
  return true;
}

static void side_free(side *s) {
  free(s->found), free(s->position), free(s->list), free(s->parent);
}

/* A level of the search s. */
static void advance(search *m, side *s, const side *other) {
  const local_rows r = m->rows;
  const uint32_t end = s->count;
  for (uint32_t k = s->level; k < end; k++) {
    const uint32_t v = s->list[k];
    const GrB_Index last = row_start(&r, v + 1);
    for (GrB_Index e = row_start(&r, v); e < last; e++) {
      const uint32_t w = (uint32_t)entry_column(&r, e);
      if (!has_found(s, w)) {
        add(s, w, v);
        if (has_found(other, w) && (!m->met || w < m->middle)) m->met = true, m->middle = w;
      } else if (s->position[w] >= end && v < s->parent[s->position[w]]) {
        s->parent[s->position[w]] = v;
      }
    }
  }
  s->level = end;
  s->depth++;
}

/* path[at], path[at + step], ...: the vertices from the middle to the root of s. */
static void follow(GrB_Index *path, const side *s, uint32_t v, int64_t at, int64_t step) {
  for (;; at += step) {
    const uint32_t next = s->parent[s->position[v]];
    path[at] = v;
    if (next == v) break;
    v = next;
  }
}

/* Local. */
static GrB_Info find_path(GrB_Index **path, int64_t *length, search *m, GrB_Index source, GrB_Index target) {
  side *const from = &m->from, *const to = &m->to;
  if (!begin(from, source, m->rows.count) || !begin(to, target, m->rows.count)) return GrB_OUT_OF_MEMORY;
  m->met = source == target, m->middle = (uint32_t)source;
  while (!m->met && from->level < from->count && to->level < to->count)
    if (from->count - from->level <= to->count - to->level)
      advance(m, from, to);
    else
      advance(m, to, from);
  *length = m->met ? from->depth + to->depth : -1;
  *path = malloc((size_t)(*length + 2) * sizeof **path);
  if (*path == NULL) return GrB_OUT_OF_MEMORY;
  if (!m->met) return GrB_SUCCESS;
  follow(*path, from, m->middle, from->depth, -1);
  follow(*path, to, m->middle, from->depth, 1);
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
