#pragma once
// Products of derivatives and with the inverse of the mass matrix, as lists of passes: what a state gives, once, then
// each direction. Directions stand one after another where forward dynamics has tau (State), results likewise.

#include <algorithm>
#include <array>

#include "engine/algorithm/derivative_products.hpp"
#include "engine/algorithm/mass_products.hpp"
#include "engine/algorithm/operational_space.hpp"
#include "engine/algorithm/solver/articulated_solver.hpp"

namespace kinetree::inline inner {

/// Of inverse dynamics. A direction: dq, dv, da, with the result dtau; of cotangents that of tau, with those of q, v
/// and a.
template <class S>
class InverseProductSolver final : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  InverseProductSolver(Model m, std::shared_ptr<const Modules> modules, bool cotangents)
      : Base(std::move(m), std::move(modules), {}), products_(model.data()), cotangents_(cotangents) {
    this->template add<&InverseProductSolver::scatter>(Direction::scatter);
    this->template add<&InverseProductSolver::gather>(Direction::gather);
    this->template add<&InverseProductSolver::find>(Direction::once);
  }
  void ask(const Asked& asked) override { directions_ = asked.directions; }
  void set(const State<S>& state) override {
    Base::set(state);
    given_ = state.tau;
  }
  void expect_external_forces() override {
    Base::expect_external_forces();
    products_.expect_external_forces();
  }
  std::size_t result_count() const override { return at(model.nv()) * at(directions_) * (cotangents_ ? 3u : 1u); }
  std::size_t memory() const override { return Base::memory() + products_.bytes(); }

 private:
  void scatter(int step) {
    inner::kinematics(x, kinematics, step);
    accelerations(x, kinematics, products_, step);
  }
  void gather(int step) { joint_forces(x, kinematics, products_, static_cast<S*>(nullptr), step); }
  void find(int) {
    const std::ptrdiff_t n = model.nv();
    const S* in = given_;
    S* out = x.state.result;
    for (int k = 0; k < directions_; ++k) {
      if (cotangents_) {
        steps_outwards(x, [&](int step) { product_cotangents(x, kinematics, products_, in, step); });
        steps_inwards(x, [&](int step) {
          product_force_cotangents(x, kinematics, products_, in, Cotangents<S>{S(1), out, out + n, out + 2 * n}, step);
        });
        in += n, out += 3 * n;
      } else {
        const S* da = in + 2 * n;
        steps_outwards(x, [&](int step) { product_tangents(x, kinematics, products_, in, in + n, da, step); });
        steps_inwards(x, [&](int step) { product_force_tangents(x, kinematics, products_, in, da, out, step); });
        in += 3 * n, out += n;
      }
    }
  }

  DerivativeProducts<S> products_;
  bool cotangents_;
  int directions_ = 0;
  const S* given_ = nullptr;
};

/// What asks for the inverse of the mass matrix: its product, J M⁻¹ Jᵀ's, and products of the derivatives of forward
/// dynamics. A direction of these: dq, dv, dtau, with the result da; of cotangents that of a, with those of q, v and
/// tau.
template <class S>
class MassProductSolver final : public ArticulatedSpace<S> {
 public:
  using Base = ArticulatedSpace<S>;
  using Base::articulated;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  MassProductSolver(Model m, std::shared_ptr<const Modules> modules, Function function, Packs<S> packs = {})
      : Base(std::move(m), std::move(modules), packs),
        products_(model.data()),
        function_(function),
        still_(at(model.nv()), S(0)) {
    this->template add<&MassProductSolver::scatter>(Direction::scatter);
    this->add_constraints();
    this->template add<&MassProductSolver::gather>(Direction::gather);
    this->template add<&MassProductSolver::find>(Direction::once);
    if (function == Function::delassus)
      world_.resize(at(x.bodies())), first_.resize(world_.size() + 1), unused_ = still_;
  }

  void ask(const Asked& asked) override {
    const ModelData& m = model.data();
    directions_ = asked.directions, axes_ = asked.axes, rows_ = asked.linear ? 3 : 6;
    points_.resize(asked.points.size());
    for (std::size_t k = 0; k < points_.size(); ++k)
      points_[k] = {body_point<S>(m, asked.points[k]), {}, static_cast<std::ptrdiff_t>(k) * rows_};
    std::ranges::sort(points_, {}, [](const Point& p) { return std::pair(p.at.body, p.row); });
    std::size_t t = 0;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      while (t < points_.size() && points_[t].at.body < static_cast<int>(i)) ++t;
      first_[i] = t;
    }
  }
  void set(const State<S>& state) override {
    Base::set(state);
    given_ = state.tau;
    x.state.tau = still_.data();
  }
  void expect_external_forces() override {
    Base::expect_external_forces();
    products_.expect_external_forces();
  }
  std::size_t result_count() const override {
    const std::size_t one = function_ == Function::delassus ? at(rows_) * points_.size() : at(model.nv());
    return one * at(directions_) * (function_ == Function::forward_dynamics_cotangent ? 3u : 1u);
  }
  int idle_body(int lane) const override {
    for (const Node& node : x.nodes.nodes)
      if (const int i = inner::singular_body(x, articulated, node, lane); i >= 0) return x.model->whole_of(i);
    return Base::idle_body(lane);
  }
  Borders* borders() override { return nullptr; }  // no processes share out these passes
  std::size_t memory() const override {
    return Base::memory() + products_.bytes() + bytes_of(still_, unused_, world_, first_, points_);
  }

 private:
  void to_parent(int, int, Pieces&) override {}
  void to_child(int, int, Pieces&) override {}

  struct Point {
    BodyPoint<S> at;
    Transform<S> X;      ///< from the body's frame to the point's, in the axes asked for
    std::ptrdiff_t row;  ///< of a direction
  };

  bool of_dynamics() const {
    return function_ == Function::forward_dynamics_tangent || function_ == Function::forward_dynamics_cotangent;
  }
  void scatter(int step) {
    if (of_dynamics() || articulated.has_constraints())
      inner::kinematics(x, kinematics, step);
    else
      positions(x, kinematics, step);
    if (of_dynamics()) accelerations(x, kinematics, products_, step);
    if (function_ == Function::delassus && axes_ != Axes::link) world_transforms(x, kinematics, world_, step);
  }
  void gather(int step) {
    if (of_dynamics()) joint_forces(x, kinematics, products_, static_cast<S*>(nullptr), step);
    // without aggregates inertias alone, no biases
    if (has_aggregates(model.data()))
      inner::articulate(x, kinematics, articulated, step);
    else
      articulated_inertias(x, kinematics, articulated, step);
  }

  /// Gather and scatter of a right-hand side.
  template <class Load>
  void solve_right_side(S* out, const Load& load) {
    steps_inwards(x, [&](int step) { solve_inwards(x, kinematics, articulated, step, load); });
    steps_outwards(x, [&](int step) { solve_outwards(x, kinematics, articulated, products_.v_dot, out, step); });
  }
  void solve_joint_forces(const S* in, S* out) {
    solve_right_side(out, [&](int i, const auto& subspace, Force<S>&, S* rest, Force<S>&) {
      for (int c = 0; c < std::remove_cvref_t<decltype(subspace)>::freedoms; ++c) rest[c] = in[x.v_index(i) + c];
    });
  }

  void push(const S* in, S* out) {
    const std::ptrdiff_t n = model.nv();
    const S* dtau = in + 2 * n;
    steps_outwards(x, [&](int step) {
      product_tangents(x, kinematics, products_, in, in + n, static_cast<const S*>(nullptr), step);
    });
    solve_right_side(out, [&](int i, const auto& subspace, Force<S>& z, S* rest, Force<S>& moved) {
      constexpr int freedoms = std::remove_cvref_t<decltype(subspace)>::freedoms;
      const int j = x.v_index(i);
      S felt[freedoms]{};
      z += products_.f_dot[at(i)];
      moved = displaced_force(products_.f[at(i)], subspace, in + j, felt);
      for (int c = 0; c < freedoms; ++c) rest[c] = dtau[j + c] - felt[c];
    });
  }
  /// The bodies' accelerations for w = M⁻¹ a_bar are the cotangents' F.
  void pull(const S* in, S* out) {
    const std::ptrdiff_t n = model.nv();
    S* w = out + 2 * n;
    solve_joint_forces(in, w);
    steps_inwards(x, [&](int step) {
      product_force_cotangents(x, kinematics, products_, w, Cotangents<S>{S(-1), out, out + n, nullptr}, step);
    });
  }
  void resist(const S* in, S* out) {
    solve_right_side(unused_.data(), [&](int i, const auto& subspace, Force<S>& z, S* rest, Force<S>&) {
      for (std::size_t t = first_[at(i)]; t < first_[at(i + 1)]; ++t) {
        const S* f = in + points_[t].row;
        const Force<S> force =
            rows_ == 3 ? Force<S>{{}, {f[0], f[1], f[2]}} : Force<S>{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
        z -= transpose_times(points_[t].X, force);
      }
      for (int c = 0; c < std::remove_cvref_t<decltype(subspace)>::freedoms; ++c) rest[c] = S(0);
    });
    for (const Point& point : points_) {
      Motion<S> a{};
      if (point.at.body >= 0) a = point.X * products_.v_dot[at(point.at.body)];
      S* to = out + point.row;
      if (rows_ == 6) write(a.angular, to);
      write(a.linear, to + rows_ - 3);
    }
  }

  void find(int) {
    const std::ptrdiff_t n = model.nv(), rows = rows_ * static_cast<std::ptrdiff_t>(points_.size());
    if (function_ == Function::delassus) {
      for (Point& p : points_)
        if (p.at.body >= 0) p.X = point_in_axes(axes_, p.at, world_[at(p.at.body)]);
    }
    for (std::ptrdiff_t k = 0; k < directions_; ++k) {
      if (function_ == Function::forward_dynamics_tangent)
        push(given_ + 3 * n * k, x.state.result + n * k);
      else if (function_ == Function::forward_dynamics_cotangent)
        pull(given_ + n * k, x.state.result + 3 * n * k);
      else if (function_ == Function::delassus)
        resist(given_ + rows * k, x.state.result + rows * k);
      else
        solve_joint_forces(given_ + n * k, x.state.result + n * k);
    }
  }

  DerivativeProducts<S> products_;
  Function function_;
  std::vector<S> still_;   ///< over velocities: zero
  std::vector<S> unused_;  ///< joint accelerations that are not asked for
  int directions_ = 0;
  const S* given_ = nullptr;
  // of J M⁻¹ Jᵀ
  Axes axes_ = Axes::link;
  int rows_ = 6;  ///< of a point
  std::vector<Transform<S>> world_;
  std::vector<Point> points_;       ///< by ascending bodies; fixed to the ground: first
  std::vector<std::size_t> first_;  ///< first point of body i or after it; one entry more than bodies
};

}  // namespace kinetree::inline inner
