#pragma once
// Forces that hold a mechanism together, in 60 digits and from its description alone: wrenches in loops, multipliers of
// couplings and reactions of joints, by the equations of the spanning tree with the least norm where rows are
// redundant.

#include <algorithm>
#include <vector>

#include "loops/closed_oracle.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {

class HoldingReference : public DenseClosedReference {
  using Three = Eigen::Matrix<Reference, 3, 1>;
  using Six = Eigen::Matrix<Reference, 6, 1>;

 public:
  using DenseClosedReference::DenseClosedReference;

  /// `length`: over which moments count. Results stand in world axes about the world's origin, as Axes::world has them.
  void find(const TestState& s, int freedoms, double length) {
    set(s.q, s.v);
    eliminate(freedoms);
    a = accelerations(s.tau);
    const auto n = static_cast<Eigen::Index>(6 * d_.loops.size() + d_.couplings.size());
    rows_of_forces_.clear(), right_.clear();
    add_dynamics(s, n, Reference(length));
    for (std::size_t l = 0; l < d_.loops.size(); ++l) add_free_motions(l, n, Reference(length));
    write(least_norm(n), Reference(length));
    add_reactions();
  }

  Eigen::VectorXd a, loops, couplings, joints;
  double smallest = 0;  ///< pivot that was taken, of the largest

 private:
  static Three three(const Vec<Reference>& x) { return {x.x, x.y, x.z}; }
  static Six six(const Three& moment, const Three& force) {
    Six w;
    w << moment, force;
    return w;
  }
  Three at_end(const LoopDescription::End& end) const {
    const auto& link = tree_.link(end.body);
    return three(link.p + link.R * vec<Reference>(end.frame.xyz));
  }
  Three direction(const LoopDescription::End& end, const Numbers3& axis) const {
    const auto& f = end.frame.quaternion;
    const Three e =
        three(tree_.link(end.body).R *
              (rotation(Reference(f[0]), Reference(f[1]), Reference(f[2]), Reference(f[3])) * vec<Reference>(axis)));
    return e / sqrt(e.squaredNorm());
  }
  bool slides_along(int body) const { return order_.joint_type(body) == JointType::prismatic; }
  /// The size of a coupling's unit multiplier.
  Reference size(int row, const Reference& length) const {
    Reference sum(0);
    for (int i = 0; i < order_.body_count(); ++i)
      for (int v = order_.v_index(i); v < order_.v_index(i) + velocity_count(order_.joint_type(i)); ++v)
        sum += K_(row, v) * K_(row, v) / (slides_along(i) ? Reference(1) : length * length);
    return sqrt(sum);
  }
  int coupling_row(std::size_t c) const {
    return static_cast<int>(K_.rows() - std::ssize(d_.couplings)) + static_cast<int>(c);
  }

  /// A row per velocity: what wrenches about loops' first frames, moments over `length`, and multipliers do there.
  void add_dynamics(const TestState& s, Eigen::Index n, const Reference& length) {
    Matrix effect = Matrix::Zero(order_.nv(), n);
    for (std::size_t l = 0; l < d_.loops.size(); ++l)
      for (const bool second : {false, true}) {
        const auto& link = tree_.link((second ? d_.loops[l].second : d_.loops[l].first).body);
        const Three r = at_end(d_.loops[l].first) - three(link.p);
        const auto first = static_cast<Eigen::Index>(6 * l);
        for (std::size_t k = 0; k < link.path.size(); ++k) {
          const Three turn = three(link.turns[k]), slide = three(link.slides[k]) + turn.cross(r);
          effect.row(link.path[k]).segment(first, 6) +=
              Reference(second ? 1 : -1) * six(turn * length, slide).transpose();
        }
      }
    for (std::size_t c = 0; c < d_.couplings.size(); ++c)
      effect.col(static_cast<Eigen::Index>(6 * d_.loops.size() + c)) =
          K_.row(coupling_row(c)).transpose() / size(coupling_row(c), length);
    const Vector asked = mass_matrix() * a.cast<Reference>() + bias() - s.tau.cast<Reference>();
    for (int v = 0; v < order_.nv(); ++v) rows_of_forces_.push_back(effect.row(v)), right_.push_back(asked[v]);
  }

  /// Motions that a loop leaves free meet no force: turns about the second frame's origin, slides.
  void add_free_motions(std::size_t l, Eigen::Index n, const Reference& length) {
    const LoopDescription& d = d_.loops[l];
    const Three way = at_end(d.first) - at_end(d.second), axis = direction(d.first, d.axis);
    const auto add = [&](const Three& turn, const Three& slide) {
      Vector row = Vector::Zero(n);
      row.segment(static_cast<Eigen::Index>(6 * l), 6) = six(turn * length, slide + turn.cross(way));
      rows_of_forces_.push_back(row), right_.emplace_back(0);
    };
    const Three none = Three::Zero(), x = axis.unitOrthogonal(), y = axis.cross(x);
    const std::string& type = d.type;
    if (type == "revolute" || type == "cylindrical" || type == "universal" || type == "planar") add(axis, none);
    if (type == "universal") add(direction(d.second, d.axis2.value()), none);
    if (type == "prismatic" || type == "cylindrical" || type == "point_on_line") add(none, axis);
    if (type == "planar") add(none, x), add(none, y);
    if (type == "spherical" || type == "point_on_line")
      for (int k = 0; k < 3; ++k) add(Three::Unit(k), none);
  }

  /// The least solution, by orthonormal rows, the largest first (Gram and Schmidt).
  Vector least_norm(Eigen::Index n) {
    Vector x = Vector::Zero(n);
    Reference first(0);
    for (std::size_t taken = 0; taken < rows_of_forces_.size(); ++taken) {
      std::size_t largest = taken;
      for (std::size_t k = taken; k < rows_of_forces_.size(); ++k)
        if (rows_of_forces_[k].squaredNorm() > rows_of_forces_[largest].squaredNorm()) largest = k;
      std::swap(rows_of_forces_[taken], rows_of_forces_[largest]), std::swap(right_[taken], right_[largest]);
      const Reference size = sqrt(rows_of_forces_[taken].squaredNorm());
      if (taken == 0) first = size;
      if (size <= first * Reference(1e-9)) break;  // states are closed to the last digits of a double
      smallest = to_double(size / first);
      const Vector row = rows_of_forces_[taken] / size;
      const Reference right = right_[taken] / size;
      x += right * row;
      for (std::size_t k = taken + 1; k < rows_of_forces_.size(); ++k) {
        const Reference part = rows_of_forces_[k].dot(row);
        rows_of_forces_[k] -= part * row, right_[k] -= part * right;
      }
    }
    return x;
  }

  void write(const Vector& x, const Reference& length) {
    loops.resize(static_cast<Eigen::Index>(12 * d_.loops.size()));
    couplings.resize(static_cast<Eigen::Index>(d_.couplings.size()));
    on_second_.clear();
    for (std::size_t l = 0; l < d_.loops.size(); ++l) {
      const auto k = static_cast<Eigen::Index>(6 * l);
      const Three force = x.segment<3>(k + 3),
                  moment = x.segment<3>(k) * length + at_end(d_.loops[l].first).cross(force);
      on_second_.push_back(six(moment, force));
      for (int r = 0; r < 6; ++r)
        loops[2 * k + 6 + r] = to_double(on_second_[l][r]), loops[2 * k + r] = -loops[2 * k + 6 + r];
    }
    for (std::size_t c = 0; c < d_.couplings.size(); ++c)
      couplings[static_cast<Eigen::Index>(c)] =
          to_double(x[static_cast<Eigen::Index>(6 * d_.loops.size() + c)] / size(coupling_row(c), length));
  }

  /// Newton's and Euler's equations link by link, less what loops do, summed over what a joint carries.
  void add_reactions() {
    joints = Eigen::VectorXd::Zero(6 * order_.body_count());
    const Three gravity = three(vec<Reference>(d_.gravity));
    for (const BodyDescription& b : d_.bodies) {
      const auto& link = tree_.link(b.name);
      Six w = Six::Zero();
      for (std::size_t l = 0; l < d_.loops.size(); ++l) {
        if (d_.loops[l].second.body == b.name) w -= on_second_[l];
        if (d_.loops[l].first.body == b.name) w += on_second_[l];
      }
      if (b.inertial) {
        Three turn = three(link.alpha), slide = three(link.acceleration);
        for (std::size_t k = 0; k < link.path.size(); ++k) {
          turn += three(link.turns[k]) * Reference(a[link.path[k]]);
          slide += three(link.slides[k]) * Reference(a[link.path[k]]);
        }
        const Three c = three(link.R * vec<Reference>(b.inertial->frame.xyz)), omega = three(link.omega);
        const Three force =
            Reference(b.inertial->mass) * (slide + turn.cross(c) + omega.cross(omega.cross(c)) - gravity);
        const auto& f = b.inertial->frame.quaternion;
        const auto& [xx, yy, zz, xy, xz, yz] = b.inertial->inertia;
        Eigen::Matrix<Reference, 3, 3> I, R;
        I << Reference(xx), Reference(xy), Reference(xz), Reference(xy), Reference(yy), Reference(yz), Reference(xz),
            Reference(yz), Reference(zz);
        const auto axes = link.R * rotation(Reference(f[0]), Reference(f[1]), Reference(f[2]), Reference(f[3]));
        for (int k = 0; k < 3; ++k)
          R.col(k) = three(axes * Vec<Reference>{Reference(k == 0), Reference(k == 1), Reference(k == 2)});
        I = (R * I * R.transpose()).eval();
        w += six(I * turn + omega.cross(I * omega) + (three(link.p) + c).cross(force), force);
      }
      // every joint inboard carries it
      for (const BodyDescription* up = &b; up != nullptr;) {
        if (const int body = tree_.link(up->name).body; body >= 0)
          for (int r = 0; r < 6; ++r) joints[6 * body + r] += to_double(w[r]);
        const std::string& parent = up->parent;
        const auto found = std::ranges::find(d_.bodies, parent, &BodyDescription::name);
        up = found == d_.bodies.end() ? nullptr : &*found;
      }
    }
  }

  std::vector<Vector> rows_of_forces_;
  std::vector<Reference> right_;
  std::vector<Six> on_second_;
};

}  // namespace kinetree::oracle
