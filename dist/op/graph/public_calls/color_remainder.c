/* The last colors of a coloring. Process 0 gets, of each vertex without a color, the neighbors that it colors
 * before. It colors the vertices one after another and sends the colors back. */
#include "dist/op/graph/public_calls/color_products.h"

#include <stdlib.h>
#include <string.h>

#include "dist/op/graph/public_calls/earlier_neighbors.h"
#include "dist/op/graph/public_calls/public_calls.h"

typedef struct {
  uint64_t n; /* vertices, numbered in the order of `vertex` */
  uint64_t first;
  GrB_Index *vertex;
  int64_t *score;  /* later, on process 0, the colors */
  GrB_Matrix B[2]; /* A between them and, if its pattern is not symmetric, the transpose of that */
  grid_earlier_neighbors earlier[2];
  int directions;
  uint64_t *order; /* by descending score */
  uint32_t *color; /* 0 stands for `first` */
} rest;

static void *array(uint64_t n, size_t size) {
  return malloc((n + 1) * size);
}

/* Lists the vertices and their scores. */
static GrB_Info list_vertices(rest *r, GrB_Vector score) {
  GrB_Info info;
  TRY(GrB_Vector_nvals(&r->n, score));
  r->vertex = array(r->n, sizeof *r->vertex);
  r->score = array(r->n, sizeof *r->score);
  TRY(Grid_agree(r->vertex && r->score ? GrB_SUCCESS : GrB_OUT_OF_MEMORY,
                 "Grid_Matrix_color: no memory for vertices"));
  TRY(GrB_Vector_extractTuples_INT64(r->vertex, r->score, &r->n, score));
out:
  return info;
}

/* B = A between the vertices, and process 0 gets its entries. */
static GrB_Info extract_rest(rest *r, GrB_Matrix A) {
  GrB_Info info;
  GrB_Type type = NULL;
  TRY(Grid_agree(GxB_Matrix_type(&type, A), NULL));
  for (int d = 0; d < r->directions; d++) {
    TRY(GrB_Matrix_new(&r->B[d], type, r->n, r->n));
    if (d == 0)
      TRY(GrB_Matrix_extract(r->B[d], NULL, NULL, A, r->vertex, r->n, r->vertex, r->n, NULL));
    else
      TRY(GrB_transpose(r->B[d], NULL, NULL, r->B[0], NULL));
    TRY(grid_earlier_neighbors_gather(&r->earlier[d], r->B[d], r->score));
  }
out:
  return info;
}

/* order = the vertices by descending score: by the high bits of the scores, which are hashes, so that few
 * have equal ones, and by insertion among these. */
static bool sort_vertices(rest *r) {
  int bits = 1;
  while (bits < 30 && UINT64_C(1) << bits < r->n) bits++;
  const uint64_t buckets = UINT64_C(1) << bits, flip = UINT64_C(1) << 63;
  uint64_t *end = calloc(buckets + 1, sizeof *end);
  r->order = calloc(r->n + 1, sizeof *r->order);
  if (!end || !r->order) return free(end), false;
#define BUCKET(v) (~((uint64_t)r->score[v] ^ flip) >> (64 - bits))
  for (uint64_t v = 0; v < r->n; v++) end[BUCKET(v) + 1]++;
  for (uint64_t b = 0; b < buckets; b++) end[b + 1] += end[b];
  for (uint64_t v = 0; v < r->n; v++) r->order[end[BUCKET(v)]++] = v;
#undef BUCKET
  free(end);
  for (uint64_t k = 1; k < r->n; k++) {
    const uint64_t v = r->order[k];
    uint64_t at = k;
    for (; at > 0 && r->score[r->order[at - 1]] < r->score[v]; at--) r->order[at] = r->order[at - 1];
    r->order[at] = v;
  }
  return true;
}

/* Gives each vertex the smallest color from `first` on that no neighbor has. Returns the number of all
 * colors, or 0: there is no memory. */
static uint64_t color_in_order(rest *r) {
  uint64_t *used = calloc(r->n + 1, sizeof *used),
           colors = 0; /* used[c]: 1 + the vertex next to which c is */
  r->color = calloc(r->n + 1, sizeof *r->color);
  if (!used || !r->color || !sort_vertices(r)) return free(used), 0;
  for (uint64_t k = 0; k < r->n; k++) {
    const uint64_t v = r->order[k];
    uint32_t c = 0;
    for (int d = 0; d < r->directions; d++) {
      const uint32_t *to = r->earlier[d].to + r->earlier[d].start[v], n = r->earlier[d].length[v];
      for (uint32_t e = 0; e < n; e++) used[r->color[to[e]]] = v + 1;
    }
    while (used[c] == v + 1) c++;
    r->color[v] = c;
    if (c >= colors) colors = c + 1;
  }
  free(used);
  for (uint64_t v = 0; v < r->n; v++) r->score[v] = (int64_t)(r->first + r->color[v]);
  return r->first + colors;
}

static GrB_Info store_colors(GrB_Vector color, const rest *r) {
  GrB_Info info;
  GrB_Vector remainder_colors = NULL;
  GrB_Index n;
  TRY(GrB_Vector_size(&n, color));
  TRY(GrB_Vector_new(&remainder_colors, GrB_INT64, n));
  TRY(Grid_Vector_build(remainder_colors, r->vertex, r->score, GrB_INT64, Grid_rank() == 0 ? r->n : 0, NULL));
  TRY(GrB_Vector_assign(color, remainder_colors, NULL, remainder_colors, GrB_ALL, n, GrB_DESC_S));
out:
  GrB_Vector_free(&remainder_colors);
  return info;
}

GrB_Info grid_color_remainder(GrB_Vector color, uint64_t *colors, uint64_t first, GrB_Matrix A,
                              GrB_Vector score, bool is_symmetric) {
  rest r = {.first = first, .directions = is_symmetric ? 1 : 2};
  uint64_t number = 0;
  GrB_Info info;
  TRY(list_vertices(&r, score));
  TRY(extract_rest(&r, A));
  if (Grid_rank() == 0) number = color_in_order(&r);
  TRY(Grid_bcast(&number, sizeof number, 0));
  TRY(Grid_agree(number ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "Grid_Matrix_color: no memory for colors"));
  TRY(store_colors(color, &r));
  *colors = number;
out:
  for (int d = 0; d < 2; d++) GrB_Matrix_free(&r.B[d]), grid_earlier_neighbors_free(&r.earlier[d]);
  free(r.vertex), free(r.score), free(r.order), free(r.color);
  return info;
}
