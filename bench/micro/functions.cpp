// Functions beside forward dynamics, column by column and 64 columns a call; times are those of 64 states.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <kinetree/derivatives.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/workspace.hpp>
#include <memory>
#include <string>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::bench {
namespace {

constexpr int states = 64;

/// What a function reads and writes.
template <class S>
struct Arguments {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix q, v, a, tau, H, energies, poses, velocities, accelerations, J, A, by_q, by_v, by_tau;
  Eigen::Index size;       ///< of a mass matrix
  std::vector<int> links;  ///< all
  Eigen::Index moving;     ///< columns of their sparse Jacobians
  Matrix sparse;

  explicit Arguments(const Model& model) : size(static_cast<Eigen::Index>(independent_velocities(model).size())) {
    const StateSet random = random_states(model, states, 1);
    q = random.q.cast<S>(), v = random.v.cast<S>(), a = random.tau.cast<S>();
    tau.resize(model.nv(), states), H.resize(size, size * states), energies.resize(2, states);
    const Eigen::Index n = static_cast<Eigen::Index>(model.data().frames.size());
    for (int k = 0; k < n; ++k) links.push_back(k);
    poses.resize(12 * n, states), velocities.resize(6 * n, states), accelerations = velocities;
    moving = static_cast<Eigen::Index>(path_velocities(model, links).velocity.size());
    sparse.resize(6, moving * states);
    J.resize(6 * n, model.nv() * states), A.resize(6, model.nv() * states);
    by_q.resize(model.nv(), model.nv() * states), by_v = by_q, by_tau = by_q;
  }
};

/// call(first, count): the status of the function on so many columns.
template <class Call>
void time_columns(benchmark::State& state, int at_once, Call&& call) {
  for (auto _ : state)
    for (int first = 0; first < states; first += at_once)
      if (!call(first, at_once).ok()) return state.SkipWithError("a state failed");
}

template <class S>
void add(const std::string& name, const std::shared_ptr<const Model>& model, const char* scalar) {
  for (const int at_once : {1, states}) {
    const auto add_function = [&](const char* function, auto call) {
      const std::string full = fmt::format("functions/{}/{}/{}/{}", name, function, scalar, at_once);
      benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
        Arguments<S> x(*model);
        Workspace w(*model);
        time_columns(state, at_once, [&](int first, int count) { return call(*model, w, x, first, count); });
      })->UseRealTime();
    };
    add_function("inverse_dynamics", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return inverse_dynamics(m, w, x.q.middleCols(first, count), x.v.middleCols(first, count),
                              x.a.middleCols(first, count), x.tau.middleCols(first, count));
    });
    add_function("mass_matrix", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return mass_matrix(m, w, x.q.middleCols(first, count), x.H.middleCols(first * x.size, count * x.size));
    });
    add_function("lower_mass_matrix", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return lower_mass_matrix(m, w, x.q.middleCols(first, count), x.H.middleCols(first * x.size, count * x.size));
    });
    add_function("energy", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return energy(m, w, x.q.middleCols(first, count), x.v.middleCols(first, count),
                    x.energies.middleCols(first, count));
    });
    add_function("poses", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return poses(m, w, x.q.middleCols(first, count), x.links, x.poses.middleCols(first, count));
    });
    add_function("point_kinematics", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return point_kinematics(m, w, x.q.middleCols(first, count), x.v.middleCols(first, count),
                              x.a.middleCols(first, count), x.links, Axes::world_aligned,
                              x.poses.middleCols(first, count), x.velocities.middleCols(first, count),
                              x.accelerations.middleCols(first, count));
    });
    add_function("jacobians", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return jacobians(m, w, x.q.middleCols(first, count), x.links, Axes::world_aligned,
                       x.J.middleCols(first * m.nv(), count * m.nv()));
    });
    add_function("sparse_jacobians", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return sparse_jacobians(m, w, x.q.middleCols(first, count), x.links, Axes::world_aligned,
                              x.sparse.middleCols(first * x.moving, count * x.moving));
    });
    add_function("jacobian_of_last_link", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return jacobians(m, w, x.q.middleCols(first, count), std::vector{x.links.back()}, Axes::world,
                       x.A.middleCols(first * m.nv(), count * m.nv()));
    });
    add_function(
        "inverse_dynamics_derivatives", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
          const Eigen::Index nv = m.nv();
          return inverse_dynamics_derivatives(m, w, x.q.middleCols(first, count), x.v.middleCols(first, count),
                                              x.a.middleCols(first, count), x.by_q.middleCols(first * nv, count * nv),
                                              x.by_v.middleCols(first * nv, count * nv));
        });
    if (!has_aggregates(model->data()))
      add_function(
          "forward_dynamics_derivatives", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
            const Eigen::Index nv = m.nv();
            return forward_dynamics_derivatives(m, w, x.q.middleCols(first, count), x.v.middleCols(first, count),
                                                x.a.middleCols(first, count), x.by_q.middleCols(first * nv, count * nv),
                                                x.by_v.middleCols(first * nv, count * nv),
                                                x.by_tau.middleCols(first * nv, count * nv));
          });
    add_function("momentum_matrix", [](const Model& m, Workspace& w, Arguments<S>& x, int first, int count) {
      return momentum_matrix(m, w, x.q.middleCols(first, count), x.A.middleCols(first * m.nv(), count * m.nv()));
    });
  }
}

[[maybe_unused]] const bool registered = [] {
  const std::filesystem::path folder = KINETREE_MODEL_FOLDER;
  const std::pair<const char*, bool> files[]{
      {"arm7", false}, {"quadruped", true}, {"humanoid", true}, {"standing_biped", false}};
  for (const auto& [name, floating] : files) {
    const std::filesystem::path file = folder / (std::string(name) + ".yaml");
    if (!std::filesystem::exists(file)) continue;
    const auto model = std::make_shared<const Model>(load_model(file, {.floating_base = floating}));
    add<double>(name, model, "double");
    add<float>(name, model, "float");
  }
  return true;
}();

}  // namespace
}  // namespace kinetree::bench
