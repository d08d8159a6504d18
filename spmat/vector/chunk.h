/* A chunk: one process's part of a vector (docs/design.md, "A vector"), in one of three formats. */
#ifndef GRID_CHUNK_H
#define GRID_CHUNK_H
#include "semiring/semiring.h"
#include "spmat/vector/bits.h"

typedef enum { GRID_LIST, GRID_BITMAP, GRID_FULL } grid_format;

/* Invariants: LIST: idx[0..nvals) ascending, val packed beside it (val[k] belongs to idx[k]). BITMAP:
 * bits[0..words(n)), bit i of word i/64, tail bits 0; val is dense, val[i] belongs to index i, undefined
 * where the bit is 0. FULL: nvals == n, no idx, no bits, dense val. iso: val holds one value that all entries
 * share. An array that the format does not use may be NULL or a buffer kept for reuse; cap_* say how many
 * elements/words/bytes each holds. */
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
  /* The arrays are in device memory (spmat/device/device.h): then the format is BITMAP or FULL, or LIST for
   * the empty chunk that grid_chunk_empty leaves, whose arrays hold nothing. */
  bool device;
  /* GRID_UNCOUNTED, on the device alone: a bitmap whose entries are being counted; the number comes under
   * this ticket (spmat/vector/backend.h). There may be any number, all and none included. */
  uint64_t ticket;
  /* device: room on the host for one value. Of an iso chunk it is the value, which val[0] on the device
   * equals; else whatever grid_chunk_get brought last. */
  uint64_t host_value[8] __attribute__((aligned(16)));
} grid_chunk;

/* Reads as "some entries, not all". Who needs the number calls grid_chunk_wait before. */
#define GRID_UNCOUNTED UINT64_MAX

/* Chunks with wider values than this stay on the host: sizeof one. */
#define GRID_DEVICE_VALUE_MAX 64

/* A list is kept while it is no longer than n / GRID_LIST_SHARE entries: then its 32-bit message is no larger
 * than a bitmap (docs/design.md, "Messages"). */
#define GRID_LIST_SHARE 32
/* Above this length a chunk is always a list: nothing of its length is ever allocated. */
#define GRID_DENSE_LENGTH_MAX (UINT64_C(1) << 40)

/* An empty chunk (a LIST without entries); allocates nothing. */
void grid_chunk_init(grid_chunk *c, GrB_Type type, uint64_t n);
/* Gives back its arrays and leaves an empty chunk of the same type and length. */
void grid_chunk_free(grid_chunk *c);
/* Removes all entries; keeps the arrays for reuse. */
static inline void grid_chunk_empty(grid_chunk *c) {
  c->nvals = 0, c->format = GRID_LIST, c->iso = false;
}
/* nvals is the number of entries from now on; waits for the device where that is not known. const: it is the
 * same chunk. */
GrB_Info grid_chunk_wait(const grid_chunk *c);
/* The value of an iso chunk with entries, in host memory. */
static inline const void *grid_chunk_iso_value(const grid_chunk *c) {
  return c->device ? c->host_value : c->val;
}
/* Makes room on the host in the arrays a format needs; contents of grown arrays are undefined. A chunk on the
 * device comes to the host first. */
GrB_Info grid_chunk_reserve_list(grid_chunk *c, uint64_t nvals, bool iso);
GrB_Info grid_chunk_reserve_dense(grid_chunk *c, bool iso);     /* bits and val */
GrB_Info grid_chunk_reserve_val(grid_chunk *c, uint64_t count); /* val alone */
/* The same on the device: bits if asked for, and one value or n. An empty chunk gives up its arrays on the
 * host. */
GrB_Info grid_chunk_reserve_device(grid_chunk *c, bool bits, bool iso);
/* to becomes a copy of from (its own arrays); to must be initialised. On failure to is unchanged. */
GrB_Info grid_chunk_copy(grid_chunk *to, const grid_chunk *from);
/* to, which is empty, gets the value x, of its type, wherever s has an entry, and lies where s does. */
GrB_Info grid_chunk_fill_pattern(grid_chunk *to, const grid_chunk *s, const void *x);
/* Format conversions; entries keep their values. On failure the chunk is unchanged. */
GrB_Info grid_chunk_to_list(grid_chunk *c);
GrB_Info grid_chunk_to_bitmap(grid_chunk *c); /* FULL and LIST become BITMAP */
/* Chooses the format by the rule above (list when short, full when complete, else bitmap). A chunk of more
 * than 2^40 indices is always a list. */
GrB_Info grid_chunk_choose_format(grid_chunk *c);
/* Another length: entries from n on go. On failure, which on the host only a longer one can meet, the entries
 * and the length are as they were. */
GrB_Info grid_chunk_resize(grid_chunk *c, uint64_t n);
/* Values become dense/packed and separate (iso = false). */
GrB_Info grid_chunk_expand_iso(grid_chunk *c);
/* Is index i stored? *v (may be NULL) points at its value then, in host memory: of a chunk on the device at a
 * copy that lasts until the next such call. */
bool grid_chunk_get(const grid_chunk *c, uint64_t i, const void **v);
/* The same for a caller who can tell of a failed copy. */
GrB_Info grid_chunk_read_element(const grid_chunk *c, uint64_t i, bool *is_present, const void **v);
/* Sets or removes one entry, where the chunk lies; x has the chunk's type. */
GrB_Info grid_chunk_set(grid_chunk *c, uint64_t i, const void *x);
GrB_Info grid_chunk_remove(grid_chunk *c, uint64_t i);
/* Moves the arrays to the other memory; nothing happens to a chunk that is there already. On the device it is
 * a BITMAP or FULL afterwards, an empty one a bitmap of zeros; one longer than GRID_DENSE_LENGTH_MAX, with
 * values wider than GRID_DEVICE_VALUE_MAX, or a list of more than 2^32 indices that would not fit stays on
 * the host (GRID_UNSUPPORTED). On the host it conforms, if there is memory for that. const: a chunk is the
 * same chunk wherever it lies. On failure it is unchanged. It owns its arrays.
 */
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

/* What a mask allows of a chunk. bits == NULL and list == NULL: everything (or, with complement, nothing). */
typedef struct {
  const uint64_t *bits; /* of words(n) words, or NULL */
  const uint64_t *list; /* ascending indices, or NULL */
  uint64_t nlist;
  bool complement;
  bool all; /* no mask at all: everything is allowed (complement is false then) */
  uint64_t n;
  bool device;                   /* bits, if there are any, are in device memory; list is NULL */
  uint64_t *own_bits, *own_list; /* freed by grid_mask_free */
} grid_mask;
/* Does it say so without looking at an entry? */
static inline bool grid_mask_is_empty(const grid_mask *m) {
  return !m->all && !m->bits && !m->list && !m->complement;
}
/* Reads mask chunk m (NULL = no mask: everything, or with complement nothing) by structure or by value.
 * Borrows m's arrays where it can. With the device on, m is read there unless it must stay on the host. */
GrB_Info grid_mask_read(grid_mask *mask, const grid_chunk *m, uint64_t n, bool structure, bool complement);
void grid_mask_free(grid_mask *mask);
/* The mask in the other memory, as arrays of its own; what it borrowed may go then. Nothing happens to one
 * that is there already. On failure it is unchanged. */
GrB_Info grid_mask_to_device(grid_mask *mask);
GrB_Info grid_mask_to_host(grid_mask *mask);
bool grid_mask_has_index(const grid_mask *mask, uint64_t i);
/* Number of allowed indices. */
uint64_t grid_mask_count(const grid_mask *mask);
/* Number of entries of c that the mask allows. Of the two, one on the host and one on the device, c moves. */
uint64_t grid_mask_count_allowed(const grid_mask *mask, const grid_chunk *c);
/* Word w (indices 64w .. 64w+63) of the allowed set; only for masks on the host without a list. Tail bits
 * are 0. */
static inline uint64_t grid_mask_word(const grid_mask *m, uint64_t w) {
  uint64_t x = m->all ? ~UINT64_C(0) : m->bits ? m->bits[w] : 0;
  return (m->complement ? ~x : x) & grid_tail(m->n, w);
}

/* c<mask, replace> accum= t (specification 2.3, "mask and accumulate"). t is consumed: its arrays may be
 * taken over by c, and it is left empty but valid. t->type may differ from c->type (cast). accum may be NULL.
 * t may hold entries outside the mask: they are ignored; `masked` says that t holds none. mask may borrow
 * from c's own arrays (aliasing). On failure c is unchanged. */
GrB_Info grid_chunk_write(grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum, bool replace,
                          grid_chunk *t, bool masked);
/* The same for t = one value for every index of c (assign of a scalar to GrB_ALL), without making t. */
GrB_Info grid_chunk_write_scalar(grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum, bool replace,
                                 const void *x, GrB_Type xtype);
#endif
