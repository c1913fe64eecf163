#pragma once
// <inertial auto="true">, which SDFormat has since 1.11: the inertia of a link from its collisions and their density.

#include <kinetree/load_model.hpp>
#include <sdf/Link.hh>
#include <string>

#include "engine/io/sdf_mesh.hpp"
#include "engine/io/sdf_places.hpp"

namespace kinetree::inline inner {

class SdfAutoInertias {
 public:
  SdfAutoInertias(const SdfPlaces& places, Reading& reading) : places_(places), reading_(reading) {}

  /// Whether the link's inertia is to be found here.
  static bool asked_for(const sdf::Link& link);

  /// Gives the body, which has the link's shapes already, its inertia. A collision's density counts before that of
  /// <inertial>, 1000 kg/m³ where there is none; a mass in <inertial> scales the whole. Errors name the collision, and
  /// warnings what is wrong with a mesh.
  void take(const sdf::Link& link, BodyDescription& body);

  /// What was taken for granted, once per kind.
  void say_what_counts();

 private:
  struct Seen {
    int count = 0, line = 0;
    void note(int at) { line = count++ == 0 ? at : line; }
  };
  const SdfPlaces& places_;
  SdfMeshes meshes_;
  Reading& reading_;
  Seen without_density_, overwritten_;
};

}  // namespace kinetree::inline inner
