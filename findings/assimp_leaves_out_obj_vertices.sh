#!/usr/bin/env bash
# Assimp 5.2.5 leaves out an OBJ file's vertex that has a coordinate written as .5, without an error: later vertices take the
# numbers of those before them, so that faces join other corners than the file says. C and Fortran programs write such numbers,
# and the format (Wavefront, "Object Files", version 3.0) has floating point numbers without a rule against them.
# The vertex .5 was met when kinetree's own reader of meshes was tried. Guess for the others, before they were run: only the
# first character counts, so -.5 and +.5 are read, and 5. and 5e-1 too. So it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libassimp-dev=5.2.5~ds0-1+b1 libassimp5=5.2.5~ds0-1+b1 libdraco7=1.5.5+dfsg-2 libminizip1=1.1-8+deb12u1
build program -lassimp <<'X'
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>
#include <cstdio>
#include <string>
void read(const char* number) {
  const std::string text = std::string("v 0 0 0\nv ") + number + " 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 4\n";
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFileFromMemory(text.data(), text.size(), 0, "obj");
  std::printf("%s:", number);
  if (!scene) std::printf(" refused");
  for (unsigned i = 0; scene && i < scene->mMeshes[0]->mNumVertices; ++i) {
    const aiVector3D& x = scene->mMeshes[0]->mVertices[i];
    std::printf(" (%g %g)", x.x, x.y);
  }
  std::printf("\n");
}
int main() {
  for (const char* number : {"0.5", ".5", "-.5", "+.5", "5.", "5e-1"}) read(number);
}
X
expect '0.5: (0 0) (0.5 0) (1 1)
.5: (0 0) (1 0) (0 1)
-.5: (0 0) (-0.5 0) (1 1)
+.5: (0 0) (0.5 0) (1 1)
5.: (0 0) (5 0) (1 1)
5e-1: (0 0) (0.5 0) (1 1)' "$(./program)"
