#pragma once
// Steps of a given length of one state, stage by stage: semi-implicit Euler, and the classical method of Runge and
// Kutta. A stage is a kick, which finds velocities, and a drift along them. One simulation and many take their steps by
// this code, so that their bits agree.

#include <algorithm>
#include <array>
#include <cstddef>
#include <kinetree/simulation/simulation.hpp>
#include <vector>

#include "engine/joint/advance.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"
#include "simulation/floating_steps.hpp"
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
        floating_(model),
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
  /// What a stage's kick leaves to its drift, for one state after the other.
  using Scratch = FloatingSteps::Scratch;
  Scratch scratch() const { return several_ ? Scratch() : floating_.scratch(); }
  /// Centres of mass that one state may have of its own, as FloatingSteps has them.
  using Centres = FloatingSteps::Centres;
  const FloatingSteps& floating() const { return floating_; }

  /// q, v: the state of a stage, in which accelerations are a. v becomes the velocity along which the stage counts in
  /// the step, in the axes of q; the forces' power along it is the rate of their work.
  void kick(int stage, double h, const double* q, double* v, const double* a, double* memory, Scratch& scratch,
            Centres centres = nullptr) const {
    if (stage == 0) std::copy_n(v, nv_, std::copy_n(q, nq_, memory));
    if (several_) return;
    for (int k = 0; k < nv_; ++k) v[k] += h * a[k];
    floating_.kick(h, memory, memory + nq_, a, v, scratch, centres);
  }
  /// After `kick`: q and v become those of the next stage; after the last one the state that the step ends with, to be
  /// settled. h: s.
  void drift(int stage, double h, double* q, double* v, const double* a, double* memory, Scratch& scratch,
             Centres centres = nullptr) const {
    if (several_)
      runge_kutta(stage, h, q, v, a, memory);
    else
      euler(h, q, v, scratch, centres);
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

  void euler(double h, double* q, double* v, Scratch& scratch, Centres centres) const {
    int floating = 0;
    for (const Run& run : runs_) {
      if (run.type == JointType::floating) {
        floating = floating_.drift(floating, h, q, v, scratch, centres);
      } else if (quaternion_at(run.type) >= 0) {
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
  FloatingSteps floating_;
  std::vector<Run> runs_;
};

}  // namespace kinetree::inline inner
