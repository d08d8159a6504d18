/* The common line: two numbers and perhaps a weight, separated by one blank, nothing else. */
#ifndef GRID_PARSE_PLAIN_LINE_H
#define GRID_PARSE_PLAIN_LINE_H
#include "dist/io/text/read_text.h"

/* Parses such a line of an edge list, a Matrix Market coordinate file or a DIMACS file at *p, and moves *p
 * behind its end. False, with *p unchanged, for any other line, valid or not: the format's own parser
 * reads it. */
bool grid_plain_line(const grid_file_format *f, const char **p, const char *stop, uint64_t *row,
                     uint64_t *col, double *value);
#endif
