#!/usr/bin/env bash
# exports.sh NM OBJECT SET: the object of an instruction set shows the linker its seven factories and nothing else, so that
# no inline function compiled for it can stand in for one compiled for every processor.
set -euo pipefail
shown=$("$1" --extern-only --defined-only --format=posix "$2" | cut -d' ' -f1 | sort | tr '\n' ' ')
expected=$(while read -r of order; do
  name=make_$3_$of
  echo "_ZN8kinetree5inner5lanes${#name}${name}ERKNS1_${#order}${order}E"
done << 'X' | sort | tr '\n' ' '
float Order
double Order
float_function Order
double_function Order
float_derivatives Order
double_derivatives Order
floating FloatingOrder
X
)
[[ "$shown" == "$expected" ]] || { echo "$2 shows $shown; expected $expected"; exit 1; }
echo "$2 shows its factories alone"
