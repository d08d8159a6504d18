#!/bin/sh
# Prints gridblas_names.h: for each GrB_ and GxB_ function and object of the public headers a #define that puts grid_ before its name.
# Usage: prefixed_names.sh COMPILER INCLUDE_DIR
set -eu
printf '#include <gridblas.h>\n#include <gridblas_algos.h>\n' | "$1" -E -P -I"$2" -x c - | grep -v '^#' |
  tr -s ' \t\n' ' ' | tr ';' '\n' |
  # A declaration is "extern TYPE NAME", or "RESULT NAME(parameters)"; types and enumerations are not symbols.
  sed -nE 's/^ *extern ("C" \{ )?//; /^ *(typedef|struct|enum|static)/d; s/\(.*//; s/.*[ *](G[rx]B_[A-Za-z0-9_]+) *$/\1/p' |
  LC_ALL=C sort -u |
  awk 'BEGIN {
      print "/* gridblas_names.h: the link names of libgridblas_prefixed: grid_ before every GrB_ and GxB_ name, so that a program can link another"
      print " * GraphBLAS library, too. GraphBLAS.h includes it where GRIDBLAS_PREFIXED_NAMES is defined. Made by cmake/prefixed_names.sh. */"
      print "#ifndef GRIDBLAS_NAMES_H\n#define GRIDBLAS_NAMES_H"
    }
    { print "#define " $1 " grid_" $1 }
    END { print "#endif" }'
