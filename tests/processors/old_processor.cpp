// Solves by every algorithm, one state and many, double and float, and says by which instruction set: to be run on
// processors that have little.
#include <cstdio>
#include <kinetree/kinetree.hpp>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/random.hpp"

template <class T>
bool agrees(const kinetree::Model& model, kinetree::Algorithm algorithm, double allowed) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  kinetree::Random random(4);
  constexpr int columns = 11;
  Matrix q(model.nq(), columns), v(model.nv(), columns), tau = v, many = v;
  for (Matrix* m : {&q, &v, &tau})
    for (Eigen::Index i = 0; i < m->size(); ++i) m->data()[i] = static_cast<T>(random.uniform(-2, 2));
  kinetree::ForwardDynamics dynamics(model, {.algorithm = algorithm,
                                             .executor = kinetree::ExecutorKind::serial,
                                             .grain = algorithm == kinetree::Algorithm::modular ? 3 : 0});
  if (!dynamics.solve(q, v, tau, many).ok()) return false;
  for (int c = 0; c < columns; ++c) {
    Eigen::Matrix<T, Eigen::Dynamic, 1> one(model.nv());
    if (!dynamics.solve(q.col(c), v.col(c), tau.col(c), one).ok()) return false;
    if (!(static_cast<double>((one - many.col(c)).norm() / one.norm()) <= allowed)) return false;
  }
  return true;
}

int main() {
  const kinetree::Model model = kinetree::make_model("chain:12");
  using kinetree::Algorithm;
  for (const Algorithm a : {Algorithm::ab, Algorithm::crb, Algorithm::cfa, Algorithm::modular})
    if (!agrees<double>(model, a, 1e-12) || !agrees<float>(model, a, 1e-3)) {
      std::printf("%s: algorithm %d disagrees\n", name_of(kinetree::instruction_set()), static_cast<int>(a));
      return 1;
    }
  std::printf("%s: all agree\n", name_of(kinetree::instruction_set()));
  return 0;
}
