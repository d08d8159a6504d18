/* Bytes of a matrix on a process, predicted from degrees (docs/how/storage.md): 4 bytes an entry in each
 * orientation, offsets, lists of non-empty rows and columns, degrees, and what searches look up by row. The
 * entries of a vertex are spread evenly over the blocks that share its row or column. */
#include <math.h>

#include "bench/command/plan.h"

/* An axis is listed if fewer than one in so many of its vectors have entries, or if it has more than 32 bits.
 */
static const double HYPERSPARSE = 8, MAX_32_BITS = 4294967295.;
/* Bytes of a vertex on its process: its degree, and a bit; on several columns two numbers as a row hub. Of a
 * row of a block its neighbor of largest degree. */
static const double DEGREE_BYTES = 4.125, ROW_HUB_BYTES = 8, HUB_NEIGHBOR_BYTES = 4;

static double bytes_of_index(double below) {
  return below > MAX_32_BITS ? 8 : 4;
}

/* How many of `parts` blocks have entries of a vertex, summed over the vertices. */
static double count_segments(const Grid_Degrees *g, double parts) {
  double sum = 0;
  for (uint64_t k = 0; k < g->count; k++)
    sum += g->weight[k] * parts * (1 - pow(1 - 1 / parts, (double)g->degree[k]));
  return sum;
}

static bool is_listed(double dim, double nonempty) {
  return dim > MAX_32_BITS || nonempty < dim / HYPERSPARSE;
}

double plan_matrix_bytes(const Grid_Degrees *g, int P, int C, bool has_columns) {
  const double R = (double)P / C, rows = (double)g->n / R, columns = (double)g->n / C,
               nonempty_rows = count_segments(g, C) / P, nonempty_columns = count_segments(g, R) / P;
  const bool lists_rows = is_listed(rows, nonempty_rows),
             lists_columns = is_listed(columns, nonempty_columns);
  double entries = 0;
  for (uint64_t k = 0; k < g->count; k++) entries += g->weight[k] * (double)g->degree[k] / P;
  const double offset = bytes_of_index(entries), listed_rows = lists_rows ? nonempty_rows : rows,
               listed_columns = lists_columns ? nonempty_columns : columns;
  if (listed_rows > MAX_32_BITS || listed_columns > MAX_32_BITS) return INFINITY;
  double bytes = 4 * entries + offset * listed_rows;
  if (has_columns) bytes += 4 * entries + offset * listed_columns;
  if (lists_rows) bytes += bytes_of_index(rows) * nonempty_rows;
  if (lists_columns) bytes += bytes_of_index(columns) * nonempty_columns;
  bytes += DEGREE_BYTES * (double)g->n / P + HUB_NEIGHBOR_BYTES * listed_rows;
  return C > 1 && R > 1 && columns <= MAX_32_BITS ? bytes + ROW_HUB_BYTES * (double)g->n / P : bytes;
}
