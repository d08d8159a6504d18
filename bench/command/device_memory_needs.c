/* What an R-MAT graph needs of device memory. With n = 2^scale vertices, P processes, and D n directed tuples
 * (twice the edge factor a vertex), of which a share s is duplicates:
 *
 * Keys: D n / P of 8 bytes on the fullest process. Entries: (1 - s) of them.
 *
 * Build: P = 1: two buffers of keys and 40 bytes a vertex (spmat/cuda/build/lmat_build.cu). Where these are
 * not free: 4 bytes a key and 12 a vertex, and two buffers for a segment of the keys. These take 17/16 of 16
 * bytes (lmat_build_segments.cu), of 64 at most. P > 1: the same. Where columns are stored as well, they take
 * 20 bytes an entry and 24 a row and a column (lmat_orient.cu), if that is more. CUB needs workspace of its
 * own.
 *
 * Matrix: 4 bytes an entry; 12.125 bytes for a row's offset, first entry, degree and bit, and 8 more from
 * 2^32 entries on (64-bit offsets, and 32-bit ones of panels). P = 1: both directions are one copy. P > 1:
 * GPUs that map each other's memory store rows alone, too (dist/matrix/properties/device_forms.c). Beyond
 * what these can search, columns are stored as well: 4 more bytes an entry and 8.125 for every vertex of the
 * graph. They are needed since a push starts from any of them. GPUs of several machines store them, too,
 * which the plan does not know.
 *
 * Search, for a row: parent 8 and level 4, the same again for a frontier and for the next result of writes.
 * The search takes level 1, queue and tags 8, list of unvisited rows 16, segments of a push 2
 * (spmat/cuda/search/search.cu). P > 1: found vertices 4; bits for every vertex of the graph. With rows
 * alone: a second list of found vertices 4, and 4 for every vertex of the graph, the tags of others'
 * vertices.
 *
 * The program's checks take 20 bytes a vertex more, and run on the CPU where these are not free.
 *
 * s, measured at scales 12 to 21 with edge factor 16: 0.064 at scale 20, a factor of 0.83 each scale. */
#include "bench/command/device_memory_needs.h"

#include <math.h>

static const double SPREAD = 1.05;                       /* the fullest process against the mean */
static const double SORT_SPACE = 128e6, RESERVE = 256e6; /* CUB's; small buffers, kernels */
static const double SEGMENTS = 64, OFFSETS64_BYTES = 8, OFFSETS64_FROM = 4294967296.0,
                    MOST_VERTICES = 1073741824.0;
static const double ROW_BYTES = 12.125, OTHER_BYTES = 8.125, SEARCH_BYTES = 51,
                    LIST_BYTES = 4 /* that other GPUs see */, BITMAPS = 8, SECOND_LIST_BYTES = 4,
                    TAG_BYTES = 4;
static const int MOST_WINDOWS = 16; /* GPUs that map each other's memory */

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* As an integer, at most UINT64_MAX. */
static uint64_t whole(double x) {
  return x < 0x1p64 ? (uint64_t)x : UINT64_MAX;
}

need need_of(int scale, uint64_t edgefactor, int processes) {
  const double n = ldexp(1, scale), tuples = 2 * (double)edgefactor * n, P = processes,
               duplicates = fmin(0.5, 0.064 * pow(0.83, scale - 20) * (double)edgefactor / 16),
               share = (P > 1 ? SPREAD : 1) / P, keys = tuples * share, entries = keys * (1 - duplicates);
  const bool has_columns = processes > MOST_WINDOWS || (processes > 1 && n > MOST_VERTICES),
             rows_alone = processes > 1 && !has_columns;
  const double sorting = 16 * keys + 40 * n, turning = has_columns ? 24 * entries + 32 * n + 32 * n / P : 0;
  const double rows = ROW_BYTES + (entries >= OFFSETS64_FROM ? OFFSETS64_BYTES : 0);
  const double matrix =
      4 * entries * (has_columns ? 2 : 1) + rows * n / P + (has_columns ? OTHER_BYTES * n : 0);
  const double segments = P > 1 ? larger(sorting, turning) : 4 * keys + 12 * n + 17 * keys / SEGMENTS;
  const double per_row = SEARCH_BYTES + (P > 1 ? LIST_BYTES : 0) + (rows_alone ? SECOND_LIST_BYTES : 0);
  const double search = matrix + per_row * n / P + BITMAPS * n / 8 + (rows_alone ? TAG_BYTES * n : 0);
  return (need){.vertices = whole(n),
                .entries = whole(tuples * (1 - duplicates)),
                .matrix = whole(matrix),
                .build = whole(larger(sorting, turning) + SORT_SPACE + RESERVE),
                .search = whole(search + RESERVE),
                .segments = whole(segments + SORT_SPACE + RESERVE),
                .countable = P > 1 ? entries < OFFSETS64_FROM - 2 : n <= MOST_VERTICES};
}

bool need_fits(const need *n, uint64_t free_bytes) {
  return n->countable && n->segments <= free_bytes && n->search <= free_bytes;
}

int need_largest(uint64_t edgefactor, int processes, uint64_t free_bytes) {
  int largest = 0;
  for (int scale = 1; scale <= 58; scale++) {
    const need n = need_of(scale, edgefactor, processes);
    if (need_fits(&n, free_bytes)) largest = scale;
  }
  return largest;
}
