/* Tuples of the measured graphs, drawn and sorted. */
#include "bench/ops/ops_graph.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "include/gridblas_rmat.h"

enum { EDGE_FACTOR = 16, HYPER_SCALE = 40, DIGIT = 16, LISTS = 1 << DIGIT };

const char *const shape_name[SHAPE_COUNT] = {"rmat", "hyper", "longrow", "empty", "iso", "mesh"};

double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t mix(uint64_t x) {
  return Grid_Rmat_mix(x + GRID_RMAT_GOLDEN);
}

void shuffle(tuple *t, uint64_t n) {
  for (uint64_t k = n; k > 1; k--) {
    const uint64_t other = mix(k) % k;
    const tuple swap = t[k - 1];
    t[k - 1] = t[other];
    t[other] = swap;
  }
}

/* In [0.5, 1.5), the same for (r, c) and (c, r). */
static double value_of(uint64_t r, uint64_t c) {
  return 0.5 + (double)(mix(mix(r < c ? r : c) ^ (r < c ? c : r)) >> 11) * 0x1p-53;
}

static void add_entry(graph *g, uint64_t r, uint64_t c) {
  g->list[g->listed++] = (tuple){r, c, g->shape == SHAPE_ISO ? 1 : value_of(r, c)};
}

static void draw_rmat(graph *g, uint64_t seed) {
  Grid_Rmat rmat;
  Grid_Rmat_init(&rmat, g->scale, seed);
  for (uint64_t t = 0; t < (uint64_t)EDGE_FACTOR << g->scale; t++) {
    uint64_t r, c;
    Grid_Rmat_tuple(&rmat, t, &r, &c);
    if (r == c) continue;
    add_entry(g, r, c);
    add_entry(g, c, r);
  }
}

static void draw_hyper(graph *g, uint64_t tuples, uint64_t seed) {
  for (uint64_t t = 0; t < tuples; t++)
    add_entry(g, mix(2 * t + mix(seed)) % g->n, mix(2 * t + 1 + mix(seed)) % g->n);
}

static void draw_long_row(graph *g, uint64_t seed) {
  const uint64_t full = mix(seed) % g->n;
  for (uint64_t c = 0; c < g->n; c++) add_entry(g, full, c);
  for (uint64_t r = 0; r < g->n; r++)
    if (r != full) add_entry(g, r, mix(r ^ seed) % g->n);
}

/* A cube of points, each with itself and up to six neighbours. */
static void draw_mesh(graph *g, uint64_t side) {
  for (uint64_t p = 0; p < g->n; p++) {
    add_entry(g, p, p);
    for (uint64_t step = 1; step < g->n; step *= side)
      if (p / step % side + 1 < side) {
        add_entry(g, p, p + step);
        add_entry(g, p + step, p);
      }
  }
}

/* The side of a cube of about 2^scale points. */
static uint64_t mesh_side(int scale) {
  uint64_t side = 2;
  while ((side + 1) * (side + 1) * (side + 1) <= UINT64_C(1) << scale) side++;
  return side;
}

/* One pass of a stable sort by 16 bits of the column or the row. */
static void sort_digit(tuple *to, const tuple *from, uint64_t n, bool by_row, int shift, uint64_t *start) {
  memset(start, 0, (LISTS + 1) * sizeof *start);
  for (uint64_t k = 0; k < n; k++) start[((by_row ? from[k].row : from[k].col) >> shift & (LISTS - 1)) + 1]++;
  for (uint64_t d = 0; d < LISTS; d++) start[d + 1] += start[d];
  for (uint64_t k = 0; k < n; k++)
    to[start[(by_row ? from[k].row : from[k].col) >> shift & (LISTS - 1)]++] = from[k];
}

static bool sort_entries(graph *g) {
  uint64_t *start = malloc((LISTS + 1) * sizeof *start);
  tuple *a = malloc((g->listed + 1) * sizeof *a), *b = malloc((g->listed + 1) * sizeof *b);
  const bool ok = start != NULL && a != NULL && b != NULL;
  if (ok) {
    memcpy(a, g->list, g->listed * sizeof *a);
    for (int by_row = 0; by_row < 2; by_row++) {
      for (int shift = 0; shift == 0 || g->n >> shift > 1; shift += DIGIT) {
        sort_digit(b, a, g->listed, by_row, shift, start);
        tuple *const swap = a;
        a = b, b = swap;
      }
    }
    for (uint64_t k = 0; k < g->listed; k++) {
      tuple *const last = a + g->entries - 1;
      if (g->entries > 0 && last->row == a[k].row && last->col == a[k].col)
        last->value += a[k].value;
      else
        a[g->entries++] = a[k];
    }
    g->entry = a;
    a = NULL;
  }
  free(start);
  free(a);
  free(b);
  return ok;
}

static uint64_t tuples_at_most(shape s, int scale) {
  if (s == SHAPE_HYPER) return UINT64_C(4) << scale;
  if (s == SHAPE_LONG) return UINT64_C(2) << scale;
  if (s == SHAPE_MESH) return UINT64_C(7) << scale;
  return (uint64_t)2 * EDGE_FACTOR << scale;
}

bool graph_make(graph *g, shape s, int scale, uint64_t seed) {
  memset(g, 0, sizeof *g);
  g->shape = s;
  g->scale = s == SHAPE_HYPER ? HYPER_SCALE : scale;
  const uint64_t side = mesh_side(scale);
  g->n = s == SHAPE_MESH ? side * side * side : UINT64_C(1) << g->scale;
  const uint64_t most = tuples_at_most(s, scale);
  g->list = malloc(most * sizeof *g->list);
  if (g->list == NULL) return false;
  if (s == SHAPE_RMAT || s == SHAPE_ISO) draw_rmat(g, seed);
  if (s == SHAPE_HYPER) draw_hyper(g, most, seed);
  if (s == SHAPE_LONG) draw_long_row(g, seed);
  if (s == SHAPE_MESH) draw_mesh(g, side);
  if (!sort_entries(g)) {
    graph_free(g);
    return false;
  }
  /* added up, equal values would be equal no more */
  for (uint64_t k = 0; s == SHAPE_ISO && k < g->entries; k++) g->entry[k].value = 1;
  return true;
}

void graph_free(graph *g) {
  free(g->list);
  free(g->entry);
  memset(g, 0, sizeof *g);
}

bool is_wanted(const char *name, const char *patterns) {
  char one[128];
  for (const char *p = patterns; *p != 0;) {
    const size_t length = strcspn(p, ",");
    snprintf(one, sizeof one, "%.*s", (int)length, p);
    if (fnmatch(one, name, 0) == 0) return true;
    p += length + (p[length] == ',');
  }
  return false;
}

int32_t weight_of(uint64_t row, uint64_t col) {
  const uint64_t low = row < col ? row : col;
  return 1 + (int32_t)(mix((row ^ col) + mix(low)) % 255);
}

double weighted(uint64_t row, uint64_t col, double value) {
  return value * (1 + (double)(mix(row ^ mix(col)) & 1023) / 1024);
}
