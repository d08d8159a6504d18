/* The model of a search by which layouts are chosen (docs/how/process_grid.md): what each sends and takes
 * for levels that were counted, or predicted from degrees. */
#ifndef GRID_LAYOUT_COST_H
#define GRID_LAYOUT_COST_H
#include "dist/grid/process_grid.h"

/* Delegates that the library numbers by itself leave at most a tenth of the entries between two processes to
 * normals alone, and are at most one of so many vertices, or their bits cost what they save; of fewer
 * vertices none are: all that is ever sent passes in the time of some calls. */
#define GRID_MAX_REMOTE_SHARE 0.1
enum { GRID_VERTICES_PER_DELEGATE = 16, GRID_MIN_VERTICES = 1 << 14 };

/* Requests have to be predicted to be quicker by that factor: on four and eight hosts at 100 Mbit/s and 1
 * Gbit/s they took up to 1.5 times what was predicted (docs/measurements/grids.md; with 1.3 the
 * chosen layout took up to 1.37 times as long as the best, with 1 and 1.1 up to 1.09). */
#define GRID_REQUEST_MARGIN 1.1

/* Sums, requests and replies: calls that a pull may make beside the one for delegates' bits. */
enum { GRID_CALL_PENALTY = 3 };
/* What a process could receive in the time of a call; in the time that a pull takes longer when it asks, in a
 * matrix of n rows: whole bitmaps that are no longer travel at once. */
double grid_call_bytes(const Grid_Network *net);
double grid_request_overhead_bytes(const Grid_Network *net, double n, int P);
/* Do P processes, rows whole on each, keep columns beside rows of a symmetric pattern? On several machines:
 * a small frontier of vertices with many entries is sent in a thousandth of the bytes that its targets take.
 * Elsewhere pushes go along the rows, and half of the memory is enough. Of other processes than there are it
 * is taken that they are on several. */
bool grid_has_columns(int P);
/* Does a push of x, of nx entries that `edges` of the matrix meet, go by columns, all getting the list or
 * bitmap of x, since that is less than to tell each target to its owner? n: x's length. */
bool grid_is_push_by_columns(uint64_t nx, uint64_t edges, uint64_t n, int P);

/* Estimates are for at most so many processes: their time and memory grow with the number. */
enum { GRID_MAX_PLANNED_PROCESSES = 1 << 20 };

/* Vertices by degree, for the estimate: of class k number[k], with degree[k] entries each; delegates are
 * those from class first on. */
typedef struct {
  int classes, first;
  const double *number, *degree;
  bool directed; /* nobody knows who has entries of a vertex's column */
} grid_degree_classes;
/* Degrees fall into classes, eight a power of two: a byte a vertex. The least of a class. */
enum { GRID_DEGREE_CLASSES = 256 };
unsigned grid_degree_class(uint64_t degree);
uint64_t grid_degree_class_min(unsigned class);
typedef struct {
  double number[GRID_DEGREE_CLASSES], degree[GRID_DEGREE_CLASSES];
  grid_degree_classes c;
} grid_sorted_degrees;
/* Without delegates. Local. */
void grid_sort_into_classes(grid_sorted_degrees *k, const Grid_Degrees *g);
GrB_Info grid_check_degrees(const char *call, const Grid_Degrees *g);
/* A search in a graph that has these degrees and is random in all else, from a vertex of middling degree, on
 * P processes. To be freed with grid_free_search. Local. */
GrB_Info grid_estimate_search(Grid_Search *s, const grid_degree_classes *c, uint64_t n, int P);
void grid_free_search(Grid_Search *s);
/* *gain = the seconds that a search on C columns gains with the delegates of c, beyond the error of the
 * model; less than 0: it loses; 0 on one process (split_cost.h). Local. */
GrB_Info grid_estimate_delegate_gain(double *gain, const grid_degree_classes *c, uint64_t n, int P, int C,
                                     const Grid_Network *net);
#endif
