#include <kinetree/sko/module_model.hpp>
#include <kinetree/sko/products.hpp>

namespace kinetree::sko {

namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

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
ModuleModel<S> module_model(const SkoModel<S>& links, const KinematicModules& modules) {
  const std::vector<SkoModel<S>> chains = chains_of(links, modules);
  std::vector<int> m, n;
  for (const SkoModel<S>& chain : chains) {
    m.push_back(chain.space->total(Kind::node));
    n.push_back(chain.space->total(Kind::joint));
  }
  const auto space = std::make_shared<const Space>(links.space->name() + ", by modules", modules.tree(), m, n);
  ModuleModel<S> result{modules,
                        links,
                        {space,
                         {space, {}},
                         {space, Kind::joint, Kind::node, {}},
                         BlockDiagonal<S>::zero(space, Kind::node, Kind::node)}};
  for (int i = 0; i < modules.size(); ++i) {
    const SkoModel<S>& chain = chains[at(i)];
    const Explicit<S> A = resolvent(chain.A);
    result.model.H.block.push_back((explicit_form(chain.H) * A).matrix);
    result.model.M(i) = explicit_form(chain.M).matrix;
    const int p = modules.tree().parent(i), first = chain.space->nodes() - 1;
    if (p < 0) {
      result.model.A.weight.emplace_back();
      continue;
    }
    // all links of i move with its first link, which moves with the last link of p: the rows of that link alone
    Matrix<S> weight = Matrix<S>::Zero(m[at(p)], m[at(i)]);
    const Matrix<S> to_first =
        A.matrix.middleRows(chain.space->offset(Kind::node, first), chain.space->size(Kind::node, first));
    weight.topRows(links.space->size(Kind::node, modules.last_link(p))) = links.A(modules.first_link(i)) * to_first;
    result.model.A.weight.push_back(std::move(weight));
  }
  return result;
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
Stacked<S> by_modules(const ModuleModel<S>& m, const Stacked<S>& over_links) {
  expect_same(m.links.space, over_links.space, "by modules");
  auto result = Stacked<S>::zero(m.model.space, over_links.kind);
  const std::vector<int> row = permutation(m, over_links.kind);
  for (std::size_t r = 0; r < row.size(); ++r) result.value(row[r]) = over_links.value(static_cast<Eigen::Index>(r));
  return result;
}

template <class S>
Stacked<S> by_links(const ModuleModel<S>& m, const Stacked<S>& over_modules) {
  expect_same(m.model.space, over_modules.space, "by links");
  auto result = Stacked<S>::zero(m.links.space, over_modules.kind);
  const std::vector<int> row = permutation(m, over_modules.kind);
  for (std::size_t r = 0; r < row.size(); ++r) result.value(static_cast<Eigen::Index>(r)) = over_modules.value(row[r]);
  return result;
}

template <class S>
Explicit<S> by_links(const ModuleModel<S>& m, const Explicit<S>& over_modules) {
  expect_same(m.model.space, over_modules.space, "by links");
  return {m.links.space, over_modules.rows, over_modules.columns,
          over_modules.matrix(permutation(m, over_modules.rows), permutation(m, over_modules.columns))};
}

template <class S>
Stacked<S> module_accelerations(const ModuleModel<S>& m, const Stacked<S>& a) {
  expect_same(a.kind, Kind::node, "module accelerations");
  Stacked<S> result = by_modules(m, a);
  const std::vector<SkoModel<S>> chains = chains_of(m.links, m.modules);
  for (int i = 0; i < m.modules.size(); ++i) {
    const SkoModel<S>& chain = chains[at(i)];
    result(i) = transpose_times(chain.A, Stacked<S>{chain.space, Kind::node, result(i)}).value;
  }
  return result;
}

template <class S>
Matrix<S> base_first(const ModuleModel<S>& m, const Explicit<S>& over_modules) {
  expect_same(m.model.space, over_modules.space, "base first");
  std::vector<int> links;
  for (int i = m.modules.size(); i-- > 0;)
    links.insert(links.end(), m.modules.links_of(i).rbegin(), m.modules.links_of(i).rend());
  return over_modules.matrix(permutation(m, over_modules.rows, links), permutation(m, over_modules.columns, links));
}

#define INSTANTIATE(S)                                                                      \
  template SkoModel<S> chain_of(const SkoModel<S>&, const KinematicModules&, int);          \
  template std::vector<SkoModel<S>> chains_of(const SkoModel<S>&, const KinematicModules&); \
  template ModuleModel<S> module_model(const SkoModel<S>&, const KinematicModules&);        \
  template Matrix<S> module_N_l(const ModuleModel<S>&, int);                                \
  template Matrix<S> module_N_d(const ModuleModel<S>&, int);                                \
  template Matrix<S> module_propagation(const ModuleModel<S>&, int, int);                   \
  template Explicit<S> N_l(const ModuleModel<S>&);                                          \
  template Explicit<S> N_d(const ModuleModel<S>&);                                          \
  template Stacked<S> by_modules(const ModuleModel<S>&, const Stacked<S>&);                 \
  template Stacked<S> by_links(const ModuleModel<S>&, const Stacked<S>&);                   \
  template Explicit<S> by_links(const ModuleModel<S>&, const Explicit<S>&);                 \
  template Stacked<S> module_accelerations(const ModuleModel<S>&, const Stacked<S>&);       \
  template Matrix<S> base_first(const ModuleModel<S>&, const Explicit<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
