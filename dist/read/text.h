/* A file as text that all processes read at once: in pieces of whole lines, each piece read by one process. A
 * plain file is cut into blocks by byte position; a line belongs to the block in which it starts, and process
 * k reads the k-th share of the blocks. A gzip file can only be read from its start, so every process
 * inflates all of it and keeps every P-th piece. */
#ifndef GRID_TEXT_H
#define GRID_TEXT_H
#include <zlib.h>
#include "dist/grid/grid.h"
#include "dist/read/parse.h"

/* A longer line is an error: no format has one, and it keeps a file without line ends from being read into
 * memory whole. */
#define GRID_LINE_MAX ((size_t)1 << 20)

/* Bytes in a block; 0, as at start: chosen from the file's size. Tests make it small. */
extern size_t grid_text_block;

typedef struct {
  char *buffer; /* owns the text */
  size_t room;
  const char *text; /* whole lines (the file's last may lack its newline), inside buffer */
  size_t length;
  uint64_t offset; /* of text[0] in the file's text */
  uint64_t number; /* pieces are numbered in file order over all processes */
} grid_piece;

typedef struct {
  const char *path;
  int fd;
  uint64_t size; /* bytes on disk, the same on every process */
  bool gzip;
  uint64_t block; /* bytes in a piece, about */
  /* plain: the next piece to read and the end of this process's share; gzip: next counts all pieces */
  uint64_t next, last;
  /* gzip only */
  z_stream z;
  bool inflating, ended; /* z lives; the compressed stream is over */
  uint64_t in_offset;    /* compressed bytes handed to z */
  uint64_t out_offset;   /* text bytes given out in pieces */
  unsigned char *in;
  char *carry; /* start of a line whose end is yet to be inflated */
  size_t carry_length, carry_room;
} grid_text;

/* Opens the file on every process and agrees that all can read the same one. Collective. */
GrB_Info grid_text_open(grid_text *t, const char *path);
void grid_text_close(grid_text *t);
/* Starts again: from the first piece of the whole file (all), or of this process's share. */
GrB_Info grid_text_rewind(grid_text *t, bool all);
/* Reads up to `max` pieces of this process's share (all: of the file) into p; *n = 0 at the end. A damaged
 * gzip file sets *flaw; the pieces before the damage still count. Local. */
GrB_Info grid_text_read(grid_text *t, bool all, grid_piece *p, int max, int *n, grid_flaw *flaw);
/* Number of the line (from 1) that holds the text's byte `offset`, 0 if it can't be found out. Reads the file
 * again. Local. */
uint64_t grid_text_line(grid_text *t, uint64_t offset);
#endif
