/* Components as a step of another algorithm (components.c). */
#ifndef GRID_COMPONENTS_H
#define GRID_COMPONENTS_H
#include "algos/algos.h"

/* Grid_components without checkpoints: those in the folder belong to the algorithm that calls. */
GrB_Info grid_components_step(GrB_Vector *component, GrB_Matrix A);
#endif
