/* Cuts for a grid whose blocks are parts of rows. Cuts that share out rows alone leave blocks uneven where
 * entries cluster, as those of communities do round the diagonal. P - 1 places to cut can even out P blocks.
 * Entries are counted by groups of rows and columns, and each cut goes where the blocks that follow from it
 * are most even. */
#include <math.h>
#include <string.h>

#include "dist/matrix/transfer/matrix_route.h"
#include "dist/plan/balance_partition.h"

enum { MAX_GROUPS = 1024, GROUPS_A_CHUNK = 64 };
/* Rectangles summed in all, at most: some tenths of a second. */
static const double MAX_SUMS = 3e7;

typedef struct {
  const grid_granules *g;
  uint64_t count;                 /* groups */
  uint64_t first[MAX_GROUPS + 1]; /* granules at which they begin */
  uint16_t *of;                   /* of each granule */
  double *sum;                    /* (count + 1)^2: entries above and to the left; */
  double *rows;                   /* count + 1: rows above, as entries */
  uint64_t *boundary, longest;    /* P + 1, in groups; granules of a chunk at most */
  double *load;                   /* of each process */
} grouping;

/* Groups of equal work, that of a granule at least. */
static void make_groups(grouping *x, uint64_t most) {
  const grid_granules *g = x->g;
  double all = 0, sum = 0;
  for (uint64_t k = 0; k < g->count; k++) all += g->work[k];
  for (uint64_t k = 0; k < g->count; k++) {
    if (x->count == 0 || (x->count < most && sum >= all * (double)x->count / (double)most))
      x->first[x->count++] = k;
    x->of[k] = (uint16_t)(x->count - 1);
    sum += g->work[k];
  }
  x->first[x->count] = g->count;
}

static GrB_Info alloc(grouping *x) {
  const uint64_t P = (uint64_t)grid_ctx.P, wanted = GROUPS_A_CHUNK * P,
                 most = wanted < MAX_GROUPS ? wanted : MAX_GROUPS;
  x->of = grid_malloc(x->g->count, sizeof *x->of);
  x->boundary = grid_calloc(P + 1, sizeof *x->boundary);
  x->load = grid_calloc(P, sizeof *x->load);
  if (!x->of || !x->boundary || !x->load) return grid_fail_memory(NULL, "groups of rows", x->g->count, 2);
  make_groups(x, most);
  const uint64_t side = x->count + 1;
  x->sum = grid_calloc(side * side + side, sizeof *x->sum);
  if (!x->sum) return grid_fail_memory(NULL, "groups of entries", side * side, sizeof *x->sum);
  x->rows = x->sum + side * side;
  return GrB_SUCCESS;
}

static uint64_t group_of(const grouping *x, uint64_t v) {
  return x->of[v / x->g->size];
}

/* What this process has, each entry at its groups' place plus one. */
static void count_local_entries(grouping *x, GrB_Matrix A, Grid_Row_Costs row, double entry_weight) {
  const grid_index_map rows = grid_block_row_map(A), cols = grid_block_col_map(A);
  const grid_local_matrix *p = &A->block;
  const uint64_t side = x->count + 1, first = grid_chunk_first(A->nrows, grid_ctx.k),
                 n = grid_chunk_length(A->nrows, grid_ctx.k);
  for (uint64_t r = 0; r < p->row.n && p->nvals; r++) {
    const uint64_t from = grid_vector_start(&p->by_row, r), to = grid_vector_start(&p->by_row, r + 1);
    if (from == to) continue;
    double *sum = x->sum + (group_of(x, grid_index_map_at(&rows, r)) + 1) * side + 1;
    for (uint64_t e = from; e < to; e++)
      sum[group_of(x, grid_index_map_at(&cols, p->by_row.idx[e]))] += entry_weight;
  }
  for (uint64_t v = 0; v < n; v++)
    x->rows[group_of(x, first + v) + 1] += entry_weight * grid_row_cost(A->degrees.row[v], row);
}

/* Counts become sums. */
static void prefix_sum(grouping *x) {
  const uint64_t side = x->count + 1;
  for (uint64_t r = 1; r < side; r++) {
    x->rows[r] += x->rows[r - 1];
    for (uint64_t c = 1; c < side; c++)
      x->sum[r * side + c] +=
          x->sum[(r - 1) * side + c] + x->sum[r * side + c - 1] - x->sum[(r - 1) * side + c - 1];
  }
}

static double rectangle_load(const grouping *x, uint64_t r0, uint64_t r1, uint64_t c0, uint64_t c1) {
  const uint64_t side = x->count + 1;
  const double *low = x->sum + r0 * side, *high = x->sum + r1 * side;
  return high[c1] - high[c0] - low[c1] + low[c0];
}

static void compute_loads(const grouping *x, double *load) {
  const int R = grid_ctx.R, C = grid_ctx.C;
  for (int j = 0; j < C; j++)
    for (int i = 0; i < R; i++) {
      const int k = j * R + i;
      load[k] = x->rows[x->boundary[k + 1]] - x->rows[x->boundary[k]];
      for (int m = 0; m < C; m++)
        load[k] += rectangle_load(x, x->boundary[m * R + i], x->boundary[m * R + i + 1], x->boundary[j * R],
                                  x->boundary[j * R + R]);
    }
}

/* Smooth, so that a cut that mends one of several large blocks is a gain: the largest block counts most. */
static double unevenness(const grouping *x, double mean) {
  double sum = 0;
  compute_loads(x, x->load);
  for (int k = 0; k < grid_ctx.P; k++) {
    const double over = x->load[k] / mean, square = over * over, fourth = square * square;
    sum += fourth * fourth * fourth;
  }
  return sum;
}

static bool is_within_limit(const grouping *x, int k) {
  return x->boundary[k] <= x->boundary[k + 1] &&
         x->first[x->boundary[k + 1]] - x->first[x->boundary[k]] <= x->longest;
}

/* Cut k moves by so many groups, if that evens blocks out. */
static bool try_partition(grouping *x, int k, int64_t by, double mean, double *least) {
  const uint64_t was = x->boundary[k];
  if (by < 0 ? was < (uint64_t)-by : was + (uint64_t)by > x->count) return false;
  x->boundary[k] = was + (uint64_t)by;
  const double now = is_within_limit(x, k - 1) && is_within_limit(x, k) ? unevenness(x, mean) : HUGE_VAL;
  if (now < *least * (1 - 1e-9)) {
    *least = now;
    return true;
  }
  x->boundary[k] = was;
  return false;
}

/* One cut after the other, by many groups, then by fewer, as long as that helps. */
static void improve_partition(grouping *x) {
  const int P = grid_ctx.P;
  const double mean = (x->sum[(x->count + 1) * (x->count + 1) - 1] + x->rows[x->count]) / P;
  double least = mean > 0 ? unevenness(x, mean) : 0;
  uint64_t sweeps = (uint64_t)(MAX_SUMS / (2.0 * P * P * grid_ctx.C)) + 1;
  for (int64_t step = GROUPS_A_CHUNK / 2; step > 0 && mean > 0; step /= 2)
    for (bool better = true; better && sweeps > 0; sweeps--) {
      better = false;
      for (int k = 1; k < P; k++)
        better =
            try_partition(x, k, step, mean, &least) || try_partition(x, k, -step, mean, &least) || better;
    }
}

/* The group that begins next to a place. */
static uint64_t nearest_group(const grouping *x, uint64_t v) {
  if (v >= x->g->n) return x->count;
  const uint64_t at = v / x->g->size;
  uint64_t k = at < x->g->count ? x->of[at] : x->count;
  if (k < x->count && at - x->first[k] > x->first[k + 1] - at) k++;
  return k;
}

GrB_Info grid_partition_blocks(GrB_Matrix A, const grid_granules *g, Grid_Row_Costs row, double entry_weight,
                               uint64_t longest, uint64_t *first) {
  grouping x = {.g = g, .longest = longest};
  GrB_Info info = alloc(&x);
  TRY(grid_agree(&A->head, info));
  count_local_entries(&x, A, row, entry_weight);
  TRY(grid_ctx.transport->allreduce_with(GRID_SET_ALL, x.sum, (x.count + 1) * (x.count + 2) * sizeof *x.sum,
                                         grid_sum_doubles, NULL));
  prefix_sum(&x);
  for (int k = 0; k <= grid_ctx.P; k++) x.boundary[k] = nearest_group(&x, first[k]);
  improve_partition(&x);
  for (int k = 0; k < grid_ctx.P; k++)
    if (!is_within_limit(&x, k)) goto done; /* a chunk too long: those given stay */
  for (int k = 1; k < grid_ctx.P; k++) {
    const uint64_t at = x.first[x.boundary[k]] * g->size;
    first[k] = at < g->n ? at : g->n;
  }
done:
  grid_free(x.of);
  grid_free(x.boundary);
  grid_free(x.load);
  grid_free(x.sum);
  return info;
}
