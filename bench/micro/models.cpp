// A payload picked up: its description attached to that of a robot, the new model made, and the object that solves it.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <kinetree/compose.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/load_model.hpp>
#include <string>

namespace kinetree::bench {
namespace {

Description payload(double kg) {
  Description d;
  BodyDescription& box = d.bodies.emplace_back();
  box.name = "payload", box.parent = "world", box.joint.type = "fixed";
  box.inertial = InertialDescription{kg, {{0, 0, -0.1}, {0, 0, 0, 1}}, {0.01 * kg, 0.01 * kg, 0.01 * kg, 0, 0, 0}};
  return d;
}

/// Another payload every time.
template <class Use>
void time_payloads(const std::string& name, const Description& robot, const std::string& link, Use use) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    double kg = 1;
    for (auto _ : state) {
      benchmark::DoNotOptimize(use(attached(robot, payload(kg), {.link = link})));
      kg = kg < 9 ? kg + 1 : 1;
    }
  })->UseRealTime();
}

[[maybe_unused]] const bool registered = [] {
  struct Robot {
    const char* name;
    bool floating;
    const char* link;
  };
  for (const Robot& r : {Robot{"arm7", false, "link_7"}, Robot{"humanoid", true, "left_hand"},
                         Robot{"humanoid_with_hands", true, "left_hand"}}) {
    const std::filesystem::path file = std::filesystem::path(KINETREE_MODEL_FOLDER) / (std::string(r.name) + ".yaml");
    if (!std::filesystem::exists(file)) continue;
    const Description robot = as_loaded(read_model(file).description, {.floating_base = r.floating});
    const auto named = [&](const char* what) { return fmt::format("models/{}/{}", r.name, what); };
    time_payloads(named("description"), robot, r.link, [](const Description& d) { return d.bodies.size(); });
    time_payloads(named("model"), robot, r.link, [](const Description& d) { return make_model(d).nv(); });
    time_payloads(named("solver"), robot, r.link, [](const Description& d) {
      return ForwardDynamics(make_model(d), {.algorithm = Algorithm::ab}).plan().lanes;
    });
  }
  return true;
}();

}  // namespace
}  // namespace kinetree::bench
