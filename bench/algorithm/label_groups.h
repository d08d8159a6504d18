/* The report of labels that divide the vertices into groups (label_groups.c). */
#ifndef GRID_LABEL_GROUPS_H
#define GRID_LABEL_GROUPS_H
#include "bench/algorithm/algorithm.h"

/* Reports the number of different values of the answer's first vector ("communities"), the frequency of the
 * most frequent one ("largest_community"), and how many occur once ("communities_of_one_vertex").
 * Collective. */
int groups_report(job *j, const char *group, const char *groups);
#endif
