/* Objects of another context than that in use. A call may copy one, where both contexts have one process. */
#ifndef GRID_FOREIGN_H
#define GRID_FOREIGN_H
#include "dist/object/objects.h"

/* Is it a live object of this kind, of another context of one process, where that in use has one, too?
 * *owner: its context, for GRID_WORKER_SCOPE. */
bool grid_can_copy_foreign(const void *object, grid_kind kind, uintptr_t *owner);
#endif
