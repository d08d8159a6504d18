/* Makes a local matrix from a program's CSR arrays with ascending rows. */
#ifndef GRID_LMAT_ROWS_H
#define GRID_LMAT_ROWS_H
#include "spmat/matrix/local_matrix.h"

/* The empty p, of dimensions below 2^32, gets rows 0 .. rows - 1; other rows are empty. Row v has the columns
 * idx[ptr[v] .. ptr[v + 1]), which are checked, and values of p's type (val[e] beside idx[e]), or, if p is
 * iso already, that value; ptr[0] may be any number. *ascending false: a row's indices do not ascend, and p
 * stays empty. */
GrB_Info grid_lmat_from_csr(grid_local_matrix *p, const uint64_t *ptr, uint64_t rows, const uint64_t *idx,
                            const void *val, bool *ascending);
#endif
