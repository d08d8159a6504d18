/* A product of matrices as seen by its kernels: plain arrays, no library objects. C = A B row by row; a
 * kernel does a range of rows on one thread (mxm_rows.h). */
#ifndef GRID_MXM_JOB_H
#define GRID_MXM_JOB_H
#include "spmat/cpu/kernels/mxv_job.h"

/* Vectors of entries, ascending: those of vector v are numbers mxm_from(v) .. mxm_to(v). */
typedef struct {
  const uint32_t *from, *to; /* or, with 2^32 entries or more: */
  const uint64_t *from64, *to64;
  const uint32_t *idx;
  const void *val;
  uint64_t val_and; /* value of entry e: val[e & val_and]; 0: iso, else ~0 */
} mxm_vectors;

RANGE_FN uint64_t mxm_from(const mxm_vectors *x, uint64_t v) {
  return x->from64 ? x->from64[v] : x->from[v];
}
RANGE_FN uint64_t mxm_to(const mxm_vectors *x, uint64_t v) {
  return x->to64 ? x->to64[v] : x->to[v];
}
RANGE_FN bool mxm_has_matrix(const mxm_vectors *x) {
  return x->from || x->from64;
}

/* The method for a row. */
typedef enum {
  MXM_SKIP,    /* it has no products */
  MXM_SORT,    /* products are stored and sorted */
  MXM_DENSE,   /* products are summed at their columns, among all columns */
  MXM_BANDED,  /* the same for a row with few entries between its first and last column */
  MXM_DROP = 4 /* with one of the last two: products that the mask excludes are summed, too, and dropped at
                  the end */
} mxm_method;

typedef struct {
  mxm_vectors a;                /* rows of A; idx: inner indices */
  mxm_vectors b;                /* the row of B of an inner index; dots: the column of B of a column of C */
  mxm_vectors mask;             /* the mask's row of a row of A */
  mxm_vectors partial;          /* sums that rows of C begin with; optional */
  bool masked, mask_complement; /* a mask, which allows its positions or, complemented, the others */
  uint64_t inner, n;            /* inner indices; columns of C */
  bool single;           /* entry k of B is the only one of row k, for every inner index k that is used */
  uint64_t b_length;     /* entries of each vector of b that is used, if they are full */
  uint64_t full_rows;    /* rows of C that `full` does at a time */
  uint32_t *count;       /* entries of each row of C */
  const uint8_t *method; /* mxm_method of each row */
  uint32_t *idx;
  void *val; /* NULL: pattern only */
  /* global index of inner index k: the value of SECONDI */
  const uint64_t *global_index;
  const void *calls; /* what kernels that are not compiled for one semiring call */
} mxm_job;

/* Are all offsets of 32 bits, and do no rows of C begin with sums? */
RANGE_FN bool mxm_is_plain(const mxm_job *J) {
  return !J->a.from64 && !J->b.from64 && !J->mask.from64 && !mxm_has_matrix(&J->partial);
}
/* The same vectors, which have 32-bit offsets, as the compiler knows then. */
RANGE_FN mxm_vectors mxm_with_offsets32(const mxm_vectors *x) {
  return (mxm_vectors){.from = x->from, .to = x->to, .idx = x->idx, .val = x->val, .val_and = x->val_and};
}
/* A copy of a plain job: in a loop over it no test for 64-bit offsets remains. */
RANGE_FN mxm_job mxm_plain(const mxm_job *J) {
  mxm_job plain = *J;
  plain.a = mxm_with_offsets32(&J->a);
  plain.b = mxm_with_offsets32(&J->b);
  plain.mask = mxm_with_offsets32(&J->mask);
  plain.partial = (mxm_vectors){0};
  return plain;
}

/* A thread's workspace. A row finds bits cleared and sums at their start, and restores that. */
typedef struct {
  uint64_t at;                 /* position of C's next entry: rows of a range are contiguous */
  uint64_t *touched, *allowed; /* bits of columns */
  uint32_t *stamp;             /* by column: 1 + the last row that met it (mxm_count.c) */
  uint64_t *words;             /* bits of words of touched (MXM_BANDED) */
  uint64_t *inner;             /* bits of inner indices */
  void *sum;                   /* of columns */
  void *row;                   /* values of a row of A at their inner indices */
  uint64_t *key, *scratch;     /* products: column << 32 | number */
  uint32_t *run;               /* where their ascending runs begin */
  void *product;
  char *operand; /* kernels that call functions: a product, two cast operands */
} mxm_workspace;

/* Rows from .. to. */
typedef void (*mxm_range)(const mxm_job *J, uint64_t from, uint64_t to, mxm_workspace *w);

typedef struct {
  void (*begin)(mxm_workspace *w, uint64_t n); /* sets sums of n columns to their start; NULL: not needed */
  /* they write from w->at on and advance it; all set count */
  mxm_range rows;   /* products of rows of A with rows of B, each row by its method */
  mxm_range masked; /* the same, at the mask's entries only */
  mxm_range dots;   /* rows of A with columns of B, at the mask's entries */
  /* the same where B is full, and count has the rows' numbers of entries; NULL: use the others */
  mxm_range full, full_masked, full_dots;
} mxm_kernels;

/* mxm_sort.c: sorts n keys that consist of ascending runs; the result is in key or in scratch. */
const uint64_t *grid_mxm_sort(uint64_t *key, uint64_t *scratch, uint64_t n, uint32_t *run, uint64_t runs);

enum {
  MXM_PREFETCH_ROWS = 32,   /* most entries of the next row whose rows of B are prefetched */
  MXM_PREFETCH_COLUMNS = 4, /* columns prefetched */
  MXM_SEARCH = 16, /* a row of B this many times longer than the mask's row is searched, not traversed, */
  MXM_SEARCH_COLUMN = 64 /* and a column this many times longer than the row of A */
};

/* Prefetches the rows of B that row r of A uses: in a large B each access misses the cache. */
RANGE_FN void mxm_fetch(const mxm_job *J, uint64_t r, uint64_t size) {
  uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r);
  if (end - e > MXM_PREFETCH_ROWS) end = e + MXM_PREFETCH_ROWS;
  for (; e < end; e++) {
    const uint64_t f = mxm_from(&J->b, J->a.idx[e]);
    __builtin_prefetch(J->b.idx + f);
    if (!size || !J->b.val_and) continue;
    const char *val = (const char *)J->b.val + f * size;
    __builtin_prefetch(val);
    __builtin_prefetch(val + 64);
  }
}

/* range_lower_bound by galloping, for a k likely near e. */
RANGE_FN uint64_t mxm_search(const uint32_t *idx, uint64_t e, uint64_t end, uint64_t k) {
  uint64_t step = 1;
  if (e == end || idx[e] >= k) return e;
  while (step < end - e && idx[e + step - 1] < k) e += step, step *= 2;
  return range_lower_bound(idx, e, step < end - e ? e + step : end, k);
}

RANGE_FN void mxm_set(uint64_t *bits, uint64_t k) {
  bits[k >> 6] |= (uint64_t)1 << (k & 63);
}
RANGE_FN void mxm_clear_words(uint64_t *bits, const uint32_t *idx, uint64_t n) {
  for (uint64_t e = 0; e < n; e++) bits[idx[e] >> 6] = 0;
}
#endif
