#!/bin/bash
# Unpacks Debian's packages of another processor or of an older Debian, with those that they need, into a folder that a compiler takes as its --sysroot.
# Usage: packaging/sysroot.sh WORK_FOLDER SUITE ARCHITECTURE PACKAGE...    for example: wheels/root bullseye amd64 libc6-dev zlib1g-dev
# The packages are in WORK_FOLDER/root; nothing is installed. Status 77: the mirror does not answer (GRIDBLAS_MIRROR: another one).
set -eu
[ $# -ge 4 ] || { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
work=$1 suite=$2 arch=$3
shift 3
[ "$(cat "$work/complete" 2>/dev/null)" != "$suite $arch $*" ] || exit 0
rm -rf "$work/root" "$work/complete"
mkdir -p "$work"/apt/{state/lists/partial,cache/archives/partial} "$work/root"
work=$(realpath "$work") root=$work/root
: >"$work/apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${GRIDBLAS_MIRROR:-http://deb.debian.org/debian} $suite main" >"$work/apt/sources"
apt=(apt-get -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::State="$work/apt/state" -o Dir::State::status="$work/apt/status"
     -o Dir::Etc::sourcelist="$work/apt/sources" -o Dir::Etc::sourceparts=- -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User="$(id -un)"
     -o Debug::NoLocking=true)
"${apt[@]}" update >"$work/apt/log" 2>&1 || { echo "skipped: the mirror does not answer: $(tail -n 1 "$work/apt/log")"; exit 77; }
"${apt[@]}" install -y --no-install-recommends --download-only "$@" >>"$work/apt/log" 2>&1 || { tail -n 5 "$work/apt/log"; exit 1; }
for deb in "$work"/apt/cache/archives/*.deb; do dpkg-deb -x "$deb" "$root"; done
rm -rf "$work/apt/cache" "$work/apt/state"
# links to absolute paths would lead to this machine's files
find "$root" -type l -lname '/*' | while read -r link; do ln -snf "$root$(readlink "$link")" "$link"; done
echo "$suite $arch $*" >"$work/complete"
