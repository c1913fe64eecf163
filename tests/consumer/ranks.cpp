// A program over ranks that links the installed component: an ensemble, and one mechanism, on all that mpiexec starts.
#include <mpi.h>

#include <cstdio>
#include <kinetree/kinetree.hpp>
#include <kinetree/mpi/ensemble.hpp>
#include <kinetree/mpi/forward_dynamics.hpp>
#include <kinetree/mpi/rollouts.hpp>

namespace {

bool falls(const kinetree::Model& model) {
  constexpr int columns = 5;
  kinetree::mpi::Ensemble ensemble(MPI_COMM_WORLD, model, columns);
  const auto [first, count] = ensemble.shares().own();
  const Eigen::MatrixXd q = Eigen::MatrixXd::Constant(model.nq(), count, 0.3),
                        v = Eigen::MatrixXd::Zero(model.nv(), count);
  Eigen::MatrixXd a(model.nv(), count), all(model.nv(), columns);
  if (!ensemble.solve(q, v, v, a).ok() || !ensemble.first_failed().ok()) return false;
  ensemble.shares().gather_to_all(a, all);
  kinetree::mpi::Rollouts rollouts(MPI_COMM_WORLD, model, columns);
  if (!rollouts.reset(q, v).ok() || !rollouts.step(1e-3).ok() || !rollouts.first_failed().ok()) return false;

  kinetree::mpi::ForwardDynamics shared(MPI_COMM_WORLD, model);
  const Eigen::VectorXd q0 = Eigen::VectorXd::Constant(model.nq(), 0.3), v0 = Eigen::VectorXd::Zero(model.nv());
  Eigen::VectorXd a0(model.nv());
  if (!shared.solve(q0, v0, v0, a0).ok()) return false;
  for (int column = 0; column < columns; ++column)
    if (!((all.col(column) - a0).norm() < 1e-9 * a0.norm())) return false;
  return a0.norm() > 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool good = false;
  try {
    good = falls(kinetree::make_model("chain:30"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
