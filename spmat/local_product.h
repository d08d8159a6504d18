/* The local product y (+)= M x of one local matrix with a vector, under a mask (docs/how/product.md). Pull
 * traverses the vectors of M at the outputs and stops at the first hit where the monoid allows it; push
 * scatters the vectors of M at the inputs. */
#ifndef GRID_LOCAL_PRODUCT_H
#define GRID_LOCAL_PRODUCT_H
#include "spmat/matrix/bit_rows.h"
#include "spmat/matrix/local_matrix.h"
#include "spmat/vector/chunk.h"
#include "spmat/vector/segments.h"

/* Maps the compact indices of a local matrix to global indices: the value of SECONDI. */
typedef struct {
  const grid_axis *axis;            /* compact index -> local id */
  const uint64_t *table;            /* local id -> global index; or NULL: */
  uint64_t base, q, stride, offset; /* q == 0: base + id; else (id / q * stride + offset) * q + id % q, */
  uint64_t segments; /* or, if not 0, this many segments: from[m * stride] here is to[m * stride] globally */
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
  uint64_t entries; /* device: entries of M */
  /* x: for pull bits (NULL: full) and dense values; for push a list of nx compact indices (NULL: all of
   * 0..nx-1), values packed beside it or dense */
  const uint64_t *xbits;
  const uint32_t *xlist;
  uint64_t nx;
  const void *x; /* already of the multiplier's type */
  size_t x_step; /* bytes; 0: iso */
  bool x_packed;
  /* pull of a full x on the CPU: of each entry of m the position of its value in x; NULL: the entry's index
   */
  const uint32_t *x_positions;
  GrB_Type x_type; /* device: the type of x, which is cast when it is read */
  /* device: instead of the list a push may have bits over nx indices, xcount of which are set */
  uint64_t xcount;
  uint64_t push_edges; /* push: entries in the listed vectors */
  /* the outputs that may be written: bits of mask, perhaps complemented; NULL: all */
  const uint64_t *mask;
  bool mask_complement;
  double allowed; /* device: estimated share of the nonempty outputs that may be written */
  /* y: contributions are added to existing values; for a structural product y is NULL, else dense values of
   * the monoid's type */
  uint64_t ny;
  uint64_t *ybits;
  void *y;
  bool y_full; /* device: every output has a value already */
  /* the semiring; flip: multiply (x, a) instead of (a, x) */
  GrB_Semiring s;
  bool flip;
  grid_index_map index_map;
  /* device: the count of found outputs may come later, under a ticket (GRID_UNCOUNTED in
   * spmat/vector/chunk.h), and `inspected` is not needed */
  bool counts_deferred;
  bool uncounted; /* device: neither count is needed */
  /* called repeatedly by one thread during a pull on the CPU, if several run it (overlapped.h); or NULL */
  void (*poll)(void *with);
  void *with;
  /* results */
  uint64_t inspected; /* entries inspected */
  uint64_t found;     /* outputs that had no value before, or GRID_UNCOUNTED */
  uint64_t ticket;
} grid_job;

/* The product kernels of a backend (docs/how/gpu.md); each does the whole job. */
typedef struct grid_kernels {
  GrB_Info (*pull)(grid_job *job);
  GrB_Info (*push)(grid_job *job);
} grid_kernels;

/* What products on the device need besides the kernels. Kernels take jobs whose arrays lie in device memory,
 * except the index map's axis and an iso a. */
typedef struct {
  /* A product to be counted: x over the inner axis of a block (`x` NULL: full) and the mask over its outer
   * axis. Either axis may be hypersparse, with its ids on the device. */
  const grid_axis *in_axis, *out_axis;
  const grid_compressed *by_in, *by_out;
  const uint32_t *degree; /* in place of by_in: entries of each vector; x NULL then: all */
  const uint64_t *x, *mask;
  bool count_x, count_mask, complement;
  uint64_t n;              /* outputs, the length of the mask */
  uint64_t nx, nvals;      /* set bits of x, entries of the block; 0: not known */
  uint64_t edges;          /* result: entries in x's vectors, or a small bound; then all outputs count */
  uint64_t allowed;        /* set bits of the mask; complemented: the others */
  uint64_t nonempty_count; /* allowed outputs that have entries */
  uint64_t ticket;         /* of a count that was started; 0: the results are known */
  const void *counted;     /* that count's results */
} grid_product_count_job;

#define GRID_COUNT_JOBS_MAX 4
typedef struct grid_device_products {
  /* Does the semiring have a compiled device kernel, or source text to compile one from? */
  bool (*is_supported)(GrB_Semiring s);
  GrB_Info (*count)(grid_product_count_job *c, int n); /* n products, at most GRID_COUNT_JOBS_MAX */
  /* The same in two steps for one product, with other work between them. */
  GrB_Info (*start_count)(grid_product_count_job *c);
  GrB_Info (*wait_count)(grid_product_count_job *c);
  /* Gathers a dense vector through a hypersparse axis: bit k (and value k) = those at the axis' id k. bits
   * NULL: all; complement: the bits are inverted. to_val may be NULL. */
  GrB_Info (*gather_axis)(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val, size_t size,
                          bool complement, const grid_axis *axis);
  /* The reverse: bits (or-ed) and values are scattered to the ids. */
  GrB_Info (*scatter_axis)(uint64_t *to_bits, void *to_val, const uint64_t *bits, const void *val,
                           size_t size, const grid_axis *axis);
} grid_device_products;

/* Does a push meet so few entries that even clearing a bitmap over its n outputs would take longer? */
bool grid_push_is_sparse(uint64_t edges, uint64_t n);
/* Its outputs become t, a list of the ids that `out`, their axis, gives them, with values of t's type, or
 * without (structural). Only those that the mask allows, which speaks of ids, or, where it is NULL, J's. J's
 * y is not looked at. */
GrB_Info grid_push_sparse(grid_job *J, bool structural, const grid_axis *out, const grid_mask *mask,
                          grid_chunk *t);

/* The same product y (+)= M x as a pull where M is bit rows (product_bits.c): output r is bit row r of M.
 * `by_in`, M's transpose, finds the rows that meet x where x is short. J's m is not used; J's a is iso. Words
 * of outputs first, first + step, ... are computed. With `first_hit` only the first entry of a row that meets
 * x counts; such rows are skipped where y has a value. The other members are those of a pull. */
typedef struct {
  const grid_bit_rows *m, *by_in;
  uint64_t first, step;
  bool first_hit;
} grid_bits_job;
GrB_Info grid_pull_bits(grid_job *J, const grid_bits_job *b, bool structural);

/* Entries in the vectors of m that `list` names (the work of a push). */
uint64_t grid_push_edges(const grid_compressed *m, const uint32_t *list, uint64_t n);

#endif
