#!/usr/bin/env bash
# yaml-cpp's Node::as<double> reads by C++'s global locale: under a decimal comma with points between thousands 1.500 is
# fifteen hundred, in silence, and 1.5 no number. YAML's own form of numbers (YAML 1.2.2, 10.2.1.4) knows no locale.
# as<int> reads 010 as eight in every locale, which is ten in YAML 1.2's core schema (YAML 1.1 had eight).
# Guess, before this script, after a first trial:
# convert<double> reads by a stringstream, which takes std::locale(), so 1.500 gives 1500.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libyaml-cpp-dev=0.7.0+dfsg-8+b1 libyaml-cpp0.7=0.7.0+dfsg-8+b1
build program -lyaml-cpp <<'X'
#include <yaml-cpp/yaml.h>
#include <cstdio>
#include <locale>
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};
void read(const char* text) {
  try {
    std::printf(" %s is %g;", text, YAML::Load(text).as<double>());
  } catch (const YAML::Exception&) {
    std::printf(" %s is no number;", text);
  }
}
int main() {
  std::printf("classic:"), read("1.500"), read("1.5");
  std::printf(" 010 as int is %d\n", YAML::Load("010").as<int>());
  std::locale::global(std::locale(std::locale(), new Comma));
  std::printf("decimal comma:"), read("1.500"), read("1.5"), std::printf("\n");
}
X
expect 'classic: 1.500 is 1.5; 1.5 is 1.5; 010 as int is 8
decimal comma: 1.500 is 1500; 1.5 is no number;' "$(./program)"
