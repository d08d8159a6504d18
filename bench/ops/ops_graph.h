/* The graphs that bench/ops measures on, as plain arrays, the same for every library. */
#ifndef GRID_OPS_GRAPH_H
#define GRID_OPS_GRAPH_H
#include <stdbool.h>
#include <stdint.h>

/* R-MAT, edge factor 16, symmetrised, no loops, scattered ids; a mesh; the others are awkward on purpose. */
typedef enum {
  SHAPE_RMAT,
  SHAPE_HYPER, /* dimension 2^40, four entries to 2^scale: 10^6 at scale 18 */
  SHAPE_LONG,  /* one full row, one entry in each of the others */
  SHAPE_EMPTY, /* no entry, in no vector either */
  SHAPE_ISO,   /* R-MAT, all values 1 */
  SHAPE_MESH,  /* 3D, 7 points, about 2^scale of them */
  SHAPE_COUNT
} shape;
extern const char *const shape_name[SHAPE_COUNT];

typedef struct {
  uint64_t row, col;
  double value;
} tuple;

typedef struct {
  shape shape;
  int scale;
  uint64_t n;      /* rows and columns */
  uint64_t listed; /* tuples in the order they were drawn, duplicates included */
  tuple *list;
  uint64_t entries; /* without duplicates, by row and column; values of duplicates added up in their order */
  tuple *entry;
} graph;

/* false: out of memory. */
bool graph_make(graph *g, shape s, int scale, uint64_t seed);
void graph_free(graph *g);

/* A bijection of 64 bits that leaves no pattern: random choices that depend on nothing but x. */
uint64_t mix(uint64_t x);
/* The length of an edge, 1 to 255, the same in both directions. */
int32_t weight_of(uint64_t row, uint64_t col);
/* A result's checksum: the sum of this over its entries. */
double weighted(uint64_t row, uint64_t col, double value);
/* Shuffles n tuples, always in the same way. */
void shuffle(tuple *t, uint64_t n);
double now(void); /* seconds */
/* Does a row's name match one of the patterns, comma-separated, as file names do in a shell? */
bool is_wanted(const char *name, const char *patterns);
#endif
