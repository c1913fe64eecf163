#include "loops/branching_mechanisms.hpp"

#include <cmath>

#include "loops/linkage_parts.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

}  // namespace

BranchingMechanism sliding_rods(bool third, bool resting) {
  constexpr double length = 0.3;
  BranchingMechanism x;
  x.name = std::string("sliding rods") + (third ? ", three" : "") + (resting ? ", assembled resting" : "");
  Description& d = x.description;
  d.name = "sliding_rods";
  const int count = third ? 3 : 2;
  for (int k = 0; k < count; ++k) {
    const std::string n = std::to_string(k + 1);
    const Numbers3 pivot{0.1 * k, 0, 0.9 * k};
    d.bodies.push_back(turning("crank" + n, "world", pivot, length));
    d.bodies.push_back(turning("rod" + n, "crank" + n, {length, 0, 0}, length));
    d.loops.push_back(joined("line" + n, "point_on_line", "world", pivot, "rod" + n, {length, 0, 0}, {1, 0, 0}));
  }
  d.couplings.push_back({"alike", {{"rod1_joint", 1}, {"rod2_joint", -1}}, 0, 0});
  if (third)
    d.loops.push_back(joined("tie", "planar", "rod1", {0, 0, 0}, "rod3", {0, 0, 0}));
  else {  // six joints
    d.bodies.push_back(turning("pendulum1", "crank1", {0.1, 0, 0}, 0.2));
    d.bodies.push_back(turning("pendulum2", "rod2", {0.1, 0, 0}, 0.2));
  }
  // depth first: crank1, rod1, (pendulum1), crank2, rod2, (pendulum2)
  const auto q = [third](double a, double b, double c, double e, double f) {
    return third ? VectorXd{{a, b, c, b, e, f}} : VectorXd{{a, b, e, c, b, f}};
  };
  constexpr double pi = M_PI;
  const auto angle = [](Random& random) { return random.uniform(-1.2, 1.2); };
  const auto rest = [=](Random& random, bool rests) {
    const double e = third ? angle(random) : random.uniform(-3, 3);
    const double f = third ? (rests ? -pi : -2 * e) : random.uniform(-3, 3);
    return std::pair(e, f);
  };
  const int more = third ? 1 : 2;
  x.branches.push_back({"running", 1 + more, [=](Random& random) {
                          const double a = angle(random);
                          const auto [e, f] = rest(random, false);
                          return q(a, -2 * a, a, e, f);
                        }});
  x.branches.push_back({"resting", 2 + more, [=](Random& random) {
                          const double a = angle(random), c = angle(random);
                          const auto [e, f] = rest(random, false);
                          return q(a, -pi, c, e, f);
                        }});
  x.ways.push_back({"running to resting", 1 + more,
                    [=](double s) { return q(pi / 2 - s, -pi + 2 * s, pi / 2 - s, 0.4, third ? -0.8 : 0.2); }});
  x.ways.push_back({"resting to running", 2 + more,
                    [=](double s) { return q(pi / 2 - s, -pi, pi / 2 - 2 * s, 0.4, third ? -0.8 : 0.2); }});
  if (third) {
    x.branches.push_back({"running, the third rests", 2, [=](Random& random) {
                            const double a = angle(random);
                            const auto [e, f] = rest(random, true);
                            return q(a, -2 * a, a, e, f);
                          }});
    x.ways.push_back(
        {"running, the third to rest", 2, [=](double s) { return q(0.5, -1, 0.5, pi / 2 - s, -pi + 2 * s); }});
    x.ways.push_back(
        {"resting, the third to rest", 3, [=](double s) { return q(0.5, -pi, 0.2, pi / 2 - s, -pi + 2 * s); }});
  }
  x.freedoms = (resting ? 2 : 1) + more;
  VectorXd start = resting ? q(0.3, -pi, -0.5, 0.4, third ? -0.8 : 0.2) : q(0.3, -0.6, 0.3, 0.4, third ? -0.8 : 0.2);
  if (third)
    assemble(d, start);
  else {
    const char* joints[]{"crank1_joint", "rod1_joint", "pendulum1_joint",
                         "crank2_joint", "rod2_joint", "pendulum2_joint"};
    for (int k = 0; k < 6; ++k) d.assembled.push_back({joints[k], {start[k]}});
  }
  return x;
}

BranchingMechanism coupled_rhombi() {
  constexpr double length = 0.4;
  BranchingMechanism x;
  x.name = "coupled rhombi";
  Description& d = x.description;
  d.name = "coupled_rhombi";
  for (int k = 0; k < 2; ++k) {
    const std::string n = std::to_string(k + 1);
    const Numbers3 pivot{1.5 * k, 0, 0};
    d.bodies.push_back(turning("crank" + n, "world", pivot, length));
    d.bodies.push_back(turning("coupler" + n, "crank" + n, {length, 0, 0}, length));
    d.bodies.push_back(turning("rocker" + n, "world", {pivot[0] + length, 0, 0}, length));
    d.loops.push_back(joined("pin" + n, "revolute", "coupler" + n, {length, 0, 0}, "rocker" + n, {length, 0, 0}));
  }
  d.couplings.push_back({"alike", {{"coupler1_joint", 1}, {"coupler2_joint", -1}}, 0, 0});
  // a rhombus: coupler parallel to the ground, rocker to the crank. Folded: the coupler's end on the crank's pivot, the
  // rocker on the ground; or the crank on the ground, coupler and rocker together
  x.branches.push_back({"rhombi", 1, [](Random& random) {
                          const double a = random.uniform(0.3, 2.8);
                          return VectorXd{{a, -a, a, a, -a, a}};
                        }});
  x.branches.push_back({"cranks turn with couplers", 2, [](Random& random) {
                          const double a = random.uniform(0.3, 2.8), c = random.uniform(0.3, 2.8);
                          return VectorXd{{a, M_PI, M_PI, c, M_PI, M_PI}};
                        }});
  x.branches.push_back({"couplers turn with rockers", 1, [](Random& random) {
                          const double a = random.uniform(0.3, 2.8);
                          return VectorXd{{0, a, a, 0, a, a}};
                        }});
  x.ways.push_back({"rhombi to bars", 1, [](double s) { return VectorXd{{s, -s, s, s, -s, s}}; }});
  x.ways.push_back({"bars to rhombi", 2, [](double s) {
                      return VectorXd{{M_PI - s, M_PI, M_PI, M_PI - 2 * s, M_PI, M_PI}};
                    }});
  x.ways.push_back({"couplers to rhombi", 1, [](double s) { return VectorXd{{0, s, s, 0, s, s}}; }});
  assemble(d, VectorXd{{0.7, -0.7, 0.7, 0.7, -0.7, 0.7}});
  x.freedoms = 1;
  return x;
}

BranchingMechanism parallel_cranks(int cranks) {
  CouplingRod rods;
  rods.pivots.resize(static_cast<std::size_t>(cranks)), rods.aside.assign(static_cast<std::size_t>(cranks), 0);
  for (int k = 0; k < cranks; ++k) rods.pivots[static_cast<std::size_t>(k)] = 0.4 * k + 0.05 * k * k;
  BranchingMechanism x;
  x.name = "coupling rod of " + std::to_string(cranks) + " cranks";
  x.description = rods.description();
  x.branches.push_back({"parallel", 1, [rods](Random& random) { return rods.along(random.uniform(-0.5, 2)); }});
  x.ways.push_back({"to the line", 1, [rods](double s) { return rods.along(-rods.angle + s); }});
  x.freedoms = 1;
  return x;
}

std::vector<BranchingMechanism> branching_mechanisms() {
  return {sliding_rods(false, false), sliding_rods(false, true),
          sliding_rods(true, false),  sliding_rods(true, true),
          coupled_rhombi(),           parallel_cranks(3),
          parallel_cranks(4),         parallel_cranks(5),
          wunderlich_linkage(),       bricard_ring(),
          trihedral_ring(),           schatz_ring(),
          universal_platform(3),      universal_platform(4)};
}

}  // namespace kinetree::oracle
