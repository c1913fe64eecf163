#!/usr/bin/env bash
# usage: dies.sh MPIEXEC PROGRAM TIMES: so many times one of three ranks is killed in the middle of a solve, at a moment of chance. All
# must end, with the exit status of a kill (that of a process, or the signal: Open MPI, MPICH; MPICH may name the signal by
# which it ends the others, or that of a rank which ended itself since another was gone).
set -u
for ((try = 1; try <= $3; ++try)); do
  timeout 20 "$(dirname "$0")/on_ranks.sh" "$1" 3 "$2" $((try % 3)) "0.$((RANDOM % 4))$((RANDOM % 10))" &>"${TMPDIR:-/tmp}/kinetree_dies.$$"
  status=$?
  if [[ ! " 9 15 6 " == *" $((status % 128)) "* ]] ||
    grep -qE "terminate called|corrupted|AddressSanitizer" "${TMPDIR:-/tmp}/kinetree_dies.$$"; then
    cat "${TMPDIR:-/tmp}/kinetree_dies.$$" >&2
    echo "try $try ended with status $status" >&2
    exit 1
  fi
done
rm -f "${TMPDIR:-/tmp}/kinetree_dies.$$"
