// rope:N: a rope of N segments, written as robot files write it, which is hard on digits: joints of three freedoms made
// of three revolute joints and two light dummy links.
//
// Every segment is a solid cylinder along z: 1 kg, length 0.3 m, radius 0.03 m. Its joint is at its upper end; the next
// segment hangs from its lower end, so that at zero the rope hangs straight. Segment k turns about x and y by the links
// `x<k>` and `y<k>`, solid spheres of radius 0.03 m about the joint, and about z by its own joint.
//
//   :dummy=KG          mass of each dummy link, 0 for none (0.001)
//   :payload=KG        a solid sphere of radius 0.1 m fixed to the lower end, `payload` (0: none)
//   :joints=spherical  ball joints instead, no dummy links
//
// With a floating base the first segment floats and has no dummy links.
#include "engine/model/rope_family.hpp"

#include <string>
#include <utility>

namespace kinetree::inline inner {
namespace {

constexpr double segment_length = 0.3, radius = 0.03, payload_radius = 0.1;  // m

class Rope {
 public:
  explicit Rope(const FamilyText& family) : family_(family) {
    d_.bodies.reserve(static_cast<std::size_t>(family.bodies) + 1);
  }

  Description run() {
    for (int k = 1; k <= family_.first; ++k) {
      const std::string number = std::to_string(k), segment = "segment" + number;
      const bool floats = k == 1 && family_.floating;
      if (family_.joints.empty() && !floats) {
        add("x" + number, "revolute", {1, 0, 0}).inertial = sphere(family_.dummy, radius);
        add("y" + number, "revolute", {0, 1, 0}).inertial = sphere(family_.dummy, radius);
      }
      BodyDescription& body = add(segment, family_.joints.empty() ? "revolute" : family_.joints, {0, 0, 1});
      body.inertial = cylinder();
      if (floats) body.joint.type = "floating", body.joint.name = "floating_base";
      end_ = {0, 0, -segment_length};
    }
    if (family_.payload > 0) add("payload", "fixed", {0, 0, 1}).inertial = sphere(family_.payload, payload_radius);
    return std::move(d_);
  }

 private:
  /// A body at the end of the rope so far.
  BodyDescription& add(const std::string& name, const std::string& type, const Numbers3& axis) {
    BodyDescription body;
    body.name = name;
    body.parent = d_.bodies.empty() ? "world" : d_.bodies.back().name;
    body.joint.name = name + "_joint";
    body.joint.type = type;
    body.joint.axis = axis;
    body.joint.origin.xyz = end_;
    end_ = {0, 0, 0};
    d_.bodies.push_back(std::move(body));
    return d_.bodies.back();
  }

  static InertialDescription sphere(double mass, double r) {
    const double moment = 0.4 * mass * r * r;
    return {mass, {}, {moment, moment, moment, 0, 0, 0}, 0};
  }
  static InertialDescription cylinder() {
    const double across = (3 * radius * radius + segment_length * segment_length) / 12;
    return {1, {{0, 0, -segment_length / 2}, {0, 0, 0, 1}}, {across, across, radius * radius / 2, 0, 0, 0}, 0};
  }

  const FamilyText& family_;
  Description d_;
  Numbers3 end_{0, 0, 0};
};

}  // namespace

Description rope_family(const FamilyText& family) { return Rope(family).run(); }

}  // namespace kinetree::inline inner
