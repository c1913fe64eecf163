#!/usr/bin/env bash
# old_processor.sh PROGRAM CPU SET: the program under qemu's model of a processor takes that instruction set and no other.
# 77: there is no qemu here.
set -euo pipefail
emulator=$(command -v qemu-x86_64 || command -v qemu-x86_64-static) || { echo "skipped: no qemu-x86_64 (qemu-user)"; exit 77; }
unset KINETREE_ISA
said=$("$emulator" -cpu "$2" "$1")
echo "$said"
[[ "$said" == "$3: all agree" ]]
