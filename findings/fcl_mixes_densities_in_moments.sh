#!/usr/bin/env bash
# FCL 0.7: computeMomentofInertia gives moments at a density of one for a box, the other solids and a mesh (BVHModel), and for a mass
# of one for Convex: of the same cube of 10 cm a thousand times as much. computeMomentofInertiaRelatedToCOM takes the parallel axes of
# a density of one off both, so a Convex that stands 1 m from its origin has 1.0007 about its own centre, 600 times too much for
# a mass of one; where its volume is above 1, moments come out negative. The header has one sentence for all: the inertia
# matrix, related to the origin, or to the com. First guess: a capsule lacks terms (wrong, as its source
# showed). Second guess, from the source of Convex and before this was run: so it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libfcl-dev=0.7.0-3+b1 libfcl0.7=0.7.0-3+b1 libccd-dev=2.1-2+b1 libccd2=2.1-2+b1 liboctomap-dev=1.9.7+dfsg-3+b1 \
  liboctomap1.9=1.9.7+dfsg-3+b1 libeigen3-dev=3.4.0-4
build program -w -I root/usr/include/eigen3 -Wl,--disable-new-dtags -lfcl -lccd -loctomap -loctomath <<'X'
#include <cstdio>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <memory>
#include <vector>
using namespace fcl;
void show(const char* name, const CollisionGeometryd& g) {
  std::printf("%s: volume %g, centre at x = %g, Izz %.4g, about the centre %.4g\n", name, g.computeVolume(), g.computeCOM()[0],
              g.computeMomentofInertia()(2, 2), g.computeMomentofInertiaRelatedToCOM()(2, 2));
}
void cube(double side, double off) {
  const auto corners = std::make_shared<std::vector<Vector3d>>();
  for (int k = 0; k < 8; ++k)
    corners->push_back(side * Vector3d((k & 1) - 0.5, (k >> 1 & 1) - 0.5, (k >> 2) - 0.5) + Vector3d(off, 0, 0));
  const int sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  const auto faces = std::make_shared<std::vector<int>>();
  BVHModel<OBBd> mesh;
  mesh.beginModel();
  for (const auto& s : sides) {
    faces->insert(faces->end(), {4, s[0], s[1], s[2], s[3]});
    mesh.addTriangle((*corners)[s[0]], (*corners)[s[1]], (*corners)[s[2]]);
    mesh.addTriangle((*corners)[s[0]], (*corners)[s[2]], (*corners)[s[3]]);
  }
  mesh.endModel();
  if (off == 0) show("box", Boxd(side, side, side));
  show("mesh", mesh);
  show("convex", Convexd(corners, 6, faces));
}
int main() {
  cube(0.1, 0);
  cube(0.1, 1);
  cube(2, 1);
}
X
expect "box: volume 0.001, centre at x = 0, Izz 1.667e-06, about the centre 1.667e-06
mesh: volume 0.001, centre at x = 0, Izz 1.667e-06, about the centre 1.667e-06
convex: volume 0.001, centre at x = 0, Izz 0.001667, about the centre 0.001667
mesh: volume 0.001, centre at x = 1, Izz 0.001002, about the centre 1.667e-06
convex: volume 0.001, centre at x = 1, Izz 1.002, about the centre 1.001
mesh: volume 8, centre at x = 1, Izz 13.33, about the centre 5.333
convex: volume 8, centre at x = 1, Izz 1.667, about the centre -6.333" "$(./program)"
