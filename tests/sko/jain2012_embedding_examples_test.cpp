// Jain 2012, graph transformations II, Sec. 5: geared links and the four-bar with a terminal and an internal cut, each
// against what plane geometry says; rotors; what is singular; what it costs.
#include <kinetree/sko/constraint_force_matrices.hpp>
#include <kinetree/sko/partition.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "sko/jain2012_embedding.hpp"
#include "sko/jain2012_trees.hpp"

namespace kinetree::sko {
namespace {

constexpr double pi = 3.14159265358979323846;

BodyDescription turning(const std::string& name, const std::string& parent, Numbers3 place, double mass, Numbers3 com) {
  BodyDescription b;
  b.name = name, b.parent = parent;
  b.joint.name = name + "_joint", b.joint.type = "revolute", b.joint.origin.xyz = place;
  b.inertial = InertialDescription{mass, {com, {0, 0, 0, 1}}, {0.02, 0.03, 0.04, 0.001, 0.002, -0.001}, 0};
  return b;
}
BodyDescription carrier() {
  BodyDescription b = turning("carrier", "world", {0, 0, 0}, 3, {0.1, -0.1, 0.05});
  b.joint.axis = {1, 0.2, 0.1};
  return b;
}

/// Joint values by name, and node numbers.
struct Named {
  Model model;
  VectorXd q = VectorXd::Zero(model.nq());
  int body(const std::string& name) const {
    for (int b = 0; b < model.body_count(); ++b)
      if (model.body_name(b) == name) return b;
    throw std::logic_error(name);
  }
  int place(const std::string& name) const { return model.data().v_index[static_cast<std::size_t>(body(name))]; }
};

/// A motor and the link that it turns, side by side on their parent.
Description geared(double ratio) {
  Description d;
  d.name = "geared";
  d.bodies = {carrier(), turning("motor", "carrier", {0.2, 0, 0}, 0.5, {0, 0, 0.02}),
              turning("link", "carrier", {0.3, 0.1, 0}, 1, {0.2, 0.1, 0}),
              turning("hand", "link", {0.4, 0, 0}, 0.7, {0.1, 0, 0.1})};
  d.couplings = {{"gear", {{"motor_joint", 1}, {"link_joint", -ratio}}, 0, 0}};
  d.independent = {"link_joint"};
  return d;
}

TEST(Jain2012EmbeddingExamples, GearedLinks) {  // Eq. 37
  const double ratio = 50;
  Named m{make_model(geared(ratio))};
  m.q << 0.3, 0.7 * ratio, 0.7, -0.4;
  VectorXd v(4);
  v << 0.5, 0.2 * ratio, 0.2, 1.1;
  const auto body = constrained_body(m.model, m.q.data(), v.data());
  const MatrixXd X = map_in_model(m.model, body);
  const Nodes expected{m.place("hand"), m.place("link"), m.place("carrier")};
  EXPECT_EQ(body.velocities, expected);
  EXPECT_EQ(X(m.place("motor"), 1), ratio);
  EXPECT_EQ(X(m.place("link"), 1), 1);
  EXPECT_TRUE((body.embedded.g.value.array() == 0).all());
  // motor and link do not carry each other: A_S = 1, E_S has both
  const auto& e = body.embedded;
  const int node = e.aggregated.nodes.image[static_cast<std::size_t>(node_of_body(m.model, m.body("motor")))];
  const Nodes& members = e.aggregated.nodes.members[static_cast<std::size_t>(node)];
  const SkoModel<double> inside = component(body.tree.model, members).model;
  EXPECT_EQ(resolvent(inside.A).matrix, MatrixXd::Identity(12, 12));
  MatrixXd both(6, 12);
  both << body.tree.model.A(members[0]), body.tree.model.A(members[1]);
  EXPECT_EQ(e.model.A(node), both);
  // the motor's inertia, reflected, beside the link's about its axis and what hangs from it
  const Riccati<double> r = riccati(e.model);
  const double link = 0.04 + 1 * (0.2 * 0.2 + 0.1 * 0.1), motor = 0.04;
  EXPECT_NEAR(e.model.M(node)(2, 2) + ratio * ratio * e.model.M(node)(8, 8), link + ratio * ratio * motor, 1e-15);
  EXPECT_GT(r.D(node)(0, 0), link + ratio * ratio * motor);
}

TEST(Jain2012EmbeddingExamples, ARotorIsAMotorOnTheGround) {  // armature = ratio² times the motor's inertia
  const double ratio = 7;
  Description gear = geared(ratio), rotor = gear;
  for (auto* d : {&gear, &rotor}) d->bodies.front().joint.type = "fixed";
  rotor.bodies.erase(rotor.bodies.begin() + 1);
  rotor.couplings.clear();
  rotor.bodies[1].joint.armature = ratio * ratio * 0.04;
  const Model with_motor = make_model(gear), with_rotor = make_model(rotor);
  const VectorXd q = (VectorXd(3) << 0.6 * ratio, 0.6, -0.3).finished();
  const VectorXd v = (VectorXd(3) << 0.9 * ratio, 0.9, 0.4).finished();
  const auto a = constrained_body(with_motor, q.data(), v.data());
  const RigidBody<double> b = rigid_body(with_rotor, q.data() + 1, v.data() + 1);
  EXPECT_EQ(b.model.space->size(Kind::node, 1), 7);
  EXPECT_TRUE(same(newton_euler_product(a.embedded.model).matrix, newton_euler_product(b.model).matrix));
  // the motor's weight turns it as little as the rotor's: its centre of mass is on the axis
  const auto bias = [](const auto& model, const auto& x) {
    return inverse_dynamics(model, Stacked<double>::zero(model.space, Kind::joint), x.a, x.b).value;
  };
  EXPECT_TRUE(same(bias(a.embedded.model, a.embedded), bias(b.model, b)));
}

TEST(Jain2012EmbeddingExamples, RotorsAddToTheDiagonalAlone) {
  Random random(83);
  for (int number = 0; number < 60; ++number) {
    SCOPED_TRACE(number);
    RandomTree t = random_tree(number);
    const MatrixXd bare = newton_euler_product(t.body.model).matrix;
    for (BodyDescription& b : t.description.bodies)
      if (b.joint.type != "fixed" && random.below(2) == 0) b.joint.armature = random.uniform(0.1, 2);
    const Model model = make_model(t.description);
    const auto body = rigid_body(model, t.state.q.data(), t.state.v.data(), t.state.f_ext.data());
    const MatrixXd armature = joint_rows(body, model, model.data().armature.data()).value.asDiagonal();
    EXPECT_TRUE(same(newton_euler_product(body.model).matrix, bare + armature));
    expect_factorized(body.model, bare + armature);
    // and to the constraint forces' matrix (Featherstone & Fijany 1999, Eq. 16)
    const ConstraintBases<double> bases = constraint_bases(model, t.state.q.data());
    EXPECT_TRUE(same_within(1e-11,
                            inverse_by_constraint_forces(body.model, joint_force_space(body.model), bases).matrix,
                            inverse(bare + armature)));
    const auto zero = Stacked<double>::zero(body.model.space, Kind::joint);
    const auto none = Stacked<double>::zero(t.body.model.space, Kind::joint);
    EXPECT_TRUE(same(inverse_dynamics(body.model, zero, body.a, body.b),
                     inverse_dynamics(t.body.model, none, t.body.a, t.body.b).value));
    const Riccati<double> r = riccati(body.model);
    for (int k = 0; k < body.model.space->nodes(); ++k) {
      const MatrixXd S = body.model.H(k).leftCols(6).transpose();
      const MatrixXd D = S.transpose() * r.P(k).topLeftCorner(6, 6) * S;
      const int o = body.model.space->offset(Kind::joint, k), n = body.model.space->size(Kind::joint, k);
      EXPECT_TRUE(same(r.D(k), D + armature.block(o, o, n, n)));
    }
    if (HasFailure()) return;
  }
}

// ---- four-bars
// -------------------------------------------------------------------------------------------------------

enum class Cut { terminal, internal };

/// crank 0.15, coupler 0.4, rocker 0.3, pivots 0.4 apart on a carrier that turns; a body hangs from the crank.
constexpr double a = 0.15, b = 0.4, c = 0.3, d = 0.4;
Description four_bar(Cut cut, const std::string& independent) {
  Description x;
  x.name = "four_bar";
  x.gravity = {1, -9.81, 0.5};
  const auto rod = [](const std::string& name, const std::string& parent, Numbers3 place, double length) {
    BodyDescription body = turning(name, parent, place, 2 * length, {length / 2, 0, 0});
    body.inertial->inertia = {1e-3, length * length / 6, length * length / 6, 0, 0, 0};
    return body;
  };
  x.bodies = {carrier(), rod("crank", "carrier", {0, 0, 0}, a), rod("coupler", "crank", {a, 0, 0}, b)};
  LoopDescription loop{"closure", "revolute", {0, 0, 1}, {}, {}, {}, 0};
  if (cut == Cut::terminal) {
    x.bodies.push_back(rod("rocker", "coupler", {b, 0, 0}, c));  // from the coupler's end to its pivot
    loop.first = {"carrier", {{d, 0, 0}, {0, 0, 0, 1}}}, loop.second = {"rocker", {{c, 0, 0}, {0, 0, 0, 1}}};
  } else {
    x.bodies.push_back(rod("rocker", "carrier", {d, 0, 0}, c));
    loop.first = {"coupler", {{b, 0, 0}, {0, 0, 0, 1}}}, loop.second = {"rocker", {{c, 0, 0}, {0, 0, 0, 1}}};
  }
  x.bodies.push_back(turning("child", "crank", {0.05, 0.02, 0}, 0.4, {0.1, 0.1, 0.02}));
  x.bodies.back().joint.axis = {0, 1, 1};
  x.loops = {loop};
  if (!independent.empty()) x.independent = {independent};
  return x;
}

/// Angles of coupler and rocker against the line of pivots at a crank angle.
struct Pose {
  double crank, coupler, rocker;
  explicit Pose(double angle) : crank(angle) {
    const double x = a * std::cos(angle), y = a * std::sin(angle);  // the crank's end
    const double far = std::hypot(d - x, -y), toward = std::atan2(-y, d - x);
    coupler = toward + std::acos((b * b + far * far - c * c) / (2 * b * far));
    rocker = std::atan2(y + b * std::sin(coupler), x + b * std::cos(coupler) - d);
  }
  /// Rates of coupler and rocker for a unit of the crank's: the velocity of the pin between them along each one.
  double coupler_rate() const { return a * std::sin(rocker - crank) / (b * std::sin(coupler - rocker)); }
  double rocker_rate() const { return a * std::sin(coupler - crank) / (c * std::sin(coupler - rocker)); }
};

Named placed_four_bar(Cut cut, const Pose& pose, const std::string& independent) {
  Named m{make_model(four_bar(cut, independent))};
  m.q[m.place("carrier")] = 0.4, m.q[m.place("child")] = -0.8;
  m.q[m.place("crank")] = pose.crank;
  m.q[m.place("coupler")] = pose.coupler - pose.crank;
  m.q[m.place("rocker")] = cut == Cut::internal ? pose.rocker : pose.rocker + pi - pose.coupler;
  return m;
}

TEST(Jain2012EmbeddingExamples, FourBarWithATerminalAndAnInternalCut) {  // Eq. 38, 39
  int compared = 0;
  for (double angle = 0.1; angle < 6.2; angle += 0.37) {
    SCOPED_TRACE(angle);
    const Pose pose(angle);
    MatrixXd mass[2];
    VectorXd accelerations[2];
    for (const Cut cut : {Cut::terminal, Cut::internal}) {
      const Named m = placed_four_bar(cut, pose, "crank_joint");
      const double rate[]{1, pose.coupler_rate() - 1,
                          cut == Cut::internal ? pose.rocker_rate() : pose.rocker_rate() - pose.coupler_rate()};
      VectorXd v = VectorXd::Zero(5), tau = VectorXd::Zero(5);
      int k = 0;
      for (const char* name : {"crank", "coupler", "rocker"}) v[m.place(name)] = 1.3 * rate[k++];
      v[m.place("carrier")] = -0.6, v[m.place("child")] = 0.9;
      tau[m.place("carrier")] = 2, tau[m.place("crank")] = -1, tau[m.place("child")] = 0.3;
      const auto body = constrained_body(m.model, m.q.data(), v.data());
      const auto& e = body.embedded;
      const int node = e.aggregated.nodes.image[static_cast<std::size_t>(node_of_body(m.model, m.body("crank")))];
      const MatrixXd X = map_in_model(m.model, body);
      const auto column =
          std::find(body.velocities.begin(), body.velocities.end(), m.place("crank")) - body.velocities.begin();
      k = 0;
      for (const char* name : {"crank", "coupler", "rocker"}) EXPECT_NEAR(X(m.place(name), column), rate[k++], 1e-14);
      // a chain, or a forest of two
      const Nodes& members = e.aggregated.nodes.members[static_cast<std::size_t>(node)];
      EXPECT_EQ(members.size(), 3U);
      EXPECT_EQ(component(body.tree.model, members).model.tree().roots().size(), cut == Cut::terminal ? 1U : 2U);
      // the cut is nobody else's business
      const auto found = spanning_accelerations(
          e, forward_dynamics(e.model, riccati(e.model),
                              independent_forces(e, joint_rows(body.tree, m.model, tau.data())), e.a, e.b));
      const VectorXd all = in_model(m.model, found);
      const MatrixXd H = newton_euler_product(e.model).matrix;
      Nodes order;
      for (const char* name : {"carrier", "crank", "child"})
        order.push_back(static_cast<int>(std::find(body.velocities.begin(), body.velocities.end(), m.place(name)) -
                                         body.velocities.begin()));
      mass[cut == Cut::internal] = H(order, order);
      accelerations[cut == Cut::internal] =
          all(Nodes{m.place("carrier"), m.place("crank"), m.place("coupler"), m.place("child")});
    }
    EXPECT_TRUE(same(mass[0], mass[1]));
    EXPECT_TRUE(same(accelerations[0], accelerations[1]));
    ++compared;
  }
  EXPECT_GT(compared, 15);
}

TEST(Jain2012EmbeddingExamples, SingularMapsAreNamedOrAvoided) {  // Sec. 9
  // crank and coupler in one line: the rocker stands still and cannot drive
  Pose pose(std::acos(((a + b) * (a + b) + d * d - c * c) / (2 * (a + b) * d)));
  pose.coupler = pose.crank;
  pose.rocker = std::atan2((a + b) * std::sin(pose.crank), (a + b) * std::cos(pose.crank) - d);
  const VectorXd rest = VectorXd::Zero(5);
  const Named by_rocker = placed_four_bar(Cut::internal, pose, "rocker_joint");
  EXPECT_TRUE(says(
      message_of<std::invalid_argument>([&] { constrained_body(by_rocker.model, by_rocker.q.data(), rest.data()); }),
      "four_bar", "loop \"closure\"", "lose rank", "pivot"));
  const Named free = placed_four_bar(Cut::internal, pose, "");
  const auto body = constrained_body(free.model, free.q.data(), rest.data());
  const MatrixXd X = map_in_model(free.model, body);
  EXPECT_TRUE(X.allFinite());
  EXPECT_LE(largest_of(X.row(free.place("rocker"))), 1e-15);
}

TEST(Jain2012EmbeddingExamples, AModelWithoutConstraintsIsARigidBody) {
  const RandomTree t = random_tree(7);
  const auto body = constrained_body(t.model, t.state.q.data(), t.state.v.data(), t.state.f_ext.data());
  EXPECT_EQ(body.embedded.model.H.block, t.body.model.H.block);
  EXPECT_EQ(body.embedded.model.A.weight, t.body.model.A.weight);
  EXPECT_EQ(body.embedded.a.value, t.body.a.value);
  EXPECT_EQ(body.embedded.b.value, t.body.b.value);
  EXPECT_EQ(map_in_model(t.model, body).sum(), t.model.nv());
}

/// n four-bars, each carried by the rocker of the one before.
Description chain_of_four_bars(int n) {
  Description x;
  x.name = "four_bars:" + std::to_string(n);
  std::string parent = "world";
  for (int k = 0; k < n; ++k) {
    Description one = four_bar(Cut::internal, "");
    const std::string number = std::to_string(k);
    for (BodyDescription& body : one.bodies) {
      if (body.name == "child") continue;
      body.parent = body.parent == "world" ? parent : body.parent + number;
      body.name += number, body.joint.name += number;
      x.bodies.push_back(body);
    }
    one.loops[0].name += number, one.loops[0].first.body += number, one.loops[0].second.body += number;
    x.loops.push_back(one.loops[0]);
    parent = "rocker" + number;
  }
  return x;
}

TEST(Jain2012EmbeddingExamples, WorkIsLinearInTheNumberOfFourBars) {  // Sec. 7.3
  const Pose pose(0.8);
  const auto cost = [&](int n) {
    const Model model = make_model(chain_of_four_bars(n));
    std::vector<Counted> q(static_cast<std::size_t>(model.nq())), v(q.size(), Counted(0));
    for (int body = 0; body < model.body_count(); ++body) {
      const std::string name(model.body_name(body));
      q[static_cast<std::size_t>(body)] = Counted(name.starts_with("crank")     ? pose.crank
                                                  : name.starts_with("coupler") ? pose.coupler - pose.crank
                                                  : name.starts_with("rocker")  ? pose.rocker
                                                                                : 0.3);
    }
    const auto body = constrained_body<Counted>(model, q.data(), v.data());
    const auto& e = body.embedded;
    const auto T = Stacked<Counted>::zero(e.model.space, Kind::joint);
    Counted::counts() = {};
    forward_dynamics(e.model, riccati(e.model), T, e.a, e.b);
    return static_cast<double>(Counted::counts().total());
  };
  const double three = cost(3), four = cost(4);
  EXPECT_GT(four, three);
  for (const int n : {5, 8, 20}) EXPECT_EQ(cost(n), four + (n - 4) * (four - three)) << n;
  std::printf("%.0f operations per four-bar and its carrier\n", four - three);
}

}  // namespace
}  // namespace kinetree::sko
