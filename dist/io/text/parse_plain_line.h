/* Lines as nearly all are: two numbers and perhaps a weight, one blank between them, nothing else. */
#ifndef GRID_PARSE_PLAIN_LINE_H
#define GRID_PARSE_PLAIN_LINE_H
#include "dist/io/text/read_text.h"

/* Reads such a line of an edge list, a Matrix Market coordinate file or a DIMACS file, from *p on, and moves
 * *p behind its end. False, with *p where it was, for every other line, right or wrong: the format's own
 * function reads it. */
bool grid_plain_line(const grid_file_format *f, const char **p, const char *stop, uint64_t *row,
                     uint64_t *col, double *value);
#endif
