/* See crc32.h. */
#include "dist/io/formats/crc32.h"

#include <zlib.h>

#include "semiring/support/mem.h"

uint32_t grid_crc(uint32_t crc, const void *p, uint64_t n) {
  const uint64_t most = UINT64_C(1) << 30; /* zlib takes 32-bit lengths */
  const unsigned char *at = p;
  for (uint64_t done = 0; done < n; done += most)
    crc = (uint32_t)crc32(crc, at + done, (unsigned)(n - done < most ? n - done : most));
  return crc;
}

GrB_Info grid_crc_concatenate(uint32_t *crc, uint32_t local, uint64_t bytes) {
  uint64_t message[2] = {local, bytes}, *every = grid_malloc(2 * (uint64_t)grid_ctx.P, sizeof *every);
  GrB_Info info = grid_agree(NULL, every ? GrB_SUCCESS : grid_fail_memory(NULL, "checksums", 2, 8));
  if (info == GrB_SUCCESS) info = grid_ctx.transport->allgather(GRID_SET_ALL, message, sizeof message, every);
  for (int r = 0; info == GrB_SUCCESS && r < grid_ctx.P; r++)
    *crc = (uint32_t)crc32_combine(*crc, (uint32_t)every[2 * r], (z_off_t)every[2 * r + 1]);
  grid_free(every);
  return info;
}
