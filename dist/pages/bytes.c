/* See bytes.h. */
#include "dist/pages/bytes.h"

#include <errno.h>
#include <unistd.h>

int grid_bytes_read(int fd, void *to, size_t n, uint64_t at) {
  for (size_t done = 0; done < n;) {
    const ssize_t got = pread(fd, (char *)to + done, n - done, (off_t)(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return ENODATA;
    done += (size_t)got;
  }
  return 0;
}

int grid_bytes_write(int fd, const void *from, size_t n, uint64_t at) {
  for (size_t done = 0; done < n;) {
    const ssize_t put = pwrite(fd, (const char *)from + done, n - done, (off_t)(at + done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    done += (size_t)put;
  }
  return 0;
}
