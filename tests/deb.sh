#!/bin/bash
# The Debian packages: built by cpack, unpacked into one folder, and tried from there. They remain in BUILD_DIR/deb, for deb_chroot.sh.
# Usage: deb.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
for tool in cpack dpkg-deb dpkg-shlibdeps; do command -v $tool >/dev/null || { echo "skipped: no $tool (Debian: cmake, dpkg-dev)"; exit 77; }; done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
debs=$build/deb
rm -rf "$debs"
(cd "$build" && cpack -G DEB -B "$debs") >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
rm -rf "$debs/_CPack_Packages"
root=$tmp/root
mkdir "$root"
for package in libgridblas0 libgridblas-dev gridblas python3-gridblas; do
  deb=$(find "$debs" -maxdepth 1 -name "${package}_*.deb")
  [ -n "$deb" ] || { echo "there is no package $package"; ls "$debs"; exit 1; }
  dpkg-deb -f "$deb" Package Version Architecture Depends
  # each dependency exists in this distribution, or is one of these packages
  for need in $(dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed 's/|.*//; s/(.*//'); do
    case $need in libgridblas0 | libgridblas-dev) continue ;; esac
    apt-cache show "$need" >/dev/null 2>&1 || { echo "$package needs $need, which there is not"; exit 1; }
  done
  dpkg-deb -c "$deb" | awk '$NF !~ /\/$/ { print $NF }' >>"$tmp/files"
  dpkg-deb -x "$deb" "$root"
done
[ -z "$(sort "$tmp/files" | uniq -d)" ] || { echo "in two packages:"; sort "$tmp/files" | uniq -d; exit 1; }

if command -v lintian >/dev/null; then
  echo "== Debian's policy"
  # The maintainer has no address. cmake/debian/overrides has the reasons for other exceptions.
  lintian --fail-on error,warning --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$debs"/*.deb
fi

libraries=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
[ -e "$libraries/libgridblas.so.0" ] || { echo "the library is not in Debian's folder for this architecture (configured long ago? cmake -U CMAKE_INSTALL_LIBDIR)"; exit 1; }
export LD_LIBRARY_PATH=$libraries PKG_CONFIG_PATH=$libraries/pkgconfig
echo "== the program"
"$root/usr/bin/gridblas" bfs mesh:4x5 --check
for plugin in "$build"/libgridblas-*.so; do
  [ -e "$libraries/gridblas/${plugin##*/}" ] || { echo "no package has ${plugin##*/}"; exit 1; }
done
"${MPIEXEC:-mpirun}" -n 2 "$root/usr/bin/gridblas" info mesh:4x5 | grep 'grid: *2x1'
[ -s "$root/usr/share/man/man1/gridblas-bfs.1.gz" ] || { echo "there are no manual pages"; exit 1; }
echo "== a program of one's own"
# shellcheck disable=SC2046 # flags are words
cc "$source/examples/bfs.c" $(pkg-config --cflags --libs gridblas) -o "$tmp/bfs"
"$tmp/bfs" | grep "6 of 8 vertices reached"
echo "== Python"
PYTHONPATH=$(dirname "$(find "$root/usr" -path '*dist-packages/gridblas' -type d)") PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c '
import gridblas as gb
from importlib.metadata import entry_points
A = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
assert A.reduce_scalar("plus").new().value == 6
assert "gridblas" in {e.name for e in entry_points(group="networkx.backends")}
print(gb.__file__)'
