/* What an R-MAT graph needs of device memory. With n = 2^scale vertices, P processes, and D directed tuples
 * (twice the edge factor a vertex) of which a share s of duplicates goes:
 *
 *   tuples     D n / P keys of 8 bytes on the fullest process, sorted from one buffer into another
 *   build      2 x 8 bytes a key, 12 bytes a vertex (degrees, ranks by degree), the sort's own space
 *   entries    (1 - s) of the tuples
 *   matrix     4 bytes an entry; a row's offset, first entry, degree and bit: 12.125 bytes. P = 1: both
 *              directions are one copy. Else 4 more an entry and 8.125 for every vertex of the graph, as a
 * push starts from any of them search     for a row: parent and frontier 8 each, level 4, and inside the
 * search a level of 1, a parent of 4, two queues of 8 and a list of unvisited rows of 8; bits for every
 * vertex of the graph
 *
 * s, measured at scales 12 to 21 with edge factor 16: 0.064 at scale 20, a factor of 0.83 each scale. */
#include "bench/needs.h"

#include <math.h>

static const double SPREAD = 1.05;                      /* the fullest process against the mean */
static const double SORT_SPACE = 64e6, RESERVE = 256e6; /* CUB's histograms; small buffers and modules */
static const double ROW_BYTES = 12.125, OTHER_BYTES = 8.125, SEARCH_BYTES = 49, BITMAPS = 6;

need need_of(int scale, uint64_t edgefactor, int processes) {
  const double n = ldexp(1, scale), tuples = 2 * (double)edgefactor * n, P = processes,
               duplicates = fmin(0.5, 0.064 * pow(0.83, scale - 20) * (double)edgefactor / 16),
               share = (P > 1 ? SPREAD : 1) / P, entries = tuples * (1 - duplicates);
  const double matrix =
      4 * entries * share * (P > 1 ? 2 : 1) + ROW_BYTES * n / P + (P > 1 ? OTHER_BYTES * n : 0);
  const double build = fmax(16 * tuples * share + 12 * n + SORT_SPACE, 8 * tuples * share + matrix);
  const double search = matrix + SEARCH_BYTES * n / P + BITMAPS * n / 8;
  return (need){.vertices = (uint64_t)n,
                .entries = (uint64_t)entries,
                .build = (uint64_t)(build + RESERVE),
                .search = (uint64_t)(search + RESERVE),
                .countable = entries * share < 4294967294.0};
}

bool need_fits(const need *n, uint64_t free_bytes) {
  return n->countable && n->build <= free_bytes && n->search <= free_bytes;
}

int need_largest(uint64_t edgefactor, int processes, uint64_t free_bytes) {
  int largest = 0;
  for (int scale = 1; scale <= 58; scale++) {
    const need n = need_of(scale, edgefactor, processes);
    if (need_fits(&n, free_bytes)) largest = scale;
  }
  return largest;
}
