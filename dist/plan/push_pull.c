/* Push or pull, from counted work (docs/how/product.md; Pan et al., section IV-B; Beamer's switch
 * generalised to any product).
 *
 * A push inspects the entries of M that meet x: their number is counted exactly. A pull walks the rows that
 * the mask allows; each inspects entries until a hit, or all of them when the monoid needs every product.
 * With a share p of M's entries meeting x, a row that stops early inspects about 1 / p entries, and never
 * more than it has. */
#include "dist/plan/push_pull.h"

#include "dist/plan/layout_cost.h"
#include "dist/product/exchange/pull_ring.h"
#include "dist/product/exchange/push_along_rows.h"

/* The cost of an entry in a push (a scattered read-modify-write), in entries inspected by a pull (a
 * sequential row, one lookup in a bitmap). Measured by bench/direction.sh, R-MAT scales 18 and 20, one core
 * of 16. EARLY: with 3 to 12 every level of searches takes the faster direction but for hundredths of a
 * millisecond, with 16 one does not. ALL: 3.5 to 8 lose 0 and 2 % of all time if the matrix is a pattern
 * (betweenness; 1.5: 34 %). VALUES: up to 1.5 loses nothing, since a pull reads the values of all entries of
 * its rows (sssp; 3.5: 12 and 49 %). */
static const double PUSH_COST_EARLY = 4.0, PUSH_COST_ALL = 3.5, PUSH_COST_VALUES = 1.5;

/* The cost of an entry of x on each process that shares it, in the same unit: a push lists it from messages,
 * while a pull reads shared memory. Counted (callgrind, mis rmat:18, 16 processes): 40 instructions to 8 of
 * an inspected entry. */
static const double EXPAND_COST = 5;

/* Does a pull of a row stop before it has inspected all entries? */
static bool stops_early(const grid_product *p) {
  const bool least_position = !p->s->mul->f && p->s->add->op->op == GRID_OP_MIN; /* they ascend along a row */
  return p->values.structural || least_position || grid_monoid_can_stop_early(p->s->add);
}

static double push_entry_cost(const grid_product *p) {
  if (stops_early(p)) return PUSH_COST_EARLY;
  return p->values.uses_a && p->where == GRID_ON_HOST ? PUSH_COST_VALUES : PUSH_COST_ALL;
}

/* Entries that a pull inspects. sharers: processes that hold segments of each row, each of which looks for a
 * hit of its own. */
static double pull_cost(const grid_product *p, uint64_t entries, uint64_t rows, uint64_t edges,
                        uint64_t allowed, int sharers) {
  double mean = rows ? (double)entries / (double)rows : 1;
  if (mean < 1) mean = 1;
  double row_inspected = mean;
  if (edges > 0 && stops_early(p)) {
    const double until_hit = (double)entries / (double)edges;
    if (until_hit < mean) row_inspected = until_hit;
    row_inspected *= sharers;
  }
  return (double)allowed * row_inspected;
}

bool grid_pull_is_cheaper(const grid_product *p, uint64_t entries, uint64_t rows, uint64_t edges,
                          uint64_t allowed, uint64_t *work) {
  const double pull = pull_cost(p, entries, rows, edges, allowed, 1);
  *work = (uint64_t)pull;
  if (p->A->hints.direction != Grid_DIRECTION_AUTO) return p->A->hints.direction == Grid_DIRECTION_PULL;
  return (double)edges * push_entry_cost(p) > pull;
}

bool grid_should_push_along_rows(const grid_product *p) {
  return !p->pages && grid_can_push_rows(p) &&
         (grid_ctx.C > 1 || !grid_is_push_by_columns(p->n.nx, p->n.edges, p->in.n, grid_ctx.P));
}

double grid_push_cost(const grid_product *p) {
  const int sharers = grid_set_size(p->in.set);
  if (grid_should_push_along_rows(p)) return (double)p->n.edges * GRID_PUSH_TARGET_COST;
  return (double)p->n.edges * push_entry_cost(p) +
         (sharers > 1 && p->where == GRID_ON_HOST ? EXPAND_COST * (double)p->n.nx * sharers : 0);
}

double grid_pull_cost(const grid_product *p) {
  const int sharers = grid_can_pass_rows(p) ? 1 : grid_set_size(p->out.set);
  return pull_cost(p, p->A->delegates.nn_nvals, p->n.rows, p->n.edges, p->n.allowed_nonempty, sharers);
}

void grid_choose_mask_spread(grid_product *p) {
  int S = grid_set_size(p->out.set);
  p->choice.spreads_mask = false;
  if (S == 1 || p->n.allowed == p->out.n || p->choice.passes_rows || p->choice.pushes_rows) return;
  if (p->choice.pull) {
    p->choice.spreads_mask = true;
    return;
  }
  /* The exchange costs the smaller of list and bitmap of what is allowed or forbidden, to S - 1 others. It
   * saves the forbidden ones of the outputs that a push reaches, which would travel. */
  double n = (double)p->out.n, allowed = (double)p->n.allowed, forbidden = n - allowed;
  double fewer = allowed < forbidden ? allowed : forbidden,
         mask_bytes = 4 * fewer < n / 8 ? 4 * fewer : n / 8;
  double reached = (double)p->n.edges < n ? (double)p->n.edges : n;
  double entry = 4 + (p->values.structural ? 0 : grid_has_narrow_values(p) ? 4 : (double)p->s->mul->z->size);
  p->choice.spreads_mask = mask_bytes * (S - 1) < reached * (forbidden / n) * (S - 1) / S * entry;
}
