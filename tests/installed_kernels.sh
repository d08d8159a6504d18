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
place() { # place PROGRAM KERNELS
  rm -rf "$tmp/place"
  mkdir -p "$(dirname "$tmp/place/$1")" "$(dirname "$tmp/place/$2")"
  cp "$program" "$tmp/place/$1"
  cp -R "$tmp/made" "$tmp/place/$2"
}
compiled() { # compiled PROGRAM: how many kernels that runs without a cache
  rm -rf "$tmp/user"
  mkdir "$tmp/user"
  (unset GRIDBLAS_KERNELS; cd / && GRIDBLAS_TUNE=cc_threshold=0 GRIDBLAS_CACHE=$tmp/user "$tmp/place/$1" msf rmat:12 >/dev/null)
  count "$tmp/user"
}
beside() { # beside PROGRAM KERNELS [ANOTHER_FOLDER, in which there are none]
  place "$1" "$2"
  [ $# = 2 ] || mkdir "$tmp/place/$3"
  [ "$(compiled "$1")" -eq 0 ] || { echo "$1 does not find $2"; exit 1; }
}
beside gridblas kernels
beside bench/gridblas kernels
beside bin/gridblas "$libdir/gridblas/kernels"
beside bin/gridblas kernels
beside bin/gridblas "$libdir/gridblas/kernels" bin/kernels

# Another user's installation is trusted as its library is; what a third user wrote there is not.
[ "$(id -u)" = 0 ] || exit 0
chown -R 12345:12345 "$tmp/place"
[ "$(compiled bin/gridblas)" -eq 0 ] || { echo "another user's kernels are not used"; exit 1; }
chown 12346 "$tmp/place/$libdir/gridblas/kernels/"*
[ "$(compiled bin/gridblas)" -gt 0 ] || { echo "a third user's kernels are used"; exit 1; }
chown 12345 "$tmp/place/$libdir/gridblas/kernels/"*
chmod 777 "$tmp/place/$libdir/gridblas/kernels"
[ "$(compiled bin/gridblas)" -gt 0 ] || { echo "kernels in a folder that all can write are used"; exit 1; }
