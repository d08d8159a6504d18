/* lmat_rows.h: a part of rows that a program has, compressed and ascending. */
#ifndef GRID_LMAT_ROWS_H
#define GRID_LMAT_ROWS_H
#include "spmat/matrix/local_matrix.h"

/* The empty part p, of dimensions below 2^32, gets the rows 0 .. rows - 1: those of vector v are
 * idx[ptr[v] .. ptr[v + 1]), checked, with values of p's type beside them (val[e] beside idx[e]; ptr[0] may
 * be anything); the other rows are empty. *ascending: false, and p stays empty, where a row's indices do not
 * ascend. */
GrB_Info grid_lmat_from_csr(grid_local_matrix *p, const uint64_t *ptr, uint64_t rows, const uint64_t *idx,
                            const void *val, bool *ascending);
#endif
