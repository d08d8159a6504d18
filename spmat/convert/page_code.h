/* page_code.h: a page, entries of consecutive rows in few bytes, as it stands in a file (docs/formats.md).
 * Column numbers of a row ascend: each is told by its distance from the one before, a row's first, and a
 * page's, by itself, in one to four bytes. How many, in two bits, stands in front of all distances, four to a
 * byte, so that nothing has to be looked at byte by byte. */
#ifndef GRID_PAGE_CODE_H
#define GRID_PAGE_CODE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n entries of the rows of which length[0], length[1], ... are the lengths, from the one behind the first
 * `before` of length[0] on. */
typedef struct {
  const uint32_t *length;
  uint64_t before, n;
} grid_page_rows;

/* So many bytes behind a page's columns may be looked at while they are decoded. */
enum { GRID_PAGE_SLACK = 8 };

/* The most that n columns take; and the bytes that they did, a multiple of 8. */
uint64_t grid_page_bound(uint64_t n);
uint64_t grid_page_encode(unsigned char *to, const uint32_t *idx, const grid_page_rows *rows);
/* How many bytes the columns of a page of n entries take, of the `bytes` that there are; 0: that cannot be.
 */
uint64_t grid_page_columns(const unsigned char *from, uint64_t bytes, uint64_t n);
/* idx[0..n) = the columns, where grid_page_columns has found them whole. False: they do not ascend below
 * ncols. */
bool grid_page_decode(uint32_t *idx, const unsigned char *from, const grid_page_rows *rows, uint64_t ncols);

/* Lengths of rows, seven bits a byte. The most that n take; what they took; and all n of them, of exactly so
 * many bytes, or false. */
uint64_t grid_lengths_bound(uint64_t n);
uint64_t grid_lengths_encode(unsigned char *to, const uint32_t *length, uint64_t n);
bool grid_lengths_decode(uint32_t *length, uint64_t n, const unsigned char *from, uint64_t bytes);
#endif
