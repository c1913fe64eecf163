// What a caller may not write: each REFUSED is refused when compiling, with a sentence that says what to do.
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/model.hpp>
#include <kinetree/workspace.hpp>

void refused(const kinetree::Model& model, kinetree::Workspace& workspace, kinetree::ForwardDynamics& dynamics) {
  Eigen::VectorXd x;
  Eigen::MatrixXd columns;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows;
  Eigen::VectorXf single;
  Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<>> spaced(nullptr, 0, Eigen::InnerStride<>(2));
  (void)model, (void)workspace, (void)dynamics;
#if REFUSED == 1
  dynamics.solve(x, x, x, columns.row(0));
#elif REFUSED == 2
  dynamics.solve(columns, columns, columns, rows);
#elif REFUSED == 3
  dynamics.solve(x, x, x, 2 * x);
#elif REFUSED == 4
  dynamics.solve(single, x, x, x);
#elif REFUSED == 5
  kinetree::inverse_dynamics(model, workspace, x, x, x, spaced);
#elif REFUSED == 6
  kinetree::mass_matrix(model, workspace, x, columns + columns);
#elif REFUSED == 7
  kinetree::inverse_dynamics(model, workspace, x, x, x, single);
#endif
}
