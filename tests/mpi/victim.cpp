// usage: victim RANK SECONDS: solves an ensemble over and over; then that rank is killed. Without, it would never end.
#include <mpi.h>
#include <signal.h>
#include <sys/time.h>

#include <cmath>
#include <cstdlib>
#include <kinetree/mpi/ensemble.hpp>

#include "mpi/states.hpp"

int main(int argc, char** argv) {
  using namespace kinetree;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const int killed = std::atoi(argv[1]);
  const Model model = make_model("chain:50");
  constexpr int columns = 64;
  mpi::Ensemble ensemble(MPI_COMM_WORLD, model, columns);
  const oracle::States<double> s(model, columns);
  const auto [first, count] = ensemble.shares().own();
  Eigen::MatrixXd own(model.nv(), count), all(model.nv(), columns);
  if (ensemble.shares().rank() == killed) {
    signal(SIGALRM, [](int) { raise(SIGKILL); });
    double whole = 0;
    const double part = std::modf(std::atof(argv[2]), &whole);
    itimerval timer{};
    timer.it_value = {static_cast<time_t>(whole), static_cast<suseconds_t>(1e6 * part) + 1};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
  for (;;) {
    if (!ensemble.solve(s.q.middleCols(first, count), s.v.middleCols(first, count), s.tau.middleCols(first, count), own)
             .ok())
      return 3;
    ensemble.shares().gather_to_all(own, all);
  }
}
