/* The local product y (+)= M x of one part with a vector, under a mask (docs/design.md, "One product"). Pull
 * goes along the vectors of M at the output and stops at the first hit where the monoid allows it; push
 * scatters the vectors of M at the input. */
#ifndef GRID_LOCAL_PRODUCT_H
#define GRID_LOCAL_PRODUCT_H
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/chunk.h"
#include "spmat/vector/segments.h"

/* Where the inner indices of a part stand in the whole: the value of SECONDI. */
typedef struct {
  const grid_axis *axis;            /* compact index -> local id */
  const uint64_t *table;            /* local id -> global index, or NULL: */
  uint64_t base, q, stride, offset; /* q == 0: base + id; else (id / q * stride + offset) * q + id % q, */
  uint64_t segments;                /* or so many segments, from[m * stride] on here, to[m * stride] there */
  const uint64_t *from, *to;
} grid_index_map;

static inline uint64_t grid_index_map_at(const grid_index_map *p, uint64_t k) {
  uint64_t id = grid_axis_id(p->axis, k);
  if (p->table) return p->table[id];
  if (p->q == 0) return p->base + id;
  if (!p->segments) return (id / p->q * p->stride + p->offset) * p->q + id % p->q;
  const uint64_t m = grid_segment_of(p->from, p->stride, p->segments, id) * p->stride;
  return p->to[m] + (id - p->from[m]);
}

typedef struct grid_job {
  /* M: pull takes the orientation whose vectors are outputs, push the one whose vectors are inputs */
  const grid_compressed *m;
  const void *a; /* value of entry e at a + e * a_step bytes; step 0: iso */
  size_t a_step;
  GrB_Type a_type;
  uint64_t entries; /* device: of M */
  /* x: for pull bits (NULL: full) and dense values; for push a list of nx compact indices (NULL: all of
   * 0..nx-1), values packed beside it or dense */
  const uint64_t *xbits;
  const uint32_t *xlist;
  uint64_t nx;
  const void *x; /* already of the multiplier's type */
  size_t x_step; /* bytes; 0: iso */
  bool x_packed;
  GrB_Type x_type; /* device: x's own, cast as it is read */
  /* device: a push may have bits in place of the list, over nx indices, of which this many are set */
  uint64_t xcount;
  uint64_t push_edges; /* push: entries in the listed vectors */
  /* the outputs that may be written: bits of mask, complemented or not; NULL: all */
  const uint64_t *mask;
  bool mask_complement;
  double allowed; /* device: the share of the outputs with entries in M that may be written, about */
  /* y: contributions are combined with what is there; y_step 0 and y NULL for a structural product, else
   * dense values of the monoid's type */
  uint64_t ny;
  uint64_t *ybits;
  void *y;
  /* the semiring; flip: multiply (x, a) instead of (a, x) */
  GrB_Semiring s;
  bool flip;
  grid_index_map index_map;
  /* device: what was found may come later, under a ticket (spmat/vector/chunk.h, GRID_UNCOUNTED); nobody asks
   * what was looked at */
  bool counts_deferred;
  bool uncounted; /* device: nobody asks for either */
  /* results */
  uint64_t inspected; /* entries looked at */
  uint64_t found;     /* outputs that had no value before, or GRID_UNCOUNTED: */
  uint64_t ticket;
} grid_job;

/* The table of a backend's product kernels (docs/design.md, "The operator table"); each does the whole
 * job. */
typedef struct grid_kernels {
  GrB_Info (*pull)(grid_job *job);
  GrB_Info (*push)(grid_job *job);
} grid_kernels;

/* What products on the device need beside the kernels (spmat/backend.h), which take jobs whose arrays, but
 * the places' axis and an iso a, are all in device memory. */
typedef struct {
  /* x over the inner axis of a block (`bits` NULL: full) and the mask over its outer axis, and what meets
   * them. Either axis may be hypersparse, its ids on the device. */
  const grid_axis *in_axis, *out_axis;
  const grid_compressed *by_in, *by_out;
  const uint32_t *degree; /* in place of by_in: the entries of each vector; then x NULL: all of them */
  const uint64_t *x, *mask;
  bool count_x, count_mask, complement;
  uint64_t n;              /* outputs, of which the mask's bits are */
  uint64_t edges;          /* result: entries in x's vectors */
  uint64_t allowed;        /* bits of the mask; complemented: all others */
  uint64_t nonempty_count; /* of the outputs that are allowed, those with entries */
} grid_product_count_job;

#define GRID_COUNT_JOBS_MAX 4
typedef struct grid_device_products {
  /* Is there a device form of the semiring, or text to make one from? */
  bool (*is_supported)(GrB_Semiring s);
  GrB_Info (*count)(grid_product_count_job *c, int n); /* n products, of up to GRID_COUNT_JOBS_MAX */
  /* A dense vector seen through a hypersparse axis: bit k (and value k) = those at the axis' id k. bits NULL:
   * all; complement: turned round. to_val may be NULL. */
  GrB_Info (*gather_axis)(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                          bool complement, const grid_axis *axis);
  /* The reverse: bits (joined) and values at the ids. */
  GrB_Info (*scatter_axis)(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val,
                           size_t size, const grid_axis *axis);
} grid_device_products;

/* A push that meets so few entries that even clearing a bitmap as long as its outputs, of which there are n,
 * would take longer. */
bool grid_push_is_sparse(uint64_t edges, uint64_t n);
/* Its outputs become t, a list of the ids that `out`, their axis, gives them, with values of t's type, or
 * without (structural). Only those that the mask allows, which speaks of ids, or, where it is NULL, J's. J's
 * y is not looked at. */
GrB_Info grid_push_sparse(grid_job *J, bool structural, const grid_axis *out, const grid_mask *mask,
                          grid_chunk *t);

/* Entries in the vectors of m that x lists (push work of this part). */
uint64_t grid_push_edges(const grid_compressed *m, const uint32_t *list, uint64_t n);

#endif
