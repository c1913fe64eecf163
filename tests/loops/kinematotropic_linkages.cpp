// Linkages of the literature whose configurations are computed in 60 digits, so that they are closed to the last bit of
// a double beside a change point too.
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <kinetree/scalar/reference.hpp>
#include <stdexcept>

#include "loops/branching_mechanisms.hpp"
#include "loops/closed_oracle.hpp"
#include "loops/linkage_parts.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;
namespace mp = boost::multiprecision;

/// A point of the plane.
struct Point {
  Reference x{0}, y{0};
  Point operator+(const Point& b) const { return {x + b.x, y + b.y}; }
  Point operator-(const Point& b) const { return {x - b.x, y - b.y}; }
  Point operator*(const Reference& s) const { return {x * s, y * s}; }
  Reference dot(const Point& b) const { return x * b.x + y * b.y; }
  Point turned(const Reference& angle) const {
    const Reference c = mp::cos(angle), s = mp::sin(angle);
    return {c * x - s * y, s * x + c * y};
  }
};

Point polar(double length, const Reference& angle) { return Point{Reference(length), Reference(0)}.turned(angle); }

/// Corners of a cube drawn in the plane: the bits of an index are the edges that lead there from corner 0.
using Corners = std::array<Point, 8>;

constexpr double along[]{0.3, 0.5, 0.7};  ///< m, of bits 1, 2, 4; the ground is from corner 0 to 1, along x

/// The face of corners 0, 2, 4, 6, moved to corners 1, 3, 5, 7 in parallel.
Corners in_parallel(const Point& two, const Point& four, const Point& six) {
  const Point ground{Reference(along[0]), Reference(0)}, none;
  return {none, ground, two, ground + two, four, ground + four, six, ground + six};
}

/// That face as a parallelogram.
Corners parallelograms(const Reference& second, const Reference& third) {
  const Point two = polar(along[1], second), four = polar(along[2], third);
  return in_parallel(two, four, two + four);
}

/// The corner of an antiparallelogram across from the origin: that of the parallelogram, reflected in the diagonal a b.
Point across_from_origin(const Point& a, const Point& b) {
  const Point diagonal = b - a;
  const Point foot = a - diagonal * (a.dot(diagonal) / diagonal.dot(diagonal));
  return a + b - foot * 2;
}

/// That face as an antiparallelogram.
Corners two_antiparallelograms(const Reference& second, const Reference& third) {
  const Point two = polar(along[1], second), four = polar(along[2], third);
  return in_parallel(two, four, across_from_origin(two, four));
}

/// That face as an antiparallelogram, and turned about the centre of the circle through its corners by as much as makes
/// corners move by the length of the ground. `between`: of its two edges at corner 0.
Corners turned_antiparallelogram(Reference between) {
  if (between == 0) between = 1e-40;
  const Point two = polar(along[1], 0), four = polar(along[2], between);
  const Reference twice = 2 * (two.x * four.y - four.x * two.y), a = two.dot(two), b = four.dot(four);
  const Point centre{(four.y * a - two.y * b) / twice, (two.x * b - four.x * a) / twice};
  const Reference by = 2 * mp::asin(Reference(along[0]) / (2 * mp::sqrt(centre.dot(centre))));
  Corners p;
  const Point face[]{Point{}, two, four, across_from_origin(two, four)};
  for (std::size_t k = 0; k < 4; ++k) p[2 * k] = face[k], p[2 * k + 1] = centre + (face[k] - centre).turned(by);
  const Reference ground = mp::atan2(p[1].y, p[1].x);
  for (Point& corner : p) corner = corner.turned(-ground);
  return p;
}

struct Bar {
  int from, to, parent;  ///< corners; a bar, -1: the ground
};
/// Depth first.
constexpr Bar bars[]{{0, 2, -1}, {2, 3, 0},  {2, 6, 0}, {6, 7, 2},  {0, 4, -1}, {4, 5, 4},
                     {4, 6, 4},  {1, 3, -1}, {3, 7, 7}, {1, 5, -1}, {5, 7, 9}};
/// Bars that end in one corner.
constexpr std::pair<int, int> closed_by[]{{1, 7}, {5, 9}, {6, 2}, {10, 8}, {3, 8}};

double length_of(const Bar& bar) { return along[(bar.to - bar.from) / 2]; }

VectorXd angles_of(const Corners& p) {
  VectorXd q(11);
  Reference angle[11];
  for (std::size_t k = 0; k < 11; ++k) {
    const Point way = p[static_cast<std::size_t>(bars[k].to)] - p[static_cast<std::size_t>(bars[k].from)];
    angle[k] = mp::atan2(-way.y, way.x);  // about y, seen from there
    const Reference turn = bars[k].parent < 0 ? angle[k] : angle[k] - angle[bars[k].parent];
    q[static_cast<Eigen::Index>(k)] = static_cast<double>(turn);
  }
  return q;
}

/// A ring of six revolute joints by Denavit & Hartenberg's numbers, the last link on the ground.
struct Ring {
  double length[6], twist[6], offset[6];  ///< link k: from the axis of joint k to the next; along the axis of joint k

  Description description(const std::string& name) const {
    Description d;
    d.name = name;
    for (std::size_t k = 0; k < 5; ++k) {
      BodyDescription b;
      b.name = "link" + std::to_string(k + 1), b.parent = k > 0 ? d.bodies.back().name : "world";
      b.joint.name = b.name + "_joint", b.joint.type = "revolute", b.joint.axis = {0, 0, 1};
      if (k > 0) b.joint.origin = next(k - 1);
      const double mass = 0.5 + 0.1 * static_cast<double>(k);
      b.inertial = InertialDescription{mass, {{length[k] / 2, 0.02, offset[k]}}, {0.02, 0.03, 0.025, 0.001, 0, 0.002}};
      d.bodies.push_back(b);
    }
    LoopDescription l;
    l.name = "ring", l.type = "revolute", l.axis = {0, 0, 1};
    l.first.body = "link5", l.first.frame = next(4);
    l.second.body = "world";
    l.second.frame = Placement{{-length[5], 0, -offset[5]}, quaternion_from_rpy({-twist[5], 0, 0})};
    d.loops.push_back(l);
    return d;
  }
  /// The axis behind link k.
  Placement next(std::size_t k) const { return {{length[k], 0, offset[k]}, quaternion_from_rpy({twist[k], 0, 0})}; }
};

Ring threefold(double twist) {
  constexpr double a = 0.3;
  return {{a, a, a, a, a, a}, {twist, -twist, twist, -twist, twist, -twist}, {}};
}

/// Every other joint at theta, the others where that closes a threefold ring (Chen, You & Tarnai 2005, Eq. 5):
/// cos² t + sin² t (cos x + cos y) + (1 + cos² t) cos x cos y = 2 cos t sin x sin y, of two y by `side`.
VectorXd threefold_angles(const Reference& cosine, const Reference& theta, int side) {
  const Reference c = mp::cos(theta), s = mp::sin(theta), even = cosine * cosine, odd = 1 - even;
  const Reference A = odd + (1 + even) * c, B = -2 * cosine * s, C = -(even + odd * c);
  Reference part = C / mp::sqrt(A * A + B * B);
  part = std::min<Reference>(1, std::max<Reference>(-1, part));
  const double x = static_cast<double>(theta),
               y = static_cast<double>(Reference(mp::atan2(B, A) + side * mp::acos(part)));
  return VectorXd{{x, y, x, y, x}};
}

/// Closes a ring with its first joint held, from q on, by the oracle's equations; empty: not from there.
VectorXd closed(ClosedOracle& oracle, VectorXd q) {
  const VectorXd rest = VectorXd::Zero(q.size());
  for (int step = 0; step < 60; ++step) {
    oracle.set(q, rest);
    if (oracle.error().cwiseAbs().maxCoeff() <= 2e-16) return q;
    VectorXd way = oracle.K().rightCols(q.size() - 1).completeOrthogonalDecomposition().solve(oracle.error());
    if (way.cwiseAbs().maxCoeff() > 0.5) way *= 0.5 / way.cwiseAbs().maxCoeff();
    q.tail(q.size() - 1) -= way;
  }
  return oracle.error().cwiseAbs().maxCoeff() <= 1e-15 ? q : VectorXd{};
}

/// Configurations with that number of freedoms, by Newton's method from anywhere.
std::function<VectorXd(Random&)> closed_from_anywhere(const Description& d, int freedoms) {
  return [d, order = make_model(d), freedoms](Random& random) {
    ClosedOracle oracle(d, order);
    for (int start = 0; start < 1000; ++start) {
      VectorXd q(order.nq());
      for (double& angle : q) angle = random.uniform(-3, 3);
      if (q = closed(oracle, q); q.size() > 0 && oracle.freedoms() == freedoms) return q;
    }
    throw std::runtime_error(d.name + " is not closed from any start");
  };
}

}  // namespace

BranchingMechanism wunderlich_linkage() {
  BranchingMechanism x;
  x.name = "Wunderlich's linkage";
  Description& d = x.description;
  d.name = "wunderlich";
  const auto name = [](int k) { return k < 0 ? std::string("world") : "bar" + std::to_string(k + 1); };
  for (int k = 0; k < 11; ++k) {
    const Bar& bar = bars[k];
    const double at = bar.parent < 0 ? along[0] * bar.from : length_of(bars[bar.parent]);
    d.bodies.push_back(turning(name(k), name(bar.parent), {at, 0, 0}, length_of(bar)));
  }
  for (const auto& [first, second] : closed_by)
    d.loops.push_back(joined("pin" + std::to_string(d.loops.size() + 1), "revolute", name(first),
                             {length_of(bars[first]), 0, 0}, name(second), {length_of(bars[second]), 0, 0}));
  x.branches.push_back({"parallelograms", 2, [](Random& random) {
                          return angles_of(parallelograms(random.uniform(0.4, 1.2), random.uniform(1.7, 2.6)));
                        }});
  x.branches.push_back({"two antiparallelograms", 2, [](Random& random) {
                          const double from = random.uniform(0.3, 1);
                          return angles_of(two_antiparallelograms(from, from + random.uniform(0.5, 1.4)));
                        }});
  x.branches.push_back({"antiparallelograms", 2,
                        [](Random& random) { return angles_of(turned_antiparallelogram(random.uniform(0.5, 2.2))); }});
  x.branches.push_back({"faces of no such shape", 1, closed_from_anywhere(d, 1)});
  x.ways.push_back({"parallelograms to two antiparallelograms", 2,
                    [](double s) { return angles_of(parallelograms(0.8, 0.8 + Reference(s))); }});
  x.ways.push_back({"two antiparallelograms to parallelograms", 2,
                    [](double s) { return angles_of(two_antiparallelograms(0.8, 0.8 + Reference(s))); }});
  x.ways.push_back(
      {"antiparallelograms to one line", 2, [](double s) { return angles_of(turned_antiparallelogram(s)); }});
  assemble(d, angles_of(parallelograms(0.7, 2)));
  x.freedoms = 2;
  return x;
}

BranchingMechanism bricard_ring() {
  BranchingMechanism x;
  x.name = "Bricard's threefold ring";
  x.description = threefold(M_PI / 3).description("bricard");
  const auto at = [](const Reference& theta, int side) { return threefold_angles(Reference(1) / 2, theta, side); };
  for (const int side : {1, -1}) {
    x.branches.push_back(
        {side > 0 ? "one way" : "other way", 1, [=](Random& random) { return at(random.uniform(2.2, 2.9), side); }});
    x.ways.push_back({side > 0 ? "one way to the triangle" : "other way to the triangle", 1, [=](double s) {
                        return at(boost::math::constants::pi<Reference>() - Reference(s), s < 0 ? -side : side);
                      }});
  }
  assemble(x.description, at(2.6, 1));
  x.freedoms = 1;
  return x;
}

BranchingMechanism trihedral_ring() {
  BranchingMechanism x;
  x.name = "Bricard's trihedral ring";
  x.description = threefold(M_PI / 2).description("trihedral");
  for (const int side : {1, -1})
    x.branches.push_back({side > 0 ? "up" : "down", 1,
                          [=](Random& random) { return threefold_angles(0, random.uniform(-1.8, 1.8), side); }});
  assemble(x.description, threefold_angles(0, 0.5, 1));
  x.freedoms = 1;
  return x;
}

BranchingMechanism schatz_ring() {
  constexpr double a = 0.3, right = M_PI / 2, rise = 0.1;
  const Ring ring{
      {0, a, a, a, 0, a * 1.7320508075688772}, {right, right, right, right, right, 0}, {rise, 0, 0, 0, 0, -rise}};
  BranchingMechanism x;
  x.name = "Schatz' ring";
  x.description = ring.description("schatz");
  const auto somewhere = closed_from_anywhere(x.description, 1);
  x.branches.push_back({"turning", 1, somewhere});
  Random random(5);
  assemble(x.description, somewhere(random));
  x.freedoms = 1;
  return x;
}

}  // namespace kinetree::oracle
