#pragma once
// Models and states that calls are made with.

#include <Eigen/Core>
#include <kinetree/configuration.hpp>
#include <kinetree/kinetree.hpp>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "engine/joint/advance.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"

namespace kinetree::oracle {

/// On the tip of a tree a massless turntable with a point mass on a slide: singular where this stands on the axis.
inline Description turntable() {
  Description description = make_description("tree:2x3");
  for (const char* name : {"turntable", "slider"}) {
    BodyDescription body;
    body.name = name;
    body.parent = description.bodies.back().name;
    body.joint.name = std::string("to_") + name;
    body.joint.type = "revolute";
    body.joint.axis = {0, 0, 1};
    description.bodies.push_back(body);
  }
  BodyDescription& slider = description.bodies.back();
  slider.joint.origin.xyz = {1, 0, 0};
  slider.joint.type = "prismatic";
  slider.joint.axis = {1, 0, 0};
  slider.inertial = InertialDescription{1, {}, {}, 0};
  description.name = "turntable";
  return description;
}

/// A chain with a link so light that float can't hold a cut beside it.
inline Description light_link() {
  Description description = make_description("chain:16");
  InertialDescription& inertial = *description.bodies[8].inertial;
  inertial.mass *= 1e-6;
  for (double& x : inertial.inertia) x *= 1e-6;
  description.name = "light_link";
  return description;
}

/// The model of `turntable`, of `light_link` or of a family. The same model each time.
inline const Model& model_of(const std::string& family) {
  static std::map<std::string, Model> all;
  const auto found = all.find(family);
  if (found != all.end()) return found->second;
  Model model = family == "turntable"    ? make_model(turntable())
                : family == "light_link" ? make_model(light_link())
                                         : make_model(family);
  return all.emplace(family, std::move(model)).first->second;
}

/// Random states, loops closed, and forces.
struct SomeStates {
  static constexpr int count = 6;
  Eigen::MatrixXd q, v, tau, f_ext;

  SomeStates(const Model& model, std::uint64_t seed)
      : q(model.nq(), count), v(model.nv(), count), tau(model.nv(), count), f_ext(6 * model.body_count(), count) {
    (void)random_state(model, seed, q, v);  // of the right sizes
    Random random(seed + 1);
    for (Eigen::MatrixXd* forces : {&tau, &f_ext})
      for (double& x : forces->reshaped()) x = random.uniform(-3, 3);
  }
};

/// The index in q of the first quaternion; -1: there is none.
inline int first_quaternion(const Model& model) {
  const ModelData& m = model.data();
  for (std::size_t i = 0; i < m.parent.size(); ++i)
    if (const int k = quaternion_at(m.joint_type[i]); k >= 0) return m.q_index[i] + k;
  return -1;
}

/// A NaN or an infinity.
inline double no_number(Random& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double all[]{std::numeric_limits<double>::quiet_NaN(), infinity, -infinity};
  return all[random.below(3)];
}

}  // namespace kinetree::oracle
