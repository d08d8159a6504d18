/* Zip archives: the directory, and the bytes of a member, stored or deflated. */
#ifndef GRID_ZIP_ARCHIVE_H
#define GRID_ZIP_ARCHIVE_H
#include "dist/io/input/input_file.h"

enum { GRID_ZIP_MEMBERS = 16, GRID_ZIP_NAME = 40 };

typedef struct {
  char name[GRID_ZIP_NAME];
  bool deflated;
  uint32_t crc;
  uint64_t packed, size; /* bytes in the file, and uncompressed */
  uint64_t at;           /* offset of the first byte in the file */
} grid_zip_member;

typedef struct {
  const grid_file *file;
  int n;
  grid_zip_member member[GRID_ZIP_MEMBERS]; /* the first ones with short names */
} grid_zip;

/* Reads the directory. Local; all processes find the same. */
GrB_Info grid_zip_open(grid_zip *z, const grid_file *f);
const grid_zip_member *grid_zip_find(const grid_zip *z, const char *name);
/* Reads n bytes from `first` on, within the member. Deflated members are inflated from their start. Local. */
GrB_Info grid_zip_bytes(const grid_zip *z, const grid_zip_member *m, uint64_t first, uint64_t n, void *to);
/* Verifies the checksums of all members; each process checks its share. Collective, agreed on. */
GrB_Info grid_zip_check(const grid_zip *z);
#endif
