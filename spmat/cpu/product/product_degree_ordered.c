/* A pull that reads x in order of degree (spmat/matrix/degree_ordered.h). */
#include "spmat/cpu/product/product_degree_ordered.h"

#include <omp.h>
#include <string.h>

#include "spmat/cpu/product/cpu_product.h"

static void copy_bits(const grid_degree_order *r, const uint64_t *from, uint64_t *to) {
#pragma omp parallel for schedule(static) if (r->used > 1 << 15)
  for (uint64_t w = 0; w < grid_words(r->used); w++) {
    const uint64_t k = 64 * w;
    to[w] = range_hits(from, r->end + k, r->used - k < 64 ? r->used - k : 64);
  }
}

#define COPY(T)                                                                                         \
  _Pragma("omp parallel for schedule(static) if (r->used > 1 << 15)") for (uint64_t k = 0; k < r->used; \
                                                                           k++)((T *)to)[k] =           \
      ((const T *)from)[r->end[k]]

static void copy_values(const grid_degree_order *r, const void *from, void *to, size_t size) {
  if (size == 8) {
    COPY(uint64_t);
  } else if (size == 4) {
    COPY(uint32_t);
  } else {
#pragma omp parallel for schedule(static) if (r->used > 1 << 15)
    for (uint64_t k = 0; k < r->used; k++)
      memcpy((char *)to + k * size, (const char *)from + r->end[k] * size, size);
  }
}

/* x in order of degree; false when out of memory. */
static bool gather_x(const grid_degree_order *r, const grid_job *J, grid_degree_order_x *x) {
  x->bits = J->xbits ? grid_malloc(grid_words(r->used), sizeof *x->bits) : NULL;
  x->val = J->x_step ? grid_malloc(r->used, J->x_step) : NULL;
  if ((J->xbits && !x->bits) || (J->x_step && !x->val)) return false;
  if (x->bits) copy_bits(r, J->xbits, x->bits);
  if (x->val) copy_values(r, J->x, x->val, J->x_step);
  return true;
}

/* Not for ANY, whose early hits need few entries; not for SECONDI, which uses the index; not with a mask,
 * which may leave few rows. */
static bool can_use_degree_order(const grid_job *J) {
  return J->m->ranks && !J->s->add->any && J->s->mul->f && !J->mask;
}

void grid_degree_order_begin(const grid_job *J, grid_range_job *j, grid_degree_order_x *x) {
  *x = (grid_degree_order_x){0};
  if (!can_use_degree_order(J)) return;
  const uint64_t n = J->m->ranks->n;
  x->use = (grid_degree_order_use){J->s, J->x_step ? n * J->x_step : J->xbits ? n / 8 : 0};
  if (!grid_degree_order_may_pay(J->m, x->use)) return;
  x->since = omp_get_wtime();
  x->m = J->m;
  const grid_degree_order *r = grid_degree_order_get(J->m, J->ny, x->use);
  if (!r) return;
  x->since = omp_get_wtime(); /* building the order is not part of the time */
  if (!gather_x(r, J, x)) {
    grid_degree_order_drop(J->m);
    return;
  }
  j->idx = r->idx;
  if (x->bits) j->xbits = x->bits;
  if (x->val) j->x = x->val;
}

void grid_degree_order_end(grid_degree_order_x *x) {
  grid_free(x->bits);
  grid_free(x->val);
  if (x->m) grid_degree_order_record(x->m, x->use, omp_get_wtime() - x->since);
  *x = (grid_degree_order_x){0};
}
