#include <kinetree/model.hpp>
#include <kinetree/sko/rigid_body.hpp>
#include <stdexcept>
#include <string>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/sko/body_kinematics.hpp"

namespace kinetree::sko {

namespace {

Tree tree_of(const Model& model) {
  const int n = model.body_count();
  std::vector<int> parent;
  std::vector<std::string> name;
  for (int k = 0; k < n; ++k) {
    const int p = model.data().parent[at(n - 1 - k)];
    parent.push_back(p < 0 ? -1 : n - 1 - p);
    name.emplace_back(model.body_name(n - 1 - k));
  }
  return Tree(std::move(parent), std::move(name));
}

template <class S>
Vector<S> six(const Vector3<S>& a, const Vector3<S>& b) {
  Vector<S> x(6);
  x << a.x, a.y, a.z, b.x, b.y, b.z;
  return x;
}
template <class S>
Vector<S> six(const Motion<S>& m) {
  return six(m.angular, m.linear);
}
template <class S>
Vector<S> six(const Force<S>& f) {
  return six(f.moment, f.force);
}

/// The columns of a map, by its images of the unit motions.
template <class S, class Map>
Matrix<S> columns_of(int n, Map&& map) {
  Matrix<S> X(6, n);
  S unit[6];
  for (int c = 0; c < n; ++c) {
    for (int r = 0; r < n; ++r) unit[r] = S(r == c ? 1 : 0);
    X.col(c) = six(map(unit));
  }
  return X;
}

template <class S>
Motion<S> motion(const S* x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

/// What the model has beyond bodies on a tree would be left out without a word.
void expect_tree(const Model& model) {
  const std::size_t loops = model.data().loops.size(), couplings = model.data().couplings.size();
  if (loops + couplings > 0)
    throw std::invalid_argument("rigid_body: model '" + model.name() + "' is no tree, it has " + std::to_string(loops) +
                                " loop joint(s) and " + std::to_string(couplings) +
                                " coupling(s); constrained_body() takes them in, spanning_tree_body() leaves them out");
}

}  // namespace

std::vector<int> rotors_of(const Model& model, int body) {
  const ModelData& m = model.data();
  std::vector<int> turning;
  for (int v = m.v_index[at(body)]; v < m.v_index[at(body + 1)]; ++v)
    if (!m.armature.empty() && m.armature[at(v)] != 0) turning.push_back(v - m.v_index[at(body)]);
  return turning;
}

template <class S>
RigidBody<S> rigid_body(const Model& model, const S* q, const S* v, const S* f_ext) {
  expect_tree(model);
  return spanning_tree_body(model, BodyKinematics<S>(model, q, v, f_ext));
}

template <class S>
RigidBody<S> spanning_tree_body(const Model& model, const BodyKinematics<S>& at_state) {
  const Context<S>& x = at_state.x;
  const Kinematics<S>& kinematic = at_state.k;
  const Tree tree = tree_of(model);
  std::vector<int> freedoms, size;
  std::vector<std::vector<int>> rotors;
  for (int k = 0; k < tree.size(); ++k) {
    const int i = node_of_body(model, k);
    freedoms.push_back(velocity_count(x.type(i)));
    rotors.push_back(rotors_of(model, i));
    size.push_back(6 + static_cast<int>(rotors.back().size()));
  }
  const auto space = std::make_shared<const Space>(model.name(), tree, size, freedoms);
  RigidBody<S> result{{space,
                       {space, {}},
                       BlockDiagonal<S>::zero(space, Kind::joint, Kind::node),
                       BlockDiagonal<S>::zero(space, Kind::node, Kind::node)},
                      Stacked<S>::zero(space, Kind::node),
                      Stacked<S>::zero(space, Kind::node)};
  for (int k = 0; k < tree.size(); ++k) {
    const int i = node_of_body(model, k), p = x.parent(i);
    const JointTransform<S>& X_up = kinematic.X_up[at(i)];
    result.model.A.weight.emplace_back();
    if (p >= 0) {
      Matrix<S>& weight = result.model.A(k);
      weight = Matrix<S>::Zero(size[at(tree.parent(k))], size[at(k)]);
      weight.topLeftCorner(6, 6) = columns_of<S>(6, [&](const S* unit) { return X_up * motion(unit); }).transpose();
    }
    Matrix<S>&H = result.model.H(k), &M = result.model.M(k);
    with_subspace(x.type(i), &kinematic.columns[at(x.v_index(i))], [&](auto subspace) {
      H.leftCols(6) = columns_of<S>(subspace.freedoms, [&](const S* unit) {
                        Motion<S> m{};
                        subspace.add(unit, m);
                        return m;
                      }).transpose();
    });
    M.topLeftCorner(6, 6) = columns_of<S>(6, [&](const S* unit) { return x.link[at(i)].I * motion(unit); });
    int entry = 6;
    for (const int f : rotors[at(k)]) {
      H(f, entry) = S(1);
      M(entry, entry) = x.rotors[at(x.v_index(i) + f)];
      ++entry;
    }
    result.a(k).head(6) = six(kinematic.c[at(i)]);
    if (p < 0) result.a(k).head(6) += six(X_up * x.ground_acceleration);
    result.b(k).head(6) = six(bias_of_body(x, kinematic, i));
  }
  return result;
}

template <class S>
Stacked<S> joint_rows(const RigidBody<S>& body, const Model& model, const S* v) {
  auto rows = Stacked<S>::zero(body.model.space, Kind::joint);
  for (int k = 0; k < body.model.space->nodes(); ++k) {
    const S* own = v + model.data().v_index[at(node_of_body(model, k))];
    for (int r = 0; r < body.model.space->size(Kind::joint, k); ++r) rows(k)(r) = own[r];
  }
  return rows;
}

template <class S>
std::vector<S> model_order(const Model& model, const Stacked<S>& rows) {
  expect_same(rows.kind, Kind::joint, "model order");
  std::vector<S> v(at(model.nv()));
  for (int k = 0; k < rows.space->nodes(); ++k)
    for (int r = 0; r < rows.space->size(Kind::joint, k); ++r)
      v[at(model.data().v_index[at(node_of_body(model, k))] + r)] = rows(k)(r);
  return v;
}

#define INSTANTIATE(S)                                                              \
  template RigidBody<S> rigid_body(const Model&, const S*, const S*, const S*);     \
  template RigidBody<S> spanning_tree_body(const Model&, const BodyKinematics<S>&); \
  template Stacked<S> joint_rows(const RigidBody<S>&, const Model&, const S*);      \
  template std::vector<S> model_order(const Model&, const Stacked<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
