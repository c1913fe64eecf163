#pragma once
// Steps of a given length of some states, stage by stage: semi-implicit Euler, and the classical method of Runge and
// Kutta. A stage is a kick, which finds velocities, and a drift along them. One simulation and many take their steps by
// this code, so that their bits agree; floating joints of several states go side by side.

#include <algorithm>
#include <array>
#include <cstddef>
#include <kinetree/simulation/simulation.hpp>
#include <memory>
#include <span>
#include <vector>

#include "engine/algorithm/lanes/floating_steps.hpp"
#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/joint/advance.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"
#include "simulation/settle.hpp"

namespace kinetree::inline inner {

class FixedStep {
 public:
  /// Not the adaptive integrator.
  FixedStep(const ModelData& model, Integrator integrator)
      : m_(model),
        several_(integrator == Integrator::rk4),
        nq_(model.q_index.back()),
        nv_(model.v_index.back()),
        floats_(std::find(model.joint_type.begin(), model.joint_type.end(), JointType::floating) !=
                model.joint_type.end()),
        runs_(runs_of(model)) {}

  static constexpr int stages_of(Integrator integrator) { return integrator == Integrator::rk4 ? 4 : 1; }
  int stages() const { return several_ ? stages_of(Integrator::rk4) : 1; }
  /// A step's error goes with the power order() + 1 of its length.
  int order() const { return stages(); }
  /// The time of a stage since the start of the step, over the step's length.
  double part(int stage) const { return several_ ? std::array{0.0, 0.5, 0.5, 1.0}[at(stage)] : 0; }
  /// The share of a stage's rates in those of the step.
  double share(int stage) const { return several_ ? (stage % 3 == 0 ? 1.0 / 6 : 1.0 / 3) : 1; }
  /// Numbers that a state keeps meanwhile: its start; of several stages also the stage as it stands, the sum of rates.
  std::size_t memory() const { return (several_ ? 3 : 1) * at(nq_ + nv_); }
  /// The kernels of floating joints, which keep what a stage's kick leaves to its drift: one a thread. `many`: for
  /// several states side by side. Null: the step has none of them.
  using Floating = std::unique_ptr<FloatingSteps>;
  Floating floating(bool many) const {
    if (several_ || !floats_) return nullptr;
    return make_floating_steps(instruction_set(), many, m_);
  }

  /// How many states `kick` and `drift` take at a time, at most.
  static std::size_t at_once(const FloatingSteps* floating) {
    return floating == nullptr ? SIZE_MAX : at(floating->width());
  }

  /// A state of a stage, in which accelerations are a.
  struct Column {
    double *q, *v;
    const double* a;
    double* memory;
    FloatingSteps::Centres centres = nullptr;  ///< of mass, that the state may have of its own
  };

  /// `ways`: every v becomes the velocity along which the stage counts in the step, in the axes of q; the forces' power
  /// along it is the rate of their work. Else those of floating joints are left to `drift`.
  void kick(int stage, double h, std::span<const Column> columns, FloatingSteps* floating, bool ways) const {
    for (const Column& c : columns) {
      if (stage == 0) std::copy_n(c.v, nv_, std::copy_n(c.q, nq_, c.memory));
      if (several_) continue;
      for (int k = 0; k < nv_; ++k) c.v[k] += h * c.a[k];
    }
    if (floating != nullptr) with_floating(columns, [&](auto of_them) { floating->kick(h, of_them, ways); });
  }
  /// After `kick`: q and v become those of the next stage; after the last one the state that the step ends with, to be
  /// settled. h: s.
  void drift(int stage, double h, std::span<const Column> columns, FloatingSteps* floating) const {
    for (const Column& c : columns)
      if (several_)
        runge_kutta(stage, h, c.q, c.v, c.a, c.memory);
      else
        euler(h, c.q, c.v);
    if (floating != nullptr) with_floating(columns, [&](auto of_them) { floating->drift(h, of_them); });
  }
  /// Gives q and v back their numbers of the step's start. `stages`: how many were complete when something failed.
  void go_back(int stages, double* q, double* v, const double* memory) const {
    if (stages == 0) return;
    std::copy_n(memory, nq_, q);
    std::copy_n(memory + nq_, nv_, v);
  }
  /// The velocities that the step began with.
  const double* start_velocities(int stages, const double* v, const double* memory) const {
    return stages == 0 ? v : memory + nq_;
  }

 private:
  /// Neighbouring joints whose positions grow by their velocities, or one with a quaternion.
  struct Run {
    JointType type;
    int q, v, count;  ///< where its numbers begin, how many velocities they are
  };
  static std::vector<Run> runs_of(const ModelData& m) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      const JointType type = m.joint_type[i];
      const int count = m.v_index[i + 1] - m.v_index[i];
      if (quaternion_at(type) < 0 && !runs.empty() && quaternion_at(runs.back().type) < 0)
        runs.back().count += count;
      else
        runs.push_back({type, m.q_index[i], m.v_index[i], count});
    }
    return runs;
  }

  template <class Use>
  void with_floating(std::span<const Column> columns, Use&& use) const {
    std::array<FloatingSteps::Column, most_lanes> of_them;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Column& c = columns[k];
      of_them[k] = {c.memory, c.memory + nq_, c.a, c.q, c.v, c.centres};
    }
    use(std::span<const FloatingSteps::Column>(of_them.data(), columns.size()));
  }

  void euler(double h, double* q, double* v) const {
    for (const Run& run : runs_) {
      if (run.type == JointType::floating) continue;  // FloatingSteps
      if (quaternion_at(run.type) >= 0) {
        const double *w = v + run.v, way[3]{h * w[0], h * w[1], h * w[2]};
        advance(run.type, q + run.q, way);
      } else {
        for (int k = 0; k < run.count; ++k) q[run.q + k] += h * v[run.v + k];
      }
    }
  }

  /// The quaternions of stages are not quite units: rates are those of the numbers as they stand, accelerations are
  /// asked with units.
  void runge_kutta(int stage, double h, double* q, double* v, const double* a, double* memory) const {
    double *start = memory, *now = start + nq_ + nv_, *sum = now + nq_ + nv_;
    if (stage == 0) {
      std::copy_n(start, nq_ + nv_, now);
      std::fill_n(sum, nq_ + nv_, 0.0);
    }
    const bool last = stage == 3;
    const double reach = last ? h : h * part(stage + 1);
    const double part_of_step = share(stage);
    const auto move = [&](int k, double rate) {
      sum[k] += part_of_step * rate;
      now[k] = start[k] + reach * (last ? sum[k] : rate);
    };
    const double* const now_v = now + nq_;
    for (const Run& run : runs_) {
      if (quaternion_at(run.type) < 0) {
        for (int k = 0; k < run.count; ++k) move(run.q + k, now_v[run.v + k]);
        continue;
      }
      double rate[7];
      position_rates(run.type, now + run.q, now_v + run.v, rate);
      for (int k = 0; k < position_count(run.type); ++k) move(run.q + k, rate[k]);
    }
    for (int k = 0; k < nv_; ++k) move(nq_ + k, a[k]);
    std::copy_n(now, nq_, q);
    std::copy_n(now + nq_, nv_, v);
    if (!last) normalize_positions(m_, q);
  }

  const ModelData& m_;
  bool several_;
  int nq_, nv_;
  bool floats_;
  std::vector<Run> runs_;
};

}  // namespace kinetree::inline inner
