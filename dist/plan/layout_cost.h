/* The model of a search by which layouts are chosen (docs/how/process_grid.md): bytes and time of each layout
 * for levels that were counted, or predicted from degrees. */
#ifndef GRID_LAYOUT_COST_H
#define GRID_LAYOUT_COST_H
#include "dist/grid/process_grid.h"

/* Limits for delegates that the library chooses. At most a tenth of the entries between two processes may
 * connect normal vertices. At most one vertex in GRID_VERTICES_PER_DELEGATE is a delegate, since the bits of
 * more cost what they save. A graph of fewer than GRID_MIN_VERTICES has none: its messages take the time of a
 * few calls. */
#define GRID_MAX_REMOTE_SHARE 0.1
enum { GRID_VERTICES_PER_DELEGATE = 16, GRID_MIN_VERTICES = 1 << 14 };

/* Requests are chosen if they are predicted to be faster by this factor. On four and eight hosts at 100
 * Mbit/s and 1 Gbit/s they took up to 1.5 times the predicted time (docs/measurements/grids.md). With 1.3 the
 * chosen layout took up to 1.37 times as long as the best, with 1 and 1.1 up to 1.09. */
#define GRID_REQUEST_MARGIN 1.1

/* Calls that a pull may make besides that for the bits of delegates: a sum, requests and replies. */
enum { GRID_CALL_PENALTY = 3 };
/* Bytes that a process could receive in the time of a call; in the additional time of a pull with requests,
 * in a matrix of n rows. A bitmap of no more bytes is sent whole. */
double grid_call_bytes(const Grid_Network *net);
double grid_request_overhead_bytes(const Grid_Network *net, double n, int P);
/* Do P processes, each with whole rows, store columns besides rows of a symmetric pattern? They do on several
 * machines, where a small frontier of vertices with many entries takes a thousandth of the bytes of its
 * targets. On one machine pushes go along the rows, which halves the memory. A number of processes other than
 * that of the grid is assumed to be on several machines. */
bool grid_has_columns(int P);
/* Does a push send x to all processes, which use their columns? Else it sends each target to its owner; the
 * shorter form is chosen. x, of length n, has nx entries, which meet `edges` entries of the matrix. */
bool grid_is_push_by_columns(uint64_t nx, uint64_t edges, uint64_t n, int P);

/* Estimates are for at most so many processes: their time and memory grow with the number. */
enum { GRID_MAX_PLANNED_PROCESSES = 1 << 20 };

/* Vertices by classes of degree, for the estimate: class k has number[k] vertices of degree[k] entries each.
 * Delegates are those of class `first` and above. */
typedef struct {
  int classes, first;
  const double *number, *degree;
  bool directed; /* the processes with entries of a vertex's column are unknown */
} grid_degree_classes;
/* The class of a degree, eight classes for each power of two, so that a byte holds it; the least degree of a
 * class. */
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
/* A search in a graph that has these degrees and is random otherwise, from a vertex of median degree, on P
 * processes. To be freed with grid_free_search. Local. */
GrB_Info grid_estimate_search(Grid_Search *s, const grid_degree_classes *c, uint64_t n, int P);
void grid_free_search(Grid_Search *s);
/* *gain = the seconds that a search on C columns gains by the delegates of c, beyond the error of the model.
 * It is negative if the search becomes slower, and 0 on one process (split_cost.h). Local. */
GrB_Info grid_estimate_delegate_gain(double *gain, const grid_degree_classes *c, uint64_t n, int P, int C,
                                     const Grid_Network *net);
#endif
