#pragma once
// <inertial auto="true">, which SDFormat has since 1.11: the inertia of a link from its collisions and their density.

#include <kinetree/load_model.hpp>
#include <sdf/Link.hh>
#include <string>

namespace kinetree::inline inner {

class SdfAutoInertias {
 public:
  explicit SdfAutoInertias(Reading& reading) : reading_(reading) {}

  /// Whether the link's inertia is to be found here.
  static bool asked_for(const sdf::Link& link);

  /// Gives the body, which has the link's shapes already, its inertia. A collision's density counts before that of
  /// <inertial>, 1000 kg/m³ where there is none; a mass in <inertial> scales the whole. Errors name the collision.
  void take(const sdf::Link& link, BodyDescription& body);

  /// What was taken for granted, once per kind.
  void say_what_counts();

 private:
  struct Seen {
    int count = 0, line = 0;
    void note(int at) { line = count++ == 0 ? at : line; }
  };
  Reading& reading_;
  Seen without_density_, overwritten_;
};

}  // namespace kinetree::inline inner
