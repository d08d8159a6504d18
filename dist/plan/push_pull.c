/* Push or pull, from counted work (docs/design.md, "Push or pull"; Pan et al., section IV-B; Beamer's switch
 * generalised to any product).
 *
 * A push looks at the entries of M that meet x: their number is counted exactly. A pull walks the rows that
 * the mask allows; each looks at entries until a hit, or at all of them when the monoid has to see every
 * product. With a share p of M's entries meeting x, a row that stops early looks at about 1 / p entries, and
 * never at more than it has. */
#include "dist/plan/push_pull.h"

#include "dist/product/exchange/pull_ring.h"

/* One entry of a push (a scattered read-modify-write) costs as much as this many looks of a pull (a
 * sequential row, one look-up in a bitmap) is expected to have: bench/direction.sh, R-MAT scales 18 and 20,
 * one core of 16. With 3 to 12 every level of searches goes the quicker way but for hundredths of a
 * millisecond, with 16 one does not. Where every product counts, 3.5 to 8 lose 0 and 2 % of all time to the
 * quicker ways if the matrix is a pattern (betweenness; 1.5: 34 %), up to 1.5 nothing if its values are read,
 * which a pull has to have of all entries of its rows (sssp; 3.5: 12 and 49 %). */
static const double PUSH_COST_EARLY = 4.0, PUSH_COST_ALL = 3.5, PUSH_COST_VALUES = 1.5;

static double cost_of_push(const grid_product *p, bool early) {
  if (p->pushes_rows) return GRID_PUSH_TARGET_COST;
  if (early) return PUSH_COST_EARLY;
  return p->uses_a_values && p->where == GRID_ON_HOST ? PUSH_COST_VALUES : PUSH_COST_ALL;
}

bool grid_pull_is_cheaper(const grid_product *p, uint64_t entries, uint64_t rows, uint64_t edges,
                          uint64_t allowed, int sharers, uint64_t *work) {
  bool least_position = !p->s->mul->f && p->s->add->op->op == GRID_OP_MIN; /* places ascend along a row */
  bool early = p->structural || least_position || grid_monoid_can_stop_early(p->s->add);
  double mean = rows ? (double)entries / (double)rows : 1, row_inspected;
  if (mean < 1) mean = 1;
  row_inspected = mean;
  if (early && edges > 0) {
    double until_hit = (double)entries / (double)edges;
    if (until_hit < mean) row_inspected = until_hit;
    row_inspected *= sharers; /* every process that holds a segment of the row looks for a hit of its own */
  }
  double pull = (double)allowed * row_inspected;
  *work = (uint64_t)pull;
  if (p->A->hints.direction != Grid_DIRECTION_AUTO) return p->A->hints.direction == Grid_DIRECTION_PULL;
  return (double)edges * cost_of_push(p, early) > pull;
}

void grid_choose_direction(grid_product *p) {
  const int sharers = grid_can_pass_rows(p) ? 1 : grid_set_size(p->scatter);
  p->pull = grid_pull_is_cheaper(p, p->A->delegates.nn_nvals, p->n.rows, p->n.edges, p->n.allowed_nonempty,
                                 sharers, &p->stats.pull_work);
  p->stats.push_work = p->n.edges;
  /* a page pushed from does not know the places of its inputs among many processes' */
  if (p->A->placement.host_resident && grid_ctx.P > 1 && !p->s->mul->f) p->pull = true;
  p->passes_rows = p->pull && sharers < grid_set_size(p->scatter);
}

void grid_choose_mask_spread(grid_product *p) {
  int S = grid_set_size(p->scatter);
  p->mask_spread = false;
  /* all processes alike: one chunk of a mask may allow all, another not */
  if (S == 1 || p->n.allowed == p->nout || p->passes_rows || p->pushes_rows) return;
  if (p->pull) {
    p->mask_spread = true;
    return;
  }
  /* What the exchange costs: the smaller of list and bitmap of what is allowed or forbidden, to S - 1 others.
   * What it saves: of the outputs that a push reaches, those that are forbidden and would travel. */
  double n = (double)p->nout, allowed = (double)p->n.allowed, forbidden = n - allowed;
  double fewer = allowed < forbidden ? allowed : forbidden,
         mask_bytes = 4 * fewer < n / 8 ? 4 * fewer : n / 8;
  double reached = (double)p->n.edges < n ? (double)p->n.edges : n;
  double entry = 4 + (p->structural ? 0 : grid_has_narrow_values(p) ? 4 : (double)p->s->mul->z->size);
  p->mask_spread = mask_bytes * (S - 1) < reached * (forbidden / n) * (S - 1) / S * entry;
}
