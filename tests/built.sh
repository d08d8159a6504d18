#!/bin/sh
# What a build lacks, in one line; sourced by tests of a build.
# built TARGET FILE: ends the test unless FILE, of that target, exists.
built() {
  [ -e "$2" ] || { echo "not built: the target $1, which makes $2"; exit 1; }
}
# install_build TARGET BUILD_DIR OPTION...: `cmake --install`, which ends the test where a file is missing; TARGET makes all that it installs.
install_build() {
  install_target=$1
  shift
  install_text=$(cmake --install "$@" 2>&1) && return
  missing=$(printf %s "$install_text" | tr -s '\n ' ' ' | sed -n 's/.*cannot find "\([^"]*\)".*/\1/p')
  [ -z "$missing" ] || built "$install_target" "$missing"
  echo "$install_text"
  exit 1
}
