/* See carried.h. */
#include "dist/product/carried.h"

#include "spmat/device/device.h"

static struct {
  uint64_t at, singles; /* grid_calls and grid_singles for which it holds; at 0: nothing is known */
  GrB_Matrix A;
  GrB_Semiring s;
  GrB_Vector w, mask;
  bool transposed, may_ask, joined; /* joined: the mask has w's entries, too */
  grid_counts n;
  /* what has been assigned along w, in this turn or, from first on, the last */
  GrB_Vector assigned[GRID_CARRIED_VECTORS];
  bool sure[GRID_CARRIED_VECTORS]; /* it can be again */
  int vectors;
  grid_arrived next; /* x of the next product */
  bool waits;        /* nobody has taken it yet, though it has entries */
} loop;

static bool taken_before = true; /* the last loop's next product came */

static bool holds(uint64_t before) {
  return loop.at == before && loop.singles == grid_singles;
}

static void stay(void) {
  loop.at = grid_calls;
  loop.singles = grid_singles;
}

/* ---- products ---- */

/* Nothing that a process does with the operands can fail, and the mask's pattern is all that counts. */
static bool has_shape(const grid_product *p, const grid_product_call *a, const grid_desc *d) {
  return grid_here.P > 1 && !grid_device_on() && p->where == GRID_ON_HOST && !a->accum && a->mask &&
         a->mask != a->w && d->structure && d->complement && d->replace && !p->A->split &&
         grid_has_degrees(p->A, true) && grid_has_degrees(p->A, false);
}

bool grid_carried_take(grid_product *p, const grid_product_call *a, const grid_desc *d) {
  const GrB_Type want = p->flip ? p->s->mul->x : p->s->mul->y;
  if (!holds(a->before) || !loop.joined || a->u != loop.w || a->w != loop.w || a->mask != loop.mask ||
      p->A != loop.A || p->s != loop.s || p->transposed != loop.transposed || p->may_ask != loop.may_ask ||
      !has_shape(p, a, d) || (p->x_used && a->u->type != want))
    return false;
  p->n = loop.n;
  p->came = loop.next;
  loop.waits = false;
  taken_before = true;
  return true;
}

bool grid_carried_may(const grid_product *p, const grid_product_call *a, const grid_desc *d,
                      const grid_chunk *t) {
  return grid_product_masked(p) && a->u == a->w && t->type == a->w->type && has_shape(p, a, d);
}

/* No memory is wanted for w's entries, t, in v, whose format and arrays are as they were in all other
 * cases. */
static bool has_room(GrB_Vector v, const grid_chunk *t) {
  const grid_chunk *c = &v->chunk;
  if (c->n == 0 || t->nvals == 0) return true;
  return t->nvals < t->n && c->format == GRID_BITMAP && c->nvals > 0 && !c->iso &&
         c->type->code != GRID_T_UDT;
}

void grid_carried_rooms(const grid_product_call *a, const grid_chunk *t, uint64_t v[GRID_CARRIED]) {
  for (int k = 0; k < GRID_CARRIED_VECTORS; k++)
    v[GRID_CARRIED_COUNTS + k] = !holds(a->before) || k >= loop.vectors || !has_room(loop.assigned[k], t);
}

bool grid_carried_expects(const grid_product *p, const grid_product_call *a) {
  const GrB_Type want = p->flip ? p->s->mul->x : p->s->mul->y;
  if (loop.waits) taken_before = false; /* what was told last was for nobody */
  loop.waits = false;
  return taken_before && (!p->x_used || a->w->type == want);
}

void grid_carried_keep(const grid_product *p, const grid_product_call *a, const uint64_t v[GRID_CARRIED],
                       const grid_arrived *next) {
  if (!holds(a->before)) loop.vectors = 0;
  for (int k = 0; k < loop.vectors; k++) loop.sure[k] = v[GRID_CARRIED_COUNTS + k] == 0;
  loop.A = p->A, loop.s = p->s, loop.w = a->w, loop.mask = a->mask;
  loop.transposed = p->transposed, loop.may_ask = p->may_ask, loop.joined = false;
  loop.n = (grid_counts){.nx = v[0],
                         .edges = v[1],
                         .allowed = p->n.allowed - v[0],
                         .allowed_some = p->n.allowed_some - v[0],
                         .chunks = v[2],
                         .iso_chunks = v[3],
                         .true_chunks = v[4],
                         .rows = p->n.rows,
                         .outside = {v[5], v[6], v[7], v[8]}};
  loop.next = *next;
  loop.waits = next->way != GRID_APART && v[0] > 0;
  stay();
}

/* ---- assignments between them ---- */

static int place_of_vector(GrB_Vector w) {
  for (int k = 0; k < loop.vectors; k++)
    if (loop.assigned[k] == w) return k;
  return -1;
}

bool grid_carried_assigns(GrB_Vector w, GrB_Vector mask, GrB_Vector u, GrB_BinaryOp accum, const grid_desc *d,
                          uint64_t before, bool *sure) {
  *sure = false;
  if (!holds(before) || !mask || mask != loop.w || w == loop.w || (u && u != loop.w) || accum ||
      !d->structure || d->complement || d->replace)
    return false;
  const int k = place_of_vector(w);
  *sure = k >= 0 && loop.sure[k] && !grid_device_on();
  return true;
}

void grid_carried_assigned(GrB_Vector w, uint64_t before) {
  int k = place_of_vector(w);
  if (k < 0 && loop.vectors < GRID_CARRIED_VECTORS) k = loop.vectors++, loop.assigned[k] = w;
  if (k >= 0) loop.sure[k] = false; /* until it is known anew */
  loop.joined = loop.joined || w == loop.mask;
  if (loop.w->known.counted == before) loop.w->known.counted = grid_calls;
  stay();
}
