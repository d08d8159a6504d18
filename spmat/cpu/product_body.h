/* The bodies of pull and push, written once. Each kernel is an always-inlined copy with its operators as
 * compile-time constants (or, for the generic kernel, run-time function pointers).
 *
 * Pull: the allowed rows that hold entries, 64 at a time; one look at the row's `first`, its neighbour of
 * highest degree, which stands in an array of its own, settles most hits of an ANY product. Push:
 * the edges of the frontier are cut into equal pieces, whatever the degrees. An ANY product needs no order:
 * whoever sets the output's bit writes its value. Other monoids: every thread walks all edges and keeps those
 * to its own range of outputs, so that sums come out the same whatever the number of threads. */
#ifndef GRID_PRODUCT_BODY_H
#define GRID_PRODUCT_BODY_H
#include <omp.h>
#include <string.h>

#include "spmat/product.h"

enum {
  PULL_WORDS = 64,          /* words of rows a thread takes at a time */
  DENSE_WORD = 24,          /* rows of a word from which looking at all 64 is cheaper than picking them out */
  PUSH_EDGES = 4096,        /* edges a thread takes at a time */
  PARALLEL_WORDS = 256,     /* fewer words of rows: one thread */
  PARALLEL_EDGES = 1 << 13, /* fewer edges: one thread */
  PUSH_OWNERS = 8           /* threads of an ordered push: each walks all edges */
};

typedef struct {
  grid_binary_fn mul, add; /* mul NULL: SECONDI; both unused when structural */
  size_t size;             /* of a z value */
  bool structural, any, positional;
  const void *terminal;
  grid_cast_fn cast; /* of a's values, or NULL */
  size_t a_size;     /* of a value of the multiplier's operand type (when cast) */
} body_ops;

/* Room for a z value, a product and a cast operand: in registers for predefined types, else thirds of a
 * thread's heap_step bytes. */
typedef union {
  int64_t i;
  double d;
  char c[16];
} cell;

#define INLINE static inline __attribute__((always_inline))

/* t = a(e) * x(k); xpos: where x's value stands. */
INLINE void multiply(const grid_job *J, const body_ops o, void *t, void *cast_to, uint64_t e, uint64_t k,
                     uint64_t xpos) {
  if (o.positional) {
    uint64_t g = grid_place(&J->places, k);
    if (o.size == 4)
      *(int32_t *)t = (int32_t)g;
    else
      *(int64_t *)t = (int64_t)g;
    return;
  }
  const void *a = (const char *)J->a + e * J->a_step, *x = (const char *)J->x + xpos * J->x_step;
  if (o.cast) {
    o.cast(cast_to, a, o.a_size);
    a = cast_to;
  }
  if (J->flip)
    o.mul(t, x, a);
  else
    o.mul(t, a, x);
}

INLINE uint64_t allowed_word(const grid_job *J, uint64_t w) {
  uint64_t m = ~UINT64_C(0);
  if (J->mask) m = J->mask_complement ? ~J->mask[w] : J->mask[w];
  return m;
}
INLINE bool allowed(const grid_job *J, uint64_t v) {
  return allowed_word(J, v >> 6) >> (v & 63) & 1;
}
INLINE bool in_x(const grid_job *J, uint64_t k) {
  return !J->xbits || (J->xbits[k >> 6] >> (k & 63) & 1);
}

/* The rows of word w whose `first` is in x. Most of a word: all 64 without a branch, which the compiler
 * turns into gathers. */
INLINE uint64_t first_hits(const grid_job *J, uint64_t w, uint64_t todo) {
  const uint32_t *first = J->m->first + 64 * w;
  const uint64_t *x = J->xbits;
  uint64_t hits = 0;
  if (!x) return todo;
  if (__builtin_popcountll(todo) >= DENSE_WORD && 64 * w + 64 <= J->ny) {
    for (unsigned b = 0; b < 64; b++) hits |= (x[first[b] >> 6] >> (first[b] & 63) & 1) << b;
    return hits & todo;
  }
  for (uint64_t t = todo; t; t &= t - 1) {
    unsigned b = (unsigned)__builtin_ctzll(t);
    hits |= (x[first[b] >> 6] >> (first[b] & 63) & 1) << b;
  }
  return hits;
}

/* Rows `todo` of word w under ANY (or structurally): the set of those with an entry in x, their values
 * written. Every row's `first` to begin with, then, for the few that missed, the row, fetched ahead of use.
 */
INLINE uint64_t pull_any_word(const grid_job *J, const body_ops o, uint64_t w, uint64_t todo, void *cast_to,
                              uint64_t *looked) {
  const grid_offsets start = grid_vector_starts(J->m);
  const uint32_t *idx = J->m->idx, *first = J->m->first + 64 * w;
  const bool entries = !o.structural && !o.positional && J->a_step; /* which one it is makes a difference */
  char *y = (char *)J->y + 64 * w * o.size;
  uint64_t hits = first_hits(J, w, todo), missed = todo & ~hits;
  *looked += (uint64_t)__builtin_popcountll(todo);
  for (uint64_t t = missed; t; t &= t - 1)
    __builtin_prefetch(idx + grid_offset(start, 64 * w + (uint64_t)__builtin_ctzll(t)));
  for (uint64_t t = hits; t && !o.structural; t &= t - 1) {
    unsigned b = (unsigned)__builtin_ctzll(t);
    multiply(J, o, y + b * o.size, cast_to, entries ? grid_find_entry(J->m, 64 * w + b, first[b]) : 0,
             first[b], first[b]);
  }
  for (uint64_t t = missed; t; t &= t - 1) {
    unsigned b = (unsigned)__builtin_ctzll(t);
    uint64_t e = grid_offset(start, 64 * w + b), from = e, end = grid_offset(start, 64 * w + b + 1);
    while (e < end && !in_x(J, idx[e])) e++;
    *looked += e < end ? e + 1 - from : e - from;
    if (e == end) continue;
    hits |= UINT64_C(1) << b;
    if (!o.structural) multiply(J, o, y + b * o.size, cast_to, e, idx[e], idx[e]);
  }
  return hits;
}

/* One row under another monoid: all its entries that are in x, or until the terminal value. */
INLINE bool pull_row(const grid_job *J, const body_ops o, uint64_t v, void *z, void *t, void *cast_to,
                     uint64_t *looked) {
  bool some = J->ybits[v >> 6] >> (v & 63) & 1;
  if (some) memcpy(z, (char *)J->y + v * o.size, o.size);
  uint64_t e = grid_vector_start(J->m, v), end = grid_vector_start(J->m, v + 1);
  for (; e < end; e++) {
    if (some && o.terminal && memcmp(z, o.terminal, o.size) == 0) break;
    uint64_t k = J->m->idx[e];
    ++*looked;
    if (!in_x(J, k)) continue;
    multiply(J, o, some ? t : z, cast_to, e, k, k);
    if (some) o.add(z, z, t);
    some = true;
  }
  if (some) memcpy((char *)J->y + v * o.size, z, o.size);
  return some;
}

INLINE void pull_body(grid_job *J, const body_ops o, char *heap, size_t heap_step) {
  uint64_t words = grid_words(J->ny), looked_all = 0, found_all = 0;
  bool first_only = o.any || o.structural;
#pragma omp parallel if (words > PARALLEL_WORDS) reduction(+ : looked_all, found_all)
  {
    cell local[3];
    char *room = heap ? heap + (size_t)omp_get_thread_num() * heap_step : NULL;
    void *z = heap ? room : (char *)&local[0], *t = heap ? room + heap_step / 3 : (char *)&local[1];
    void *cast_to = heap ? room + heap_step / 3 * 2 : (char *)&local[2];
    uint64_t looked = 0, found = 0;
#pragma omp for schedule(dynamic, PULL_WORDS)
    for (uint64_t w = 0; w < words; w++) {
      uint64_t todo = allowed_word(J, w) & J->m->nonempty[w], had = J->ybits[w], hits = 0;
      if (first_only) {
        todo &= ~had;
        if (todo) hits = pull_any_word(J, o, w, todo, cast_to, &looked);
      } else {
        for (; todo; todo &= todo - 1) {
          unsigned bit = (unsigned)__builtin_ctzll(todo);
          hits |= (uint64_t)pull_row(J, o, 64 * w + bit, z, t, cast_to, &looked) << bit;
        }
      }
      if (hits & ~had) {
        J->ybits[w] = had | hits;
        found += (uint64_t)__builtin_popcountll(hits & ~had);
      }
    }
    looked_all += looked;
    found_all += found;
  }
  J->inspected += looked_all;
  J->found += found_all;
}

/* ---- push ---- */

/* start[f] = edges of the vectors before the f-th of the list; the caller gives nx + 1 words. */
INLINE void edge_starts(const grid_job *J, uint64_t *start) {
  uint64_t sum = 0;
  for (uint64_t f = 0; f < J->nx; f++) {
    uint64_t k = J->xlist ? J->xlist[f] : f;
    start[f] = sum;
    sum += grid_vector_start(J->m, k + 1) - grid_vector_start(J->m, k);
  }
  start[J->nx] = sum;
}

/* The last f with start[f] <= edge. */
INLINE uint64_t vector_of_edge(const uint64_t *start, uint64_t n, uint64_t edge) {
  uint64_t lo = 0, hi = n;
  while (hi - lo > 1) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (start[mid] <= edge)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* ANY: sets v's bit if it is allowed and not set; true for the one who did. */
INLINE bool claim(const grid_job *J, uint64_t v, bool alone) {
  uint64_t *word = &J->ybits[v >> 6], bit = UINT64_C(1) << (v & 63);
  if (alone) {
    if (*word & bit || !allowed(J, v)) return false;
    *word |= bit;
    return true;
  }
  if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit || !allowed(J, v)) return false;
  return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
}

INLINE void push_any_edges(const grid_job *J, const body_ops o, const uint64_t *start, uint64_t from,
                           uint64_t to, bool alone, void *cast_to, uint64_t *found) {
  for (uint64_t f = vector_of_edge(start, J->nx, from); from < to; f++) {
    uint64_t k = J->xlist ? J->xlist[f] : f, skip = from - start[f];
    uint64_t e = grid_vector_start(J->m, k) + skip,
             end = e + ((to < start[f + 1] ? to : start[f + 1]) - from);
    from += end - e;
    for (; e < end; e++) {
      uint64_t v = J->m->idx[e];
      if (!claim(J, v, alone)) continue;
      ++*found;
      if (!o.structural) multiply(J, o, (char *)J->y + v * o.size, cast_to, e, k, J->x_packed ? f : k);
    }
  }
}

/* Another monoid: all edges in order, of which those to outputs in [lo, hi) are kept. */
INLINE void push_owned(const grid_job *J, const body_ops o, uint64_t lo, uint64_t hi, void *t, void *cast_to,
                       uint64_t *found) {
  for (uint64_t f = 0; f < J->nx; f++) {
    uint64_t k = J->xlist ? J->xlist[f] : f;
    for (uint64_t e = grid_vector_start(J->m, k), end = grid_vector_start(J->m, k + 1); e < end; e++) {
      uint64_t v = J->m->idx[e];
      if (v < lo || v >= hi || !allowed(J, v)) continue;
      uint64_t *word = &J->ybits[v >> 6], bit = UINT64_C(1) << (v & 63);
      void *y = (char *)J->y + v * o.size;
      bool some = *word & bit;
      multiply(J, o, some ? t : y, cast_to, e, k, J->x_packed ? f : k);
      if (some) o.add(y, y, t);
      *word |= bit;
      *found += !some;
    }
  }
}

INLINE GrB_Info push_body(grid_job *J, const body_ops o, char *heap, size_t heap_step) {
  bool any = o.any || o.structural, alone = J->push_edges < PARALLEL_EDGES;
  uint64_t found_all = 0, *start = NULL, edges = J->push_edges;
  if (any) {
    start = grid_malloc(J->nx + 1, sizeof *start);
    if (!start) return grid_fail_memory(NULL, "edges of the frontier", J->nx + 1, sizeof *start);
    edge_starts(J, start);
  }
  int threads = alone ? 1 : omp_get_max_threads();
  if (!any && threads > PUSH_OWNERS) threads = PUSH_OWNERS;
#pragma omp parallel num_threads(threads) reduction(+ : found_all)
  {
    cell local[2];
    int me = omp_get_thread_num(), team = omp_get_num_threads();
    char *room = heap ? heap + (size_t)me * heap_step : NULL;
    void *t = heap ? room : (char *)&local[0], *cast_to = heap ? room + heap_step / 3 : (char *)&local[1];
    uint64_t found = 0;
    if (any) {
#pragma omp for schedule(dynamic, 1)
      for (uint64_t from = 0; from < edges; from += PUSH_EDGES)
        push_any_edges(J, o, start, from, from + PUSH_EDGES < edges ? from + PUSH_EDGES : edges, team == 1,
                       cast_to, &found);
    } else {
      uint64_t words = grid_words(J->ny); /* ranges of whole words: no bit is shared */
      uint64_t lo = words * (uint64_t)me / (uint64_t)team * 64,
               hi = words * ((uint64_t)me + 1) / (uint64_t)team * 64;
      push_owned(J, o, lo, hi, t, cast_to, &found);
    }
    found_all += found;
  }
  J->inspected += edges;
  J->found += found_all;
  grid_free(start);
  return GrB_SUCCESS;
}
#endif
