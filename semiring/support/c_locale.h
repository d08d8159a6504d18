/* Numbers as text, in a program of any locale. */
#ifndef GRID_C_LOCALE_H
#define GRID_C_LOCALE_H

/* strtod with a decimal point, whatever locale the program has set. */
double grid_strtod(const char *text, char **end);
#endif
