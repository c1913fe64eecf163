#!/usr/bin/env bash
# libsdformat 12 and locales. It sets the C locale of numbers of the whole process to "C" when it reads, and leaves it so;
# a URDF that it reads, or that an SDFormat file includes, goes through streams that take C++'s global locale: under a
# decimal comma with points between thousands a link of 1234.5 kg has 1.234 kg, without a word. The same numbers in
# SDFormat itself are read right there. And what follows a number in an element is dropped: <damping>1,5</damping> is 1.
# Guess, before this script, after a first trial: Param.cc calls setlocale(LC_NUMERIC, "C") (its comment names a bug of
# Latin locales), the converter of URDF writes SDFormat by ostringstream, and a value is taken as far as std::stod goes.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack_sdformat locales=2.36-9+deb12u14
locale_of de_DE
build program "${sdformat[@]}" <<'X'
#include <clocale>
#include <cstdio>
#include <locale>
#include <sdf/sdf.hh>
const char* urdf = "<robot name='r'><link name='a'><inertial><mass value='1234.5'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
                   "ixz='0' iyz='0'/></inertial></link></robot>";
const char* sdformat = "<sdf version='1.9'><model name='m'><link name='a'><inertial><mass>1234.5</mass></inertial></link>"
                       "<link name='b'/><joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1"
                       "</xyz><dynamics><damping>1,5</damping></dynamics></axis></joint></model></sdf>";
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};
double mass(const char* text) {
  sdf::Root root;
  root.LoadSdfString(text);
  return root.Model()->LinkByIndex(0)->Inertial().MassMatrix().Mass();
}
int main() {
  sdf::Root root;
  const bool errors = !root.LoadSdfString(sdformat).empty();
  const double damping = root.Model()->JointByIndex(0)->Axis(0)->Damping();
  std::printf("errors: %d; damping 1,5 is %g\n", errors, damping);
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) return 1;
  mass(sdformat);
  std::printf("numbers were of de_DE.UTF-8, and are of %s\n", std::setlocale(LC_NUMERIC, nullptr));
  std::setlocale(LC_ALL, "C");
  std::printf("classic: URDF %g kg, SDFormat %g kg\n", mass(urdf), mass(sdformat));
  std::locale::global(std::locale(std::locale(), new Comma));
  const double of_urdf = mass(urdf), of_sdformat = mass(sdformat);
  std::printf("decimal comma: URDF %g kg, SDFormat %g kg\n", of_urdf, of_sdformat);
}
X
expect 'errors: 0; damping 1,5 is 1
numbers were of de_DE.UTF-8, and are of C
classic: URDF 1234.5 kg, SDFormat 1234.5 kg
decimal comma: URDF 1.234 kg, SDFormat 1234.5 kg' "$(./program 2> /dev/null)"
