#!/bin/sh
# Kernels compiled by cmake/kernels.sh are found, and not compiled again for a user without a cache.
# Usage: installed_kernels.sh SOURCE_DIR GRIDBLAS LIBDIR
set -eu
source=$1 program=$2 libdir=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count() { find "$1" -name '*.kernel' | wc -l; }
umask 022
mkdir "$tmp/user"
COMMANDS=msf "$source/cmake/kernels.sh" "$program" "$tmp/made" cpu
[ "$(count "$tmp/made")" -gt 0 ] || { echo "no kernel was compiled"; exit 1; }
msf() { GRIDBLAS_TUNE=cc_threshold=0 GRIDBLAS_CACHE=$tmp/user GRIDBLAS_KERNELS=$1 "$program" msf rmat:12 >/dev/null; }
msf "$tmp/made"
[ "$(count "$tmp/user")" -eq 0 ] || { echo "compiled again for the user although it exists"; exit 1; }
msf ""
[ "$(count "$tmp/user")" -gt 0 ] || { echo "no kernel was needed, so the test shows nothing"; exit 1; }

# Next to the program, wherever that is: in a build, for the programs of its folders, and installed.
beside() { # PROGRAM KERNELS [ANOTHER_FOLDER, in which there are none]
  rm -rf "$tmp/place" "$tmp/user"
  mkdir -p "$tmp/user" "$(dirname "$tmp/place/$1")" "$(dirname "$tmp/place/$2")"
  cp "$program" "$tmp/place/$1"
  cp -R "$tmp/made" "$tmp/place/$2"
  [ $# = 2 ] || mkdir "$tmp/place/$3"
  (unset GRIDBLAS_KERNELS; cd / && GRIDBLAS_TUNE=cc_threshold=0 GRIDBLAS_CACHE=$tmp/user "$tmp/place/$1" msf rmat:12 >/dev/null)
  [ "$(count "$tmp/user")" -eq 0 ] || { echo "$1 does not find $2"; exit 1; }
}
beside gridblas kernels
beside bench/gridblas kernels
beside bin/gridblas "$libdir/gridblas/kernels"
beside bin/gridblas kernels
beside bin/gridblas "$libdir/gridblas/kernels" bin/kernels
