/* What each layout sends for a level that was counted. Sizes are those of docs/design.md, "Messages" and
 * "Owners and questions"; where only sums are known, entries are spread evenly over the processes, as ids of
 * scrambled graphs are. docs/design.md, "The choice", says how its constants are measured anew. */
#include <math.h>
#include <stdio.h>

#include "dist/delegates/layouts.h"
#include "dist/grid/network.h"
#include "dist/product/direction.h"

enum { HEAD = 32, PIECE_HEAD = 8, SET_HEAD = 16 };

/* Counted (bench/plan.sh GRIDBLAS columns SCALE; docs/performance.md): means over searches. With leads they
 * differ by 6 % (2 columns) to 10 %, without by 7 % (2 columns) to 20 % (32). Between two and above by the
 * power that leads from one to the next. */
double Grid_layout_looks(int C, bool leads) {
  static const double looks_of[2][Grid_LAYOUT_COLUMNS + 1] = {{1, 1.11, 1.26, 1.49, 1.8, 2.3},
                                                              {1, 1.08, 1.09, 1.11, 1.12, 1.13}};
  const double *looks = looks_of[leads];
  int which = 0;
  while (which + 1 < Grid_LAYOUT_COLUMNS && 2 << which < C) which++;
  return looks[which] * pow(looks[which + 1] / looks[which], log2((double)C / (1 << which)));
}

/* Calls, as Grid_traffic counts them; docs/design.md, "One level's messages", says which they are. */
enum {
  /* beside a search's levels: its vectors are made, its first levels' counts and assignments are agreed on */
  CALLS_OF_A_SEARCH = 6,
  /* of a level: contents of x to all, and the outcome, on one grid column; the same of a product that sees
   * every entry, whose entries are counted first */
  CALLS_TO_ALL = 2,
  CALLS_TO_ALL_OF_EVERY = 4,
  CALLS_CARRIED = 1,      /* of these those that travel with the outcome of the level before */
  CALLS_TOLD = 2,         /* a push's targets, and the outcome */
  CALLS_BITS = 1,         /* delegates' bits, where there are some; the outcome beside it: */
  CALLS_OUTCOME = 1,      /* ... */
  CALLS_SUM = 1,          /* what open rows have outside, */
  CALLS_PUSHED = 1,       /* normals' targets, or all of x, */
  CALLS_ASKED = 2,        /* questions and answers */
  CALLS_TOLD_COLUMNS = 4, /* a push's on several columns, whose x goes to those who share its rows */
  CALLS_OF_COLUMNS = 6    /* of a level on several columns that nobody tells of in fewer */
};

/* In looks at an entry, on all processes together (read off bench/plan.sh on 1 to 16 cores): of each vertex
 * of a search, to store its parent and to walk bitmaps; of each in a level that asks, to walk its row's bits,
 * and on every process those of questions and answers; of a contribution of a product that is packed, read
 * and added; of a piece of a row that is tried where another process has tried one before (8x2 and 4x4 at
 * scale 22: 16 to 21 ns, at scale 20 10 to 12; a look takes 2): its offset, wherever it is, and a loop that
 * ends unforeseen. A row that is found for another process costs what a target does that is told. */
static const double LOOKS_A_VERTEX = 5, LOOKS_A_VERTEX_ASKED = 4, LOOKS_A_BIT_ASKED = 0.2,
                    LOOKS_A_CONTRIBUTION = 8, LOOKS_A_PIECE = 8;

static double looks_of_asking(double n, int P) {
  return n * (LOOKS_A_VERTEX_ASKED + LOOKS_A_BIT_ASKED * P);
}

double grid_call_bytes(const Grid_Network *net) {
  return fmin(grid_network_bytes(net, net->latency), 1e15);
}
double grid_asking_bytes(const Grid_Network *net, double n, int P) {
  const double looks = looks_of_asking(n, P) / P;
  return fmin(grid_network_bytes(net, GRID_MORE_CALLS * net->latency + looks / net->rate), 1e15);
}

bool grid_keeps_columns(int P) {
  return P == grid_here.P ? grid_here.local_size < P : P > 1;
}

bool grid_push_whole(uint64_t nx, uint64_t edges, uint64_t n, int P) {
  const uint64_t list = 4 * nx, bitmap = n / 8, targets = edges + edges / 4; /* most take a byte */
  return grid_keeps_columns(P) && (list < bitmap ? list : bitmap) * (uint64_t)P <= targets;
}

typedef struct {
  double bytes, inspected, calls;
  double looks;  /* the time of as many, on all processes together, beside those */
  double shown;  /* of the bytes, those that nobody sends where all share memory (dist/object/shown.h), */
  double vector; /* if it has room for so many; and the calls that this saves */
  double fewer_calls;
} cost;

/* ---- sizes ---- */

/* A message of `count` of n entries, without values. */
static double message(double count, double n) {
  const double list = 8 * ceil(count / 2), bitmap = 8 * ceil(n / 64);
  return count > 0 ? HEAD + (count >= n ? 0 : list < bitmap ? list : bitmap) : 0;
}

static double chunk_length(const Grid_Search *t, int k) {
  const uint64_t from = t->q * (uint64_t)k;
  return from >= t->n ? 0 : (double)(t->n - from < t->q ? t->n - from : t->q);
}

static double messages_of_chunks(const Grid_Search *t, const uint64_t *of) {
  double sum = 0;
  for (int k = 0; k < t->P; k++) sum += message((double)of[k], chunk_length(t, k));
  return sum;
}

/* Bytes of a number, seven bits each: of a distance with this mean; of one drawn from 0 to n. */
static double distance(double mean) {
  double bytes = 1;
  for (int bits = 7; bits < 40; bits += 7) bytes += exp(-exp2(bits) / fmax(mean, 1));
  return bytes;
}
static double number_below(double n) {
  double bytes = 1;
  for (int bits = 7; bits < 40; bits += 7) bytes += fmax(1 - exp2(bits) / n, 0);
  return bytes;
}

/* Of this many, how many pieces are not empty if so many things fall into them? */
static double filled(double pieces, double things) {
  return pieces > 0 ? pieces * (1 - exp(-things / pieces)) : 0;
}

/* `targets` told to others by vertices of which each has some for `groups` processes in all. */
static double pushed_bytes(const Grid_Search *t, double targets, double groups) {
  const double pairs = (double)t->P * (t->P - 1);
  if (targets <= 0) return 0;
  const double run = targets / groups, gap = (double)t->q / (run + 1);
  return groups * (number_below((double)t->q) + distance(gap) + 1) + (targets - groups) * distance(gap) +
         PIECE_HEAD * filled(pairs, groups);
}

/* The same vertex is asked about once by each process, and a bit comes back. */
static double asked_bytes(const Grid_Search *t, double asks) {
  const double pairs = (double)t->P * (t->P - 1), cells = pairs * (double)t->q;
  const double asked = cells * (1 - exp(-asks / cells)), bitmap = cells / 8;
  const double set = asked * distance(cells / (asked + 1));
  return (set < bitmap ? set : bitmap) + asked / 8 + (SET_HEAD + PIECE_HEAD) * filled(pairs, asked);
}

/* ---- one grid column ---- */

/* Do contents travel with the outcome of the level before (dist/op/mxv_contents.c)? On one machine all of x
 * does, too: it is written where all read it. */
static bool tells(int P) {
  return grid_keeps_columns(P) && P <= GRID_MOST_DIRECT;
}

static cost all_to_all(const Grid_Search *t, const Grid_Level *l) {
  const double once = messages_of_chunks(t, l->of), others = t->P - 1;
  return (cost){.bytes = once * others,
                .inspected = (double)l->inspected,
                .calls = t->P > 1 ? CALLS_TO_ALL - (tells(t->P) ? CALLS_CARRIED : 0) : 0,
                .shown = l->pull ? once * others : 0,
                .vector = (double)t->n / 8,
                .fewer_calls = l->pull && !tells(t->P)};
}

/* In a directed graph no vertex knows its targets' owners: pieces is 0. */
static cost push_level(const Grid_Search *t, const Grid_Level *l) {
  const double others = 1 - 1.0 / t->P;
  if (l->pieces <= 0 || grid_push_whole(l->frontier, (uint64_t)l->edges, t->n, t->P)) return all_to_all(t, l);
  return (cost){.bytes = pushed_bytes(t, others * l->edges, fmin(l->pieces, others * l->edges)),
                .inspected = l->edges,
                .calls = CALLS_TOLD - (tells(t->P) ? CALLS_CARRIED : 0),
                .looks = GRID_LOOKS_TOLD * l->edges};
}

static cost whole_level(const Grid_Search *t, const Grid_Level *l) {
  return l->pull || t->P == 1 ? all_to_all(t, l) : push_level(t, l);
}

static double delegates_bytes(const Grid_Search *t, const Grid_Level *l) {
  double sum = 0;
  for (int k = 0; k < t->P; k++) sum += message((double)l->of_delegates[k], (double)t->d_of[k]);
  return sum * (t->P - 1);
}

/* As dist/delegates/questions.c has them. */
static const double AS_A_CALL = 4096;

/* What a pull sends beyond the delegates' bits (dist/delegates/questions.c chooses in the same way). */
static void add_rest(const Grid_Search *t, const Grid_Level *l, double call, cost *c) {
  const double others = 1 - 1.0 / t->P, pushed = others * l->pushed,
               push = pushed_bytes(t, pushed, fmin(l->groups, pushed)), ask = asked_bytes(t, l->open),
               rest = l->open_of_delegates > 0 ? asked_bytes(t, l->open_of_delegates) : 0,
               all = messages_of_chunks(t, l->of) * (t->P - 1);
  if (pushed <= 0) return;
  if (l->waiting_of_delegates <= 0 && push <= (call >= 1 ? call : AS_A_CALL) * t->P) {
    c->bytes += push, c->inspected += pushed, c->calls += CALLS_PUSHED;
    c->looks = GRID_LOOKS_TOLD * pushed;
    return;
  }
  c->calls += CALLS_SUM;
  c->looks = looks_of_asking((double)t->n, t->P);
  if (l->open <= 0) return;
  if (all < fmin(ask, push + rest)) {
    c->bytes += all, c->inspected += l->open, c->calls += CALLS_PUSHED;
  } else if (ask <= push + rest) {
    c->bytes += ask, c->inspected += l->open, c->calls += CALLS_ASKED;
  } else {
    c->bytes += push + rest, c->inspected += pushed + l->open_of_delegates;
    c->calls += CALLS_PUSHED + (rest > 0 ? CALLS_ASKED : 0);
    c->looks += GRID_LOOKS_TOLD * pushed;
  }
}

/* asking, call: in bytes, 0: they cost nothing. */
static cost questions_level(const Grid_Search *t, const Grid_Level *l, double asking, double call) {
  const double list = 4 * (double)l->frontier, own = (double)t->d / 8;
  if (!l->pull) return push_level(t, l);
  if (list <= own || (asking >= 1 && fmin(list, (double)t->n / 8) <= own + asking)) return whole_level(t, l);
  const double bits = delegates_bytes(t, l);
  cost c = {.bytes = bits,
            .inspected = (double)l->inspected,
            .calls = CALLS_OUTCOME + (bits > 0 && !tells(t->P) ? CALLS_BITS : 0)};
  add_rest(t, l, call, &c);
  return c;
}

/* ---- several ---- */

/* Rows that one of so many equal pieces of each row finds, and no lead; between powers of two by the power.
 */
static double found_by_piece(const Grid_Level *l, double pieces) {
  const double at = fmin(fmax(log2(pieces), 0), Grid_LAYOUT_COLUMNS);
  const int low = at < Grid_LAYOUT_COLUMNS ? (int)at : Grid_LAYOUT_COLUMNS - 1;
  const double fewer = low ? l->finds[low - 1] / (1 << low) : l->found - l->led,
               more = l->finds[low] / (2 << low);
  return fewer + (more - fewer) * (at - low);
}

/* ... once j of the C processes which share each have tried it. */
static double found_after(const Grid_Level *l, int C, int j) {
  return found_by_piece(l, (double)C / (j < C ? j : C));
}

/* Leads' bits go to all, open rows on, what was found to the owners (dist/product/open_rows.c). Calls: in one
 * delivery each, and the outcome; on one machine sizes go first, but x and leads are read where they are. */
static cost pull_level(const Grid_Search *t, const Grid_Level *l, int C, const Grid_Network *net) {
  const bool leads = t->leads > 0, shared = (double)(t->n + t->leads) / 8 <= net->shared;
  int steps = 1;
  double waiting = 0;
  while (!leads && 1 << steps < C) steps++;
  cost c = {.inspected = (double)l->inspected * Grid_layout_looks(C, leads)};
  c.calls = net->shared <= 0 ? steps + 3 : 2 * steps + (leads && shared ? 3 : 5);
  if (leads)
    c.bytes = (double)t->P * (t->P - 1) * (SET_HEAD + message(l->leads / t->P, (double)t->leads / t->P));
  for (int k = 0; k < t->P; k++) waiting += (double)l->waiting[k];
  for (int j = 1; j <= steps; j++) {
    const double open = waiting > 0 ? 1 - (l->led + found_after(l, C, j)) / waiting : 0,
                 receivers = j < steps ? 1 : C - steps,
                 each = (found_after(l, C, j + 1) - found_after(l, C, j)) / t->P;
    for (int k = 0; k < t->P; k++)
      c.bytes += receivers * message(round((double)l->waiting[k] * fmax(open, 0)), chunk_length(t, k));
    c.looks += LOOKS_A_PIECE * receivers * waiting * fmax(open, 0);
    c.bytes += receivers * t->P * (message(each, (double)t->q) + 4 * each);
    c.looks += GRID_LOOKS_TOLD * receivers * t->P * each;
  }
  return c;
}

/* By rows (dist/product/push_rows.c) those who share them get x, and tell owners of targets; else by columns.
 */
static cost columns_level(const Grid_Search *t, const Grid_Level *l, int C, const Grid_Network *net) {
  const double R = (double)t->P / C, pairs = (double)t->P * (C - 1), each = l->edges / t->P / C,
               others = 1 - 1 / R;
  if (!l->pull && l->pieces > 0)
    return (cost){.bytes = messages_of_chunks(t, l->of) * (C - 1) +
                           pushed_bytes(t, others * l->edges, fmin(l->pieces, others * l->edges)),
                  .inspected = l->edges,
                  .calls = CALLS_TOLD_COLUMNS,
                  .looks = GRID_LOOKS_TOLD * l->edges};
  cost c = l->pull ? pull_level(t, l, C, net)
                   : (cost){.bytes = pairs * (message(each, (double)t->q) + 4 * each),
                            .inspected = (double)l->inspected,
                            .calls = CALLS_OF_COLUMNS};
  c.bytes += messages_of_chunks(t, l->of) * (R - 1);
  return c;
}

/* ---- products that see every entry ---- */

/* What an entry takes where a block meets so many bytes of x, values that are looked up as they come: one for
 * up to so many, and more by the power (one core of 16, R-MAT: 1.6 at 8 MB, 2.2 at 16, 2.8 at 32). */
static const double NEAR_BYTES = 4.2e6, FARTHER = 0.59;
static double look_up(double bytes) {
  return 1 + FARTHER * fmax(log2(bytes / NEAR_BYTES), 0);
}
/* ... of C columns; what all share lies once in the memory of all: as if it were half. */
static double look_up_on(const Grid_Search *t, const Grid_Level *l, int C, const Grid_Network *net) {
  const double bytes = (double)l->every * (double)t->n;
  return look_up(C == 1 && bytes <= net->shared ? bytes / 2 : bytes / C);
}

/* All of x to those who share a column; what each row's pieces add up to, to its owner. */
static cost every_level(const Grid_Search *t, const Grid_Level *l, int C) {
  const double R = (double)t->P / C, size = l->every, once = t->P * HEAD + size * (double)t->n;
  const double told = found_by_piece(l, C) * (C - 1); /* contributions that travel */
  const double bitmaps = t->P * (C - 1.) * (HEAD + 8 * ceil((double)t->q / 64));
  return (cost){.bytes = (R - 1) * once + bitmaps + size * told,
                .inspected = (double)l->inspected,
                .calls = t->P == 1     ? 0
                         : C > 1       ? CALLS_OF_COLUMNS
                         : tells(t->P) ? CALLS_TO_ALL
                                       : CALLS_TO_ALL_OF_EVERY,
                .looks = LOOKS_A_CONTRIBUTION * told,
                .shown = C == 1 ? (R - 1) * once : 0,
                .vector = size * (double)t->n,
                .fewer_calls = C > 1 || !tells(t->P) ? 2 : 0};
}

/* ---- all ---- */

/* Seconds that one process takes for an entry. */
static double seconds_of_entry(const Grid_Search *t, const Grid_Level *l, int C, const Grid_Network *net) {
  const double here = l->every ? look_up_on(t, l, C, net) : 1;
  if (l->local_seconds <= 0 || l->inspected == 0) return here / net->rate;
  const double there = l->every ? look_up_on(t, l, l->columns > 0 ? l->columns : 1, net) : 1;
  return l->local_seconds / (double)l->inspected * here / there;
}

static void add_level(Grid_Layout *to, const Grid_Search *t, const Grid_Level *l, const Grid_Network *net,
                      const cost *c) {
  const bool shown = c->shown > 0 && c->vector <= net->shared;
  to->bytes += c->bytes;
  to->inspected += c->inspected;
  to->calls += c->calls - (shown ? c->fewer_calls : 0);
  to->seconds += grid_network_seconds(net, (c->bytes - (shown ? c->shown : 0)) / t->P) +
                 (c->inspected * seconds_of_entry(t, l, to->C, net) + c->looks / net->rate) / t->P;
}

static Grid_Layout add_up(const Grid_Search *t, Grid_Layout to, const Grid_Network *net, bool bytes_alone) {
  const double asking = bytes_alone ? 0 : grid_asking_bytes(net, (double)t->n, t->P),
               call = bytes_alone ? 0 : grid_call_bytes(net);
  if (t->levels && !t->level[0].every) {
    to.calls = t->P > 1 ? CALLS_OF_A_SEARCH : 0;
    to.seconds = LOOKS_A_VERTEX * (double)t->n / net->rate / t->P;
  }
  for (uint64_t k = 0; k < t->levels; k++) {
    const Grid_Level *l = &t->level[k];
    const cost c = l->every       ? every_level(t, l, to.C)
                   : to.C > 1     ? columns_level(t, l, to.C, net)
                   : to.questions ? questions_level(t, l, asking, call)
                                  : whole_level(t, l);
    add_level(&to, t, l, net, &c);
  }
  to.seconds += to.calls * net->latency;
  return to;
}

static double with_margin(const Grid_Layout *l) {
  return l->questions ? GRID_ASKING_PAYS * l->seconds : l->seconds;
}

int Grid_layouts(Grid_Layout to[Grid_LAYOUTS], int *best, const Grid_Search *t, const Grid_Network *net,
                 bool bytes_alone) {
  int n = 0;
  for (int C = 1; C <= 1 << Grid_LAYOUT_COLUMNS; C++) {
    if (t->P % C != 0 || (C > 1 && (uint64_t)C * (uint64_t)C > (uint64_t)t->P)) continue;
    const int ways = C == 1 && t->d > 0 && t->P > 1 ? 2 : 1; /* whole bitmaps; questions */
    for (int questions = 0; questions < ways; questions++) {
      Grid_Layout *l = &to[n++];
      *l = (Grid_Layout){.C = C, .questions = questions};
      snprintf(l->name, sizeof l->name, "%dx%d%s", t->P / C, C, questions ? "_questions" : "");
      *l = add_up(t, *l, net, bytes_alone);
    }
  }
  *best = 0;
  for (int k = 1; k < n; k++)
    if (with_margin(&to[k]) < with_margin(&to[*best])) *best = k;
  return n;
}
