/* Page code: entries of consecutive rows in few bytes, as stored in a file (docs/formats.md). Columns of a
 * row ascend: each is stored as its distance from the one before, the first of a row or page as itself, in
 * one to four bytes. The lengths, two bits each, precede all distances, four to a byte, so that decoding
 * needs no branch a byte. */
#ifndef GRID_PAGE_CODE_H
#define GRID_PAGE_CODE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n entries of rows with lengths length[0], length[1], ...; the first `before` entries of length[0] belong to
 * the previous page. */
typedef struct {
  const uint32_t *length;
  uint64_t before, n;
} grid_page_rows;

/* Decoding may read this many bytes beyond a page's columns. */
enum { GRID_PAGE_SLACK = 8 };

/* An upper bound for n columns; and the encoder, which returns the bytes written, a multiple of 8. */
uint64_t grid_page_bound(uint64_t n);
uint64_t grid_page_encode(unsigned char *to, const uint32_t *idx, const grid_page_rows *rows);
/* The bytes that the columns of a page of n entries take, out of `bytes`; 0: invalid. */
uint64_t grid_page_columns(const unsigned char *from, uint64_t bytes, uint64_t n);
/* idx[0..n) = the columns, after grid_page_columns has found them complete. False: they do not ascend below
 * ncols. */
bool grid_page_decode(uint32_t *idx, const unsigned char *from, const grid_page_rows *rows, uint64_t ncols);

/* Lengths of rows, seven bits a byte: an upper bound for n of them; the encoder, which returns the bytes
 * written; and the decoder. That reads all n from exactly `bytes` bytes, or returns false. */
uint64_t grid_lengths_bound(uint64_t n);
uint64_t grid_lengths_encode(unsigned char *to, const uint32_t *length, uint64_t n);
bool grid_lengths_decode(uint32_t *length, uint64_t n, const unsigned char *from, uint64_t bytes);
#endif
