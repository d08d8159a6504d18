/* What is told of labels that part the vertices into groups (label_groups.c). */
#ifndef GRID_LABEL_GROUPS_H
#define GRID_LABEL_GROUPS_H
#include "bench/algorithm/algorithm.h"

/* Puts into the report how many different values the first vector of the answer has ("communities"), how
 * often the most frequent is there ("largest_community"), and how many are there once
 * ("communities_of_one_vertex"). Collective. */
int groups_report(job *j, const char *group, const char *groups);
#endif
