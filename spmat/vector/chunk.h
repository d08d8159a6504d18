/* A chunk: one process's local range of a vector (docs/how/storage.md), in one of three formats. Lists have
 * 64-bit indices in memory, since a vector on one process may be longer than 2^32, and usually 32-bit ones in
 * messages. */
#ifndef GRID_CHUNK_H
#define GRID_CHUNK_H
#include "semiring/semiring.h"
#include "spmat/device/device.h"
#include "spmat/vector/bits.h"

typedef enum { GRID_LIST, GRID_BITMAP, GRID_FULL } grid_format;

/* Invariants. LIST: idx[0..nvals) ascends, and val[k] belongs to idx[k]. BITMAP: bits[0..words(n)), bit i of
 * word i/64, tail bits 0; val is dense: val[i] belongs to index i, undefined where the bit is 0. FULL: nvals
 * == n, no idx, no bits, dense val. iso: val holds one value that all entries share. An array that the format
 * does not use may be NULL or a buffer for reuse; cap_* are the elements/words/bytes that each has room for.
 */
typedef struct {
  uint64_t n;     /* length */
  uint64_t nvals; /* entries, or GRID_UNCOUNTED */
  GrB_Type type;
  grid_format format;
  bool iso;
  uint64_t *idx;  /* LIST */
  uint64_t *bits; /* BITMAP */
  void *val;
  uint64_t cap_idx, cap_bits, cap_val; /* elements, words, bytes */
  /* The arrays are in device memory (spmat/device/device.h). The format is then BITMAP or FULL, or LIST after
   * grid_chunk_empty, when the arrays hold nothing. */
  bool device;
  /* For nvals == GRID_UNCOUNTED, on the device only: a bitmap whose entries are being counted. The number,
   * from none to all, is available under this ticket (spmat/vector/backend.h). */
  uint64_t ticket;
  /* device: host memory for one value. Of an iso chunk it is the value, equal to val[0] on the device; else
   * the one that grid_chunk_get read last. */
  uint64_t host_value[GRID_DEVICE_VALUE_MAX / 8] __attribute__((aligned(16)));
} grid_chunk;

/* Compares as "some entries, not all". grid_chunk_wait gives the number. */
#define GRID_UNCOUNTED UINT64_MAX

/* A list has at most n / GRID_LIST_SHARE entries: its 32-bit message is then no larger than a bitmap
 * (docs/how/communication.md). */
#define GRID_LIST_SHARE 32
/* Longer chunks are always lists: nothing of that length is ever allocated. */
#define GRID_DENSE_LENGTH_MAX (UINT64_C(1) << 40)

/* An empty chunk (a LIST without entries); allocates nothing. */
void grid_chunk_init(grid_chunk *c, GrB_Type type, uint64_t n);
/* Frees its arrays and leaves an empty chunk of the same type and length. */
void grid_chunk_free(grid_chunk *c);
/* Removes all entries; keeps the arrays for reuse. */
static inline void grid_chunk_empty(grid_chunk *c) {
  c->nvals = 0, c->format = GRID_LIST, c->iso = false;
}
/* Makes nvals known; waits for the device if necessary. const: the contents do not change. */
GrB_Info grid_chunk_wait(const grid_chunk *c);
/* The value of an iso chunk with entries, in host memory. */
static inline const void *grid_chunk_iso_value(const grid_chunk *c) {
  return c->device ? c->host_value : c->val;
}
/* Allocates on the host the arrays of a format; contents of grown arrays are undefined. A chunk on the device
 * moves to the host first. */
GrB_Info grid_chunk_reserve_list(grid_chunk *c, uint64_t nvals, bool iso);
GrB_Info grid_chunk_reserve_dense(grid_chunk *c, bool iso);     /* bits and val */
GrB_Info grid_chunk_reserve_val(grid_chunk *c, uint64_t count); /* val only */
/* The same on the device: bits if requested, and one value or n. An empty chunk frees its host arrays. */
GrB_Info grid_chunk_reserve_device(grid_chunk *c, bool bits, bool iso);
/* to becomes a copy of from (its own arrays); to must be initialised. On failure to is unchanged. */
GrB_Info grid_chunk_copy(grid_chunk *to, const grid_chunk *from);
/* to, which is empty, gets the value x, of its type, wherever s has an entry; it is made in s's memory. */
GrB_Info grid_chunk_fill_pattern(grid_chunk *to, const grid_chunk *s, const void *x);
/* Format conversions; entries keep their values. On failure the chunk is unchanged. */
GrB_Info grid_chunk_to_list(grid_chunk *c);
GrB_Info grid_chunk_to_bitmap(grid_chunk *c); /* FULL and LIST become BITMAP */
/* Chooses the format by GRID_LIST_SHARE: list when short, full when complete, else bitmap. A chunk longer
 * than GRID_DENSE_LENGTH_MAX is always a list. */
GrB_Info grid_chunk_choose_format(grid_chunk *c);
/* Changes the length; entries from n on are removed. On failure, which on the host only a longer one can
 * meet, nothing changes. */
GrB_Info grid_chunk_resize(grid_chunk *c, uint64_t n);
/* Values become dense/packed and separate (iso = false). */
GrB_Info grid_chunk_expand_iso(grid_chunk *c);
/* Is index i stored? Then *v (v may be NULL) points at its value in host memory; for a chunk on the device at
 * a copy that is valid until the next call. */
bool grid_chunk_get(const grid_chunk *c, uint64_t i, const void **v);
/* The same, with an error if the copy fails. */
GrB_Info grid_chunk_read_element(const grid_chunk *c, uint64_t i, bool *is_present, const void **v);
/* Sets or removes one entry in the chunk's memory; x has the chunk's type. */
GrB_Info grid_chunk_set(grid_chunk *c, uint64_t i, const void *x);
GrB_Info grid_chunk_remove(grid_chunk *c, uint64_t i);
/* Moves the arrays to the other memory, if they are not there already. On the device the chunk is a BITMAP
 * (an empty one: of zeros) or FULL. GRID_UNSUPPORTED, and it stays on the host: it is longer than
 * GRID_DENSE_LENGTH_MAX, has values larger than GRID_DEVICE_VALUE_MAX, or is a list of more than 2^32 indices
 * that would not fit. On the host its format is chosen anew, if there is memory for that. The chunk must own
 * its arrays. const: the contents do not change. On failure it is unchanged. */
bool grid_chunk_can_move(const grid_chunk *c);
GrB_Info grid_chunk_to_device(const grid_chunk *from);
GrB_Info grid_chunk_to_host(const grid_chunk *from);
/* to (empty, on the host, of the same type and length) becomes a copy of from, which is on the device. */
GrB_Info grid_chunk_copy_to_host(grid_chunk *to, const grid_chunk *from);
/* Swaps all contents. */
void grid_chunk_swap(grid_chunk *a, grid_chunk *b);

/* Visits entries in ascending order: for (grid_iter it = grid_iter_begin(c); grid_iter_next(&it);) { it.i,
 * it.v } */
typedef struct {
  const grid_chunk *c;
  uint64_t k;    /* next position (LIST) or index */
  uint64_t word; /* bits still to visit in the present word */
  uint64_t i;    /* index of the entry */
  const void *v; /* its value */
} grid_iter;
grid_iter grid_iter_begin(const grid_chunk *c);
bool grid_iter_next(grid_iter *it);

/* The indices that a mask allows. bits == NULL and list == NULL: all (or, with complement, none). */
typedef struct {
  const uint64_t *bits; /* of words(n) words, or NULL */
  const uint64_t *list; /* ascending indices, or NULL */
  uint64_t nlist;
  bool complement;
  bool all; /* no mask: all indices are allowed, and complement is false */
  uint64_t n;
  bool device;                       /* bits, if not NULL, are in device memory; list is NULL */
  uint64_t *owned_bits, *owned_list; /* freed by grid_mask_free */
} grid_mask;
/* Is it known, without reading entries, that nothing is allowed? */
static inline bool grid_mask_is_empty(const grid_mask *m) {
  return !m->all && !m->bits && !m->list && !m->complement;
}
/* Reads the mask chunk m (NULL: all, or with complement none) by structure or by value. Borrows m's arrays
 * where possible. With the device on, m is read there unless it must stay on the host. */
GrB_Info grid_mask_read(grid_mask *mask, const grid_chunk *m, uint64_t n, bool structure, bool complement);
void grid_mask_free(grid_mask *mask);
/* Moves the mask to the other memory as arrays of its own, if it is not there already; what it borrowed may
 * then be freed. On failure it is unchanged. */
GrB_Info grid_mask_to_device(grid_mask *mask);
GrB_Info grid_mask_to_host(grid_mask *mask);
bool grid_mask_has_index(const grid_mask *mask, uint64_t i);
/* Number of allowed indices. */
uint64_t grid_mask_count(const grid_mask *mask);
/* Number of entries of c that the mask allows. If they lie in different memories, c moves. */
uint64_t grid_mask_count_allowed(const grid_mask *mask, const grid_chunk *c);
/* Word w (indices 64w .. 64w+63) of the allowed set; only for masks on the host without a list. Tail bits
 * are 0. */
static inline uint64_t grid_mask_word(const grid_mask *m, uint64_t w) {
  uint64_t x = m->all ? ~UINT64_C(0) : m->bits ? m->bits[w] : 0;
  return (m->complement ? ~x : x) & grid_tail(m->n, w);
}

/* c<mask, replace> accum= t (specification 2.3, "mask and accumulate"). t is consumed: c may take over its
 * arrays, and t is left empty but valid. t->type may differ from c->type (cast). accum may be NULL. Entries
 * of t outside the mask are ignored; `masked` promises that there are none. mask may borrow c's arrays
 * (aliasing). On failure c is unchanged. */
GrB_Info grid_chunk_write(grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum, bool replace,
                          grid_chunk *t, bool masked);
#endif
