// A plugin of the core alone, so that the runtimes of its executors come and go with it.
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/model.hpp>

/// Accelerations by the threads of every executor, as the calling thread finds them; the threads still wait when the
/// plugin goes. 0 where they are equal.
extern "C" __attribute__((visibility("default"))) int run_plugin(const char*) {
  const kinetree::Model model = kinetree::make_model("chain:16");
  const Eigen::MatrixXd q = Eigen::MatrixXd::Random(model.nq(), 64), v = Eigen::MatrixXd::Random(model.nv(), 64);
  Eigen::MatrixXd alone(model.nv(), 64), together(model.nv(), 64);
  using enum kinetree::ExecutorKind;
  for (const auto executor : {serial, tbb, openmp, team}) {
    kinetree::ForwardDynamics dynamics(
        model, {.algorithm = kinetree::Algorithm::cfa, .executor = executor, .threads = executor == serial ? 1 : 2});
    if (!dynamics.solve(q, v, v, executor == serial ? alone : together).ok()) return 1;
    if (executor != serial && together != alone) return 2;
  }
  return 0;
}
