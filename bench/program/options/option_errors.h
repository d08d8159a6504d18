/* What is wrong with a command line, as a sentence (option_errors.c). */
#ifndef GRID_OPTION_ERRORS_H
#define GRID_OPTION_ERRORS_H
#include <argp.h>

#include "bench/program/program.h"

/* argp prints nothing, so the wrong argument is found here. table: the command's options. */
void option_error_explain(char *why, size_t capacity, const struct argp_option *table, const command *c,
                          int argc, char **argv);
/* Errors of combinations of options; else `why` is unchanged. */
void option_error_together(char *why, size_t capacity, const command *c, const options *o);
#endif
