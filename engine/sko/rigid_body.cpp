#include <algorithm>
#include <kinetree/algorithm/kinematics.hpp>
#include <kinetree/sko/rigid_body.hpp>
#include <stdexcept>
#include <string>

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

/// What the model has beyond rigid bodies on a tree would be left out without a word.
void expect_bare_tree(const Model& model) {
  const ModelData& m = model.data();
  std::string more;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) more += (more.empty() ? "" : ", ") + std::to_string(count) + what;
  };
  add(m.loops.size(), " loop joint(s)");
  add(m.couplings.size(), " coupling(s)");
  add(static_cast<std::size_t>(std::ranges::count_if(m.armature, [](double inertia) { return inertia != 0; })),
      " velocity(ies) with a rotor's inertia");
  if (!more.empty())
    throw std::invalid_argument("rigid_body: model '" + model.name() +
                                "' is more than rigid bodies on a tree, it has " + more +
                                "; take its spanning tree without them, or assemble() nodes that have them");
}

}  // namespace

template <class S>
RigidBody<S> rigid_body(const Model& model, const S* q, const S* v, const S* f_ext) {
  expect_bare_tree(model);
  const Modules modules = make_modules(model.data(), {});
  Context<S> x(model.data(), modules);
  Kinematics<S> kinematic(model.data());
  x.state = {.q = q, .v = v, .f_ext = f_ext};
  if (f_ext) kinematic.R.resize(kinematic.v.size());
  const Tree tree = tree_of(model);
  std::vector<int> freedoms;
  for (int k = 0; k < tree.size(); ++k) freedoms.push_back(velocity_count(x.type(node_of_body(model, k))));
  const auto space = std::make_shared<const Space>(model.name(), tree, std::vector<int>(freedoms.size(), 6), freedoms);

  struct Run {
    const Context<S>& x;
    Kinematics<S>& k;
  } run{x, kinematic};
  const Pass pass{Direction::scatter,
                  [](void* p, int step) { kinematics(static_cast<Run*>(p)->x, static_cast<Run*>(p)->k, step); }};
  run_serial({&pass, 1}, &run, static_cast<int>(modules.steps.size()));

  RigidBody<S> result{{space, {space, {}}, {space, Kind::joint, Kind::node, {}}, {space, Kind::node, Kind::node, {}}},
                      Stacked<S>::zero(space, Kind::node),
                      Stacked<S>::zero(space, Kind::node)};
  for (int k = 0; k < tree.size(); ++k) {
    const int i = node_of_body(model, k), p = x.parent(i);
    const Transform<S>& X_up = kinematic.X_up[at(i)];
    const Matrix<S> X = columns_of<S>(6, [&](const S* unit) { return X_up * motion(unit); });
    result.model.A.weight.push_back(p < 0 ? Matrix<S>() : Matrix<S>(X.transpose()));
    with_subspace(x.type(i), &kinematic.columns[at(x.v_index(i))], [&](auto subspace) {
      result.model.H.block.push_back(columns_of<S>(subspace.freedoms, [&](const S* unit) {
                                       Motion<S> m{};
                                       subspace.add(unit, m);
                                       return m;
                                     }).transpose());
    });
    result.model.M.block.push_back(columns_of<S>(6, [&](const S* unit) { return x.link[at(i)].I * motion(unit); }));
    result.a(k) = six(kinematic.c[at(i)]);
    if (p < 0) result.a(k) += six(X_up * x.ground_acceleration);
    result.b(k) = six(kinematic.p[at(i)]);
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

#define INSTANTIATE(S)                                                          \
  template RigidBody<S> rigid_body(const Model&, const S*, const S*, const S*); \
  template Stacked<S> joint_rows(const RigidBody<S>&, const Model&, const S*);  \
  template std::vector<S> model_order(const Model&, const Stacked<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
