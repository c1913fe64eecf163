#include <kinetree/sko/module_model.hpp>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

/// For each link its first row in a stacked vector over modules.
template <class S>
std::vector<int> rows_over_modules(const ModuleModel<S>& m, Kind kind) {
  std::vector<int> row(at(m.modules.links().size()));
  for (int i = 0; i < m.modules.size(); ++i) {
    int next = m.model.space->offset(kind, i);
    for (const int k : m.modules.links_of(i)) {
      row[at(k)] = next;
      next += m.links.space->size(kind, k);
    }
  }
  return row;
}

/// For each row of a stacked vector over links (in the order given) its row in one over modules.
template <class S, class Links>
std::vector<int> permutation(const ModuleModel<S>& m, Kind kind, const Links& links) {
  const std::vector<int> row = rows_over_modules(m, kind);
  std::vector<int> result;
  for (const int k : links)
    for (int r = 0; r < m.links.space->size(kind, k); ++r) result.push_back(row[at(k)] + r);
  return result;
}

template <class S>
std::vector<int> permutation(const ModuleModel<S>& m, Kind kind) {
  std::vector<int> links;
  for (int k = 0; k < m.modules.links().size(); ++k) links.push_back(k);
  return permutation(m, kind, links);
}

template <class S>
SkoModel<S> make_chain(const SkoModel<S>& links, const KinematicModules& modules, int i) {
  std::vector<int> parent, m, n;
  std::vector<std::string> name;
  for (const int k : modules.links_of(i)) {
    parent.push_back(k == modules.first_link(i) ? -1 : static_cast<int>(parent.size()) + 1);
    name.push_back(links.tree().name(k));
    m.push_back(links.space->size(Kind::node, k));
    n.push_back(links.space->size(Kind::joint, k));
  }
  const auto space = std::make_shared<const Space>(links.space->name() + ", module " + modules.tree().name(i),
                                                   Tree(std::move(parent), std::move(name)), m, n);
  SkoModel<S> chain{space, {space, {}}, {space, Kind::joint, Kind::node, {}}, {space, Kind::node, Kind::node, {}}};
  for (const int k : modules.links_of(i)) {
    chain.A.weight.push_back(k == modules.first_link(i) ? Matrix<S>() : links.A(k));
    chain.H.block.push_back(links.H(k));
    chain.M.block.push_back(links.M(k));
  }
  return chain;
}

}  // namespace

template <class S>
SkoModel<S> chain_of(const SkoModel<S>& links, const KinematicModules& modules, int i) {
  expect_modules_of(modules, links.tree());
  return make_chain(links, modules, i);
}

template <class S>
std::vector<SkoModel<S>> chains_of(const SkoModel<S>& links, const KinematicModules& modules) {
  expect_modules_of(modules, links.tree());
  std::vector<SkoModel<S>> chains;
  for (int i = 0; i < modules.size(); ++i) chains.push_back(make_chain(links, modules, i));
  return chains;
}

template <class S>
ModuleModel<S> module_model(const SkoModel<S>& links, const KinematicModules& modules, const Stacked<S>& a,
                            const Stacked<S>& b) {
  expect_modules_of(modules, links.tree());
  std::vector<std::vector<int>> sets;
  for (int i = 0; i < modules.size(); ++i) sets.emplace_back(modules.links_of(i).begin(), modules.links_of(i).end());
  ModuleModel<S> m{aggregate(links, a, b, sets), modules, links};
  // both number modules by their first links
  if (m.nodes.members != sets) throw std::logic_error("modules and aggregated nodes are numbered apart");
  return m;
}

template <class S>
Matrix<S> module_N_l(const ModuleModel<S>& m, int i) {
  return resolvent(chain_of(m.links, m.modules, i).A).matrix.transpose();
}

template <class S>
Matrix<S> module_N_d(const ModuleModel<S>& m, int i) {
  return explicit_form(chain_of(m.links, m.modules, i).H).matrix.transpose();
}

template <class S>
Matrix<S> module_propagation(const ModuleModel<S>& m, int i, int j) {
  const SpaceRef& space = m.model.space;
  const int m_i = space->size(Kind::node, i);
  if (!m.model.tree().at_or_above(j, i)) return Matrix<S>::Zero(m_i, space->size(Kind::node, j));
  Matrix<S> product = Matrix<S>::Identity(m_i, m_i);
  int below = i;
  for (const int above : m.model.tree().path_up(i, j)) {
    product = (product * m.model.A(below).transpose()).eval();
    below = above;
  }
  return product;
}

template <class S>
Explicit<S> N_l(const ModuleModel<S>& m) {
  return transpose(resolvent(m.model.A));
}

template <class S>
Explicit<S> N_d(const ModuleModel<S>& m) {
  return transpose(explicit_form(m.model.H));
}

template <class S>
Explicit<S> by_links(const ModuleModel<S>& m, const Explicit<S>& over_modules) {
  expect_same(m.model.space, over_modules.space, "by links");
  return {m.links.space, over_modules.rows, over_modules.columns,
          over_modules.matrix(permutation(m, over_modules.rows), permutation(m, over_modules.columns))};
}

template <class S>
Matrix<S> base_first(const ModuleModel<S>& m, const Explicit<S>& over_modules) {
  expect_same(m.model.space, over_modules.space, "base first");
  std::vector<int> links;
  for (int i = m.modules.size(); i-- > 0;)
    links.insert(links.end(), m.modules.links_of(i).rbegin(), m.modules.links_of(i).rend());
  return over_modules.matrix(permutation(m, over_modules.rows, links), permutation(m, over_modules.columns, links));
}

#define INSTANTIATE(S)                                                                                 \
  template SkoModel<S> chain_of(const SkoModel<S>&, const KinematicModules&, int);                     \
  template std::vector<SkoModel<S>> chains_of(const SkoModel<S>&, const KinematicModules&);            \
  template ModuleModel<S> module_model(const SkoModel<S>&, const KinematicModules&, const Stacked<S>&, \
                                       const Stacked<S>&);                                             \
  template Matrix<S> module_N_l(const ModuleModel<S>&, int);                                           \
  template Matrix<S> module_N_d(const ModuleModel<S>&, int);                                           \
  template Matrix<S> module_propagation(const ModuleModel<S>&, int, int);                              \
  template Explicit<S> N_l(const ModuleModel<S>&);                                                     \
  template Explicit<S> N_d(const ModuleModel<S>&);                                                     \
  template Explicit<S> by_links(const ModuleModel<S>&, const Explicit<S>&);                            \
  template Matrix<S> base_first(const ModuleModel<S>&, const Explicit<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
