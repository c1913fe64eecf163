// Spatial operations, in double and float, on 256 random operands in turn.

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string>

#include "bench/micro/register.hpp"
#include "engine/algorithm/articulated_body.hpp"
#include "engine/model/random.hpp"

namespace kinetree::bench {
namespace {

constexpr std::size_t operand_count = 256;

/// Random operands of every kind a kernel takes.
template <class S>
struct Operand {
  Transform<S> X;
  Motion<S> m;
  Force<S> f;
  RigidInertia<S> I;
  ArticulatedInertia<S> P;
  Link<S> link;
  AxialPlacement<S> placement;
  JointTransform<S> screws;  ///< by this placement
  S q, v, tau;
};

template <class S>
Vector3<S> random_vector(Random& random) {
  const auto one = [&] { return static_cast<S>(random.uniform(-1, 1)); };
  return {one(), one(), one()};
}

template <class S>
Operand<S> random_operand(Random& random) {
  Operand<S> o;
  const auto angle = static_cast<S>(random.uniform(-3, 3));
  const S c = std::cos(angle), s = std::sin(angle);
  o.X = {Matrix3<S>{c, s, 0, -s, c, 0, 0, 0, 1} * Matrix3<S>{1, 0, 0, 0, c, s, 0, -s, c}, random_vector<S>(random)};
  o.m = {random_vector<S>(random), random_vector<S>(random)};
  o.f = {random_vector<S>(random), random_vector<S>(random)};
  const auto big = static_cast<S>(random.uniform(2, 3));
  const auto small = static_cast<S>(random.uniform(-0.1, 0.1));
  o.I = {big, random_vector<S>(random), {big, big, big, small, small, small}};
  o.P = ArticulatedInertia<S>(o.I);
  o.link.X_tree = o.X;
  o.link.I = o.I;
  o.screws.outboard = {c, s, small};
  o.placement.x = {s, c, big};
  o.q = static_cast<S>(random.uniform(-3, 3));
  o.v = static_cast<S>(random.uniform(-1, 1));
  o.tau = static_cast<S>(random.uniform(-1, 1));
  return o;
}

template <class S>
const std::array<Operand<S>, operand_count>& operands() {
  static std::array<Operand<S>, operand_count> all;
  static const bool made = [] {
    Random random(1);
    for (Operand<S>& o : all) {
      o = random_operand<S>(random);
      o.screws.placed = &o.placement;
    }
    return true;
  }();
  static_cast<void>(made);
  return all;
}

template <class S, class Kernel>
void add(const std::string& name, Kernel kernel) {
  const std::string scalar = sizeof(S) == sizeof(double) ? "double" : "float";
  benchmark::RegisterBenchmark(("kernel/" + name + "/" + scalar).c_str(), [kernel](benchmark::State& state) {
    std::size_t k = 0;
    for (auto _ : state) {
      auto result = kernel(operands<S>()[k]);
      benchmark::DoNotOptimize(result);
      k = (k + 1) % operand_count;
    }
  })->UseRealTime();
}

template <class S>
void add_all() {
  using O = const Operand<S>&;
  add<S>("transform a motion", [](O o) { return o.X * o.m; });
  add<S>("transpose-transform a force", [](O o) { return transpose_times(o.X, o.f); });
  add<S>("move a motion by two screws", [](O o) { return o.screws * o.m; });
  add<S>("move an articulated inertia by two screws", [](O o) { return congruence(o.screws, o.P); });
  add<S>("compose transforms", [](O o) { return o.X * o.link.X_tree; });
  add<S>("cross motion motion", [](O o) { return cross(o.m, o.m); });
  add<S>("cross motion force", [](O o) { return cross(o.m, o.f); });
  add<S>("rigid inertia times motion", [](O o) { return o.I * o.m; });
  add<S>("articulated inertia times motion", [](O o) { return o.P * o.m; });
  add<S>("move a rigid inertia", [](O o) { return congruence(o.X, o.I); });
  add<S>("move an articulated inertia", [](O o) { return congruence(o.X, o.P); });
  add<S>("revolute joint", [](O o) {
    Transform<S> X;
    Motion<S> columns[1], c;
    joint_at(JointType::revolute, o.link, &o.q, &o.v, X, columns, c);
    return X;
  });
  add<S>("articulate one revolute joint", [](O o) {
    const SweepJoint<S, Revolute, Rotors::none> joint{};
    ArticulatedInertia<S> P = o.P;
    Force<S> U[1], z = o.f;
    S D[1], u[1], y[1];
    joint.factor(P, U, D);
    joint.bias(&o.tau, U, D, u, y, z);
    P.I.xx += z.moment.x;
    return P;
  });
}

}  // namespace

void register_kernels() {
  add_all<double>();
  add_all<float>();
}

}  // namespace kinetree::bench
