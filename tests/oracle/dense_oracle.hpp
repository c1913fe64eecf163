#pragma once
// An oracle that shares nothing with the library: from the user's Description, in absolute coordinates and classical
// 3-vectors, every link (fixed ones too) a body of its own, to a dense mass matrix that is solved with pivoting.
// The Model is asked for one thing only: in which order its joints stand in q and v.

#include <Eigen/Core>
#include <kinetree/model.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/scalar/worst.hpp"
#include "oracle/vector.hpp"

namespace kinetree::oracle {

/// Instantiated for double, long double and Reference.
template <class S>
class DenseOracle {
 public:
  DenseOracle(const Description& description, const Model& order);
  DenseOracle(const DenseOracle&) = delete;  // its links point into its description
  DenseOracle& operator=(const DenseOracle&) = delete;

  /// Places every link at q, v and forms the mass matrix and the bias forces. f_ext: 6 per body of the Model, world
  /// axes, moment about the link's origin first; empty for none.
  template <class Q, class V>
  void set(const Eigen::MatrixBase<Q>& q, const Eigen::MatrixBase<V>& v, const Eigen::VectorXd& f_ext = {}) {
    set_state(q.template cast<S>(), v.template cast<S>(), f_ext);
  }

  /// Accelerations, in the Model's order.
  std::vector<S> accelerations(const Eigen::VectorXd& tau) const;
  /// tau = H a + bias
  std::vector<S> forces(const Eigen::VectorXd& a) const;

  int freedoms() const { return freedoms_; }
  const S& mass(int row, int column) const { return H_[index(row, column)]; }
  const std::vector<S>& bias() const { return bias_; }
  /// Σ ½ m v² + ½ ω I ω and −Σ m g·x over the links.
  S kinetic_energy() const { return kinetic_; }
  S potential_energy() const { return potential_; }
  /// Of the k-th body as the user wrote them: its number in the Model (-1: fixed), its origin, a point of it in the
  /// world.
  int body_of(int k) const { return link(k).body; }
  Vec<S> origin(int k) const { return link(k).p; }
  Vec<S> to_world(int k, const Vec<S>& point) const { return link(k).p + link(k).R * point; }

  /// A link where it is, in world axes.
  struct LinkState {
    const BodyDescription* given = nullptr;
    int parent = -1, q = -1, v = -1, body = -1;
    JointType type = JointType::fixed;
    std::vector<int> path;  ///< velocities that move it, inboard first
    Mat<S> R = Mat<S>::identity();
    Vec<S> p, omega, speed, alpha, acceleration;  ///< of the origin; accelerations with dv/dt = 0
    std::vector<Vec<S>> turns, slides;            ///< columns of the Jacobian along `path`, of the origin
  };
  /// By the user's name; the ground for `world`.
  const LinkState& link(const std::string& name) const {
    static const LinkState ground{};
    for (const LinkState& l : links_)
      if (l.given->name == name) return l;
    return ground;
  }

 private:
  /// A joint's motion in the frame in which it starts: rotation, displacement, their rates by velocity, and the parts
  /// of the second derivatives that hold for dv/dt = 0.
  struct JointMotion {
    Mat<S> R = Mat<S>::identity();
    Vec<S> d;
    std::vector<Vec<S>> turns, slides;
    Vec<S> turn_bias, slide_bias;
  };

  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(freedoms_) + static_cast<std::size_t>(column);
  }
  const LinkState& link(int k) const {
    for (const LinkState& l : links_)
      if (l.given == &description_.bodies[static_cast<std::size_t>(k)]) return l;
    return links_.front();
  }
  using Numbers = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  void set_state(const Numbers& q, const Numbers& v, const Eigen::VectorXd& f_ext);
  JointMotion motion(const LinkState& link, const Numbers& q, const Numbers& v) const;
  void place(LinkState& link, const Numbers& q, const Numbers& v);
  void add_inertia(const LinkState& link);
  void add_external(const LinkState& link, const Eigen::VectorXd& f_ext);

  Description description_;
  std::vector<LinkState> links_;  ///< parents first
  int freedoms_ = 0;
  Vec<S> gravity_;
  std::vector<S> H_, bias_;
  S kinetic_{}, potential_{};
};

/// The largest of |a_i − b_i| over the largest of |b_i|.
template <class S>
double relative_difference(const Eigen::VectorXd& a, const std::vector<S>& b) {
  S difference(0), size(0);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const S d = S(a[static_cast<Eigen::Index>(i)]) - b[i];
    keep_worst(difference, d < S(0) ? S(-d) : d);
    keep_worst(size, b[i] < S(0) ? S(-b[i]) : b[i]);
  }
  return size == S(0) ? static_cast<double>(difference) : static_cast<double>(S(difference / size));
}

}  // namespace kinetree::oracle
