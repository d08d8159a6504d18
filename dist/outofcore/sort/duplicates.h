/* What joins the values of tuples at one position while they are sorted. */
#ifndef GRID_SORT_DUPLICATES_H
#define GRID_SORT_DUPLICATES_H

/* Operators of FP64. The numbers are stored in page files and, times Grid_DUP_MAX, in the flags of a build.
 */
typedef enum { GRID_DUP_MIN, GRID_DUP_MAX, GRID_DUP_PLUS, GRID_DUP_TIMES, GRID_DUPS } grid_join;
#endif
