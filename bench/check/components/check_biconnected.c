/* Biconnected components by depth-first search with a stack of edges (Hopcroft, Tarjan, 1973). */
#include "bench/check/components/check_biconnected.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Positions of the rows, each of which holds one direction of an edge, stand for edges. */
typedef struct {
  check_rows r;
  uint64_t *order, *low;   /* of the search, from 1; 0: not found yet */
  uint64_t *parent, *next; /* of each vertex; the next position in its row */
  uint64_t *path, depth;
  uint64_t *edge, edges;  /* the stack */
  uint64_t *block;        /* of each position that was on the stack, plus 1 */
  uint64_t *least, count; /* of each block: its smallest vertex but the top */
  uint64_t *rank;         /* of each block by `least` */
  uint64_t *blocks_at;    /* of each vertex: the blocks that contain it */
  uint64_t bridges;
} blocks;

/* The edges on the stack down to the position `last` become a block, which hangs on vertex `top`. */
static void take_block(blocks *b, uint64_t last, uint64_t top) {
  uint64_t size = 0, k, least = UINT64_MAX;
  do {
    k = b->edge[--b->edges];
    b->block[k] = b->count + 1;
    const uint64_t ends[] = {check_rows_source(&b->r, k), b->r.to[k]};
    for (int e = 0; e < 2; e++)
      if (ends[e] != top && ends[e] < least) least = ends[e];
    /* an edge of the search is the one way to its end, so each vertex but the top counts once */
    if (b->parent[ends[1]] == ends[0] && b->order[ends[1]] > b->order[ends[0]]) b->blocks_at[ends[1]]++;
    size++;
  } while (k != last);
  b->blocks_at[top]++;
  b->bridges += size == 1;
  b->least[b->count++] = least;
}

/* Goes from v along the position k of its row. */
static void step(blocks *b, uint64_t v, uint64_t k) {
  const uint64_t w = b->r.to[k];
  if (b->order[w] == 0) {
    b->edge[b->edges++] = k;
    b->parent[w] = v;
    b->path[b->depth++] = w;
  } else if (w != b->parent[v] && b->order[w] < b->order[v]) {
    b->edge[b->edges++] = k;
    if (b->order[w] < b->low[v]) b->low[v] = b->order[w];
  }
}

static void search(blocks *b, uint64_t root, uint64_t *found) {
  b->depth = 0;
  b->path[b->depth++] = root;
  b->parent[root] = b->r.n;
  while (b->depth > 0) {
    const uint64_t v = b->path[b->depth - 1];
    if (b->order[v] == 0) b->order[v] = b->low[v] = ++*found, b->next[v] = b->r.start[v];
    if (b->next[v] < b->r.start[v + 1]) {
      step(b, v, b->next[v]++);
      continue;
    }
    b->depth--;
    const uint64_t u = b->parent[v];
    if (u == b->r.n) continue;
    if (b->low[v] < b->low[u]) b->low[u] = b->low[v];
    if (b->low[v] >= b->order[u]) take_block(b, b->next[u] - 1, u);
  }
}

static const uint64_t *compared;
static int by_least(const void *a, const void *b) {
  const uint64_t x = compared[*(const uint64_t *)a], y = compared[*(const uint64_t *)b];
  return (x > y) - (x < y);
}

/* order serves as workspace. */
static void rank_blocks(blocks *b) {
  for (uint64_t c = 0; c < b->count; c++) b->order[c] = c;
  compared = b->least;
  qsort(b->order, b->count, sizeof *b->order, by_least);
  for (uint64_t k = 0; k < b->count; k++) b->rank[b->order[k]] = k;
}

/* The block of the edge between v and w, from either direction. */
static const char *compare(blocks *b, const uint64_t *row, const uint64_t *col, const double *value,
                           uint64_t entries, char *text, size_t capacity) {
  const uint64_t m = b->r.start[b->r.n];
  for (uint64_t k = 0; k < entries; k++) {
    const uint64_t one = check_rows_find(&b->r, row[k], col[k]),
                   other = check_rows_find(&b->r, col[k], row[k]);
    uint64_t *block = one == m ? NULL : &b->block[b->block[one] != 0 ? one : other];
    if (block != NULL && row[k] < col[k] && *block != 0 && value[k] == (double)b->rank[*block - 1]) {
      *block = 0; /* each edge once */
      continue;
    }
    snprintf(text, capacity,
             "vertices number %" PRIu64 " and %" PRIu64 " have an edge of component %g, where there is %s",
             row[k], col[k], value[k],
             block == NULL || row[k] >= col[k] || *block == 0 ? "none, or one more" : "another component");
    return text;
  }
  if (2 * entries == m) return NULL;
  snprintf(text, capacity, "%" PRIu64 " entries where there are %" PRIu64 " edges", entries, m / 2);
  return text;
}

static bool allocate(blocks *b, uint64_t n) {
  uint64_t **const of_vertices[] = {&b->order, &b->low,   &b->parent, &b->next,
                                    &b->path,  &b->least, &b->rank,   &b->blocks_at};
  bool made = true;
  for (size_t k = 0; k < sizeof of_vertices / sizeof *of_vertices; k++)
    made = (*of_vertices[k] = calloc(n + 1, sizeof(uint64_t))) != NULL && made;
  b->edge = calloc(b->r.start[n] + 1, sizeof(uint64_t));
  b->block = calloc(b->r.start[n] + 1, sizeof(uint64_t));
  return made && b->edge != NULL && b->block != NULL;
}

const char *check_biconnected(check_biconnected_counts *found, bool *points, const check_graph *g,
                              const uint64_t *row, const uint64_t *col, const double *value, uint64_t entries,
                              char *text, size_t capacity) {
  check_graph both = *g;
  blocks b = {.count = 0};
  uint64_t reached = 0;
  const char *why = check_no_memory;
  both.both_directions = true, both.loops = false, both.weight = NULL;
  if (!check_rows_make(&b.r, &both, false)) return check_no_memory;
  if (allocate(&b, g->n)) {
    for (uint64_t v = 0; v < g->n; v++)
      if (b.order[v] == 0) search(&b, v, &reached);
    rank_blocks(&b);
    *found = (check_biconnected_counts){b.count, b.bridges, 0};
    for (uint64_t v = 0; v < g->n; v++) {
      found->articulation_points += b.blocks_at[v] > 1;
      if (points != NULL) points[v] = b.blocks_at[v] > 1;
    }
    why = compare(&b, row, col, value, entries, text, capacity);
  }
  free(b.order), free(b.low), free(b.parent), free(b.next), free(b.path), free(b.least), free(b.rank);
  free(b.blocks_at), free(b.edge), free(b.block);
  check_rows_free(&b.r);
  return why;
}
