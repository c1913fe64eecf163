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

unpack_dart() {  # PACKAGE=VERSION...   DART 6.12 with what its headers and libraries ask for; its flags are in `dart`
  local version=6.12.1+dfsg4-12+b2 package own=()
  for package in libdart-dev libdart6.12 libdart-utils-urdf-dev libdart-utils-urdf6.12 libdart-utils-dev libdart-utils6.12 \
    libdart-external-ikfast-dev libdart-external-convhull-3d-dev libdart-external-odelcpsolver-dev \
    libdart-external-odelcpsolver6.12; do own+=("$package=$version"); done
  unpack "${own[@]}" libfcl-dev=0.7.0-3+b1 libfcl0.7=0.7.0-3+b1 libccd-dev=2.1-2+b1 libccd2=2.1-2+b1 \
    liboctomap-dev=1.9.7+dfsg-3+b1 liboctomap1.9=1.9.7+dfsg-3+b1 libassimp-dev=5.2.5~ds0-1+b1 libassimp5=5.2.5~ds0-1+b1 \
    liburdfdom-model3.0=3.0.1-1 liburdfdom-world3.0=3.0.1-1 libeigen3-dev=3.4.0-4 libboost1.74-dev=1.74.0+ds1-21 "$@"
  dart=(-w -I root/usr/include/eigen3 -Wl,--disable-new-dtags -ldart -ldart-utils -ldart-utils-urdf
    -ldart-external-odelcpsolver -lassimp -lfcl -lccd -loctomap -loctomath)
}

unpack_sdformat() {  # PACKAGE=VERSION...   libsdformat 12.3 with what it asks for; its flags are in `sdformat`
  unpack libsdformat-dev=12.3.0+ds-2 libsdformat12-12=12.3.0+ds-2 sdformat-sdf=12.3.0+ds-2 \
    libignition-math-dev=6.10.0+ds3-7+b4 libignition-math6-6=6.10.0+ds3-7+b4 libignition-utils-dev=1.2.0+ds-1 \
    libtinyxml2-9=9.0.0+dfsg-3.1 libtinyxml2.6.2v5=2.6.2-6+deb12u1 liburdfdom-model3.0=3.0.1-1 \
    libconsole-bridge1.0=1.0.1+dfsg2-3+b1 "$@"
  sdformat=(-I root/usr/include/sdformat-12.3 -I root/usr/include/ignition/math6 -I root/usr/include/ignition/utils1
    -lsdformat12 -lignition-math6)
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
