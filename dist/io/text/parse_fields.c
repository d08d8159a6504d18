/* Numbers and fields of a text line (parse_fields.h). */
#include "dist/io/text/parse_fields.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/support/c_locale.h"

grid_number grid_parse_u64(const char **p, const char *end, uint64_t *v) {
  const char *s = *p;
  uint64_t x = 0;
  bool fits = true;
  if (s == end || !grid_is_digit(*s)) return GRID_NUMBER_NONE;
  if (end - s >= 8) s += grid_eight_digits(s, &x);
  for (; s < end && grid_is_digit(*s); s++) {
    uint64_t d = (uint64_t)(*s - '0');
    if (x > UINT64_MAX / 10 || (x == UINT64_MAX / 10 && d > UINT64_MAX % 10)) fits = false;
    x = x * 10 + d;
  }
  *p = s;
  *v = x;
  return fits ? GRID_NUMBER_OK : GRID_NUMBER_RANGE;
}

/* Lower case of an ASCII letter, independent of the locale. */
static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool starts_with(const char *p, const char *end, const char *word) {
  for (; *word; word++, p++)
    if (p == end || lower(*p) != *word) return false;
  return true;
}

bool grid_parse_word(const char **p, const char *end, const char *word) {
  const char *s = *p;
  if (!starts_with(s, end, word)) return false;
  s += strlen(word);
  if (s < end && !grid_is_blank(*s)) return false;
  grid_skip_blanks(&s, end);
  *p = s;
  return true;
}

/* A decimal number as written: digits * 10^exponent. */
typedef struct {
  uint64_t digits; /* the first 19 significant digits */
  int64_t exponent;
  bool exact; /* no digit was dropped */
} decimal;

/* Reads digits and the point. False if there is no digit. */
static bool scan_digits(const char **p, const char *end, decimal *d) {
  const char *s = *p;
  bool any = false, point = false;
  for (; s < end; s++) {
    if (*s == '.' && !point) {
      point = true;
    } else if (grid_is_digit(*s)) {
      any = true;
      if (d->digits < 1000000000000000000u) {
        d->digits = d->digits * 10 + (uint64_t)(*s - '0');
        d->exponent -= point;
      } else {
        d->exact = d->exact && *s == '0';
        d->exponent += !point;
      }
    } else {
      break;
    }
  }
  *p = s;
  return any;
}

/* Reads an exponent if it is complete; "1e" stops before the e, so that the caller finds a stray letter. */
static void scan_exponent(const char **p, const char *end, decimal *d) {
  const char *s = *p;
  int64_t e = 0;
  bool negative = false;
  if (s == end || !strchr("eEdD", *s) || *s == 0) return;
  s++;
  if (s < end && (*s == '+' || *s == '-')) negative = *s++ == '-';
  if (s == end || !grid_is_digit(*s)) return;
  for (; s < end && grid_is_digit(*s); s++)
    if (e < 1000000) e = e * 10 + (*s - '0'); /* far beyond a double's range */
  d->exponent += negative ? -e : e;
  *p = s;
}

/* The general case: strtod rounds correctly. */
static grid_number convert_slowly(const char *s, const char *end, double *v) {
  char buf[1024];
  size_t n = (size_t)(end - s);
  if (n >= sizeof buf) return GRID_NUMBER_RANGE;
  for (size_t k = 0; k < n; k++) buf[k] = lower(s[k]) == 'd' ? 'e' : s[k];
  buf[n] = 0;
  *v = grid_strtod(buf, NULL);
  return isinf(*v) ? GRID_NUMBER_RANGE : GRID_NUMBER_OK;
}

grid_number grid_parse_double(const char **p, const char *end, double *v) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  static const char *const words[] = {"infinity", "inf", "nan"};
  const char *s = *p;
  decimal d = {0, 0, true};
  bool negative = false;
  if (s < end && (*s == '+' || *s == '-')) negative = *s++ == '-';
  for (int k = 0; k < 3; k++) {
    if (!starts_with(s, end, words[k])) continue;
    double x = k < 2 ? INFINITY : NAN;
    *v = negative ? -x : x;
    *p = s + strlen(words[k]);
    return GRID_NUMBER_OK;
  }
  if (!scan_digits(&s, end, &d)) return GRID_NUMBER_NONE;
  scan_exponent(&s, end, &d);
  const char *start = *p;
  *p = s;
  /* Both factors are exact doubles, so the one operation rounds correctly. */
  if (d.exact && d.digits <= (UINT64_C(1) << 53) && d.exponent >= -22 && d.exponent <= 22) {
    double x = (double)d.digits;
    x = d.exponent < 0 ? x / power[-d.exponent] : x * power[d.exponent];
    *v = negative ? -x : x;
    return GRID_NUMBER_OK;
  }
  return convert_slowly(start, s, v);
}

/* Printable on any terminal. */
static bool is_plain(char c) {
  return (unsigned char)c > 32 && (unsigned char)c < 127;
}

const char *grid_quote(char *buf, size_t size, const char *p, const char *end) {
  const char *s = p;
  if (p == end) return "the end of the line";
  while (s < end && is_plain(*s) && s - p < 28) s++;
  if (s == p)
    snprintf(buf, size, "the byte 0x%02x", (unsigned char)*p);
  else if (s < end && is_plain(*s))
    snprintf(buf, size, "'%.*s...'", (int)(s - p), p);
  else if (s < end && !grid_is_blank(*s))
    snprintf(buf, size, "'%.*s' and the byte 0x%02x", (int)(s - p), p, (unsigned char)*s);
  else
    snprintf(buf, size, "'%.*s'", (int)(s - p), p);
  return buf;
}

int grid_parse_error_set(grid_parse_error *flaw, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(flaw->text, sizeof flaw->text, fmt, args);
  va_end(args);
  return -1;
}

int grid_parse_error_expected(grid_parse_error *flaw, const char *what, const char *p, const char *end) {
  char found[GRID_QUOTE];
  return grid_parse_error_set(flaw, "expected %s, found %s", what, grid_quote(found, sizeof found, p, end));
}

bool grid_flaw_bare_return(grid_parse_error *flaw, const char *p, const char *end) {
  const char *s = memchr(p, '\r', (size_t)(end - p));
  if (!s) return false;
  grid_skip_blanks(&s, end);
  if (s == end) return false;
  grid_parse_error_set(flaw, "lines end with a carriage return (CR) alone; only LF and CR LF are supported");
  return true;
}
