/* Rich club: of the pairs of vertices of large degree, the share that is connected. L has each edge in one
 * direction, from the lower degree to the higher. So both ends of an edge have degrees above k if and only if
 * the first has. Vertices and edges are counted by degree, and added up from the largest degree down.
 *
 * Sources: Zhou, Mondragon, The rich-club phenomenon in the internet topology (2004); Colizza, Flammini,
 * Serrano, Vespignani, Detecting rich-club ordering in complex networks (2006). */
#include <stdlib.h>

#include "algos/structure/common_neighbors.h"
#include "algos/rows/local_values.h"
#include "algos/support/orient.h"

/* On every process, by degree up to the largest: the vertices, and the edges that begin at them in L. */
typedef struct {
  uint64_t largest, *vertices, *edges;
} histogram;

static GrB_Info count_by_degree(histogram *h, GrB_Vector degree, GrB_Vector out_degree) {
  GrB_Info info;
  GrB_Index count;
  int64_t *d = NULL, *edges = NULL, largest = 0;
  TRY(grid_local_values(&d, &count, degree));
  TRY(grid_local_values(&edges, &count, out_degree));
  TRY(GrB_Vector_reduce_INT64(&largest, GrB_MAX_INT64, GrB_MAX_MONOID_INT64, degree, NULL));
  h->largest = (uint64_t)largest;
  h->vertices = calloc(h->largest + 1, sizeof *h->vertices);
  h->edges = calloc(h->largest + 1, sizeof *h->edges);
  const bool allocated = h->vertices != NULL && h->edges != NULL;
  TRY(Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the numbers of each degree"));
  for (GrB_Index v = 0; v < count; v++) h->vertices[d[v]]++, h->edges[d[v]] += (uint64_t)edges[v];
  TRY(Grid_sum(h->vertices, h->largest + 1));
  TRY(Grid_sum(h->edges, h->largest + 1));
out:
  free(d), free(edges);
  return info;
}

/* *c(k) = the share for the vertices of degrees above k; process 0 has all entries. */
static GrB_Info find_shares(GrB_Vector *c, const histogram *h, GrB_Index n) {
  GrB_Info info;
  GrB_Index *index = malloc((h->largest + 1) * sizeof *index), count = 0;
  double *share = malloc((h->largest + 1) * sizeof *share);
  uint64_t vertices = 0, edges = 0;
  const bool allocated = index != NULL && share != NULL;
  TRY(Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the coefficients"));
  for (uint64_t k = h->largest; Grid_rank() == 0 && k-- > 0;) {
    vertices += h->vertices[k + 1], edges += h->edges[k + 1];
    if (vertices < 2) continue;
    index[count] = k;
    share[count++] = 2 * (double)edges / ((double)vertices * (double)(vertices - 1));
  }
  TRY(GrB_Vector_new(c, GrB_FP64, n));
  TRY(Grid_Vector_build(*c, index, share, GrB_FP64, count, NULL));
out:
  free(index), free(share);
  return info;
}

GrB_Info Grid_rich_club(GrB_Vector *coefficient, GrB_Matrix A) {
  SPAN;
  GrB_Info info;
  GrB_Index n;
  GrB_Matrix S = NULL, L = NULL;
  GrB_Vector degree = NULL, out_degree = NULL, found = NULL;
  histogram h = {0, NULL, NULL};

  if (coefficient == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_rich_club: coefficient is NULL");
  TRY(square_size(&n, A, "Grid_rich_club"));
  TRY(grid_undirected_pattern(&S, A, n));
  TRY(GrB_Vector_new(&degree, GrB_INT64, n));
  TRY(GrB_Vector_new(&out_degree, GrB_INT64, n));
  TRY(Grid_Matrix_degree(degree, S, false));
  TRY(grid_orient_by_degree(&L, S, degree, n));
  TRY(Grid_Matrix_degree(out_degree, L, false));
  TRY(count_by_degree(&h, degree, out_degree));
  TRY(find_shares(&found, &h, n));
  *coefficient = found, found = NULL;
out:
  free(h.vertices), free(h.edges);
  GrB_Matrix_free(&S);
  GrB_Matrix_free(&L);
  GrB_Vector_free(&degree);
  GrB_Vector_free(&out_degree);
  GrB_Vector_free(&found);
  return info;
}
