/* A write-back C<mask> accum= T that changes values of C alone, and no position: they are written into C. */
#ifndef GRID_LMAT_OVERWRITE_H
#define GRID_LMAT_OVERWRITE_H
#include "spmat/cpu/matrix/lmat_write.h"

typedef struct grid_overwrite grid_overwrite;
/* *o = how t is written into c, which the caller frees; NULL if entries would come or go, or this form of the
 * write-back is not supported. Nothing is changed. c, t and w's mask (which may be c) lie on the host and
 * stay valid until *o is freed. */
GrB_Info grid_overwrite_plan(grid_overwrite **o, grid_local_matrix *c, const grid_local_matrix *t,
                             const grid_lmat_write_spec *w);
void grid_overwrite_run(grid_overwrite *o);
void grid_overwrite_free(grid_overwrite *o);
#endif
