/* The picture of a small graph with its answer, which `gridblas report` draws from the JSON object. */
#ifndef GRID_DRAW_ANSWER_H
#define GRID_DRAW_ANSWER_H
#include "bench/algorithm/algorithm.h"

/* Whether the graph is small enough and the answer can be drawn. Its first vector colors the vertices. A
 * matrix with a column for each source colors them once for each source; another matrix colors edges. The
 * same on all processes. */
bool answer_has_drawing(const job *j, const algorithm *a);
/* Puts the drawing into j->r. Collective. Returns a status. */
int answer_draw(const job *j, const algorithm *a);
#endif
