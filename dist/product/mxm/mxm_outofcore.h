/* mxm_outofcore.h: GrB_mxm of matrices in pages that do not fit memory together: rows of the product by rows
 * of A.
 */
#ifndef GRID_MXM_OUTOFCORE_H
#define GRID_MXM_OUTOFCORE_H
#include "dist/plan/method.h"

extern const grid_method grid_mxm_method_outofcore;
#endif
