# Sourced by each finding. Pinned Debian packages are unpacked in a temporary folder, which is gone at the end, and their
# names and versions printed; programs are built from C++ on stdin and run against them. Nothing is installed.
set -euo pipefail
export LC_ALL=C
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
libraries="$folder/root/usr/lib/$(gcc -print-multiarch)"

unpack() {  # PACKAGE=VERSION...
  printf 'with %s\n' "$@"
  apt-get -o APT::Sandbox::User=root download -qq "$@" || { echo "these versions are not to be had (apt-get update?)"; exit 1; }
  local package
  for package in *.deb; do dpkg -x "$package" root; done
}

node_package() {  # NAME@VERSION   of npm, for scripts of node in this folder
  echo "with ${1/@/ } of npm"
  npm install --silent --no-audit --no-fund "$1" > log || { echo "npm has it not"; exit 1; }
}

build() {  # PROGRAM FLAG...   < C++
  local program="$1"
  shift
  g++ -std=c++17 -DNDEBUG -I root/usr/include -x c++ - -x none -o "$program" -L "$libraries" "$@" -Wl,-rpath,"$libraries" \
    -Wl,-rpath-link,"$libraries"
}

locale_of() {  # NAME   makes the C locale NAME.UTF-8 from the sources of the package `locales`, and sets LOCPATH
  mkdir -p locales
  I18NPATH="$folder/root/usr/share/i18n" localedef -i "$1" -f UTF-8 "locales/$1.UTF-8"
  export LOCPATH="$folder/locales"
}

expect() {  # WANTED SEEN   both are printed where they differ
  if [[ "$1" == "$2" ]]; then
    printf 'seen:\n%s\n' "$2"
  else
    printf 'this has changed. Before:\n%s\nnow:\n%s\n' "$1" "$2"
    exit 1
  fi
}
