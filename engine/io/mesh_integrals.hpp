#pragma once
// Inertia of unit density of what triangles enclose, and of the triangles themselves, whose mass is their area.

#include "engine/io/mesh_triangles.hpp"
#include "engine/io/solid_inertia.hpp"

namespace kinetree::inline inner {

/// The solid between faces that close it: tetrahedra from one point to each face, negative where a face looks back at
/// it. A surface that is inside out has negative mass and moments.
SolidInertia solid_between(const TriangleMesh& mesh);

/// As MuJoCo 3 has it by default ("legacy"): every tetrahedron counts as positive, so that faces may look either way.
/// More than the volume, unless every face can be seen from the centre.
SolidInertia solid_of_absolutes(const TriangleMesh& mesh);

/// The faces as a shell of unit thickness.
SolidInertia shell_of(const TriangleMesh& mesh);

}  // namespace kinetree::inline inner
