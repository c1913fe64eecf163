#!/usr/bin/env bash
# README's library example as it stands: its lines of C++ in the main of a program, its lines of CMake beside them.
# usage: readme.sh README FOLDER   writes simulator.cpp and simulator.cmake
set -euo pipefail
code=$(awk '/^## /{inside = $0 == "## The library"} inside && /^    /{print substr($0, 5)}' "$1")
cmake=$(grep -E '^(find_package|target_link_libraries)\(' <<<"$code")
includes=$(grep -E '^#include' <<<"$code")
body=$(grep -vE '^(find_package|target_link_libraries)\(|^#include|^cmake |^\$ ' <<<"$code")
printf '%s\n\nint main() {\n%s\n}\n' "$includes" "$body" >"$2/simulator.cpp"
printf '%s\n' "$cmake" >"$2/simulator.cmake"
