#!/usr/bin/env bash
# libmujoco 2.2.2 reads attributes of MJCF by C++'s global locale: under a decimal comma with points between thousands
# pos="1.5 0 0" is an error that names the attribute, not the locale, and mass="1.500" is fifteen hundred kilograms without
# a word. C's locale has no say.
# Guess for the mass, before it was run (the error on pos had been seen):
# ReadAttr fills numbers from an istringstream; 1.5 fails, since a group of thousands has three
# digits, and 1.500 is taken for 1500.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libmujoco-dev=2.2.2-3 libmujoco2.2.2=2.2.2-3 libtinyxml2-9=9.0.0+dfsg-3.1 libccd2=2.1-2+b1 libqhull-r8.0=2020.2-5 \
  liblodepng0=0.0~git20220618.b4ed2cd-3 locales=2.36-9+deb12u14
locale_of de_DE
build program -lmujoco <<'X'
#include <mujoco/mujoco.h>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <locale>
#include <string>
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};
std::string read(const std::string& position) {
  const std::string text = "<mujoco><worldbody><body pos='" + position + " 0 0'><joint/><geom size='1' mass='1.500'/></body>"
                           "</worldbody></mujoco>";
  static mjVFS files;
  mj_defaultVFS(&files);
  mj_makeEmptyFileVFS(&files, "model.xml", static_cast<int>(text.size()));
  std::memcpy(files.filedata[0], text.data(), text.size());
  char error[1000] = "", line[100] = "";
  mjModel* model = mj_loadXML("model.xml", &files, error, sizeof error);
  mj_deleteVFS(&files);
  if (!model) return std::string(error).substr(0, std::string(error).find('\n'));
  std::snprintf(line, sizeof line, "x is %d mm, mass is %d g", static_cast<int>(1e3 * model->body_pos[3]),
                static_cast<int>(1e3 * model->body_mass[1]));
  mj_deleteModel(model);
  return line;
}
int main() {
  std::printf("classic: %s\n", read("1.5").c_str());
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) return 1;
  std::printf("de_DE of C: %s\n", read("1.5").c_str());
  std::setlocale(LC_ALL, "C");
  std::locale::global(std::locale(std::locale(), new Comma));
  std::printf("decimal comma of C++: %s\n", read("1.5").c_str());
  std::printf("the same, x an integer: %s\n", read("2").c_str());
}
X
expect "classic: x is 1500 mm, mass is 1500 g
de_DE of C: x is 1500 mm, mass is 1500 g
decimal comma of C++: XML Error: problem reading attribute 'pos'
the same, x an integer: x is 2000 mm, mass is 1500000 g" "$(./program)"
