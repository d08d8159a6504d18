/* Drives the kernels that multiply matrices: threads take ranges of rows with about equal work; offsets are
 * known before values are computed.
 *
 * Without a mask, or with a complemented one, entries are counted first, or bounded where they are nearly
 * dense (mxm_count.c). The count also chooses how a row of C is computed:
 *   dense   columns from the first to the last span less than grid_tune.mxm_dense_words words a product: sums
 *           over all columns of the span, and a bit for each column gives the order;
 *   wide    else, within grid_tune.mxm_sorted_words words: the same with a bit for each word touched;
 *   sorted  else: products are written down, sorted by column and added (mxm_sort.c).
 * A mask with entries bounds the rows. Either its columns are marked and B's rows looked up in them, or A's
 * row is marked and B's columns looked up in it (dots), whichever reads fewer entries. */
#include <omp.h>
#include <string.h>

#include "semiring/support/error.h"
#include "spmat/cpu/mxm/mxm_run.h"

/* ---- operands ---- */

bool grid_mxm_uses_position(GrB_Semiring s) {
  return s->mul->op == GRID_OP_SECONDI;
}

/* Values cast to the multiplier's type. */
static GrB_Info cast(mxm_vectors *x, GrB_Type have, GrB_Type want, uint64_t n, void **owned) {
  if (have == want || !x->val) return GrB_SUCCESS;
  if (!x->val_and) n = 1;
  *owned = grid_malloc(n, want->size);
  if (!*owned) return grid_fail_memory(NULL, "converted values of a matrix", n, want->size);
  const uint64_t segment = 1 << 14;
#pragma omp parallel for schedule(static) if (n > segment)
  for (uint64_t e = 0; e < n; e += segment)
    grid_cast_array((char *)*owned + e * want->size, want, (const char *)x->val + e * have->size, have, 1,
                    n - e < segment ? n - e : segment);
  x->val = *owned;
  return GrB_SUCCESS;
}

static GrB_Info bind(mxm_run *d) {
  const grid_mxm *m = d->m;
  const GrB_BinaryOp mul = m->s->mul;
  GrB_Info info = GrB_SUCCESS;
  d->j = (mxm_job){.a = m->a,
                   .b = d->dots ? m->bt : m->b,
                   .mask = m->mask,
                   .partial = m->partial,
                   .masked = m->masked,
                   .mask_complement = m->mask_complement,
                   .single = d->single && !d->dots,
                   .inner = m->inner,
                   .n = m->n,
                   .global_index = m->global_index};
  if (m->structural) {
    d->k = &grid_mxm_kernels_structural;
    return info;
  }
  if (mul->uses_x) TRY(cast(&d->j.a, m->a_type, mul->x, m->a_entries, &d->cast_a));
  if (d->cast_a && mul->uses_y && mul->x == mul->y && d->j.b.val == m->a.val && m->b_entries == m->a_entries)
    d->j.b.val = d->cast_a; /* a product of a matrix with itself, not of its first rows with all */
  else if (mul->uses_y)
    TRY(cast(&d->j.b, m->b_type, mul->y, m->b_entries, &d->cast_b));
  d->k = grid_mxm_find(m->s);
  if (d->k) return info;
  const GrB_Monoid add = m->s->add;
  d->k = &grid_mxm_kernels_pointers;
  d->calls = (mxm_calls){.mul = mul->f,
                         .add = add->op->f,
                         .terminal = add->terminal,
                         .z = mul->z->size,
                         .a = mul->x->size,
                         .b = mul->y->size,
                         .any = add->any};
  d->j.calls = &d->calls;
done:
  return info;
}

/* ---- workspaces ---------------------------------------------------------------------------------------- */

static GrB_Info allocate_workspaces(mxm_run *d, size_t one) {
  d->workspace = grid_calloc((size_t)d->threads, one);
  return d->workspace ? GrB_SUCCESS : grid_fail_memory(NULL, "rooms of threads", (size_t)d->threads, one);
}

static void free_workspaces(mxm_run *d) {
  for (int t = 0; d->workspace && t < d->threads; t++) {
    mxm_workspace *w = &d->workspace[t];
    void *all[] = {w->touched, w->allowed, w->stamp,   w->words, w->inner,   w->sum,
                   w->row,     w->key,     w->scratch, w->run,   w->product, w->operand};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) grid_free(all[k]);
  }
  grid_free(d->workspace);
  d->workspace = NULL;
}

/* What only the kernels read. */
static void free_inputs(mxm_run *d) {
  free_workspaces(d);
  grid_free(d->cast_a);
  grid_free(d->cast_b);
  d->cast_a = d->cast_b = NULL;
}

static bool get(void *out, uint64_t n, size_t size) {
  void *p = grid_malloc(n, size);
  memcpy(out, &p, sizeof p);
  return p;
}
static bool get_bits(uint64_t **bits, uint64_t n) {
  return (*bits = grid_calloc(grid_words(n), sizeof **bits)) != NULL;
}

/* For patterns only. */
static bool bits_workspace(const mxm_run *d, mxm_workspace *w) {
  return get_bits(&w->touched, d->m->n) && (!d->m->masked || get_bits(&w->allowed, d->m->n));
}
static bool count_workspace(const mxm_run *d, mxm_workspace *w) {
  return bits_workspace(d, w) && (w->stamp = grid_calloc(d->m->n, sizeof *w->stamp));
}

static bool dots_workspace(const mxm_run *d, mxm_workspace *w) {
  const GrB_BinaryOp mul = d->m->s->mul;
  const size_t size = d->m->structural                     ? 0
                      : d->k == &grid_mxm_kernels_pointers ? sizeof(uint64_t)
                                                           : mul->x->size;
  return get_bits(&w->inner, d->m->inner) && get(&w->row, d->m->inner, size);
}

static bool values_workspace(const mxm_run *d, mxm_workspace *w) {
  const size_t z = d->m->structural ? 0 : d->m->s->mul->z->size;
  if (!get(&w->operand, 1, z)) return false;
  if (d->all) return true;
  if (d->dots) return dots_workspace(d, w);
  if (d->dense && !get(&w->sum, d->m->n, z)) return false;
  if (d->dense && !get_bits(&w->words, grid_words(d->m->n))) return false;
  if (d->dense && d->k->begin) d->k->begin(w, d->m->n);
  if (!d->sorted) return true;
  return get(&w->key, d->sorted + 1, sizeof *w->key) && get(&w->scratch, d->sorted + 1, sizeof *w->scratch) &&
         get(&w->run, d->sorted + 2, sizeof *w->run) && get(&w->product, d->sorted + 1, z);
}

static GrB_Info workspaces_outcome(const mxm_run *d, bool failed) {
  return failed ? grid_fail_memory(NULL, "a row of a product", d->m->n, d->m->s->mul->z->size) : GrB_SUCCESS;
}

/* ---- counting ---- */

/* Of the rows of range g. */
static uint64_t sum_counts(const mxm_run *d, uint64_t g) {
  uint64_t sum = 0;
  for (uint64_t r = d->range[g]; r < d->range[g + 1]; r++) sum += d->j.count[r];
  return sum;
}

/* Turns the ranges' numbers of entries, in begin, into positions; returns the sum. */
static uint64_t prefix_sum_counts(mxm_run *d) {
  uint64_t sum = 0;
  for (uint64_t g = 0; g <= d->ranges; g++) {
    const uint64_t n = g < d->ranges ? d->begin[g] : 0;
    d->begin[g] = sum;
    sum += n;
  }
  return sum;
}

static GrB_Info count_rows(mxm_run *d) {
  bool failed = false, dense = false;
  uint64_t sorted = 0;
#pragma omp parallel num_threads(d->threads) reduction(|| : failed, dense) reduction(max : sorted)
  {
    mxm_workspace *w = &d->workspace[omp_get_thread_num()];
    failed = !count_workspace(d, w);
#pragma omp for schedule(dynamic, 1)
    for (uint64_t g = 0; g < d->ranges; g++) {
      for (uint64_t r = d->range[g]; r < d->range[g + 1] && !failed; r++) {
        if (r + 1 < d->range[g + 1]) mxm_fetch(&d->j, r + 1, 0);
        d->j.count[r] = (uint32_t)grid_mxm_count_row(&d->j, r, w, &d->method[r]);
        const uint64_t work = d->work ? d->work[r] : mxm_length(&d->m->a, r) * d->row_length;
        if (d->method[r] == MXM_SORT && work > sorted) sorted = work;
        dense |= d->method[r] > MXM_SORT;
      }
      d->begin[g] = failed ? 0 : sum_counts(d, g);
    }
    grid_free(w->stamp);
    w->stamp = NULL;
  }
  d->dense = dense, d->sorted = sorted;
  return workspaces_outcome(d, failed);
}

/* Rows of C have all positions of B's rows, or of the mask. */
static void full_rows(mxm_run *d) {
  const grid_mxm *m = d->m;
#pragma omp parallel for schedule(static) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) {
    for (uint64_t r = d->range[g]; r < d->range[g + 1]; r++) {
      const uint64_t length = m->masked ? mxm_length(&m->mask, r) : d->j.b_length;
      d->j.count[r] = (uint32_t)length * (mxm_length(&m->a, r) > 0); /* no branch: empty rows are irregular */
    }
    d->begin[g] = sum_counts(d, g);
  }
}

/* A mask with few entries bounds the rows; they are not counted. */
static void bound_rows(mxm_run *d) {
#pragma omp parallel for schedule(static) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) {
    for (uint64_t r = d->range[g]; r < d->range[g + 1]; r++) {
      d->method[r] = d->work[r] ? MXM_DENSE : MXM_SKIP;
      d->j.count[r] = d->work[r] ? (uint32_t)mxm_length(&d->m->mask, r) : 0;
    }
    d->begin[g] = sum_counts(d, g);
  }
  d->dense = true;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static GrB_Info fill_rows(mxm_run *d, mxm_range range, bool fresh) {
  bool failed = false;
#pragma omp parallel num_threads(d->threads) reduction(|| : failed)
  {
    mxm_workspace *w = &d->workspace[omp_get_thread_num()];
    failed = (fresh && !bits_workspace(d, w)) || !values_workspace(d, w);
#pragma omp for schedule(dynamic, 1)
    for (uint64_t g = 0; g < d->ranges; g++) {
      w->at = d->begin[g];
      if (!failed) range(&d->j, d->range[g], d->range[g + 1], w);
    }
  }
  return workspaces_outcome(d, failed);
}

static GrB_Info make_entries(uint32_t **idx, void **val, uint64_t n, size_t size) {
  *idx = grid_malloc(n, sizeof **idx);
  *val = size ? grid_malloc(n, size) : NULL;
  return *idx && (!size || *val) ? GrB_SUCCESS
                                 : grid_fail_memory(NULL, "entries of a product", n, size + sizeof **idx);
}

static GrB_Info set_offsets(const mxm_run *d, grid_compressed *c, uint64_t nvals) {
  grid_offsets o;
  if (!grid_offsets_make(&o, d->m->rows + 1, nvals))
    return grid_fail_memory(NULL, "rows of a product", d->m->rows + 1, sizeof(uint64_t));
#pragma omp parallel for schedule(static) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) {
    uint64_t at = d->begin[g];
    for (uint64_t r = d->range[g]; r < d->range[g + 1]; at += d->j.count[r++]) grid_offset_set(o, r, at);
  }
  grid_offset_set(o, d->m->rows, nvals);
  c->ptr = o.offsets32, c->offsets64 = o.offsets64;
  return GrB_SUCCESS;
}

/* Without memory for another copy. */
static void close_gaps_in_place(mxm_run *d, const uint64_t *from, size_t size) {
  for (uint64_t g = 0; g < d->ranges; g++) {
    const uint64_t to = d->begin[g], n = d->begin[g + 1] - to;
    memmove(d->j.idx + to, d->j.idx + from[g], n * sizeof *d->j.idx);
    if (d->j.val) memmove((char *)d->j.val + to * size, (char *)d->j.val + from[g] * size, n * size);
  }
}

/* Moves ranges together that were given more room than they used. */
static GrB_Info close_gaps(mxm_run *d, size_t size, uint64_t *nvals) {
  const uint64_t had = *nvals;
  uint64_t *from = d->begin;
  uint32_t *idx = NULL;
  void *val = NULL;
  GrB_Info info = GrB_SUCCESS;
  d->begin = grid_malloc(d->ranges + 1, sizeof *d->begin);
  if (!d->begin) TRY(grid_fail_memory(NULL, "ranges of rows", d->ranges + 1, sizeof *d->begin));
#pragma omp parallel for schedule(static) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) d->begin[g] = sum_counts(d, g);
  *nvals = prefix_sum_counts(d);
  if (*nvals == had) goto done;
  if (make_entries(&idx, &val, *nvals, size) != GrB_SUCCESS) {
    close_gaps_in_place(d, from, size);
    goto done;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(d->threads)
  for (uint64_t g = 0; g < d->ranges; g++) {
    const uint64_t to = d->begin[g], n = d->begin[g + 1] - to;
    memcpy(idx + to, d->j.idx + from[g], n * sizeof *idx);
    if (val) memcpy((char *)val + to * size, (char *)d->j.val + from[g] * size, n * size);
  }
  grid_free(d->j.idx), grid_free(d->j.val);
  d->j.idx = idx, d->j.val = val;
  idx = NULL, val = NULL;
done:
  grid_free(idx);
  grid_free(val);
  grid_free(from);
  return info;
}

static mxm_range kernel_of(const mxm_run *d, bool inside) {
  const mxm_kernels *k = d->k;
  if (d->all) return d->dots ? k->full_dots : inside ? k->full_masked : k->full;
  return d->dots ? k->dots : inside ? k->masked : k->rows;
}

GrB_Info grid_mxm_run(const grid_mxm *m, grid_compressed *c, uint64_t *nvals) {
  mxm_run d = {.m = m, .threads = 1};
  const size_t size = m->structural ? 0 : m->s->mul->z->size;
  const bool inside = m->masked && !m->mask_complement;
  uint64_t total;
  GrB_Info info;
  TRY(grid_mxm_choose(&d, &total));
  TRY(bind(&d));
  d.j.b_length = d.dots ? d.column_length : d.row_length;
  d.all = d.k->full && d.j.b_length > 0;
  TRY(grid_mxm_distribute(&d, total));
  d.j.method = d.method = grid_malloc(m->rows, sizeof *d.method);
  d.j.count = grid_malloc(m->rows, sizeof *d.j.count);
  if (!d.method || !d.j.count) TRY(grid_fail_memory(NULL, "counts of rows", m->rows, sizeof *d.j.count));
  TRY(allocate_workspaces(&d, sizeof *d.workspace));
  if (d.all)
    full_rows(&d);
  else if (inside)
    bound_rows(&d);
  else
    TRY(count_rows(&d));
  *nvals = prefix_sum_counts(&d);
  grid_free(d.work); /* before the entries take most memory */
  d.work = NULL;
  TRY(make_entries(&d.j.idx, &d.j.val, *nvals, size));
  TRY(fill_rows(&d, kernel_of(&d, inside), inside && !d.all));
  free_inputs(&d);
  if (!d.all) TRY(close_gaps(&d, size, nvals));
  TRY(set_offsets(&d, c, *nvals));
  c->idx = d.j.idx, c->val = d.j.val;
  d.j.idx = NULL, d.j.val = NULL;
done:
  free_inputs(&d);
  grid_free(d.method);
  grid_free(d.j.count);
  grid_free(d.j.idx);
  grid_free(d.j.val);
  grid_free(d.work);
  grid_free(d.range);
  grid_free(d.begin);
  return info;
}
