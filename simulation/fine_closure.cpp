#include "simulation/fine_closure.hpp"

#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/joint/joint.hpp"
#include "engine/model/loop_joint.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {

FineClosure::Part::Part(const ModelData& m, const Aggregate& a) : error(at(a.rows)), step(a.rows, a.velocities, 1e-9) {
  for (const int l : a.loops) ends.emplace_back(m.loops[at(l)]);
}

FineClosure::FineClosure(const ModelData& model, Closure& closure)
    : m_(model),
      closure_(closure),
      X_up_(model.parent.size()),
      general_(model.parent.size()),
      columns_(at(model.v_index.back())) {
  for (std::size_t i = 0; i < X_up_.size(); ++i)
    link_.push_back(cast<Fine>(model.link[i])), X_up_[i].general = &general_[i];
  for (const Aggregate& a : m_.aggregates) part_.push_back(std::make_unique<Part>(m_, a));
}

void FineClosure::find_errors(const Aggregate& a, const double* q, Part& part) {
  const Fine v[6]{};
  Fine position[7];
  Motion<Fine> cJ;
  for (const int i : a.bodies) {
    for (int k = m_.q_index[at(i)]; k < m_.q_index[at(i + 1)]; ++k) position[k - m_.q_index[at(i)]] = Fine(q[k]);
    joint_at(m_.joint_type[at(i)], link_[at(i)], position, v, X_up_[at(i)], &columns_[at(m_.v_index[at(i)])], cJ);
  }
  const AggregateState<Fine> state{X_up_.data(), columns_.data(), nullptr, nullptr};
  int row = 0;
  for (std::size_t l = 0; l < a.loops.size(); ++l) {
    const Loop& loop = m_.loops[at(a.loops[l])];
    Fine error[6];
    loop_error(loop.type, Fine(loop.cosine), loop_pose(m_, loop, part.ends[l], state), error);
    for (int r = 0; r < row_count(loop); ++r) {
      Fine held = error[r];
      if (loop.rounded) {
        held = Fine(0);
        for (int k = 0; k < constraint_count(loop.type); ++k) held += Fine(loop.held[at(r)].of[at(k)]) * error[k];
      }
      part.error[at(row++)] = static_cast<double>(held);
    }
  }
  for (const int index : a.couplings) {
    const Coupling& c = m_.couplings[at(index)];
    Fine sum = -Fine(c.offset);
    for (std::size_t t = 0; t < c.terms.size(); ++t) {
      const Fine at_joint(q[m_.q_index[at(c.terms[t].first)]]);
      sum += c.factor(t, at_joint) * at_joint;
    }
    part.error[at(row++)] = static_cast<double>(sum);
  }
}

double FineClosure::close(const Aggregate& a, double* q) {
  Part& part = *part_[static_cast<std::size_t>(&a - m_.aggregates.data())];
  const ConstraintRows<double>& rows = closure_.rows(a, q);
  part.step.factor(Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      rows.K.data(), a.rows, a.velocities));
  find_errors(a, q, part);
  for (int again = 0; again < 2; ++again) {
    Eigen::VectorXd& x = part.step.solve(Eigen::Map<const Eigen::VectorXd>(part.error.data(), a.rows));
    x = -x;
    for (std::size_t k = 0; k < a.bodies.size(); ++k)
      advance(m_.joint_type[at(a.bodies[k])], q + m_.q_index[at(a.bodies[k])], x.data() + a.column[k]);
    find_errors(a, q, part);
  }
  double worst = 0;
  for (const double error : part.error) keep_worst(worst, std::abs(error));
  return worst;
}

}  // namespace kinetree::inline inner
