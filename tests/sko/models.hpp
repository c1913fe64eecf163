#pragma once
// SKO models for tests: rigid trees, bodies with assumed modes, several nodes per body, and sizes that mean nothing.

#include <kinetree/sko/rigid_body.hpp>

#include "oracle/random_state.hpp"

namespace kinetree::sko {

/// "random:N:seed=K" at a random state; every other one floats.
struct RandomTree {
  Description description;
  Model model;
  oracle::TestState state;
  RigidBody<double> body;
};
inline constexpr int random_tree_count = 200;
RandomTree random_tree(int number);

/// Any tree of n bodies as an SKO model, on any scalar, at q = 0.3, v = 0.2 throughout.
template <class S>
RigidBody<S> resting_family(const std::string& family) {
  const Model model = make_model(family);
  const std::vector<S> q(static_cast<std::size_t>(model.nq()), S(0.3)), v(static_cast<std::size_t>(model.nv()), S(0.2));
  return rigid_body<S>(model, q.data(), v.data());
}

/// A tree of bodies made of point masses, on joints of one or two freedoms, each with 0 to 3 assumed modes: shapes that
/// move its points and, by displacement and turn, the places where other bodies hang from it (Jain 2011, Sec. 8.1).
/// It knows where its points are; velocities are for the SKO model to find.
class PointMechanism {
 public:
  PointMechanism(int bodies, int most_modes, std::uint64_t seed, bool chain = false);

  enum class Nodes {
    one,       ///< a node per body: rates of its modes, velocity of its frame
    halves,    ///< half of a body's points on a second node, welded to the first: a joint of no freedom
    particles  ///< a node without inertia for the frame, and one with three velocities for each point
  };
  std::vector<NodeEquations<double>> equations(Nodes nodes) const;
  SkoModel<double> model(Nodes nodes) const;

  /// Of all points, from their places differentiated along theta_dot: nothing but the model's order is taken from it.
  double kinetic_energy(const Stacked<double>& theta_dot) const;
  /// Velocity of a body's point in the body's axes, in the same way.
  Eigen::Vector3d point_velocity(const Stacked<double>& theta_dot, int body, int point) const;

  int bodies() const { return static_cast<int>(bodies_.size()); }
  static constexpr int points = 6;
  static std::string name(int body) { return "body" + std::to_string(body + 1); }
  static std::string name(int body, int point) { return name(body) + ":" + std::to_string(point + 1); }

 private:
  template <class T>
  using Three = Eigen::Matrix<T, 3, 1>;
  template <class T>
  using Rotation = Eigen::Matrix<T, 3, 3>;

  struct Body {
    int parent = -1;
    double mass[points];
    Eigen::Vector3d point[points];
    Eigen::Matrix3Xd shape[points];  ///< displacement of the point per mode
    // where it hangs from its parent
    Eigen::Vector3d place, axis, turn_axis;
    Eigen::Matrix3d orientation;
    Eigen::Matrix3Xd shape_there;        ///< displacement of the place per mode of the parent
    Eigen::RowVectorXd turn_there;       ///< turn about turn_axis per mode of the parent
    bool turns = false, slides = false;  ///< about, along the axis
    Eigen::VectorXd modes;               ///< at this state
    double angle = 0, displacement = 0;
    int freedoms() const { return static_cast<int>(modes.size()) + turns + slides; }
  };
  struct Places {
    std::vector<Rotation<long double>> axes;
    std::vector<Three<long double>> at;  ///< points, body by body
  };
  Places places(const Eigen::VectorXd& theta_dot, long double time) const;
  Eigen::VectorXd in_own_order(const Stacked<double>& theta_dot) const;
  std::vector<Three<long double>> velocities(const Eigen::VectorXd& theta_dot) const;
  Eigen::MatrixXd point_map(const Body& body, int point) const;
  Eigen::MatrixXd parent_map(const Body& body) const;

  std::vector<Body> bodies_;
};

/// Sizes, weights, H and M drawn at random: velocities of 1 to 7 numbers, joints of 0 to 3, a third of the weights
/// singular, some zero; a forest.
SkoModel<double> abstract_model(std::uint64_t seed);

/// Random weights of the sizes of the space's edges; a random block-diagonal; a random stacked vector.
Spo<double> random_weights(const SpaceRef& space, std::uint64_t seed);
BlockDiagonal<double> random_blocks(const SpaceRef& space, Kind rows, Kind columns, std::uint64_t seed);
Stacked<double> random_stacked(const SpaceRef& space, Kind kind, std::uint64_t seed);

/// Every kind above that is no rigid tree: flexible trees, halves, particles, abstract ones.
std::vector<SkoModel<double>> unusual_models();

}  // namespace kinetree::sko
