/* Drives the kernels of a product over all threads: the one place where they meet OpenMP.
 *
 * Pull: the words of rows, dealt out dynamically. Push under ANY: the edges of the frontier, cut into equal
 * pieces whatever the degrees; whoever sets an output's bit writes its value. Push under another monoid:
 * every thread keeps the edges to its own range of outputs, so that sums come out the same whatever the
 * number of threads. */
#include <omp.h>
#include <string.h>

#include "spmat/backend.h"
#include "spmat/cpu/product/beside.h"
#include "spmat/cpu/product/product.h"
#include "spmat/cpu/product/product_ranked.h"
#include "spmat/vector/words.h"

enum {
  PULL_WORDS = 16,          /* words of rows a thread takes at a time */
  PUSH_EDGES = 4096,        /* edges a thread takes at a time */
  PARALLEL_EDGES = 1 << 13, /* fewer edges: one thread */
  OWN_LINES = 256,          /* threads' rooms, written at every product, share no lines of the cache */
  PUSH_OWNERS = 32          /* threads of an ordered push: each looks into every vector */
};

/* A product as the driver sees it. */
typedef struct {
  grid_range_job j;
  const grid_ranges *kernels;
  union {
    grid_pointer_calls pointers;
    grid_array_calls arrays;
  } calls;
  size_t room;              /* bytes a thread */
  bool any;                 /* a push by edges */
  grid_made *made;          /* a kernel that is made, or may be, at run time */
  void (*look)(void *with); /* beside.h; or NULL */
  void *with;
} drive;

/* For the next pull. */
static struct {
  void (*look)(void *with);
  void *with;
} beside;

void grid_pull_beside(void (*look)(void *with), void *with) {
  beside.look = look, beside.with = with;
}

uint64_t grid_pull_alone = 256;

bool grid_pull_looks(uint64_t rows) {
  return grid_words(rows) > grid_pull_alone && omp_get_max_threads() > 1;
}

/* Asked for once: other pulls may be done side by side, by threads each. */
static void take_beside(drive *d) {
  if (!beside.look) return;
  d->look = beside.look, d->with = beside.with;
  grid_pull_beside(NULL, NULL);
}

static void look_aside(const drive *d) {
  if (d->look && omp_get_thread_num() == 0) d->look(d->with);
}

/* The operand of the multiplier that comes from the matrix. */
static GrB_Type a_operand(const grid_job *J) {
  return J->flip ? J->s->mul->y : J->s->mul->x;
}
static bool a_used(const grid_job *J) {
  return J->flip ? J->s->mul->uses_y : J->s->mul->uses_x;
}
static bool x_used(const grid_job *J) {
  return J->flip ? J->s->mul->uses_x : J->s->mul->uses_y;
}

/* Predefined operators by arrays. False: some are not. */
static bool use_arrays(drive *d, const grid_job *J) {
  const GrB_BinaryOp mul = J->s->mul;
  const GrB_Monoid add = J->s->add;
  const grid_sums *sums = grid_find_sums(add);
  if (!sums || !mul->loop) return false;
  d->calls.arrays = (grid_array_calls){.mul = mul->loop,
                                       .sums = sums,
                                       .a_type = J->a_type,
                                       .a_operand = a_operand(J),
                                       .x_size = J->x_step,
                                       .terminal = grid_monoid_stops_early(add) ? add->terminal : NULL,
                                       .a_used = a_used(J),
                                       .x_used = x_used(J),
                                       .flip = J->flip,
                                       .any = add->any};
  d->kernels = &grid_array_ranges;
  d->room = grid_array_room;
  return true;
}

/* Calls through function pointers, with room for a product and a cast operand, aligned for every type. */
static void use_pointers(drive *d, const grid_job *J) {
  const GrB_BinaryOp mul = J->s->mul;
  grid_pointer_calls *c = &d->calls.pointers;
  *c = (grid_pointer_calls){.mul = mul->f,
                            .add = J->s->add->op->f,
                            .terminal = J->s->add->terminal,
                            .z_size = mul->z->size,
                            .a_step = J->a_type->size,
                            .x_step = J->x_step,
                            .flip = J->flip,
                            .any = J->s->add->any};
  if (a_used(J) && a_operand(J) != J->a_type) {
    c->cast = grid_cast(a_operand(J), J->a_type);
    c->a_size = a_operand(J)->size;
  }
  size_t largest = c->z_size > c->a_size ? c->z_size : c->a_size;
  d->kernels = &grid_pointer_ranges;
  d->room = (2 * largest + OWN_LINES - 1) / OWN_LINES * OWN_LINES; /* halves are aligned for every type */
}

static drive prepare(const grid_job *J, bool structural) {
  drive d = {.j = {.ptr = J->m->ptr,
                   .wide = J->m->wide,
                   .idx = J->m->idx,
                   .first = J->m->first,
                   .nonempty = J->m->nonempty,
                   .a = J->a,
                   .x = J->x,
                   .a_and = J->a_step ? ~UINT64_C(0) : 0,
                   .x_and = J->x_step ? ~UINT64_C(0) : 0,
                   .xbits = J->xbits,
                   .xlist = J->xlist,
                   .nx = J->nx,
                   .x_packed = J->x_packed,
                   .mask = J->mask,
                   .mask_turn = J->mask_complement ? ~UINT64_C(0) : 0,
                   .ny = J->ny,
                   .ybits = J->ybits,
                   .y = J->y,
                   .table = J->places.table,
                   .base = J->places.base,
                   .q = J->places.q,
                   .stride = J->places.stride,
                   .offset = J->places.offset,
                   .pieces = J->places.pieces,
                   .from = J->places.from,
                   .to = J->places.to}};
  if (J->places.axis) {
    d.j.ids = J->places.axis->ids;
    d.j.ids_wide = grid_axis_wide(J->places.axis);
  }
  d.kernels = structural ? &grid_kernels_structural : grid_find_ranges(J);
  if (!d.kernels) d.kernels = grid_made_ranges(J, &d.made);
  d.any = structural || (d.kernels && J->s->add->any);
  if (!d.kernels && !use_arrays(&d, J)) use_pointers(&d, J);
  return d;
}

/* A thread's part of the work, dealt out by the caller. */
static GrB_Info make_room(const drive *d, int threads, char **room) {
  *room = NULL;
  if (!d->room) return GrB_SUCCESS;
  *room = grid_malloc((size_t)threads, d->room);
  return *room ? GrB_SUCCESS : grid_fail_memory(NULL, "room for operands", (size_t)threads, d->room);
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static GrB_Info pull(grid_job *J, bool structural) {
  drive d = prepare(J, structural);
  take_beside(&d);
  const uint64_t words = grid_words(J->ny);
  const int threads = grid_pull_looks(J->ny) ? omp_get_max_threads() : 1;
  uint64_t looked = 0, found = 0;
  grid_ranked_x x = {0};
  char *room;
  GrB_Info info = make_room(&d, threads, &room);
  if (info != GrB_SUCCESS) return info;
  d.j.calls = &d.calls;
  if (!d.any) grid_ranked_begin(J, &d.j, &x);
  if (grid_alone(threads)) {
    grid_tally sum = {.room = room, .room_size = d.room};
    d.kernels->pull(&d.j, 0, words, &sum);
    looked = sum.looked, found = sum.found;
  } else {
#pragma omp parallel num_threads(threads) reduction(+ : looked, found)
    {
      grid_tally sum = {.room = room + (size_t)omp_get_thread_num() * d.room, .room_size = d.room};
#pragma omp for schedule(dynamic, 1)
      for (uint64_t w = 0; w < words; w += PULL_WORDS) {
        d.kernels->pull(&d.j, w, least(w + PULL_WORDS, words), &sum);
        look_aside(&d);
      }
      looked += sum.looked;
      found += sum.found;
    }
  }
  grid_ranked_end(&x);
  grid_free(room);
  J->inspected += looked;
  J->found += found;
  grid_made_worked(d.made, looked);
  return GrB_SUCCESS;
}

/* start[f] = edges of the vectors before the f-th of the list. */
static GrB_Info edge_starts(const grid_job *J, uint64_t **start) {
  uint64_t sum = 0, *s = *start = grid_malloc(J->nx + 1, sizeof *s);
  if (!s) return grid_fail_memory(NULL, "edges of the frontier", J->nx + 1, sizeof *s);
  for (uint64_t f = 0; f < J->nx; f++) {
    uint64_t k = J->xlist ? J->xlist[f] : f;
    s[f] = sum;
    sum += grid_vector_start(J->m, k + 1) - grid_vector_start(J->m, k);
  }
  s[J->nx] = sum;
  return GrB_SUCCESS;
}

static uint64_t push_edges(const drive *d, uint64_t edges, int threads) {
  uint64_t found = 0;
  if (grid_alone(threads)) {
    grid_tally sum = {0};
    if (edges) d->kernels->push(&d->j, 0, edges, &sum);
    return sum.found;
  }
#pragma omp parallel num_threads(threads) reduction(+ : found)
  {
    grid_tally sum = {0};
#pragma omp for schedule(dynamic, 1)
    for (uint64_t from = 0; from < edges; from += PUSH_EDGES)
      d->kernels->push(&d->j, from, least(from + PUSH_EDGES, edges), &sum);
    found += sum.found;
  }
  return found;
}

/* Ranges of whole words: no bit is shared. */
static uint64_t push_owned(const drive *d, char *room, int threads) {
  const uint64_t words = grid_words(d->j.ny);
  uint64_t found = 0;
  if (grid_alone(threads)) {
    grid_tally sum = {.room = room, .room_size = d->room};
    d->kernels->push(&d->j, 0, words, &sum);
    return sum.found;
  }
#pragma omp parallel num_threads(threads) reduction(+ : found)
  {
    uint64_t me = (uint64_t)omp_get_thread_num(), team = (uint64_t)omp_get_num_threads();
    grid_tally sum = {.room = room + me * d->room, .room_size = d->room};
    d->kernels->push(&d->j, words * me / team, words * (me + 1) / team, &sum);
    found += sum.found;
  }
  return found;
}

static GrB_Info push(grid_job *J, bool structural) {
  drive d = prepare(J, structural);
  int threads = J->push_edges < PARALLEL_EDGES ? 1 : omp_get_max_threads();
  uint64_t *start = NULL;
  char *room = NULL;
  GrB_Info info;
  d.j.calls = &d.calls;
  if (d.any) {
    d.j.alone = threads == 1;
    TRY(edge_starts(J, &start));
    d.j.start = start;
    J->found += push_edges(&d, start[J->nx], threads);
  } else {
    if (threads > PUSH_OWNERS) threads = PUSH_OWNERS;
    TRY(make_room(&d, threads, &room));
    J->found += push_owned(&d, room, threads);
  }
  J->inspected += J->push_edges;
  grid_made_worked(d.made, J->push_edges);
done:
  grid_free(start);
  grid_free(room);
  return info;
}

uint64_t grid_push_edges(const grid_compressed *m, const uint32_t *list, uint64_t n) {
  uint64_t sum = 0;
  for (uint64_t f = 0; f < n; f++) {
    uint64_t k = list ? list[f] : f;
    sum += grid_vector_start(m, k + 1) - grid_vector_start(m, k);
  }
  return sum;
}

static GrB_Info pull_values(grid_job *J) {
  return pull(J, false);
}
static GrB_Info push_values(grid_job *J) {
  return push(J, false);
}
static GrB_Info pull_structural(grid_job *J) {
  return pull(J, true);
}
static GrB_Info push_structural(grid_job *J) {
  return push(J, true);
}

static const grid_kernels *kernels(const grid_job *J, bool structural) {
  static const grid_kernels of_values = {pull_values, push_values},
                            of_patterns = {pull_structural, push_structural};
  (void)J;
  return structural ? &of_patterns : &of_values;
}

const grid_backend grid_backend_cpu = {.name = "cpu", .kernels = kernels};
