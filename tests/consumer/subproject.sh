#!/usr/bin/env bash
# kinetree inside another project: configures tests/consumer/subproject by both ways, and sees that nothing is installed.
# usage: subproject.sh KINETREE_FOLDER CXX_COMPILER [--build [CMAKE_OPTION...]]
# --build: builds and runs its program too, which compiles the libraries.
set -euo pipefail
folder=$1 compiler=$2
shift 2
build=
[[ ${1:-} != --build ]] || { build=yes; shift; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for by in FetchContent add_subdirectory; do
  cmake -S "$folder/tests/consumer/subproject" -B "$work/$by" -G Ninja -DKINETREE_FOLDER="$folder" -DBY=$by \
    -DCMAKE_CXX_COMPILER="$compiler" "$@"
  grep -q 'CMAKE_INSTALL_COMPONENT' "$work/$by/cmake_install.cmake"
  if grep -rlE 'file\(INSTALL' "$work/$by" --include=cmake_install.cmake; then
    echo "subproject.sh: these install" >&2
    exit 1
  fi
done
[[ -z $build ]] || { cmake --build "$work/FetchContent" -j2 --target engine_only && "$work/FetchContent/engine_only"; }
