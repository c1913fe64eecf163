#!/usr/bin/env bash
# The installed command, its manual page and the completion of its words, each against what --help says.
# usage: command.sh PREFIX
set -euo pipefail
command=$1/bin/kinetree
[[ -x $command ]] || { echo "command.sh: this build has no command"; exit 0; }
page=$(find "$1" -name kinetree.1)
script=$(find "$1" -path '*/bash-completion/completions/kinetree')
zsh=$(<"$(find "$1" -name _kinetree)")
fish=$(<"$(find "$1" -name kinetree.fish)")
fail() { echo "command.sh: $*" >&2; exit 1; }

# the words that bash offers after these
offered() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _kinetree
  echo "${COMPREPLY[*]}"
}
# shellcheck source=/dev/null
source <(sed '/^complete /d' "$script")
manual=$(sed 's/\\-/-/g; s/\\f[BR]//g' "$page")
mapfile -t subcommands < <("$command" --help | sed -n '/^Subcommands:/,$p' | grep -oE '^  [a-z]+' | tr -d ' ')
((${#subcommands[@]} > 9)) || fail "--help lists ${#subcommands[@]} subcommands"
for sub in "${subcommands[@]}"; do
  [[ " $(offered kinetree "") " == *" $sub "* ]] || fail "$sub is not completed"
  grep -q "^.SS kinetree $sub " <<<"$manual" || fail "$sub is not in the manual page"
  of_zsh=$(sed -n "/^    $sub) _arguments/,/;;$/p" <<<"$zsh")
  for option in $("$command" "$sub" --help | grep -oE '^  (-[a-z],)?--[a-z-]+' | grep -oE -- '--.*'); do
    [[ " $(offered kinetree "$sub" --) " == *" $option "* ]] || fail "$sub $option is not completed"
    sed -n "/^.SS kinetree $sub /,/^.SS /p" <<<"$manual" | grep -qF -- "$option" || fail "$sub $option is not in the manual page"
    grep -qF -- "$option[" <<<"$of_zsh" || fail "$sub $option is not in zsh's script"
    grep -qE "from $sub' -l ${option#--}( |$)" <<<"$fish" || fail "$sub $option is not in fish's script"
  done
done
for shell in zsh fish; do
  if command -v $shell >/dev/null; then $shell -n <(printf '%s' "${!shell}") || fail "the script of $shell is refused"; fi
done
[[ $(offered kinetree solve --algorithm c) == "crb cfa" ]] || fail "--algorithm c is completed to: $(offered kinetree solve --algorithm c)"
if command -v groff >/dev/null; then
  warnings=$(groff -man -ww -Kutf8 -Tutf8 -z "$page" 2>&1)
  [[ -z $warnings ]] || fail "$warnings"
fi
