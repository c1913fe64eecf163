#pragma once
// Kinematics of points on links and momentum, as lists of passes.

#include <algorithm>
#include <optional>

#include "engine/algorithm/inverse_dynamics.hpp"
#include "engine/algorithm/link_kinematics.hpp"
#include "engine/algorithm/node/embedded_mass_matrix.hpp"
#include "engine/algorithm/solver/solver_space.hpp"
#include "engine/model/tree.hpp"

namespace kinetree::inline inner {

/// What these functions share: where bodies are, and the points that are asked for.
template <class S>
class PointSpace : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  PointSpace(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules), {}),
        X_world_(at(x.bodies())),
        asked_{std::vector<char>(at(x.bodies()), 1)} {
    x.ground_acceleration = {}, this->up_ = nullptr;  // accelerations are those of kinematics: weight pulls at no point
  }

  void ask(const Asked& asked) override {
    points_.clear();
    for (const LinkPoint& point : asked.points) points_.push_back(body_point<S>(model.data(), point));
    axes_ = asked.axes;
  }
  std::size_t memory() const override { return Base::memory() + bytes_of(X_world_, points_, asked_.asked); }

 protected:
  void place(int step) {
    inner::kinematics(x, kinematics, step);
    world_transforms(x, kinematics, X_world_, step, asked_);
  }
  void place_at_rest(int step) {
    positions(x, kinematics, step, [this](const Segment& segment) { return asked_.part_of(segment); });
    world_transforms(x, kinematics, X_world_, step, asked_);
  }
  /// Of positions alone: other bodies than those that carry the points are left out from now on.
  void leave_out_others() {
    asked_.asked.assign(asked_.asked.size(), 0);
    for (const BodyPoint<S>& point : points_)
      for (int i = point.body; i >= 0 && !asked_[i]; i = x.parent(i)) asked_.asked[at(i)] = 1;
  }

  std::vector<Transform<S>> X_world_;  ///< over bodies
  std::vector<BodyPoint<S>> points_;
  AskedBodies asked_;  ///< all, before leave_out_others
  Axes axes_ = Axes::link;
};

/// The velocities of a model with loops or couplings from independent ones, chosen when the model was made, so that
/// lanes agree on them.
template <class S>
struct Independence {
  EmbeddedNodes<S> nodes;
  IndependentVelocities<S> velocities;

  explicit Independence(const Context<S>& x)
      : nodes(embedded_nodes<S>(x, IndependentCoordinates::models)), velocities(*x.model) {}
  std::size_t bytes() const { return bytes_of(nodes, velocities); }
};

/// Result, per point: pose (12; poses), and velocity (6; point_velocities), and acceleration (6; point_kinematics); or
/// lever arm (12; lever_arms). A pose: the frame's axes in world axes, then its origin (m). Angular parts come first.
template <class S>
class PointKinematicsSolver final : public PointSpace<S> {
 public:
  using Base = PointSpace<S>;
  using Base::kinematics;
  using Base::points_;
  using Base::x;
  using Base::X_world_;

  PointKinematicsSolver(Model m, std::shared_ptr<const Modules> modules, Function function)
      : Base(std::move(m), std::move(modules)), function_(function), motion_(this->model.data()) {
    if (function == Function::point_kinematics)
      this->template add<&PointKinematicsSolver::move>(Direction::scatter);
    else if (function == Function::point_velocities)
      this->template add<&PointKinematicsSolver::place>(Direction::scatter);
    else
      this->template add<&PointKinematicsSolver::place_at_rest>(Direction::scatter);
    if (function == Function::lever_arms)
      this->template add<&PointKinematicsSolver::write_arms>(Direction::once);
    else
      this->template add<&PointKinematicsSolver::write>(Direction::once);
  }

  void ask(const Asked& asked) override {
    Base::ask(asked);
    if (function_ == Function::poses || function_ == Function::lever_arms) this->leave_out_others();
  }
  std::size_t result_count() const override {
    const bool moves = function_ == Function::point_velocities || function_ == Function::point_kinematics;
    return (function_ == Function::point_kinematics ? 24 : moves ? 18 : 12) * points_.size();
  }
  std::size_t memory() const override { return Base::memory() + motion_.bytes(); }

 private:
  void move(int step) {
    Base::place(step);
    accelerations(x, kinematics, motion_, step);
  }
  void write(int) {
    S* out = x.state.result;
    for (const BodyPoint<S>& point : points_) {
      const Transform<S> X = world_transform(X_world_, point);
      write_pose(X, out), out += 12;
      if (function_ == Function::poses) continue;
      const bool fixed = point.body < 0;
      const Motion<S> v = fixed ? Motion<S>{} : point.X * kinematics.v[at(point.body)];
      inner::write(velocity_in(this->axes_, X, v), out), out += 6;
      if (function_ == Function::point_velocities) continue;
      const Motion<S> a = fixed ? Motion<S>{} : point.X * motion_.a[at(point.body)];
      inner::write(acceleration_in(this->axes_, X, v, a), out), out += 6;
    }
  }
  void write_arms(int) {
    S* out = x.state.result;
    for (const BodyPoint<S>& point : points_) {
      const bool fixed = point.body < 0;
      write_pose(fixed ? Transform<S>::identity()
                       : lever_arm(this->axes_, X_world_[at(point.body)], x.link[at(point.body)].origin, point),
                 out);
      out += 12;
    }
  }

  Function function_;
  InverseDynamics<S> motion_;
};

/// Result: the Jacobians of the points one below the other, column by column; or one after another without the columns
/// that are zero throughout (sparse_jacobians); or J̇ v of each.
template <class S>
class JacobianSolver final : public PointSpace<S> {
 public:
  using Base = PointSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::points_;
  using Base::x;
  using Base::X_world_;

  JacobianSolver(Model m, std::shared_ptr<const Modules> modules, Function function, Coordinates coordinates)
      : Base(std::move(m), std::move(modules)),
        rate_(function == Function::jacobian_rates),
        sparse_(function == Function::sparse_jacobians),
        columns_(at(model.nv())),
        motion_(model.data()) {
    for (const int length : path_lengths(model.data())) longest_ = std::max(longest_, at(length));
    if (coordinates == Coordinates::independent && has_aggregates(model.data())) {
      independent_.emplace(x);
      drift_.resize(at(model.nv()));
    }
    if (by_sixes())
      this->template add<&JacobianSolver::place_at_rest>(Direction::scatter);
    else
      this->template add<&JacobianSolver::place>(Direction::scatter);
    if (independent_) this->template add<&JacobianSolver::embed>(Direction::each);
    if (rate_) {
      this->template add<&JacobianSolver::drift>(Direction::scatter);
      this->template add<&JacobianSolver::write_rates>(Direction::once);
    } else {
      this->template add<&JacobianSolver::find_columns>(Direction::each);
      this->template add<&JacobianSolver::write>(Direction::once);
    }
  }

  void set(const State<S>& state) override {
    Base::set(state);
    x.state.a = independent_ ? drift_.data() : nullptr;
  }
  void ask(const Asked& asked) override {
    Base::ask(asked);
    path_.clear(), ends_.clear(), sixes_.clear();
    if (!by_sixes()) return;
    this->leave_out_others();
    const std::size_t points = points_.size();
    path_.reserve(points * longest_), ends_.reserve(points), sixes_.reserve(points * longest_);
    for (std::size_t p = 0; p < points; ++p) {
      append_path(model.data(), points_[p].body, path_);
      ends_.push_back(path_.size());
      for (std::size_t six = sixes_.size(); six < path_.size(); ++six)
        sixes_.push_back(6 * (sparse_ ? six : at(path_[six]) * points + p));
    }
  }
  const std::vector<std::size_t>* places_of_sixes() const override { return by_sixes() ? &sixes_ : nullptr; }
  void leave_out_zeros() override { zeros_ = false; }
  std::size_t result_count() const override {
    if (sparse_) return 6 * path_.size();
    const int columns = independent_ ? independent_count(model.data()) : model.nv();
    return 6 * points_.size() * (rate_ ? 1 : at(columns));
  }
  Status loop_fault(int lane) const override {
    return independent_ ? inner::loop_fault(independent_->nodes, lane) : Status{};
  }
  std::size_t memory() const override {
    return Base::memory() + bytes_of(columns_, motion_, drift_, path_, ends_, sixes_) + (independent_ ? independent_->bytes() : 0);
  }

 private:
  /// X_S, and the accelerations of all joints where the independent ones have none.
  void embed(int step) {
    inner::embed(x, kinematics, independent_->nodes, step);
    for (const EmbeddedNode<S>& node : independent_->nodes)
      for (std::size_t c = 0; c < node.velocity.size(); ++c) drift_[at(node.velocity[c])] = node.map.g[c];
  }
  void drift(int step) { accelerations(x, kinematics, motion_, step); }
  void find_columns(int step) { world_columns(x, kinematics, X_world_, columns_, step, this->asked_); }

  /// Whether only sixes on the points' paths are not zero: where columns are those of single joints.
  bool by_sixes() const { return !rate_ && !independent_; }
  void write(int) { independent_ ? write_independent() : write_sixes(); }
  // loops of their own: by a function for each column, which g++ does not inline here, a Jacobian takes a quarter
  // longer
  void write_sixes() {
    const bool zeros = zeros_;
    const Axes axes = this->axes_;
    S* const J = x.state.result;
    if (zeros && 6 * path_.size() < result_count()) std::fill_n(J, result_count(), S(0));
    std::size_t six = 0;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const Transform<S> X = world_transform(X_world_, points_[p]);
      for (const std::size_t end = ends_[p]; six < end; ++six)
        inner::write(column_at(axes, X, columns_[at(path_[six])]), J + (zeros ? sixes_[six] : 6 * six));
    }
  }
  void write_independent() {
    independent_->velocities.find(model.data(), independent_->nodes);
    const std::size_t rows = 6 * points_.size();
    S* J = x.state.result;
    std::fill_n(J, result_count(), S(0));
    for (const BodyPoint<S>& point : points_) {
      const Transform<S> X = world_transform(X_world_, point);
      for (int i = point.body; i >= 0; i = x.parent(i))  // the velocities that move it
        for (int v = x.v_index(i); v < x.v_index(i + 1); ++v) {
          S column[6];
          inner::write(column_at(this->axes_, X, columns_[at(v)]), column);
          independent_->velocities.row(v, [&](int place, const S& entry) {
            for (std::size_t r = 0; r < 6; ++r) J[at(place) * rows + r] += column[r] * entry;
          });
        }
      J += 6;
    }
  }
  void write_rates(int) {
    S* out = x.state.result;
    for (const BodyPoint<S>& point : points_) {
      const bool fixed = point.body < 0;
      const Motion<S> v = fixed ? Motion<S>{} : point.X * kinematics.v[at(point.body)];
      const Motion<S> a = fixed ? Motion<S>{} : point.X * motion_.a[at(point.body)];
      inner::write(acceleration_in(this->axes_, world_transform(X_world_, point), v, a), out), out += 6;
    }
  }

  bool rate_, sparse_;
  std::vector<Motion<S>> columns_;  ///< over velocities: as world_columns
  InverseDynamics<S> motion_;
  std::optional<Independence<S>> independent_;
  std::vector<S> drift_;            ///< over velocities
  std::size_t longest_ = 0;         ///< most velocities that move a link
  std::vector<int> path_;           ///< over points and the velocities that move each: these, ascending
  std::vector<std::size_t> ends_;   ///< over points: where its own end among these
  std::vector<std::size_t> sixes_;  ///< as path_: where the column begins in the result
  bool zeros_ = true;
};

/// Result: centre of mass, its velocity, centroidal momentum (moment about the centre of mass first), world axes; or
/// the matrix that gives this momentum from v, column by column.
template <class S>
class MomentumSolver final : public PointSpace<S> {
 public:
  using Base = PointSpace<S>;
  using Base::kinematics;
  using Base::x;
  using Base::X_world_;

  MomentumSolver(Model m, std::shared_ptr<const Modules> modules, bool matrix)
      : Base(std::move(m), std::move(modules)), matrix_(matrix) {
    if (matrix) {
      composite_.emplace(this->model.data());
      this->template add<&MomentumSolver::place_at_rest>(Direction::scatter);
      this->template add<&MomentumSolver::gather>(Direction::gather);
    } else {
      this->template add<&MomentumSolver::place>(Direction::scatter);
    }
    this->template add<&MomentumSolver::write>(Direction::once);
  }

  std::size_t result_count() const override { return matrix_ ? 6 * at(this->model.nv()) : 12; }
  std::size_t memory() const override { return Base::memory() + (composite_ ? composite_->bytes() : 0); }

 private:
  void gather(int step) { composite_inertias(x, kinematics, *composite_, step); }
  void write(int) {
    S mass(0);
    Vector3<S> centre{};
    Force<S> h{};
    for (int i = 0; i < x.bodies(); ++i) {
      const RigidInertia<S>& I = x.link[at(i)].I;
      mass += I.mass, add_moment(X_world_[at(i)], I, centre);
      if (!matrix_) h += force_in_world(X_world_[at(i)], I * kinematics.v[at(i)]);
    }
    centre = (S(1) / mass) * centre;
    S* out = x.state.result;
    const auto write_momentum = [&](const Force<S>& in_world, S* six) {
      const Force<S> of_centre = about(centre, in_world);
      inner::write(of_centre.moment, six), inner::write(of_centre.force, six + 3);
    };
    if (!matrix_) {
      inner::write(centre, out), inner::write((S(1) / mass) * h.force, out + 3), write_momentum(h, out + 6);
      return;
    }
    for (int i = 0; i < x.bodies(); ++i)
      for_columns_of_joint(x, kinematics, i, [&](int v, const Motion<S>& S_v) {
        write_momentum(force_in_world(X_world_[at(i)], composite_->I[at(i)] * S_v), out + 6 * v);
      });
  }

  bool matrix_;
  std::optional<CompositeBody<S>> composite_;  ///< of the matrix alone
};

}  // namespace kinetree::inline inner
