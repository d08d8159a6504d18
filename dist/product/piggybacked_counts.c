/* See piggybacked_counts.h. */
#include "dist/product/piggybacked_counts.h"

#include "spmat/device/device.h"
#include "semiring/threads/context_section.h"

static struct {
  uint64_t at, singles; /* grid_calls and grid_singles for which this holds; at 0: nothing is known */
  GrB_Matrix A;
  GrB_Semiring s;
  GrB_Vector w, mask;
  bool transposed, can_use_requests, mask_has_w; /* mask_has_w: w was assigned into the mask */
  grid_counts n;
  /* vectors that were assigned along w */
  GrB_Vector assigned[GRID_PIGGYBACK_VECTORS];
  bool is_repeatable[GRID_PIGGYBACK_VECTORS]; /* no process lacks memory to assign it again */
  int vectors;
  grid_prefetched next; /* x of the next product */
  bool is_unused;       /* `next` has entries, and no product has used it */
  bool ended;           /* no product has used the payload before `next` */
} default_loop GRID_OF_CONTEXT;
#define loop GRID_IN_CONTEXT(default_loop)

static bool is_valid(uint64_t before) {
  return loop.at == before && loop.singles == grid_singles;
}

/* The state holds for the call that follows. */
static void mark_valid(void) {
  loop.at = grid_calls;
  loop.singles = grid_singles;
}

/* ---- products ---- */

/* No local step on the operands can fail, and only the mask's pattern counts. */
static bool has_shape(const grid_product *p, const grid_product_call *a, const grid_desc *d) {
  return grid_ctx.P > 1 && !grid_device_is_on() && p->where == GRID_ON_HOST && !a->accum && a->mask &&
         a->mask != a->w && d->structure && d->complement && d->replace && !p->A->delegates.split &&
         grid_has_degrees(p->A, true) && grid_has_degrees(p->A, false);
}

bool grid_piggyback_load(grid_product *p, const grid_product_call *a, const grid_desc *d) {
  const GrB_Type want = p->values.flip ? p->s->mul->x : p->s->mul->y;
  if (!is_valid(a->before) || !loop.mask_has_w || a->u != loop.w || a->w != loop.w || a->mask != loop.mask ||
      p->A != loop.A || p->s != loop.s || p->transposed != loop.transposed ||
      p->choice.can_use_requests != loop.can_use_requests || !has_shape(p, a, d) ||
      (p->values.uses_x && a->u->type != want))
    return false;
  p->n = loop.n;
  p->prefetched = loop.next;
  loop.is_unused = false;
  loop.ended = false;
  return true;
}

bool grid_piggyback_allowed(const grid_product *p, const grid_product_call *a, const grid_desc *d,
                            const grid_chunk *t) {
  return grid_is_product_masked(p) && a->u == a->w && t->type == a->w->type && has_shape(p, a, d);
}

/* Does assigning w's entries, t, to v need no memory? v's format and arrays must be those of the assignments
 * before. */
static bool has_capacity(GrB_Vector v, const grid_chunk *t) {
  const grid_chunk *c = &v->chunk;
  if (c->n == 0 || t->nvals == 0) return true;
  return t->nvals < t->n && c->format == GRID_BITMAP && c->nvals > 0 && !c->iso &&
         c->type->code != GRID_T_UDT;
}

void grid_piggyback_capacities(const grid_product_call *a, const grid_chunk *t,
                               uint64_t v[GRID_PIGGYBACK_WORDS]) {
  for (int k = 0; k < GRID_PIGGYBACK_VECTORS; k++)
    v[GRID_PIGGYBACK_COUNTS + k] =
        !is_valid(a->before) || k >= loop.vectors || !has_capacity(loop.assigned[k], t);
}

bool grid_piggyback_expects(const grid_product *p, const grid_product_call *a) {
  const GrB_Type want = p->values.flip ? p->s->mul->x : p->s->mul->y;
  if (loop.is_unused) loop.ended = true;
  loop.is_unused = false;
  return !loop.ended && (!p->values.uses_x || a->w->type == want);
}

void grid_piggyback_store(const grid_product *p, const grid_product_call *a,
                          const uint64_t v[GRID_PIGGYBACK_WORDS], const grid_prefetched *next) {
  if (!is_valid(a->before)) loop.vectors = 0;
  for (int k = 0; k < loop.vectors; k++) loop.is_repeatable[k] = v[GRID_PIGGYBACK_COUNTS + k] == 0;
  loop.A = p->A, loop.s = p->s, loop.w = a->w, loop.mask = a->mask;
  loop.transposed = p->transposed, loop.can_use_requests = p->choice.can_use_requests,
  loop.mask_has_w = false;
  loop.n = (grid_counts){.nx = v[0],
                         .edges = v[1],
                         .allowed = p->n.allowed - v[0],
                         .allowed_nonempty = p->n.allowed_nonempty - v[0],
                         .chunks = v[2],
                         .iso_chunks = v[3],
                         .true_chunks = v[4],
                         .rows = p->n.rows,
                         .remote_edges = {v[5], v[6], v[7], v[8]}};
  loop.next = *next;
  loop.is_unused = next->delivery != GRID_PAYLOAD_NONE && v[0] > 0;
  mark_valid();
}

/* ---- assignments between them ---- */

static int find_vector(GrB_Vector w) {
  for (int k = 0; k < loop.vectors; k++)
    if (loop.assigned[k] == w) return k;
  return -1;
}

bool grid_piggyback_is_assign(GrB_Vector w, GrB_Vector mask, GrB_Vector u, GrB_BinaryOp accum,
                              const grid_desc *d, uint64_t before, bool *is_repeatable) {
  *is_repeatable = false;
  if (!is_valid(before) || !mask || mask != loop.w || w == loop.w || (u && u != loop.w) || accum ||
      !d->structure || d->complement || d->replace)
    return false;
  const int k = find_vector(w);
  *is_repeatable = k >= 0 && loop.is_repeatable[k] && !grid_device_is_on();
  return true;
}

void grid_piggyback_assigned(GrB_Vector w, uint64_t before) {
  int k = find_vector(w);
  if (k < 0 && loop.vectors < GRID_PIGGYBACK_VECTORS) k = loop.vectors++, loop.assigned[k] = w;
  if (k >= 0) loop.is_repeatable[k] = false; /* until the next product's counts say so */
  loop.mask_has_w = loop.mask_has_w || w == loop.mask;
  if (loop.w->read_cache.counted == before) loop.w->read_cache.counted = grid_calls;
  mark_valid();
}
