/* Changes of single entries, merged into a part: by place, the last one of each, in one pass over the rows.
 */
#ifndef GRID_LMAT_UPDATE_H
#define GRID_LMAT_UPDATE_H
#include "spmat/matrix/local_matrix.h"

typedef enum { GRID_NO_CHANGE, GRID_INSERTED, GRID_DELETED, GRID_REPLACED } grid_change_kind;

/* Change number k sets an entry to val + k * size of the local matrix's type, or, where removed[k], removes
 * it. */
typedef struct {
  const bool *removed;
  const char *val;
  grid_local_matrix positions; /* the changed places; a place's value is the number of its last change */
  uint8_t *kind;               /* what that does: grid_change_kind */
  uint64_t *at;                /* where in the local matrix's arrays its entry is, or goes */
  uint64_t count[4];           /* changes of each kind, here or (the caller's) over the grid */
} grid_changes;

/* Finds what n changes do to p, which lies on the host. keys and pairs as for grid_lmat_build (consumed in
 * every case), number[k]: the number of the change at keys[k]. Free it with grid_changes_free, also after an
 * error. */
GrB_Info grid_changes_find(grid_changes *c, const grid_local_matrix *p, void *keys, bool pairs,
                           const uint64_t *number, uint64_t n);
void grid_changes_free(grid_changes *c);

/* *to: a new part, p with its changes, by row alone; p stays. one: the value of all entries then, NULL: they
 * differ. */
GrB_Info grid_changes_merge(grid_local_matrix *to, const grid_local_matrix *p, const grid_changes *c,
                            const void *one);

/* Where entries are but replaced: room for their values in p, and after that the values in both orientations.
 * A part that was its own transpose loses its columns. */
GrB_Info grid_changes_prepare(grid_local_matrix *p, const grid_changes *c);
void grid_changes_commit(grid_local_matrix *p, const grid_changes *c);
#endif
