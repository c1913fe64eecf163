#include "sko/models.hpp"

#include <Eigen/Geometry>

namespace kinetree::sko {

namespace {

Matrix<double> uniform(Random& random, Eigen::Index rows, Eigen::Index columns, double bound) {
  Matrix<double> X(rows, columns);
  for (Eigen::Index c = 0; c < columns; ++c)
    for (Eigen::Index r = 0; r < rows; ++r) X(r, c) = random.uniform(-bound, bound);
  return X;
}

Eigen::Vector3d direction(Random& random) { return Eigen::Vector3d(uniform(random, 3, 1, 1)).normalized(); }

template <class T>
Eigen::Matrix<T, 3, 3> turned(const Eigen::Vector3d& axis, T angle) {
  return Eigen::AngleAxis<T>(angle, axis.cast<T>().normalized()).toRotationMatrix();
}

/// p x
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& p) {
  Eigen::Matrix3d X;
  X << 0, -p.z(), p.y(), p.z(), 0, -p.x(), -p.y(), p.x(), 0;
  return X;
}

}  // namespace

RandomTree random_tree(int number) {
  const std::string family = "random:" + std::to_string(3 + number % 9) + ":seed=" + std::to_string(number + 1) +
                             (number % 2 ? ":floating=1" : "");
  Description description = make_description(family);
  Model model = make_model(description);
  oracle::TestState state = oracle::random_state(model, static_cast<std::uint64_t>(number) + 1);
  RigidBody<double> body = rigid_body(model, state.q.data(), state.v.data(), state.f_ext.data());
  return {std::move(description), std::move(model), std::move(state), std::move(body)};
}

// ---- bodies of points ----------------------------------------------------------------------------------------------

PointMechanism::PointMechanism(int bodies, int most_modes, std::uint64_t seed, bool chain) {
  Random random(seed);
  for (int k = 0; k < bodies; ++k) {
    Body b;
    b.parent = k == 0 ? -1 : chain ? k - 1 : random.below(k);
    const Eigen::Index modes = most_modes ? random.below(most_modes + 1) : 0;
    b.modes = uniform(random, modes, 1, 0.3);
    for (int i = 0; i < points; ++i) {
      b.mass[i] = random.uniform(0.1, 1);
      b.point[i] = uniform(random, 3, 1, 0.5);
      b.shape[i] = uniform(random, 3, modes, 0.4);
    }
    const Eigen::Index parent_modes = k == 0 ? 0 : bodies_[static_cast<std::size_t>(b.parent)].modes.size();
    b.place = uniform(random, 3, 1, 0.5);
    b.axis = direction(random);
    b.turn_axis = direction(random);
    b.orientation = turned(direction(random), random.uniform(-3, 3));
    b.shape_there = uniform(random, 3, parent_modes, 0.4);
    b.turn_there = uniform(random, 1, parent_modes, 0.5);
    const int type = random.below(4);  // turning twice as often as sliding or both
    b.turns = type != 1;
    b.slides = type == 1 || type == 2;
    if (b.turns) b.angle = random.uniform(-2, 2);
    if (b.slides) b.displacement = random.uniform(-0.5, 0.5);
    bodies_.push_back(std::move(b));
  }
}

/// Places of all points when every coordinate has moved by time * theta_dot (own order: modes, angle, displacement).
PointMechanism::Places PointMechanism::places(const Eigen::VectorXd& theta_dot, long double time) const {
  using T = long double;
  Places result;
  std::vector<Three<T>> origin;
  std::vector<Eigen::Matrix<T, Eigen::Dynamic, 1>> modes;
  Eigen::Index row = 0;
  for (const Body& b : bodies_) {
    modes.push_back(b.modes.cast<T>() + time * theta_dot.segment(row, b.modes.size()).cast<T>());
    row += b.modes.size();
    const T angle = T(b.angle) + (b.turns ? time * T(theta_dot[row++]) : T(0));
    const T displacement = T(b.displacement) + (b.slides ? time * T(theta_dot[row++]) : T(0));
    Rotation<T> R = Rotation<T>::Identity();
    Three<T> p = b.place.cast<T>();
    if (b.parent >= 0) {
      const auto parent = static_cast<std::size_t>(b.parent);
      const T turn = b.turn_there.cast<T>().dot(modes[parent]);
      p = origin[parent] + result.axes[parent] * (p + b.shape_there.cast<T>() * modes[parent]);
      R = result.axes[parent] * turned<T>(b.turn_axis, turn);
    }
    R = (R * b.orientation.cast<T>()).eval();
    origin.push_back(p + R * (displacement * b.axis.cast<T>()));
    result.axes.push_back(R * turned<T>(b.axis, angle));
    for (int i = 0; i < points; ++i)
      result.at.push_back(origin.back() +
                          result.axes.back() * (b.point[i].cast<T>() + b.shape[i].cast<T>() * modes.back()));
  }
  return result;
}

/// By central differences of sixth order: error of about 1e-15 at this step, in 64-bit mantissas.
std::vector<PointMechanism::Three<long double>> PointMechanism::velocities(const Eigen::VectorXd& theta_dot) const {
  const long double h = 2e-3L;
  const auto difference = [&](int k) {
    Places ahead = places(theta_dot, static_cast<long double>(k) * h);
    const Places behind = places(theta_dot, static_cast<long double>(-k) * h);
    for (std::size_t i = 0; i < ahead.at.size(); ++i) ahead.at[i] -= behind.at[i];
    return ahead.at;
  };
  std::vector<Three<long double>> v = difference(1), two = difference(2), three = difference(3);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = (45 * v[i] - 9 * two[i] + three[i]) / (60 * h);
  return v;
}

Eigen::VectorXd PointMechanism::in_own_order(const Stacked<double>& theta_dot) const {
  std::vector<double> own;
  const Tree& tree = theta_dot.space->tree();
  for (int b = 0; b < bodies(); ++b)
    for (int k = 0; k < tree.size(); ++k)
      if (tree.name(k) == name(b))
        for (const double x : Vector<double>(theta_dot(k))) own.push_back(x);
  return Eigen::Map<Eigen::VectorXd>(own.data(), static_cast<Eigen::Index>(own.size()));
}

double PointMechanism::kinetic_energy(const Stacked<double>& theta_dot) const {
  const auto v = velocities(in_own_order(theta_dot));
  long double energy = 0;
  for (std::size_t i = 0; i < v.size(); ++i) energy += bodies_[i / points].mass[i % points] * v[i].squaredNorm() / 2;
  return static_cast<double>(energy);
}

Eigen::Vector3d PointMechanism::point_velocity(const Stacked<double>& theta_dot, int body, int point) const {
  const Eigen::VectorXd own = in_own_order(theta_dot);
  const Rotation<long double> axes = places(own, 0).axes[static_cast<std::size_t>(body)];
  return (axes.transpose() * velocities(own)[static_cast<std::size_t>(points * body + point)]).cast<double>();
}

/// Velocity of a point from that of its body, [rates of modes; angular; linear], in the body's axes.
Eigen::MatrixXd PointMechanism::point_map(const Body& b, int i) const {
  Eigen::MatrixXd J(3, b.modes.size() + 6);
  J << b.shape[i], -cross_matrix(b.point[i] + b.shape[i] * b.modes), Eigen::Matrix3d::Identity();
  return J;
}

/// A*(parent, body): the parent's share in a body's velocity.
Eigen::MatrixXd PointMechanism::parent_map(const Body& b) const {
  const Body& p = bodies_[static_cast<std::size_t>(b.parent)];
  const Eigen::Index own = b.modes.size(), modes = p.modes.size();
  const Eigen::Matrix3d there = turned<double>(b.turn_axis, b.turn_there.dot(p.modes)) * b.orientation;
  const Eigen::Matrix3d C = (there * turned<double>(b.axis, b.angle)).transpose();  // parent's axes to the body's
  const Eigen::Vector3d slid = there * (b.displacement * b.axis);
  const Eigen::Vector3d origin = b.place + b.shape_there * p.modes + slid;
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(own + 6, modes + 6);
  X.block(own, 0, 3, modes) = C * b.turn_axis * b.turn_there;
  X.block(own + 3, 0, 3, modes) = C * (b.shape_there + b.turn_axis.cross(slid) * b.turn_there);
  X.block(own, modes, 3, 3) = C;
  X.block(own + 3, modes, 3, 3) = -C * cross_matrix(origin);
  X.block(own + 3, modes + 3, 3, 3) = C;
  return X;
}

std::vector<NodeEquations<double>> PointMechanism::equations(Nodes kind) const {
  std::vector<NodeEquations<double>> nodes;
  for (int k = 0; k < bodies(); ++k) {
    const Body& b = bodies_[static_cast<std::size_t>(k)];
    const Eigen::Index modes = b.modes.size(), size = modes + 6;
    NodeEquations<double> node{name(k), b.parent < 0 ? "" : name(b.parent), Eigen::MatrixXd::Zero(size, size), {}, {}};
    if (b.parent >= 0) node.A = parent_map(b).transpose();
    node.H = Eigen::MatrixXd::Zero(b.freedoms(), size);
    node.H.topLeftCorner(modes, modes).setIdentity();
    if (b.turns) node.H.block(modes, modes, 1, 3) = b.axis.transpose();
    if (b.slides) node.H.block(modes + b.turns, modes + 3, 1, 3) = b.axis.transpose();
    // the half's frame stands somewhere else on the body, so that its weight is no identity
    NodeEquations<double> half{name(k) + ":half", name(k), node.M, {}, Eigen::MatrixXd(0, size)};
    Eigen::MatrixXd moved = Eigen::MatrixXd::Identity(size, size);
    moved.block(modes + 3, modes, 3, 3) = -cross_matrix(b.point[0]);
    half.A = moved.transpose();
    for (int i = 0; i < points; ++i) {
      const Eigen::MatrixXd J = point_map(b, i);
      const Eigen::MatrixXd J_half = J * moved.inverse();
      if (kind == Nodes::one || (kind == Nodes::halves && i % 2 == 0))
        node.M += b.mass[i] * J.transpose() * J;
      else if (kind == Nodes::halves)
        half.M += b.mass[i] * J_half.transpose() * J_half;
      else
        nodes.push_back(
            {name(k, i), name(k), b.mass[i] * Eigen::Matrix3d::Identity(), J.transpose(), Eigen::MatrixXd(0, 3)});
    }
    nodes.push_back(std::move(node));
    if (kind == Nodes::halves) nodes.push_back(std::move(half));
  }
  return nodes;
}

SkoModel<double> PointMechanism::model(Nodes kind) const {
  const char* const words[]{"one node per body", "halves", "particles"};
  return assemble(words[static_cast<int>(kind)], equations(kind));
}

// ---- models without a mechanism ------------------------------------------------------------------------------------

SkoModel<double> abstract_model(std::uint64_t seed) {
  Random random(seed);
  std::vector<NodeEquations<double>> nodes;
  const int count = 4 + random.below(8);
  for (int k = 0; k < count; ++k) {
    NodeEquations<double> node;
    node.name = "n" + std::to_string(k);
    const Eigen::Index m = 1 + random.below(7), n = random.below(static_cast<int>(std::min<Eigen::Index>(m, 3)) + 1);
    const Eigen::MatrixXd root = uniform(random, m, m, 1);
    node.M = root * root.transpose() + 0.5 * Eigen::MatrixXd::Identity(m, m);
    if (n == 0) node.M = root.col(0) * root.col(0).transpose();  // singular, where no joint asks for more
    node.H = uniform(random, n, m, 1);
    node.H.leftCols(n) += 2 * Eigen::MatrixXd::Identity(n, n);
    if (k > 0 && random.below(8) > 0) {
      const NodeEquations<double>& parent = nodes[static_cast<std::size_t>(random.below(k))];
      node.parent = parent.name;
      node.A = uniform(random, parent.M.rows(), m, 1);
      const int kind = random.below(6);
      if (kind == 0) node.A = (node.A.col(0) * uniform(random, 1, m, 1)).eval();  // of rank one
      if (kind == 1) node.A.setZero();
    }
    nodes.push_back(std::move(node));
  }
  return assemble("abstract " + std::to_string(seed), nodes);
}

BlockDiagonal<double> random_blocks(const SpaceRef& space, Kind rows, Kind columns, std::uint64_t seed) {
  Random random(seed);
  BlockDiagonal<double> X{space, rows, columns, {}};
  for (int k = 0; k < space->nodes(); ++k)
    X.block.push_back(uniform(random, space->size(rows, k), space->size(columns, k), 1));
  return X;
}

Spo<double> random_weights(const SpaceRef& space, std::uint64_t seed) {
  Random random(seed);
  Spo<double> A{space, {}};
  for (int k = 0; k < space->nodes(); ++k) {
    const int p = space->tree().parent(k);
    A.weight.push_back(p < 0 ? Matrix<double>()
                             : uniform(random, space->size(Kind::node, p), space->size(Kind::node, k), 1));
  }
  return A;
}

Stacked<double> random_stacked(const SpaceRef& space, Kind kind, std::uint64_t seed) {
  Random random(seed);
  return {space, kind, uniform(random, space->total(kind), 1, 1)};
}

std::vector<SkoModel<double>> unusual_models() {
  std::vector<SkoModel<double>> models;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const PointMechanism flexible(6, 3, seed, seed == 1), stiff(6, 0, seed + 10);
    models.push_back(flexible.model(PointMechanism::Nodes::one));
    models.push_back(stiff.model(PointMechanism::Nodes::halves));
    models.push_back(flexible.model(PointMechanism::Nodes::halves));
    models.push_back(stiff.model(PointMechanism::Nodes::particles));
    models.push_back(flexible.model(PointMechanism::Nodes::particles));
  }
  for (std::uint64_t seed = 1; seed <= 20; ++seed) models.push_back(abstract_model(seed));
  return models;
}

}  // namespace kinetree::sko
