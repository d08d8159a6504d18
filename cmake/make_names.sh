#!/bin/sh
# Generates include/gridblas_names.h: reads names (first word of each line) from stdin, writes one #define a name to stdout.
#   cat functions.tsv objects.tsv | cmake/make_names.sh > include/gridblas_names.h
# The list of the present file also had GrB_MINV_T for BOOL and the integer types, which are in the operator table.
cat <<'H'
/* gridblas_names.h: link names. Every GrB_ and GxB_ function and object gets the prefix grid_, so that gridblas
 * and another GraphBLAS library load into one process. Made by cmake/make_names.sh from the lists of functions
 * and objects of the C API 2.1 and of those beside it. With GRIDBLAS_STANDARD_NAMES defined the headers declare
 * the standard's own link names, which are another library's: to test that one. */
/* clang-format off */
#ifndef GRIDBLAS_NAMES_H
#define GRIDBLAS_NAMES_H
H
awk '$1 ~ /^G[rx]B_/ { print $1 }' | LC_ALL=C sort -u | awk '{ print "#define " $1 " grid_" $1 }'
echo '#endif'
