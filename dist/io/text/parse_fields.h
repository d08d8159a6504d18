/* Parses numbers and fields of a text line in a byte range: no terminating NUL, no locale, overflow
 * detected. */
#ifndef GRID_PARSE_FIELDS_H
#define GRID_PARSE_FIELDS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A parse error and its position: the offset of the line (or byte) in the text. */
typedef struct {
  uint64_t offset; /* GRID_NO_PARSE_ERROR: none */
  bool whole;      /* about the file, not about the line at `offset` */
  char text[224];
} grid_parse_error;
#define GRID_NO_PARSE_ERROR UINT64_MAX

typedef enum {
  GRID_NUMBER_OK,
  GRID_NUMBER_NONE, /* no number; *p is unchanged */
  GRID_NUMBER_RANGE /* a number that does not fit; *p is behind it */
} grid_number;

static inline bool grid_is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
static inline bool grid_is_digit(char c) {
  return (unsigned char)(c - '0') < 10;
}

#define GRID_REPEAT_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Parses the digits at the start of eight bytes: returns how many, *x is their value. Computed in one
 * word, without a branch per digit (0 on big-endian machines). */
static inline unsigned grid_eight_digits(const char *s, uint64_t *x) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t w;
  memcpy(&w, s, 8);
  w ^= GRID_REPEAT_BYTE('0'); /* digits become 0 .. 9 */
  const uint64_t other = ((w + GRID_REPEAT_BYTE(0x76)) | w) & GRID_REPEAT_BYTE(0x80);
  const unsigned digits = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
  if (digits == 0) return 0;
  w <<= 64 - 8 * digits; /* shifts in zeros and drops what follows the digits */
  w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
  w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
  *x = (w * 10000 + (w >> 32)) & UINT64_C(0xffffffff);
  return digits;
#else
  (void)s, (void)x;
  return 0;
#endif
}
static inline void grid_skip_blanks(const char **p, const char *end) {
  while (*p < end && grid_is_blank(**p)) ++*p;
}

/* Parses an unsigned decimal integer (digits only) at *p, which moves behind it. */
grid_number grid_parse_u64(const char **p, const char *end, uint64_t *v);
/* Parses a decimal number: sign, digits, point, exponent (e, E, or Fortran's d, D), or inf, infinity, nan
 * in any case. Rounded to the nearest double; underflow gives 0, overflow GRID_NUMBER_RANGE. */
grid_number grid_parse_double(const char **p, const char *end, double *v);
/* Is the word at *p (up to a blank or the end) `word`, ignoring case? Then *p moves behind it and the
 * blanks after it. */
bool grid_parse_word(const char **p, const char *end, const char *word);

/* Sets the error "expected WHAT, found ..." for the text at p; returns -1, the result of a failed line
 * parser. */
int grid_parse_error_expected(grid_parse_error *flaw, const char *what, const char *p, const char *end);
/* Sets any other error, printf style; returns -1. */
int grid_parse_error_set(grid_parse_error *flaw, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Does a carriage return stand between the fields of this line, so that it probably ends a line? Sets the
 * error then. */
bool grid_flaw_bare_return(grid_parse_error *flaw, const char *p, const char *end);
/* Quotes the field at p for a message: its printable start, the code of an unprintable byte, or "the end
 * of the line". */
#define GRID_QUOTE 64 /* buffer size */
const char *grid_quote(char *buf, size_t size, const char *p, const char *end);
#endif
