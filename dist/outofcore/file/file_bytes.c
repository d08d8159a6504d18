/* See file_bytes.h. */
#include "dist/outofcore/file/file_bytes.h"

#include <errno.h>
#include <fcntl.h>
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
    const ssize_t written = pwrite(fd, (const char *)from + done, n - done, (off_t)(at + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    done += (size_t)written;
  }
  return 0;
}

bool grid_bytes_direct(int fd, bool direct) {
#ifdef O_DIRECT
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || (direct == ((flags & O_DIRECT) != 0))) return false;
  return !fcntl(fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT);
#else
  (void)fd, (void)direct;
  return false;
#endif
}
