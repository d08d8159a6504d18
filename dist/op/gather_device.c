/* gather_device.c: see gather.h. Few entries go through windows, in one kernel. Of more, places are sorted on
 * the device, so that those of one owner lie side by side, and travel between device memories; what comes
 * back finds its place by the numbers that were sorted along. */
#include <string.h>

#include "dist/grid/device_transport.h"
#include "dist/grid/window.h"
#include "dist/op/gather.h"
#include "spmat/backend.h"
#include "spmat/vector/few.h"

typedef struct {
  grid_sorted_places s; /* own places, by owner */
  uint64_t *first;      /* P + 1: where those of each owner begin */
  uint64_t *counts;     /* P * P: those of process k for process r, at k * P + r */
  size_t *w;            /* sizes and offsets: 2 P of the own places by owner, 2 P of what comes by sender */
  uint64_t come;        /* places that come from all */
  const grid_device_transport *way;
  /* in device memory */
  uint64_t *place;          /* those */
  void *own_val, *val;      /* values beside the own places, beside those */
  uint8_t *own_some, *some; /* is there one? */
} routing;

static void routing_free(routing *x) {
  void *const there[] = {x->s.place, x->s.number, x->place, x->own_val, x->val, x->own_some, x->some};
  for (size_t k = 0; k < sizeof there / sizeof *there; k++) grid_device_free(there[k]);
  grid_free(x->first);
}

/* info or bad of any process are everybody's. */
static GrB_Info agree(GrB_Info info, bool *bad) {
  uint64_t v[2] = {info == GRID_NOT_HERE, *bad};
  info = grid_agree_sum(NULL, v[0] ? GrB_SUCCESS : info, v, 2);
  *bad = info == GrB_SUCCESS && v[1] > 0;
  return info == GrB_SUCCESS && v[0] ? GRID_NOT_HERE : info;
}

static GrB_Info bring(const grid_chunk *where, const grid_chunk *u) {
  if (u->type->size > GRID_DEVICE_VALUE || !grid_chunk_may_move(u) || !grid_chunk_may_move(where))
    return GRID_NOT_HERE;
  GrB_Info info = grid_chunk_to_device(u);
  return info == GrB_SUCCESS ? grid_chunk_to_device(where) : info;
}

/* ---- few entries: through windows ------------------------------------------------------------------------
 */

/* Could all bring the operands (info)? Are there few entries in *all, of which this process has `own`? dim:
 * the longer vector's. No, where there are no windows. Collective, agreed on. */
static GrB_Info find_few(GrB_Info info, uint64_t own, size_t size, uint64_t dim, uint64_t *all, bool *few) {
  const grid_device_transport *way;
  uint64_t v[2] = {info == GRID_NOT_HERE, own};
  *few = false;
  info = grid_agree_sum(NULL, v[0] ? GrB_SUCCESS : info, v, 2);
  if (info != GrB_SUCCESS || v[0]) return info == GrB_SUCCESS ? GRID_NOT_HERE : info;
  info = grid_device_transport_get(&way);
  *all = v[1];
  *few = grid_window_all() && grid_are_few(v[1], size, grid_even_size(dim));
  return info;
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* What was told under the ticket: t's entries. */
static GrB_Info take_told(grid_chunk *t, uint64_t ticket, bool *bad, bool *twice) {
  GrB_Info info = grid_cuda->few->told(ticket, &t->nvals, bad, twice);
  if (info != GrB_SUCCESS) t->nvals = 0;
  if (t->nvals) t->format = GRID_BITMAP, t->iso = false;
  return info;
}

static GrB_Info gather_few(grid_chunk *t, GrB_Vector u, GrB_Vector where, bool *bad) {
  grid_meeting m;
  uint64_t ticket;
  bool twice;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_agree(NULL, grid_chunk_reserve_device(t, true, false)));
  (void)grid_window_meeting(&m, GRID_SET_ALL, 2);
  info = grid_cuda->few->ask(&m, t, &u->chunk, &where->chunk, grid_even_size(u->n), u->n, &ticket);
  TRY(grid_window_met(NULL, info));
  TRY(take_told(t, ticket, bad, &twice));
  info = grid_chunk_conform(t);
done:
  return info;
}

/* `all` entries, of all processes. */
static GrB_Info scatter_few(grid_chunk *t, uint64_t n, GrB_Vector u, GrB_Vector where, GrB_BinaryOp dup,
                            uint64_t all, bool *bad) {
  grid_meeting m;
  grid_few_sums s = {0};
  uint64_t ticket;
  bool twice;
  const uint64_t refusals = grid_device_refusals();
  GrB_Info info = grid_cuda->few->sums(&s, t->type, u->type, dup, all);
  if (info == GrB_SUCCESS) info = grid_chunk_reserve_device(t, true, false);
  TRY(grid_agree_here(NULL, grid_device_or_host(info, refusals)));
  (void)grid_window_meeting(&m, GRID_SET_ALL, 1);
  info = grid_cuda->few->tell(&m, &s, t, &u->chunk, &where->chunk, grid_even_size(n), n, &ticket);
  TRY(grid_window_met(NULL, info));
  info = take_told(t, ticket, bad, &twice);
  if (!dup) { /* two at one place are its owner's knowledge alone */
    *bad = *bad || twice;
    TRY(agree(info, bad));
  }
  TRY(info);
  if (!*bad) info = grid_chunk_conform(t);
done:
  grid_device_free(s.room);
  return info;
}

/* ---- any number: sorted, and sent in messages -------------------------------------------------------------
 */

static GrB_Info sort_places(routing *x, const grid_chunk *where, const grid_chunk *with, uint64_t dim,
                            bool *bad) {
  const uint64_t P = (uint64_t)grid_here.P;
  GrB_Info info = GrB_SUCCESS;
  x->first = grid_calloc(P + 1 + P * P + 4 * P, sizeof *x->first);
  if (!x->first) return grid_fail_memory(NULL, "places of each owner", P * (P + 5), sizeof *x->first);
  x->counts = x->first + P + 1, x->w = x->counts + P * P;
  TRY(grid_cuda->lists->sort(&x->s, where, with, dim, bad));
  if (!*bad) info = grid_cuda->lists->owners(&x->s, grid_even_size(dim), P, x->first);
done:
  return info;
}

/* Own places, sorted, of the k for which `with` (NULL: any) has an entry, and how many come. */
static GrB_Info begin(routing *x, const grid_chunk *where, const grid_chunk *with, uint64_t dim, bool *bad) {
  const uint64_t P = (uint64_t)grid_here.P, me = (uint64_t)grid_here.k;
  const uint64_t refusals = grid_device_refusals();
  GrB_Info info = grid_device_or_host(sort_places(x, where, with, dim, bad), refusals);
  if (info != GrB_SUCCESS) *bad = false;
  TRY(agree(info, bad));
  if (*bad) return info;
  for (uint64_t r = 0; r < P; r++) x->w[r] = x->first[r + 1] - x->first[r];
  TRY(grid_here.transport->allgather(GRID_SET_ALL, x->w, P * sizeof *x->counts, x->counts));
  for (uint64_t r = 0; r < P; r++) x->come += x->counts[r * P + me];
  info = grid_device_transport_get(&x->way);
done:
  return info;
}

static GrB_Info room(void *to, uint64_t count, size_t size) {
  void *p = grid_device_malloc(count, size);
  if (!p) return grid_device_fail_memory(NULL, "entries that travel", count, size);
  *(void **)to = p;
  return GrB_SUCCESS;
}

/* Agreed on; without them the host does it. */
static GrB_Info make_rooms(routing *x, size_t size, bool flags) {
  const uint64_t refusals = grid_device_refusals();
  GrB_Info info = GrB_SUCCESS;
  TRY(room(&x->place, x->come, sizeof *x->place));
  TRY(room(&x->own_val, x->s.n, size));
  TRY(room(&x->val, x->come, size));
  if (flags) TRY(room(&x->own_some, x->s.n, 1));
  if (flags) TRY(room(&x->some, x->come, 1));
done:
  return grid_agree_here(NULL, grid_device_or_host(info, refusals));
}

/* What stands beside the own places goes to their owners; back: what stands beside those that came returns.
 */
static GrB_Info send(const routing *x, bool back, const void *from, void *to, size_t size) {
  const size_t P = (size_t)grid_here.P, me = (size_t)grid_here.k;
  size_t *own = x->w, *in = x->w + 2 * P, at = 0;
  for (size_t r = 0; r < P; r++) {
    own[r] = (x->first[r + 1] - x->first[r]) * size, own[P + r] = x->first[r] * size;
    in[r] = x->counts[r * P + me] * size, in[P + r] = at;
    at += in[r];
  }
  return back ? x->way->exchange(GRID_SET_ALL, from, in, in + P, to, own, own + P)
              : x->way->exchange(GRID_SET_ALL, from, own, own + P, to, in, in + P);
}

GrB_Info grid_gather_device(grid_chunk *t, GrB_Vector u, GrB_Vector where, bool *bad) {
  const size_t size = u->type->size;
  routing x = {0};
  GrB_Info info = GrB_SUCCESS;
  uint64_t all;
  bool few;
  *bad = false;
  TRY(find_few(bring(&where->chunk, &u->chunk), where->chunk.nvals, size, larger(u->n, where->n), &all,
               &few));
  if (few) info = gather_few(t, u, where, bad);
  if (few) goto done;
  TRY(begin(&x, &where->chunk, NULL, u->n, bad));
  if (*bad) goto done;
  TRY(make_rooms(&x, size, true));
  info = send(&x, false, x.s.place, x.place, sizeof *x.place);
  if (info == GrB_SUCCESS)
    info = grid_cuda->lists->give(x.val, x.some, x.place, sizeof *x.place, x.come, &u->chunk);
  TRY(grid_agree(NULL, info));
  info = x.way->begin();
  info = grid_first_failure(info, send(&x, true, x.val, x.own_val, size));
  info = grid_first_failure(info, send(&x, true, x.some, x.own_some, 1));
  TRY(grid_first_failure(info, x.way->end()));
  TRY(grid_cuda->lists->take(t, x.s.number, x.s.n, x.own_val, x.own_some));
  info = grid_chunk_conform(t);
done:
  if (*bad || info != GrB_SUCCESS) grid_chunk_empty(t);
  routing_free(&x);
  return info;
}

/* The entries that have come, joined. */
static GrB_Info join(grid_chunk *t, const routing *x, GrB_Type type, GrB_BinaryOp dup, bool *bad) {
  grid_chunk at, val;
  if (x->come == 0) return GrB_SUCCESS;
  grid_chunk_init(&at, GrB_UINT64, x->come);
  grid_chunk_init(&val, type, x->come);
  at.device = val.device = true, at.format = val.format = GRID_FULL, at.nvals = val.nvals = x->come;
  at.val = x->place, val.val = x->val;
  return grid_cuda->lists->combine(t, &val, &at, dup, bad);
}

GrB_Info grid_scatter_device(grid_chunk *t, uint64_t n, GrB_Vector u, GrB_Vector where, GrB_BinaryOp dup,
                             bool *bad) {
  const size_t size = u->type->size;
  routing x = {0};
  GrB_Info info = GrB_SUCCESS;
  const uint64_t named = where->chunk.nvals, given = u->chunk.nvals;
  uint64_t all, refusals;
  bool few;
  *bad = false;
  TRY(find_few(bring(&where->chunk, &u->chunk), named < given ? named : given, size, larger(n, where->n),
               &all, &few));
  if (few) info = scatter_few(t, n, u, where, dup, all, bad);
  if (few) goto done;
  TRY(begin(&x, &where->chunk, &u->chunk, n, bad));
  if (*bad) goto done;
  TRY(make_rooms(&x, size, false));
  TRY(grid_agree(NULL,
                 grid_cuda->lists->give(x.own_val, NULL, x.s.number, sizeof *x.s.number, x.s.n, &u->chunk)));
  info = x.way->begin();
  info = grid_first_failure(info, send(&x, false, x.s.place, x.place, sizeof *x.place));
  info = grid_first_failure(info, send(&x, false, x.own_val, x.val, size));
  info = grid_first_failure(info, x.way->end());
  refusals = grid_device_refusals();
  if (info == GrB_SUCCESS) info = join(t, &x, u->type, dup, bad);
  TRY(agree(grid_device_or_host(info, refusals), bad));
  if (!*bad) info = grid_chunk_conform(t);
done:
  if (*bad || info != GrB_SUCCESS) grid_chunk_empty(t);
  routing_free(&x);
  return info;
}
