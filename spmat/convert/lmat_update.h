/* Merges changes of single entries into a local matrix: ordered by position, the last one of each, in one
 * pass over the rows. */
#ifndef GRID_LMAT_UPDATE_H
#define GRID_LMAT_UPDATE_H
#include "spmat/matrix/local_matrix.h"

typedef enum { GRID_NO_CHANGE, GRID_INSERTED, GRID_DELETED, GRID_REPLACED } grid_change_kind;

/* Change k sets an entry to val + k * size of the local matrix's type, or, if removed[k], removes it. */
typedef struct {
  const bool *removed;
  const char *val;
  grid_local_matrix positions; /* the changed positions; an entry's value is the number of its last change */
  uint8_t *kind;               /* effect of each: grid_change_kind */
  uint64_t *at;                /* position in the local matrix's arrays where the entry is, or is inserted */
  uint64_t count[4];           /* changes of each kind: local or (set by the caller) over the grid */
} grid_changes;

/* Finds the effects of n changes on p, which lies on the host. keys and pairs as for grid_lmat_build
 * (consumed in every case); number[k]: the number of the change at keys[k]. The caller frees *c with
 * grid_changes_free, also after an error. */
GrB_Info grid_changes_find(grid_changes *c, const grid_local_matrix *p, void *keys, bool pairs,
                           const uint64_t *number, uint64_t n);
void grid_changes_free(grid_changes *c);

/* *to: a new matrix, p with its changes, by row only; p stays. one: the value of all entries then; NULL: they
 * differ. */
GrB_Info grid_changes_merge(grid_local_matrix *to, const grid_local_matrix *p, const grid_changes *c,
                            const void *one);

/* For changes that only replace entries: prepare allocates values in p, commit writes them in both
 * orientations. A matrix that was its own transpose loses its columns. */
GrB_Info grid_changes_prepare(grid_local_matrix *p, const grid_changes *c);
void grid_changes_commit(grid_local_matrix *p, const grid_changes *c);
#endif
