/* What each layout sends for a level that was counted. Sizes are those of docs/how/communication.md; where
 * only sums are known, entries are spread evenly over the processes, as ids of scrambled graphs are.
 * docs/grid.md says how its constants are measured anew. */
#include <math.h>
#include <stdio.h>

#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/plan/layout_cost.h"
#include "dist/plan/network.h"
#include "dist/plan/push_pull.h"
#include "dist/plan/split_cost.h"
#include "spmat/matrix/local_matrix.h"

enum { HEAD = 32, SEGMENT_HEAD = 8, SET_HEAD = 16 };

/* Entries inspected on C columns, over those on one: means over searches (bench/plan.sh GRIDBLAS columns
 * SCALE; docs/measurements/grids.md). Searches differ with row hubs by 6 % (2 columns) to 10 %, without by 7
 * % (2 columns) to 20 % (32). The value of 64 columns follows from the power law of 16 and 32. Between two
 * numbers of columns, and above the last, the power law of the adjacent ones is used. */
double Grid_layout_inspected(int C, bool row_hubs) {
  static const double inspected_by_columns[2][Grid_LAYOUT_COLUMNS + 1] = {
      {1, 1.11, 1.26, 1.49, 1.8, 2.3, 2.94}, {1, 1.08, 1.09, 1.11, 1.12, 1.13, 1.14}};
  const double *extra_inspected = inspected_by_columns[row_hubs];
  int which = 0;
  while (which + 1 < Grid_LAYOUT_COLUMNS && 2 << which < C) which++;
  return extra_inspected[which] *
         pow(extra_inspected[which + 1] / extra_inspected[which], log2((double)C / (1 << which)));
}

/* Communication calls, as Grid_traffic counts them; docs/how/communication.md describes them. */
enum {
  /* of a search, besides its levels: to make its vectors, and to agree on counts and assignments of the first
   * levels */
  CALLS_PER_SEARCH = 5,
  /* of a level on one grid column: x to all, and the outcome; the same for a product over all entries, which
   * counts them first */
  CALLS_ALLTOALL = 2,
  CALLS_ALLGATHER = 4,
  CALLS_PIGGYBACKED = 1,     /* of these, calls that travel with the outcome of the level before */
  CALLS_PUSH = 2,            /* push messages, and the outcome */
  CALLS_BITS = 1,            /* bits of delegates, if there are delegates */
  CALLS_OUTCOME = 1,         /* the outcome of a level; with delegates it may also need these calls: */
  CALLS_SUM = 1,             /* a sum of the remote edges of open rows */
  CALLS_PUSHED = 1,          /* push messages of normal vertices, or all of x */
  CALLS_OF_REQUESTS = 2,     /* requests and replies */
  CALLS_COLUMNS_PUSH = 3,    /* of a push on several columns: x, push messages, and the outcome */
  CALLS_COLUMNS_PRODUCT = 4, /* of a product there: counts, x, sums of segments, and the outcome */
  CALLS_SPLIT = 4,           /* of a delegate split: bits, the outcome, the OR, and the next level's counts */
  CALLS_FOUND = 4            /* values of delegates found: agreements on memory, sizes, and messages */
};

/* Calls of an alltoallv in which a process sends so many bytes. On one machine they are 2 if the sizes go
 * first (dist/comm/comm_buffers.h). */
static int alltoall_calls(const Grid_Network *net, double bytes) {
  return net->shared > 0 && bytes > GRID_MAILBOX_BYTES ? 2 : 1;
}

/* Costs in inspected entries, over all processes together (from bench/plan.sh on 1 to 16 cores):
 * - of each vertex of a search, to store its parent and to walk bitmaps;
 * - of each vertex in a level with requests, to walk the bits of its row, and on every process those of
 *   requests and replies;
 * - of a contribution of a product, which is packed, read and added;
 * - of a segment of a row that is tried after another process has tried one, for its offset and a loop whose
 *   end is not predicted (8x2 and 4x4 at scale 22: 16 to 21 ns, at scale 20 10 to 12; an entry takes 2).
 * A row that is found for another process costs as much as a target of a push message. */
static const double INSPECTED_PER_VERTEX = 5, INSPECTED_PER_REQUEST_VERTEX = 4,
                    INSPECTED_PER_REQUEST_BIT = 0.2, INSPECTED_PER_CONTRIBUTION = 8,
                    INSPECTED_PER_SEGMENT = 8;

static double request_inspected(double n, int P) {
  return n * (INSPECTED_PER_REQUEST_VERTEX + INSPECTED_PER_REQUEST_BIT * P);
}

double grid_call_bytes(const Grid_Network *net) {
  return fmin(grid_network_bytes(net, net->latency), 1e15);
}
double grid_request_overhead_bytes(const Grid_Network *net, double n, int P) {
  const double extra_inspected = request_inspected(n, P) / P;
  return fmin(grid_network_bytes(net, GRID_CALL_PENALTY * net->latency + extra_inspected / net->rate), 1e15);
}

bool grid_has_columns(int P) {
  return P == grid_ctx.P ? grid_ctx.local_size < P : P > 1;
}

bool grid_is_push_by_columns(uint64_t nx, uint64_t edges, uint64_t n, int P) {
  const uint64_t list = 4 * nx, bitmap = n / 8, targets = edges + edges / 4; /* most take a byte */
  return grid_has_columns(P) && (list < bitmap ? list : bitmap) * (uint64_t)P <= targets;
}

typedef struct {
  double bytes, inspected, calls;
  double extra_inspected; /* other work on all processes together, in inspected entries */
  /* with shared memory for a vector of `vector` bytes (dist/vector/shm_view.h), `shm` of the bytes are not
   * sent and `fewer_calls` calls are saved */
  double shm, vector, fewer_calls;
} cost;

/* ---- sizes ---- */

/* Bytes of a message of `count` of n entries, without values. */
static double message_bytes(double count, double n) {
  const double list = 8 * ceil(count / 2), bitmap = 8 * ceil(n / 64);
  return count > 0 ? HEAD + (count >= n ? 0 : list < bitmap ? list : bitmap) : 0;
}

static double chunk_length(const Grid_Search *t, int k) {
  const uint64_t from = t->q * (uint64_t)k;
  return from >= t->n ? 0 : (double)(t->n - from < t->q ? t->n - from : t->q);
}

static double messages_of_chunks(const Grid_Search *t, const uint64_t *of) {
  double sum = 0;
  for (int k = 0; k < t->P; k++) sum += message_bytes((double)of[k], chunk_length(t, k));
  return sum;
}

/* Expected bytes of a variable-length integer, seven bits a byte: of an exponentially distributed one with
 * this mean; of a uniform one below n. */
static double varint_bytes_of_mean(double mean) {
  double bytes = 1;
  for (int bits = 7; bits < 40; bits += 7) bytes += exp(-exp2(bits) / fmax(mean, 1));
  return bytes;
}
static double varint_bytes_below(double n) {
  double bytes = 1;
  for (int bits = 7; bits < 40; bits += 7) bytes += fmax(1 - exp2(bits) / n, 0);
  return bytes;
}

/* The expected number of nonempty segments if this many items fall into them at random. */
static double count_nonempty(double segments, double items) {
  return segments > 0 ? segments * (1 - exp(-items / segments)) : 0;
}

/* Bytes of push messages with `targets` targets in `groups` groups, each of a vertex and a process. */
static double pushed_bytes(const Grid_Search *t, double targets, double groups) {
  const double pairs = (double)t->P * (t->P - 1);
  if (targets <= 0) return 0;
  const double run = targets / groups, gap = (double)t->q / (run + 1);
  return groups * (varint_bytes_below((double)t->q) + varint_bytes_of_mean(gap) + 1) +
         (targets - groups) * varint_bytes_of_mean(gap) + SEGMENT_HEAD * count_nonempty(pairs, groups);
}

/* Bytes of requests and replies. A process requests a vertex once, and the reply has a bit for it. */
static double request_reply_bytes(const Grid_Search *t, double requests) {
  const double pairs = (double)t->P * (t->P - 1), cells = pairs * (double)t->q;
  const double distinct = cells * (1 - exp(-requests / cells)), bitmap = cells / 8;
  const double set = distinct * varint_bytes_of_mean(cells / (distinct + 1));
  return (set < bitmap ? set : bitmap) + distinct / 8 +
         (SET_HEAD + SEGMENT_HEAD) * count_nonempty(pairs, distinct);
}

/* ---- one grid column ---- */

/* Does the payload travel with the outcome of the level before (dist/product/mxv/mxv_prefetch.c)? On one
 * machine all of x is written to shared memory then, too. */
static bool payload_fits(int P) {
  return grid_has_columns(P) && P <= GRID_MAX_DIRECT_PEERS;
}

static cost estimate_alltoall(const Grid_Search *t, const Grid_Level *l) {
  const double once = messages_of_chunks(t, l->of), others = t->P - 1;
  return (cost){.bytes = once * others,
                .inspected = (double)l->inspected,
                .calls = t->P > 1 ? CALLS_ALLTOALL - (payload_fits(t->P) ? CALLS_PIGGYBACKED : 0) : 0,
                .shm = l->pull ? once * others : 0,
                .vector = (double)t->n / 8,
                .fewer_calls = l->pull && !payload_fits(t->P)};
}

/* In a directed graph the owners of a vertex's targets are unknown: segments is 0. */
static cost estimate_push_level(const Grid_Search *t, const Grid_Level *l) {
  const double others = 1 - 1.0 / t->P;
  if (l->segments <= 0 || grid_is_push_by_columns(l->frontier, (uint64_t)l->edges, t->n, t->P))
    return estimate_alltoall(t, l);
  return (cost){.bytes = pushed_bytes(t, others * l->edges, fmin(l->segments, others * l->edges)),
                .inspected = l->edges,
                .calls = CALLS_PUSH - (payload_fits(t->P) ? CALLS_PIGGYBACKED : 0),
                .extra_inspected = GRID_PUSH_TARGET_COST * l->edges};
}

static cost estimate_single_level(const Grid_Search *t, const Grid_Level *l) {
  return l->pull || t->P == 1 ? estimate_alltoall(t, l) : estimate_push_level(t, l);
}

static double delegates_bytes(const Grid_Search *t, const Grid_Level *l) {
  double sum = 0;
  for (int k = 0; k < t->P; k++) sum += message_bytes((double)l->of_delegates[k], (double)t->d_of[k]);
  return sum * (t->P - 1);
}

/* As dist/delegates/owner_requests.c has them. */
static const double BYTES_PER_CALL = 4096;

/* What a pull sends beyond the delegates' bits (dist/delegates/owner_requests.c chooses in the same way). */
static void add_rest(const Grid_Search *t, const Grid_Level *l, double call, cost *c) {
  const double others = 1 - 1.0 / t->P, pushed = others * l->pushed,
               push = pushed_bytes(t, pushed, fmin(l->groups, pushed)),
               request = request_reply_bytes(t, l->open),
               rest = l->open_of_delegates > 0 ? request_reply_bytes(t, l->open_of_delegates) : 0,
               all = messages_of_chunks(t, l->of) * (t->P - 1);
  if (pushed <= 0) return;
  if (l->waiting_of_delegates <= 0 && push <= (call >= 1 ? call : BYTES_PER_CALL) * t->P) {
    c->bytes += push, c->inspected += pushed, c->calls += CALLS_PUSHED;
    c->extra_inspected = GRID_PUSH_TARGET_COST * pushed;
    return;
  }
  c->calls += CALLS_SUM;
  c->extra_inspected = request_inspected((double)t->n, t->P);
  if (l->open <= 0) return;
  if (all < fmin(request, push + rest)) {
    c->bytes += all, c->inspected += l->open, c->calls += CALLS_PUSHED;
  } else if (request <= push + rest) {
    c->bytes += request, c->inspected += l->open, c->calls += CALLS_OF_REQUESTS;
  } else {
    c->bytes += push + rest, c->inspected += pushed + l->open_of_delegates;
    c->calls += CALLS_PUSHED + (rest > 0 ? CALLS_OF_REQUESTS : 0);
    c->extra_inspected += GRID_PUSH_TARGET_COST * pushed;
  }
}

/* request_overhead, call: as bytes that could be sent in their time; 0: they cost nothing. */
static cost requests_level(const Grid_Search *t, const Grid_Level *l, double request_overhead, double call) {
  const double list = 4 * (double)l->frontier, bitmap = (double)t->d / 8;
  if (!l->pull) return estimate_push_level(t, l);
  if (list <= bitmap || (request_overhead >= 1 && fmin(list, (double)t->n / 8) <= bitmap + request_overhead))
    return estimate_single_level(t, l);
  const double bits = delegates_bytes(t, l);
  cost c = {.bytes = bits,
            .inspected = (double)l->inspected,
            .calls = CALLS_OUTCOME + (bits > 0 && !payload_fits(t->P) ? CALLS_BITS : 0)};
  add_rest(t, l, call, &c);
  return c;
}

/* ---- several grid columns ---- */

/* Rows without a hit at their row hub that find one in one of `segments` equal segments; interpolated between
 * powers of two. */
static double found_by_segment(const Grid_Level *l, double segments) {
  const double at = fmin(fmax(log2(segments), 0), Grid_LAYOUT_COLUMNS);
  const int low = at < Grid_LAYOUT_COLUMNS ? (int)at : Grid_LAYOUT_COLUMNS - 1;
  const double fewer = low ? l->finds[low - 1] / (1 << low) : l->found - l->by_row_hub,
               more = l->finds[low] / (2 << low);
  return fewer + (more - fewer) * (at - low);
}

/* The same after j of the C processes that share each row. */
static double found_after_tries(const Grid_Level *l, int C, int j) {
  return found_by_segment(l, (double)C / (j < C ? j : C));
}

/* A level of a pull ring (dist/product/exchange/pull_ring.c): the bits of row hubs are sent to all, open rows
 * to the next processes, hits to the owners with the next open rows, or last. Calls: x with the row hubs,
 * which are read in shared memory on one machine; an alltoallv of each step, and of the last hits; and the
 * agreement on the outcome. */
static cost estimate_pull_level(const Grid_Search *t, const Grid_Level *l, int C, const Grid_Network *net) {
  const bool row_hubs = t->row_hubs > 0, shared = (double)(t->n + t->row_hubs) / 8 <= net->shared;
  int steps = 1;
  double waiting = 0, hits = 0;
  while (!row_hubs && 1 << steps < C) steps++;
  cost c = {.inspected = (double)l->inspected * Grid_layout_inspected(C, row_hubs)};
  c.calls = CALLS_OUTCOME + (shared ? 0 : alltoall_calls(net, (double)t->n / 8));
  if (row_hubs)
    c.bytes = (double)t->P * (t->P - 1) *
              (SET_HEAD + message_bytes(l->row_hubs / t->P, (double)t->row_hubs / t->P));
  for (int k = 0; k < t->P; k++) waiting += (double)l->waiting[k];
  for (int j = 1; j <= steps; j++) {
    const double open = waiting > 0 ? 1 - (l->by_row_hub + found_after_tries(l, C, j)) / waiting : 0,
                 receivers = j < steps ? 1 : C - steps,
                 per_message = (found_after_tries(l, C, j + 1) - found_after_tries(l, C, j)) / t->P;
    double rows = 0;
    for (int k = 0; k < t->P; k++)
      rows += receivers * message_bytes(round((double)l->waiting[k] * fmax(open, 0)), chunk_length(t, k));
    c.calls += alltoall_calls(net, (rows + hits) / t->P);
    c.extra_inspected += INSPECTED_PER_SEGMENT * receivers * waiting * fmax(open, 0);
    hits = receivers * t->P * (message_bytes(per_message, (double)t->q) + 4 * per_message);
    c.bytes += rows + hits;
    c.extra_inspected += GRID_PUSH_TARGET_COST * receivers * t->P * per_message;
  }
  c.calls += alltoall_calls(net, hits / t->P);
  return c;
}

/* By rows (dist/product/exchange/push_along_rows.c) the processes that share rows gather x and send targets
 * to their owners; else by columns. */
static cost estimate_column_level(const Grid_Search *t, const Grid_Level *l, int C, const Grid_Network *net) {
  const double R = (double)t->P / C, pairs = (double)t->P * (C - 1), per_message = l->edges / t->P / C,
               others = 1 - 1 / R;
  if (!l->pull && l->segments > 0)
    return (cost){.bytes = messages_of_chunks(t, l->of) * (C - 1) +
                           pushed_bytes(t, others * l->edges, fmin(l->segments, others * l->edges)),
                  .inspected = l->edges,
                  .calls = CALLS_COLUMNS_PUSH,
                  .extra_inspected = GRID_PUSH_TARGET_COST * l->edges};
  cost c = l->pull ? estimate_pull_level(t, l, C, net)
                   : (cost){.bytes = pairs * (message_bytes(per_message, (double)t->q) + 4 * per_message),
                            .inspected = (double)l->inspected,
                            .calls = CALLS_COLUMNS_PUSH};
  c.bytes += messages_of_chunks(t, l->of) * (R - 1);
  return c;
}

/* Entries that pulls inspect with a split, over those without it (16 to 64 processes, scales 18 and 20: 1.2
 * to 1.9). */
static const double SPLIT_INSPECTED = 1.45;

/* A level with a delegate split (dist/delegates/delegate_product.c): the delegates' bits and values, then the
 * rows that they leave open as without a split and without row hubs. */
static cost estimate_split_level(const Grid_Search *t, uint64_t level, int C, const Grid_Network *net) {
  Grid_Search normals = *t;
  Grid_Level l = t->level[level];
  const double before = l.found - l.by_row_hub, rest = l.found - l.by_delegate;
  uint64_t found = 0;
  for (int k = 0; k < t->P && level + 1 < t->levels; k++) found += t->level[level + 1].of_delegates[k];
  normals.row_hubs = 0;
  for (int x = 0; x < Grid_LAYOUT_COLUMNS; x++) l.finds[x] *= before > 0 ? rest / before : 0;
  l.by_row_hub = l.by_delegate;
  cost c = estimate_column_level(&normals, &l, C, net);
  if (l.pull) c.inspected *= SPLIT_INSPECTED;
  c.bytes += grid_split_bytes(t, found);
  c.calls += CALLS_SPLIT + (found > 0 ? CALLS_FOUND : 0);
  return c;
}

/* ---- products over all entries ---- */

/* Relative cost of an entry whose value of x is read at random from `bytes` bytes of x: 1 where these fit the
 * cache, and more by each doubling (one core of 16, R-MAT: 1.6 at 8 MB, 2.2 at 16, 2.8 at 32). */
static const double CACHE_BYTES = 4.2e6, COST_PER_DOUBLING = 0.59;
static double lookup_cost(double bytes) {
  return 1 + COST_PER_DOUBLING * fmax(log2(bytes / CACHE_BYTES), 0);
}
/* The same on C columns. Of x in shared memory, half of the bytes count. */
static double shared_lookup_cost(const Grid_Search *t, const Grid_Level *l, int C, const Grid_Network *net) {
  const double bytes = (double)l->every * (double)t->n;
  return lookup_cost(C == 1 && bytes <= net->shared ? bytes / 2 : bytes / C);
}

/* Values of x that each of R processes receives, over R - 1: all, or, with an update set
 * (dist/product/exchange/update_set.h), those that its entries name. The model spreads columns as rows. On
 * one machine there are no update sets. */
static double values_received(const Grid_Search *t, const Grid_Level *l, double R, const Grid_Network *net) {
  const double named = found_by_segment(l, R), all = (double)t->n;
  return net->shared <= 0 && named < grid_tune.update_set_share * all ? named : all;
}

/* The processes of a grid column gather x; the sums of rows' segments go to the rows' owners. */
static cost estimate_allgather_level(const Grid_Search *t, const Grid_Level *l, int C,
                                     const Grid_Network *net) {
  const double R = (double)t->P / C, size = l->every,
               once = t->P * HEAD + size * values_received(t, l, R, net);
  const double travelling = found_by_segment(l, C) * (C - 1); /* contributions to other processes */
  const double bitmaps = t->P * (C - 1.) * (HEAD + 8 * ceil((double)t->q / 64));
  return (cost){.bytes = (R - 1) * once + bitmaps + size * travelling,
                .inspected = (double)l->inspected,
                .calls = t->P == 1            ? 0
                         : C > 1              ? CALLS_COLUMNS_PRODUCT
                         : payload_fits(t->P) ? CALLS_ALLTOALL
                                              : CALLS_ALLGATHER,
                .extra_inspected = INSPECTED_PER_CONTRIBUTION * travelling,
                .shm = (R - 1) * once,
                .vector = size * (double)t->n / C,
                .fewer_calls = C > 1 || payload_fits(t->P) ? 0 : 2};
}

/* ---- all ---- */

/* Seconds that one process takes for an entry. */
static double seconds_of_entry(const Grid_Search *t, const Grid_Level *l, int C, const Grid_Network *net) {
  const double wanted_cost = l->every ? shared_lookup_cost(t, l, C, net) : 1;
  if (l->local_seconds <= 0 || l->inspected == 0) return wanted_cost / net->rate;
  const double measured_cost = l->every ? shared_lookup_cost(t, l, l->columns > 0 ? l->columns : 1, net) : 1;
  return l->local_seconds / (double)l->inspected * wanted_cost / measured_cost;
}

static void add_level(Grid_Layout *to, const Grid_Search *t, const Grid_Level *l, const Grid_Network *net,
                      const cost *c) {
  const bool shm = c->shm > 0 && c->vector <= net->shared;
  to->bytes += c->bytes;
  to->inspected += c->inspected;
  to->calls += c->calls - (shm ? c->fewer_calls : 0);
  to->seconds += grid_network_seconds(net, (c->bytes - (shm ? c->shm : 0)) / t->P) +
                 (c->inspected * seconds_of_entry(t, l, to->C, net) + c->extra_inspected / net->rate) / t->P;
}

static Grid_Layout sum_levels(const Grid_Search *t, Grid_Layout to, const Grid_Network *net,
                              bool bytes_only) {
  const double request_overhead = bytes_only ? 0 : grid_request_overhead_bytes(net, (double)t->n, t->P),
               call = bytes_only ? 0 : grid_call_bytes(net);
  if (t->levels && !t->level[0].every) {
    to.calls = t->P > 1 ? CALLS_PER_SEARCH : 0;
    to.seconds = INSPECTED_PER_VERTEX * (double)t->n / net->rate / t->P;
  }
  for (uint64_t k = 0; k < t->levels; k++) {
    const Grid_Level *l = &t->level[k];
    const cost c = l->every      ? estimate_allgather_level(t, l, to.C, net)
                   : to.split    ? estimate_split_level(t, k, to.C, net)
                   : to.C > 1    ? estimate_column_level(t, l, to.C, net)
                   : to.requests ? requests_level(t, l, request_overhead, call)
                                 : estimate_single_level(t, l);
    add_level(&to, t, l, net, &c);
  }
  to.seconds += to.calls * net->latency;
  return to;
}

static double seconds_with_margin(const Grid_Layout *l) {
  return l->requests || l->split ? GRID_REQUEST_MARGIN * l->seconds : l->seconds;
}

/* Can delegates be numbered? 32 bits must number the vertices of a process, and its rows must not be
 * hypersparse: at least one in GRID_HYPER has entries, and a search reaches most of these. */
static bool is_index_possible(const Grid_Search *t) {
  double reached = 0;
  for (uint64_t k = 0; k < t->levels; k++) reached += (double)t->level[k].frontier;
  return t->q <= UINT32_MAX && GRID_HYPER * reached >= (double)t->n;
}

int Grid_layouts(Grid_Layout to[Grid_LAYOUTS], int *best, const Grid_Search *t, const Grid_Network *net,
                 bool bytes_only) {
  const bool can_index = is_index_possible(t);
  int n = 0;
  for (int C = 1; C <= 1 << Grid_LAYOUT_COLUMNS; C++) {
    if (t->P % C != 0 || (C > 1 && (uint64_t)C * (uint64_t)C > (uint64_t)t->P)) continue;
    const int variants = t->d > 0 && t->P > 1 && (C > 1 || can_index) ? 2 : 1; /* without delegates; with */
    for (int with = 0; with < variants; with++) {
      Grid_Layout *l = &to[n++];
      *l = (Grid_Layout){.C = C, .requests = with && C == 1, .split = with && C > 1};
      snprintf(l->name, sizeof l->name, "%dx%d%s", t->P / C, C,
               l->requests ? "_requests"
               : l->split  ? "_split"
                           : "");
      *l = sum_levels(t, *l, net, bytes_only);
    }
  }
  *best = 0;
  for (int k = 1; k < n; k++)
    if (seconds_with_margin(&to[k]) < seconds_with_margin(&to[*best])) *best = k;
  return n;
}
