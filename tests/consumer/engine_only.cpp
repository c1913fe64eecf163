// The engine without any reader.
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/model.hpp>

int main() {
  const kinetree::Model model = kinetree::make_model("chain:8");
  kinetree::ForwardDynamics dynamics(model, {.algorithm = kinetree::Algorithm::cfa, .threads = 2});
  Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv()), a = zero;
  return dynamics.solve(zero, zero, zero, a).ok() && a.allFinite() ? 0 : 1;
}
