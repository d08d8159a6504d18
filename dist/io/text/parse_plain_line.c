/* Fast path for the common line (parse_plain_line.h): digits are found and converted eight bytes at a time
 * in one word, without a branch per digit. */
#include "dist/io/text/parse_plain_line.h"

enum { DIGITS_MAX = 18 }; /* digits that always fit in 64 bits */

/* Parses a number of 1 to DIGITS_MAX digits at *p; returns its digits, 0: none or longer. */
static unsigned number(const char **p, const char *stop, uint64_t *x) {
  const char *s = *p;
  if (stop - s < 8) return 0;
  unsigned digits = grid_eight_digits(s, x);
  s += digits;
  if (digits == 8)
    for (; s < stop && grid_is_digit(*s) && digits <= DIGITS_MAX; s++, digits++)
      *x = *x * 10 + (uint64_t)(*s - '0');
  if (digits > DIGITS_MAX) return 0;
  *p = s;
  return digits;
}

static bool line_ends(const char **p, const char *stop) {
  const char *s = *p;
  if (s < stop && *s == '\r') s++;
  if (s == stop || *s != '\n') return false;
  *p = s + 1;
  return true;
}

/* The weight is a quotient of two exact doubles, so it is rounded once, correctly. */
static bool read_weight(const char **p, const char *stop, bool integer, double *value) {
  static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  enum { EXACT = 15 }; /* digits of a number below 2^53 */
  uint64_t whole = 0, part = 0;
  const char *s = *p;
  const bool negative = s < stop && *s == '-';
  s += negative;
  unsigned digits = number(&s, stop, &whole), behind = 0;
  if (digits == 0 || digits > EXACT) return false;
  if (!integer && s < stop && *s == '.') {
    s++;
    behind = number(&s, stop, &part);
    if (behind == 0 || digits + behind > EXACT) return false;
  }
  const double x = ((double)whole * power[behind] + (double)part) / power[behind];
  *value = negative ? -x : x;
  *p = s;
  return true;
}

/* Skips the start of a line of the format. */
static const char *start_of(const grid_file_format *f, const char *s, const char *stop) {
  if (f->layout != GRID_FILE_DIMACS) return s;
  return stop - s > 2 && s[0] == (f->arcs ? 'a' : 'e') && s[1] == ' ' ? s + 2 : NULL;
}

static bool is_separator(const grid_file_format *f, char c) {
  return c == ' ' || c == '\t' || (c == ',' && f->layout == GRID_FILE_EDGES);
}

bool grid_plain_line(const grid_file_format *f, const char **p, const char *stop, uint64_t *row,
                     uint64_t *col, double *value) {
  const char *s = start_of(f, *p, stop);
  uint64_t i = 0, j = 0;
  double x = 0;
  if (s == NULL || !number(&s, stop, &i) || s == stop || !is_separator(f, *s)) return false;
  s++;
  if (!number(&s, stop, &j)) return false;
  if (!f->pattern) {
    if (s == stop || !is_separator(f, *s)) return false;
    s++;
    if (!read_weight(&s, stop, f->integer, &x)) return false;
  }
  if (!line_ends(&s, stop)) return false;
  if (f->layout == GRID_FILE_EDGES) {
    if (f->nrows && ((i -= f->base) >= f->nrows || (j -= f->base) >= f->nrows)) return false;
  } else {
    if (--i >= f->nrows || --j >= f->ncols) return false; /* 0 wraps to the largest number */
    if (f->skew && i == j) return false;
  }
  *row = i;
  *col = j;
  if (!f->pattern) *value = x;
  *p = s;
  return true;
}
