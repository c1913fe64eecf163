#!/usr/bin/env bash
# libsdformat 12.3.0 loads a model whose revolute, prismatic or universal joint has no <axis> without an error: Root::LoadSdfString
# returns none, the joint keeps its type, and Joint::Axis() is a null pointer, as it is of a ball joint, which needs no axis.
# The default (0, 0, 1) of <xyz> counts only where an <axis> stands. So whoever takes an empty list of errors for a model
# that can move has to look at each pointer. Guess before it was run: an error for revolute, prismatic and universal joints.
# It was wrong for all three; a second guess, that <axis/> alone gives (0, 0, 1), was right.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack_sdformat
build program "${sdformat[@]}" <<'X'
#include <cstdio>
#include <sdf/sdf.hh>
#include <string>
void read(const std::string& type, const std::string& axis) {
  sdf::Root root;
  const auto errors = root.LoadSdfString("<sdf version='1.9'><model name='m'><link name='a'/><link name='b'/><joint name='j' type='" +
                                         type + "'><parent>a</parent><child>b</child>" + axis + "</joint></model></sdf>");
  const sdf::JointAxis* found = root.Model()->JointByIndex(0)->Axis();
  std::printf("%s, %s: %zu errors, ", type.c_str(), axis.empty() ? "none" : axis.c_str(), errors.size());
  if (found == nullptr)
    std::printf("no axis\n");
  else
    std::printf("axis %g %g %g\n", found->Xyz().X(), found->Xyz().Y(), found->Xyz().Z());
}
int main() {
  for (const char* type : {"revolute", "prismatic", "universal", "ball"}) read(type, "");
  read("revolute", "<axis/>");
}
X
expect 'revolute, none: 0 errors, no axis
prismatic, none: 0 errors, no axis
universal, none: 0 errors, no axis
ball, none: 0 errors, no axis
revolute, <axis/>: 0 errors, axis 0 0 1' "$(./program 2>&1)"
