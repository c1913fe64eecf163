#!/usr/bin/env bash
# nlohmann-json reads 1.5 as 1 under a C locale whose decimal point takes two bytes in UTF-8 (ps_AF; fa_IR alike), in
# silence where NDEBUG is set: its lexer puts localeconv()->decimal_point[0] in the point's place for strtod, which stops
# at half a character. Under de_DE, whose comma is one byte, it reads right.
# Guess, before this script, after a first trial:
# so it is, since the lexer keeps one char of the sign and checks strtod's end by assert alone.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack nlohmann-json3-dev=3.11.2-2 locales=2.36-9+deb12u14
locale_of de_DE
locale_of ps_AF
build program <<'X'
#include <nlohmann/json.hpp>
#include <clocale>
#include <cstdio>
int main() {
  for (const char* name : {"C", "de_DE.UTF-8", "ps_AF.UTF-8"}) {
    if (!std::setlocale(LC_ALL, name)) return 1;
    const double x = nlohmann::json::parse("1.5").get<double>();
    std::setlocale(LC_ALL, "C");
    std::printf("%s: 1.5 is %g\n", name, x);
  }
}
X
expect 'C: 1.5 is 1.5
de_DE.UTF-8: 1.5 is 1.5
ps_AF.UTF-8: 1.5 is 1' "$(./program)"
