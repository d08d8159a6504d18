/* One level of Louvain's and Leiden's methods (louvain.c): its graph and vectors, and the sweeps in which its
 * vertices move, or in which communities are divided. */
#ifndef GRID_LOUVAIN_LEVEL_H
#define GRID_LOUVAIN_LEVEL_H
#include "algos/algos.h"
#include "algos/checkpoints/resume.h"

/* Where the method is, beside the communities. */
typedef struct {
  uint64_t pass;  /* 0; 1: the levels again; 2: the first level alone */
  uint64_t once;  /* vertices move already in communities: one try is enough */
  uint64_t key;   /* of the hashes */
  double quality; /* modularity, but for 1e-8, in the same bits on any grid */
  GrB_Index n;    /* vertices of this level */
} progress;

typedef struct {
  GrB_Index n; /* vertices of this level */
  double resolution;
  double total; /* S */
  progress now;
  uint64_t entered; /* levels that have been begun */
  checkpoint_key computation;
  uint64_t bits;     /* vertices move in 2^bits classes */
  bool later;        /* than the first level: sweeps end when fewer vertices move */
  bool refines;      /* Leiden's method: communities are divided */
  bool refining;     /* only vertices that are alone move, to communities that stay */
  GrB_Matrix first;  /* the graph of the vertices that have edges, FP64, weights integers */
  GrB_Matrix W;      /* of this level; may be `first` */
  GrB_Matrix links;  /* W without loops; may be W, or in a refinement the links inside communities */
  GrB_Matrix inside; /* the links inside communities, or NULL: not known */
  double linked;     /* the sum of the links */
  GrB_Vector k;      /* FP64: of this level's vertices, as the next four */
  GrB_Vector label;  /* INT64: community */
  GrB_Vector sum;    /* FP64: K */
  GrB_Vector scale;  /* FP64: S / (resolution k), what the sums of links count */
  GrB_Vector bonus;  /* FP64: k, and a little for ties */
  GrB_Vector flat;   /* INT64: the vertex of this level that a vertex of the first is in */
  GrB_Vector vertex; /* INT64: what the vertices of the first level were in A */
} louvain;

/* What a vertex's links and its staying count, and each vertex alone in its community: for the graph W. */
GrB_Info grid_louvain_begin_level(louvain *e);
/* Of this level; `first` stays. */
void grid_louvain_free_graph(louvain *e);
void grid_louvain_free_vectors(louvain *e);
/* sum = K; only communities that have vertices. */
GrB_Info grid_louvain_sum_communities(louvain *e);
GrB_Info grid_louvain_set_labels(louvain *e, GrB_Vector label);
/* inside = the links inside communities: those whose row and column have the same label. */
GrB_Info grid_louvain_find_inside(louvain *e);
/* *modularity of the labels, with the links inside communities known. rounded: from sums of integers below
 * 2^53, so that their order does not matter. */
GrB_Info grid_louvain_measure(double *modularity, louvain *e, bool rounded);
/* Divides each community: vertices begin alone, and join others along its edges. label becomes the parts;
 * *joins: the number of vertices that did. */
GrB_Info grid_louvain_refine(uint64_t *joins, louvain *e);
/* Moves vertices if that raises the modularity, else the labels are as before. */
GrB_Info grid_louvain_improve(louvain *e);
#endif
