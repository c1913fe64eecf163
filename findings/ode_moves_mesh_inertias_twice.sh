#!/usr/bin/env bash
# ODE 0.16.2: dMassSetTrimesh gives the moments of a mesh with the parallel axes of its centre of mass added twice. A cube of
# 1 kg and 1 m whose centre is 1 m from the origin has 1/6 + 1 = 1.1667 kg m^2 about the origin, as dMassSetBox with
# dMassTranslate says; the same cube as a mesh gets 2.1667. Centre and mass are right, so that after the usual dMassTranslate by
# -c the body has the moments about the origin in place of those about its centre. Its page says that the mass is that of the mesh
# at a density. Guess, before it was run: products of inertia have a wrong sign (they have not); the moments were no guess.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
build program -w -DdIDEDOUBLE -Wl,--disable-new-dtags -Wl,--unresolved-symbols=ignore-in-shared-libs -lode <<'X'
#include <cstdio>
#include <initializer_list>
#include <ode/ode.h>
int main() {
  dInitODE();
  const dTriIndex triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  for (const double off : {0.0, 1.0}) {
    double corners[24];
    for (int k = 0; k < 8; ++k) {
      corners[3 * k] = (k & 1) - 0.5 + off;
      corners[3 * k + 1] = (k >> 1 & 1) - 0.5;
      corners[3 * k + 2] = (k >> 2) - 0.5;
    }
    const auto data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, corners, 3 * sizeof(double), 8, triangles, 36, 3 * sizeof(dTriIndex));
    dMass mesh, box;
    dMassSetTrimesh(&mesh, 1, dCreateTriMesh(0, data, 0, 0, 0));
    dMassSetBox(&box, 1, 1, 1, 1);
    dMassTranslate(&box, off, 0, 0);
    std::printf("centre at x = %g: mesh %.4f kg, Izz %.4f; box %.4f kg, Izz %.4f\n", mesh.c[0], mesh.mass, mesh.I[10], box.mass, box.I[10]);
  }
}
X
expect "centre at x = 0: mesh 1.0000 kg, Izz 0.1667; box 1.0000 kg, Izz 0.1667
centre at x = 1: mesh 1.0000 kg, Izz 2.1667; box 1.0000 kg, Izz 1.1667" "$(./program)"
