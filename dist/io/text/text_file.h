/* A file as text that all processes read at once: in segments of whole lines, each segment read by one
 * process. A plain file is cut into blocks by byte position; a line belongs to the block in which it starts,
 * and process k reads the k-th share of the blocks. A packed file (gzip, zstd) can only be read from its
 * start, and every P-th segment is a process's. The first process of each machine unpacks all of it, and
 * gives the others their segments as they come (dist/comm/shm_pipe.h). Without pipes every process unpacks,
 * and keeps its own. */
#ifndef GRID_TEXT_FILE_H
#define GRID_TEXT_FILE_H
#include "dist/io/input/input_file.h"
#include "dist/io/text/parse_fields.h"
#include "dist/io/input/decompress.h"

/* A longer line is an error, which keeps a file without line ends from being read into memory whole. METIS
 * has no limit. */
#define GRID_LINE_MAX ((size_t)1 << 20)

typedef struct {
  char *buffer; /* owns the text */
  size_t capacity;
  const char *text; /* whole lines (the file's last may lack its newline), inside buffer */
  size_t length;
  uint64_t offset; /* offset of text[0] in the file's text */
  uint64_t number; /* segments are numbered in file order over all processes */
} grid_text_segment;

typedef struct {
  grid_file file; /* borrowed: the caller closes it */
  grid_packing packing;
  uint64_t block; /* approximate bytes of a segment */
  size_t line_max;
  /* plain: the next segment to read, and the first and the end of this process's share; compressed: next
   * counts all segments */
  uint64_t next, first, last;
  /* compressed only */
  bool piped;
  grid_unpacker unpacker;
  bool ended;          /* the compressed stream has ended */
  uint64_t in_offset;  /* compressed bytes passed to the unpacker */
  uint64_t out_offset; /* text bytes returned in segments */
  uint64_t text_max;   /* text bytes that the file may have */
  unsigned char *in;
  char *carry; /* start of a line whose end is not decompressed yet */
  size_t carry_length, carry_capacity;
} grid_text;

/* Starts reading an open file (grid_file_open), which must stay open until the text is closed. Collective. */
GrB_Info grid_text_open(grid_text *t, const grid_file *f);
void grid_text_close(grid_text *t);
/* Restarts at the first segment of the whole file (all), or of this process's share. */
GrB_Info grid_text_rewind(grid_text *t, bool all);
/* Reads up to `max` segments of this process's share (all: of the file) into p; *n = 0 at the end. A
 * damaged compressed file sets *flaw; segments before the damage are valid. Local. */
GrB_Info grid_text_read(grid_text *t, bool all, grid_text_segment *p, int max, int *n,
                        grid_parse_error *flaw);
/* This process stops reading its share, read completely or not; no other process waits for it any more.
 * Local. */
void grid_text_stop_reading(grid_text *t);
/* Number of the line (from 1) that holds the text's byte `offset`, 0 if it cannot be determined. Reads the
 * file again. Local. */
uint64_t grid_text_line(grid_text *t, uint64_t offset);
#endif
