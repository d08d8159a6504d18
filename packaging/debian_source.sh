#!/bin/bash
# The Debian source package of the committed files, which `apt-get build-dep` and dpkg-buildpackage understand: packaging/debian_source.sh OUT [--build]
# OUT gets gridblas_VERSION.orig.tar.gz, ….debian.tar.xz and ….dsc. --build: the four packages are built from them, too, in minutes, and checked by
# lintian; --install as well, as root: installs what is missing (debhelper and the build's dependencies).
set -eu
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 1 ] && out=$1 || usage
shift
build='' install=''
for option in "$@"; do
  case $option in --build) build=1 ;; --install) install=1 ;; *) usage ;; esac
done
cd "$(dirname "$0")/.."
source=$PWD
mkdir -p "$out" && out=$(realpath "$out")
version=$(sed -n 's/^project(gridblas VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
tree=$out/gridblas-$version
for tool in dpkg-source git ${build:+dh dh_python3 lintian}; do
  [ -n "$install" ] || command -v $tool >/dev/null || { echo "skipped: no $tool (Debian: dpkg-dev, git, debhelper, dh-python, lintian; or --install)"; exit 77; }
done

rm -rf "$tree"
git archive --prefix="gridblas-$version/" HEAD | gzip -9n >"$out/gridblas_$version.orig.tar.gz"
tar -xzf "$out/gridblas_$version.orig.tar.gz" -C "$out"
cp -r "$source/packaging/debian" "$tree/debian"
cp cmake/debian/copyright "$tree/debian/copyright"
sed "s/@PROJECT_VERSION@/$version-1/" cmake/debian/changelog.in >"$tree/debian/changelog"
(cd "$out" && dpkg-source -b "gridblas-$version")
[ -n "$build" ] || { rm -rf "$tree"; exit 0; }

[ -z "$install" ] || DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends lintian
[ -z "$install" ] || DEBIAN_FRONTEND=noninteractive apt-get build-dep -qy --no-install-recommends "$tree"
(cd "$tree" && dpkg-buildpackage -us -uc -b >"$out/build.log" 2>&1) || { tail -n 30 "$out/build.log"; exit 1; }
rm -rf "$tree"
# the maintainer has no address, and Debian no bug report that asks for the package
lintian --fail-on error,warning --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs "$out"/*.dsc "$out"/*.deb
