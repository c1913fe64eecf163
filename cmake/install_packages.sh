# Sourced by the run scripts. install_packages SECTION...: what is missing of these sections of cmake/packages.txt.
install_packages() {
  local list section name missing=() as_root=()
  list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"
  for section in "$@"; do
    for name in $(sed -n "/^\[$section\]/,/^\[/{/^\[/d;/^#/d;p}" "$list"); do
      dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
    done
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}
