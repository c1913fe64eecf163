#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <kinetree/sko/digraph.hpp>
#include <kinetree/sko/model.hpp>
#include <kinetree/sko/products.hpp>
#include <map>

#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::sko {

namespace {

template <class S>
Matrix<double> in_double(const Matrix<S>& X) {
  return X.unaryExpr([](const S& x) { return to_double(x); });
}

/// How the user's nodes hang together.
struct Order {
  std::vector<int> parent;  ///< per node of the list, its parent there; -1: none, or none of that name
  Tree tree;                ///< empty where they make none
  std::vector<int> node;    ///< per node of the tree, its index in the list
};

template <class S>
Order canonical_order(const std::vector<NodeEquations<S>>& nodes, std::vector<std::string>& findings) {
  std::map<std::string, int> index;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].name.empty()) findings.push_back("node " + std::to_string(i) + " has no name");
    if (!index.emplace(nodes[i].name, static_cast<int>(i)).second)
      findings.push_back("node '" + nodes[i].name + "': two nodes have this name");
    names.push_back(nodes[i].name);
  }
  Order order{std::vector<int>(nodes.size(), -1), {}, {}};
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent.empty()) continue;
    const auto found = index.find(nodes[i].parent);
    if (found == index.end()) {
      findings.push_back("node '" + nodes[i].name + "': its parent '" + nodes[i].parent + "' is no node");
      continue;
    }
    order.parent[i] = found->second;
    edges.push_back({found->second, static_cast<int>(i)});
  }
  const Digraph digraph(std::move(names), std::move(edges));
  if (const Diagnosis diagnosis = diagnose(digraph); !diagnosis.clean()) {
    std::string text = diagnosis.text(digraph);
    text.pop_back();
    findings.push_back(text + " (Jain 2011, Sec. 8.2)");
    return order;
  }
  NumberedTree numbered = tree_of(digraph);
  order.tree = std::move(numbered.tree);
  order.node.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) order.node[at(numbered.number[i])] = static_cast<int>(i);
  return order;
}

template <class S>
void check_node(const NodeEquations<S>& node, const NodeEquations<S>* parent, std::vector<std::string>& findings) {
  const auto say = [&](const std::string& what) { findings.push_back("node '" + node.name + "': " + what); };
  const auto finite = [&](const Matrix<S>& X, const char* name) {
    if (!in_double(X).allFinite()) say(std::string(name) + " has an entry that is not finite");
    return in_double(X).allFinite();
  };
  const Eigen::Index m = node.M.rows();
  const bool all_finite = finite(node.M, "M") && finite(node.H, "H") && (!parent || finite(node.A, "A"));
  if (node.M.cols() != m) return say("M is " + shape(m, node.M.cols()) + ", it must be square");
  if (node.H.cols() != m)
    say("H is " + shape(node.H.rows(), node.H.cols()) + ", its columns must be the " + std::to_string(m) + " of M");
  if (parent && (node.A.rows() != parent->M.rows() || node.A.cols() != m))
    say("A is " + shape(node.A.rows(), node.A.cols()) + ", it must be " + shape(parent->M.rows(), m) +
        ": the parent's rows by the node's");
  if (!all_finite || m == 0) return;
  const Matrix<double> M = in_double(node.M);
  const double scale = M.cwiseAbs().maxCoeff();
  if ((M - M.transpose()).cwiseAbs().maxCoeff() > 1e-12 * scale) return say("M is not symmetric");
  const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues()(0);
  if (smallest < -1e-12 * scale) say("M has the negative eigenvalue " + number_text(smallest, 6));
  if (node.H.cols() == m && node.H.rows() > 0) {
    const Matrix<double> H = in_double(node.H), gram = H * H.transpose();
    const auto values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues();
    if (!(values(0) > 1e-24 * values(values.size() - 1)))
      say("H has not full row rank: its joint velocities are not independent");
  }
}

}  // namespace

template <class S>
SkoModel<S> assemble(const std::string& name, const std::vector<NodeEquations<S>>& nodes) {
  std::vector<std::string> findings;
  const Order order = canonical_order(nodes, findings);
  const auto node_at = [&nodes, &listed = order.node](int place) -> const NodeEquations<S>& {
    return nodes[at(listed[at(place)])];
  };
  for (std::size_t i = 0; i < nodes.size(); ++i)
    check_node(nodes[i], order.parent[i] < 0 ? nullptr : &nodes[at(order.parent[i])], findings);
  if (!findings.empty()) {
    std::string message = "SKO model '" + name + "':";
    for (const std::string& finding : findings) message += "\n  " + finding;
    throw InvalidSkoModel(message);
  }
  std::vector<int> m, n;
  for (int k = 0; k < order.tree.size(); ++k) {
    m.push_back(static_cast<int>(node_at(k).M.rows()));
    n.push_back(static_cast<int>(node_at(k).H.rows()));
  }
  const auto space = std::make_shared<const Space>(name, order.tree, m, n);
  SkoModel<S> model{space, {space, {}}, {space, Kind::joint, Kind::node, {}}, {space, Kind::node, Kind::node, {}}};
  for (int k = 0; k < space->nodes(); ++k) {
    model.A.weight.push_back(space->tree().parent(k) < 0 ? Matrix<S>() : node_at(k).A);
    model.H.block.push_back(node_at(k).H);
    model.M.block.push_back(node_at(k).M);
  }
  return model;
}

namespace {

/// Where ½ V* M V is farthest from a stated energy: relative error, and the joint rows that move (twice the same: one).
template <class S>
struct EnergyError {
  S error{0};
  Eigen::Index i = 0, j = 0;
};

template <class S>
EnergyError<S> worst_energy(const SkoModel<S>& model, const std::function<S(const Stacked<S>&)>& stated_energy) {
  auto theta_dot = Stacked<S>::zero(model.space, Kind::joint);
  EnergyError<S> worst;
  const auto try_rows = [&](Eigen::Index i, Eigen::Index j) {
    theta_dot.value(i) = theta_dot.value(j) = S(1);
    const Stacked<S> V = transpose_times(model.A, transpose_times(model.H, theta_dot));
    const S energy = V.value.dot((model.M * V).value) / S(2), stated = stated_energy(theta_dot);
    const double difference = std::abs(to_double(S(energy - stated)));
    const double scale = std::max(std::abs(to_double(energy)), std::abs(to_double(stated)));
    const double error = difference == 0 ? 0. : difference / scale;
    if (!(error <= to_double(worst.error))) worst = {S(error), i, j};  // NaN counts as the worst
    theta_dot.value(i) = theta_dot.value(j) = S(0);
  };
  for (Eigen::Index i = 0; i < model.freedoms(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j) try_rows(i, j);
  return worst;
}

}  // namespace

template <class S>
S kinetic_energy_error(const SkoModel<S>& model, const std::function<S(const Stacked<S>& theta_dot)>& stated_energy) {
  return worst_energy(model, stated_energy).error;
}

template <class S>
SkoModel<S> assemble(const std::string& name, const std::vector<NodeEquations<S>>& nodes,
                     const std::function<S(const Stacked<S>& theta_dot)>& stated_energy) {
  SkoModel<S> model = assemble(name, nodes);
  const EnergyError<S> worst = worst_energy(model, stated_energy);
  if (to_double(worst.error) <= 1e-8) return model;
  const auto joint_of = [&](Eigen::Index row) {
    int k = 0;
    while (model.space->offset(Kind::joint, k + 1) <= row) ++k;
    return "velocity " + std::to_string(row - model.space->offset(Kind::joint, k)) + " of '" + model.tree().name(k) +
           "'";
  };
  throw InvalidSkoModel("SKO model '" + name + "': half V* M V is not the stated kinetic energy, it is off by " +
                        number_text(to_double(worst.error), 3) + " of it where only " + joint_of(worst.i) +
                        (worst.i == worst.j ? "" : " and " + joint_of(worst.j)) +
                        " move at rate one; look at M, A and H of that node and those that it carries (Jain 2011, Sec. "
                        "8.1, steps 2 and 3)");
}

template <class S>
Explicit<S> partial_velocities(const SkoModel<S>& model) {
  return transpose(explicit_form(model.H) * resolvent(model.A));
}

template <class S>
Explicit<S> newton_euler_product(const SkoModel<S>& model) {
  const Explicit<S> HA = explicit_form(model.H) * resolvent(model.A);
  return HA * explicit_form(model.M) * transpose(HA);
}

#define INSTANTIATE(S)                                                                             \
  template SkoModel<S> assemble(const std::string&, const std::vector<NodeEquations<S>>&);         \
  template SkoModel<S> assemble(const std::string&, const std::vector<NodeEquations<S>>&,          \
                                const std::function<S(const Stacked<S>&)>&);                       \
  template S kinetic_energy_error(const SkoModel<S>&, const std::function<S(const Stacked<S>&)>&); \
  template Explicit<S> partial_velocities(const SkoModel<S>&);                                     \
  template Explicit<S> newton_euler_product(const SkoModel<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
