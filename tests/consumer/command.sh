#!/usr/bin/env bash
# The installed command and its manual page, against what --help says.
# usage: command.sh PREFIX
set -euo pipefail
command=$1/bin/kinetree
[[ -x $command ]] || { echo "command.sh: this build has no command"; exit 0; }
page=$(find "$1" -name kinetree.1)
fail() { echo "command.sh: $*" >&2; exit 1; }

manual=$(sed 's/\\-/-/g; s/\\f[BR]//g' "$page")
mapfile -t subcommands < <("$command" --help | sed -n '/^Subcommands:/,$p' | grep -oE '^  [a-z]+' | tr -d ' ')
((${#subcommands[@]} > 9)) || fail "--help lists ${#subcommands[@]} subcommands"
for sub in "${subcommands[@]}"; do
  grep -q "^.SS kinetree $sub " <<<"$manual" || fail "$sub is not in the manual page"
  for option in $("$command" "$sub" --help | grep -oE '^  (-[a-z],)?--[a-z-]+' | grep -oE -- '--.*'); do
    sed -n "/^.SS kinetree $sub /,/^.SS /p" <<<"$manual" | grep -qF -- "$option" || fail "$sub $option is not in the manual page"
  done
done
if command -v groff >/dev/null; then
  warnings=$(groff -man -ww -Kutf8 -Tutf8 -z "$page" 2>&1)
  [[ -z $warnings ]] || fail "$warnings"
fi
