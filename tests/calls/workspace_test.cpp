// Workspace: what a free function gives depends on its arguments alone, whichever functions had the workspace before,
// for how many states, points and scalars; where a call is refused nothing is written, and nothing beside results.
#include <array>
#include <cmath>
#include <iterator>
#include <kinetree/forces.hpp>
#include <kinetree/kinematics.hpp>
#include <memory>

#include "calls/framed.hpp"
#include "calls/sequences.hpp"
#include "calls/states.hpp"
#include "library/function_table.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

class FunctionsOnOneWorkspace {
 public:
  explicit FunctionsOnOneWorkspace(std::uint64_t seed)
      : random_(seed),
        family_(
            any_of<std::string>(random_, {"chain:1", "chain:6", "tree:2x4", "random:10:seed=4:floating=1:special=1",
                                          "random:8:seed=2:joints=spherical", "fourbars:2", "geared:3", "turntable"})),
        model_(model_of(family_)),
        other_(family_ == "turntable" ? make_model(turntable()) : make_model(family_)),
        states_(model_, random_.next()),
        independent_(static_cast<std::ptrdiff_t>(independent_velocities(model_).size())) {
    options_.lanes = random_.below(2);
    if (random_.below(4) == 0) options_.executor = executors[1 + random_.below(3)], options_.threads = 2;
  }

  std::unique_ptr<Workspace> make() const { return std::make_unique<Workspace>(model_, options_); }
  Outcome run(Workspace& workspace, std::uint64_t call) const {
    Random random(call);
    return random.below(3) == 0 ? Call<float>(*this, random).run(workspace)
                                : Call<double>(*this, random).run(workspace);
  }
  std::string words() const {
    return model_.name() + ", lanes " + std::to_string(options_.lanes) + ", " + name_of(options_.executor) + " on " +
           std::to_string(options_.threads);
  }

 private:
  template <class S>
  struct Call {
    Call(const FunctionsOnOneWorkspace& of, Random& r)
        : all(of), random(r), n(any_of<int>(random, {0, 1, 1, 1, 2, 3, 5, 9})), first(random.below(SomeStates::count)) {
      // of few lists, so that calls follow on each other that ask for the same points, or for as many
      Random chosen(1 + static_cast<std::uint64_t>(random.below(5)));
      const int count = chosen.below(4);
      for (int k = 0; k < count; ++k)
        points.push_back({chosen.below(of.model_.frame_count()), {chosen.uniform(-1, 1), chosen.uniform(-1, 1), 0}});
      fault = random.below(3) == 0 ? static_cast<Fault>(1 + random.below(7)) : Fault::none;
      if (fault == Fault::no_link)
        points.push_back({random.below(2) == 0 ? -1 : of.model_.frame_count() + random.below(2)});
      axes = static_cast<Axes>(random.below(3));
      coordinates = static_cast<Coordinates>(random.below(2));
      q = framed(of.states_.q), v = framed(of.states_.v), a = framed(of.states_.tau), f = framed(of.states_.f_ext);
      forces = Framed<S>(6 * static_cast<std::ptrdiff_t>(points.size()), n);
      for (int c = 0; c < n; ++c)
        for (std::ptrdiff_t k = 0; k < forces.rows(); ++k) forces.column(c)[k] = static_cast<S>(random.uniform(-2, 2));
      for (Framed<S>& one : along) one = directions(of.model_.nv());
      pushes = directions(forces.rows());
      numbers = directions(parameter_count(of.model_.body_count(), of.model_.nv()));
      if (n == 0) return;
      const int quaternion = first_quaternion(of.model_);
      failing = random.below(n);
      if (fault == Fault::no_unit && quaternion >= 0)
        for (int k = 0; k < 4; ++k) q.column(failing)[quaternion + k] *= S(1.01);
      if (fault == Fault::no_number) {
        Framed<S>& input = *any_of<Framed<S>*>(random, {&q, &v, &a, &f, &forces});
        if (input.rows() > 0)
          input.column(failing)[random.below(static_cast<int>(input.rows()))] = static_cast<S>(no_number(random));
      }
    }

    Framed<S> framed(const Eigen::MatrixXd& from) const {
      Framed<S> to(from.rows(), n, random.below(2) * 3);
      for (int c = 0; c < n; ++c)
        for (Eigen::Index k = 0; k < from.rows(); ++k)
          to.column(c)[k] = static_cast<S>(from(k, (first + c) % SomeStates::count));
      return to;
    }

    Framed<S> directions(std::ptrdiff_t rows) const {
      Framed<S> to(rows, static_cast<std::ptrdiff_t>(n) * each);
      for (std::ptrdiff_t c = 0; c < to.columns(); ++c)
        for (std::ptrdiff_t k = 0; k < rows; ++k) to.column(c)[k] = static_cast<S>(random.uniform(-2, 2));
      return to;
    }

    /// The columns of an input, of a wrong size where that is the call's fault and this its turn.
    Columns<const S> in(const Framed<S>& input) {
      Columns<const S> x = input.in();
      const bool chosen = fault == Fault::wrong_size && turn == 0;
      --turn;
      if (chosen && random.below(2) == 0) return wrong = true, ++x.rows, x;
      if (chosen) return wrong = true, ++x.columns, x;
      return x;
    }
    Columns<const S> maybe(const Framed<S>& input) { return random.below(2) == 0 ? Columns<const S>{} : in(input); }
    Columns<S> out(std::ptrdiff_t rows, std::ptrdiff_t columns) {
      Framed<S>& result = results.emplace_back(rows, columns, random.below(2) * 3);
      Columns<S> x = result.out();
      if (fault == Fault::wrong_size && !wrong && results.size() == 1) return wrong = true, ++x.columns, x;
      if (fault == Fault::shared && rows > 0 && columns > 0 && n > 0) {  // in the memory of q
        if (rows * columns > q.rows()) return x;
        x.data = q.column(0), x.stride = rows, wrong = true;
      }
      return x;
    }

    /// Columns of a state's sparse Jacobians.
    std::ptrdiff_t moving() const {
      return fault == Fault::no_link ? 3 : std::ssize(path_velocities(all.model_, points).velocity);
    }

    /// Calls one of all functions of a workspace.
    Status call(const Model& m, Workspace& w) {
      using namespace boundary;
      const std::ptrdiff_t nv = all.model_.nv(), count = static_cast<std::ptrdiff_t>(points.size());
      const std::ptrdiff_t size = coordinates == Coordinates::independent ? all.independent_ : nv;
      results.reserve(3);
      const std::ptrdiff_t all_directions = static_cast<std::ptrdiff_t>(n) * each;
      const int which = random.below(static_cast<int>(std::size(function_table)) + 1);
      if (which == static_cast<int>(std::size(function_table))) {  // and the one that has no row
        words = "add_forces";
        const auto own_q = in(q), own_forces = in(forces);
        return boundary::add_forces(m, w, own_q, points, axes, own_forces, out(6 * m.body_count(), n));
      }
      const Function function = function_table[which].function;
      switch (function) {
        case Function::inverse_dynamics: {
          words = "inverse_dynamics";
          const auto own_q = in(q), own_v = maybe(v), own_a = maybe(a), own_f = maybe(f);
          return evaluate(Function::inverse_dynamics, m, w,
                          Arguments<S>{.q = own_q, .v = own_v, .a = own_a, .f_ext = own_f, .results = {out(nv, n)}});
        }
        case Function::coriolis_forces: {
          words = "coriolis_forces";
          const auto own_q = in(q), own_v = in(v);
          return evaluate(Function::coriolis_forces, m, w,
                          Arguments<S>{.q = own_q, .v = own_v, .results = {out(nv, n)}});
        }
        case Function::mass_matrix: {
          words = "mass_matrix";
          const auto own_q = in(q);
          return evaluate(Function::mass_matrix, m, w,
                          Arguments<S>{.q = own_q, .results = {out(all.independent_, all.independent_ * n)}});
        }
        case Function::lower_mass_matrix: {
          words = "lower_mass_matrix";
          const auto own_q = in(q);
          return evaluate(function, m, w,
                          Arguments<S>{.q = own_q, .results = {out(all.independent_, all.independent_ * n)}});
        }
        case Function::energy: {
          words = "energy";
          const auto own_q = in(q), own_v = in(v);
          return evaluate(Function::energy, m, w, Arguments<S>{.q = own_q, .v = own_v, .results = {out(2, n)}});
        }
        case Function::compliance: {
          words = "operational_space_compliance";
          const auto own_q = in(q);
          return evaluate(Function::compliance, m, w,
                          Arguments<S>{.q = own_q, .points = points, .results = {out(6 * count, 6 * count * n)}});
        }
        case Function::poses: {
          words = "poses";
          const auto own_q = in(q);
          return evaluate(Function::poses, m, w,
                          Arguments<S>{.q = own_q, .points = points, .results = {out(12 * count, n)}});
        }
        case Function::lever_arms: {
          words = "lever_arms";
          const auto own_q = in(q);
          return evaluate(function, m, w, Arguments<S>{.q = own_q, .points = points, .results = {out(12 * count, n)}});
        }
        case Function::point_velocities:
        case Function::point_kinematics: {
          words = "point_kinematics";
          const auto own_q = in(q), own_v = in(v), own_a = maybe(a);
          const Columns<S> its_poses = out(12 * count, n), velocities = out(6 * count, n);
          const Columns<S> accelerations = function == Function::point_velocities ? Columns<S>{} : out(6 * count, n);
          return evaluate(function, m, w,
                          Arguments<S>{.q = own_q,
                                       .v = own_v,
                                       .a = own_a,
                                       .points = points,
                                       .axes = axes,
                                       .results = {its_poses, velocities, accelerations}});
        }
        case Function::jacobians: {
          words = "jacobians";
          const auto own_q = in(q);
          return evaluate(Function::jacobians, m, w,
                          Arguments<S>{.q = own_q,
                                       .points = points,
                                       .axes = axes,
                                       .coordinates = coordinates,
                                       .results = {out(6 * count, size * n)}});
        }
        case Function::sparse_jacobians: {
          words = "sparse_jacobians";
          const auto own_q = in(q);
          return evaluate(function, m, w,
                          Arguments<S>{.q = own_q, .points = points, .axes = axes, .results = {out(6, moving() * n)}});
        }
        case Function::jacobian_rates: {
          words = "jacobian_rates";
          const auto own_q = in(q), own_v = in(v);
          return evaluate(Function::jacobian_rates, m, w,
                          Arguments<S>{.q = own_q,
                                       .v = own_v,
                                       .points = points,
                                       .axes = axes,
                                       .coordinates = coordinates,
                                       .results = {out(6 * count, n)}});
        }
        case Function::momentum: {
          words = "momentum";
          const auto own_q = in(q), own_v = in(v);
          return evaluate(Function::momentum, m, w, Arguments<S>{.q = own_q, .v = own_v, .results = {out(12, n)}});
        }
        case Function::momentum_matrix: {
          words = "momentum_matrix";
          const auto own_q = in(q);
          return evaluate(Function::momentum_matrix, m, w, Arguments<S>{.q = own_q, .results = {out(6, nv * n)}});
        }
        case Function::inverse_dynamics_derivatives: {
          words = "inverse_dynamics_derivatives";
          const auto own_q = in(q), own_v = in(v), own_a = in(a), own_f = maybe(f);
          const Columns<S> first_of = out(nv, nv * n), second_of = out(nv, nv * n);
          return evaluate(
              function, m, w,
              Arguments<S>{.q = own_q, .v = own_v, .a = own_a, .f_ext = own_f, .results = {first_of, second_of}});
        }
        case Function::forward_dynamics_derivatives: {
          words = "forward_dynamics_derivatives";
          const auto own_q = in(q), own_v = in(v), own_tau = in(a), own_f = maybe(f);
          const Columns<S> first_of = out(nv, nv * n), second_of = out(nv, nv * n), third_of = out(nv, nv * n);
          return evaluate(
              function, m, w,
              Arguments<S>{
                  .q = own_q, .v = own_v, .tau = own_tau, .f_ext = own_f, .results = {first_of, second_of, third_of}});
        }
        case Function::inverse_dynamics_tangent:
        case Function::forward_dynamics_tangent: {
          const bool forward = function == Function::forward_dynamics_tangent;
          words = forward ? "forward_dynamics_tangent" : "inverse_dynamics_tangent";
          const auto own_q = in(q), own_v = in(v), own_a = in(a), own_f = maybe(f);
          const auto first_of = in(along[0]), second_of = in(along[1]), third_of = in(along[2]);
          return evaluate(
              function, m, w, ProductArguments<S>{.directions = {first_of, second_of, third_of}},
              Arguments<S>{.q = own_q, .v = own_v, .a = own_a, .f_ext = own_f, .results = {out(nv, all_directions)}});
        }
        case Function::inverse_dynamics_cotangent:
        case Function::forward_dynamics_cotangent: {
          const bool forward = function == Function::forward_dynamics_cotangent;
          words = forward ? "forward_dynamics_cotangent" : "inverse_dynamics_cotangent";
          const auto own_q = in(q), own_v = in(v), own_a = in(a), own_f = maybe(f), bar = in(along[0]);
          const Columns<S> q_bar = out(nv, all_directions), v_bar = out(nv, all_directions),
                           third = out(nv, all_directions);
          return evaluate(
              function, m, w, ProductArguments<S>{.directions = {bar}},
              Arguments<S>{.q = own_q, .v = own_v, .a = own_a, .f_ext = own_f, .results = {q_bar, v_bar, third}});
        }
        case Function::inverse_mass: {  // another number of states is right where it divides that of directions
          words = "inverse_mass_product";
          const auto B = in(along[0]);
          return evaluate(Function::inverse_mass, m, w, ProductArguments<S>{.directions = {B}},
                          Arguments<S>{.q = q.in(), .results = {out(nv, all_directions)}});
        }
        case Function::delassus: {
          words = "delassus_product";
          const auto given = in(pushes);
          return evaluate(
              Function::delassus, m, w, ProductArguments<S>{.directions = {given}, .damping = S(0.5)},
              Arguments<S>{.q = q.in(), .points = points, .axes = axes, .results = {out(6 * count, all_directions)}});
        }
        case Function::joint_torque_regressor: {
          words = "joint_torque_regressor";
          const auto own_q = in(q), own_v = maybe(v), own_a = maybe(a);
          return evaluate(function, m, w,
                          Arguments<S>{.q = own_q, .v = own_v, .a = own_a, .results = {out(nv, numbers.rows() * n)}});
        }
        case Function::joint_torque_regressor_product:
        case Function::joint_torque_regressor_transpose_product: {  // q: as inverse_mass_product's
          const bool forces_of_numbers = function == Function::joint_torque_regressor_product;
          words = forces_of_numbers ? "joint_torque_regressor_product" : "joint_torque_regressor_transpose_product";
          const auto own_v = maybe(v), own_a = maybe(a), given = in(forces_of_numbers ? numbers : along[0]);
          return evaluate(function, m, w, ProductArguments<S>{.directions = {given}},
                          Arguments<S>{.q = q.in(),
                                       .v = own_v,
                                       .a = own_a,
                                       .results = {out(forces_of_numbers ? nv : numbers.rows(), all_directions)}});
        }
        case Function::forward_dynamics:  // has no row
          break;
      }
      return {};
    }

    Outcome run(Workspace& workspace) {
      for (Framed<S>* input : {&q, &v, &a, &f, &forces, &along[0], &along[1], &along[2], &pushes, &numbers})
        input->keep();
      const Status status = call(fault == Fault::other_model ? all.other_ : all.model_, workspace);
      Outcome outcome;
      outcome.words = words + (std::is_same_v<S, float> ? " in float, " : " in double, ") + std::to_string(n) +
                      " columns from state " + std::to_string(first) + ", " + std::to_string(points.size()) +
                      " points, axes " + std::to_string(static_cast<int>(axes)) + ", coordinates " +
                      std::to_string(static_cast<int>(coordinates)) + ", fault " +
                      std::to_string(static_cast<int>(fault)) + ": " + status.message(all.model_);
      const std::span<const Status> statuses = workspace.statuses();
      outcome.show("Status", status);
      outcome.show(statuses);
      for (const Framed<S>& result : results)
        outcome.show("a result", result.numbers().data(), static_cast<std::ptrdiff_t>(result.numbers().size()));
      for (const Framed<S>* input : {&q, &v, &a, &f, &forces, &along[0], &along[1], &along[2], &pushes, &numbers})
        if (!input->untouched()) outcome.break_promise("an input was written");
      const bool whole = status.code == StatusCode::wrong_size || status.code == StatusCode::shared_memory ||
                         status.code == StatusCode::other_model || status.code == StatusCode::no_such_frame ||
                         status.code == StatusCode::state_dependent_loop;
      if ((wrong || fault == Fault::other_model) && !whole) outcome.break_promise("the call was not refused");
      for (const Framed<S>& result : results)
        if (whole ? !result.untouched() : !result.framed())
          outcome.break_promise(whole ? "a refused call wrote a result" : "numbers beside a result were written");
      const std::size_t expected = whole || n == 0 ? 1 : static_cast<std::size_t>(n);
      if (statuses.size() != expected) outcome.break_promise("statuses() has another size");
      if (!statuses.empty() && whole && statuses.front().code != status.code)
        outcome.break_promise("statuses() has not the call's status");
      const auto failed = std::ranges::find_if(statuses, [](const Status& s) { return !s.ok(); });
      if (failed == statuses.end() ? !status.ok() : failed->code != status.code || failed->column != status.column)
        outcome.break_promise("the status is not that of the first column that failed");
      if (!whole) check_columns(outcome, statuses);
      return outcome;
    }

    /// A column that fails is NaN throughout.
    void check_columns(Outcome& outcome, std::span<const Status> statuses) const {
      for (int c = 0; c < n; ++c) {
        const Status& own = statuses[static_cast<std::size_t>(c)];
        const bool unit = fault == Fault::no_unit && c == failing && first_quaternion(all.model_) >= 0;
        if (unit && own.code != StatusCode::not_normalized)
          outcome.break_promise("a quaternion that is no unit passed");
        if (own.ok()) continue;
        if (own.column != c) outcome.break_promise("a status with another column's number");
        for (const Framed<S>& result : results) {
          const std::ptrdiff_t each = result.columns() / n;
          for (std::ptrdiff_t k = 0; k < each; ++k)
            for (std::ptrdiff_t row = 0; row < result.rows(); ++row)
              if (!std::isnan(result.column(c * each + k)[row]))
                outcome.break_promise("a column failed and has numbers");
        }
      }
    }

    enum class Fault { none, wrong_size, shared, other_model, no_link, no_unit, no_number, again };

    const FunctionsOnOneWorkspace& all;
    Random& random;
    int n, first, failing = -1;
    std::vector<LinkPoint> points{};
    Fault fault = Fault::none;
    Axes axes = Axes::link;
    Coordinates coordinates = Coordinates::spanning;
    int each = any_of<int>(random, {1, 1, 7});  ///< directions of a state
    Framed<S> q{}, v{}, a{}, f{}, forces{}, pushes{}, numbers{};
    std::array<Framed<S>, 3> along{};
    std::vector<Framed<S>> results{};
    std::string words{};
    int turn = random.below(3);  ///< the input that has the wrong size
    bool wrong = false;          ///< whether an argument is one that is refused
  };

  Random random_;
  std::string family_;
  const Model& model_;
  Model other_;  ///< the same, put together anew
  SomeStates states_;
  std::ptrdiff_t independent_;
  WorkspaceOptions options_;
};

TEST(CallSequences, Workspace) { expect_no_trace<FunctionsOnOneWorkspace>(300); }
TEST(CallSequencesLong, Workspace) { expect_no_trace<FunctionsOnOneWorkspace>(10000); }

}  // namespace
}  // namespace kinetree::oracle
