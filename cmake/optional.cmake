# Libraries that the readers of some formats need, found by plain paths, so that an installed static library and its pkg-config file
# name them the same way. What is not there is said, and its tests are skipped by name.
set(optional_libraries "")   # files
set(optional_includes "")
set(optional_definitions "")

find_path(ZSTD_INCLUDE zstd.h)
find_library(ZSTD_LIBRARY zstd)
if(ZSTD_INCLUDE AND ZSTD_LIBRARY)
  list(APPEND optional_libraries ${ZSTD_LIBRARY})
  list(APPEND optional_definitions GRIDBLAS_ZSTD)
  message(STATUS "zstd: ${ZSTD_LIBRARY}")
else()
  message(STATUS "zstd: none (Debian: libzstd-dev); left out: files packed by zstd")
endif()
