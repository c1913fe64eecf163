#include "oracle/hostile.hpp"

#include <cmath>
#include <functional>
#include <stdexcept>

#include "engine/model/model_data.hpp"
#include "model/every_joint_type.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {
namespace {

/// A chain of solid cylinders along x whose radius is a tenth of their length, link by link.
struct ChainShape {
  int links = 100;
  double payload = 0;  ///< kg, a sphere of radius 0.1 m at the end
  std::function<double(int)> mass = [](int) { return 1.0; };
  std::function<double(int)> length = [](int) { return 0.3; };
  std::function<Numbers3(int)> axis = [](int k) { return k % 2 ? Numbers3{0, 1, 0} : Numbers3{0, 0, 1}; };
  std::function<const char*(int)> type = [](int) { return "revolute"; };
  std::function<Numbers3(int)> rpy = [](int) { return Numbers3{0, 0, 0}; };
};

InertialDescription cylinder(double mass, double length) {
  const double r = 0.1 * length, along = mass * r * r / 2, across = mass * (3 * r * r + length * length) / 12;
  return {mass, {{length / 2, 0, 0}, {0, 0, 0, 1}}, {along, across, across, 0, 0, 0}, 0};
}

InertialDescription sphere(double mass, double radius) {
  const double moment = 0.4 * mass * radius * radius;
  return {mass, {}, {moment, moment, moment, 0, 0, 0}, 0};
}

void add_chain(Description& d, const std::string& name, std::string parent, Placement origin, const ChainShape& s) {
  for (int k = 0; k < s.links; ++k) {
    BodyDescription b;
    b.name = name + std::to_string(k);
    b.parent = parent;
    b.joint.name = b.name + "_joint";
    b.joint.type = s.type(k);
    b.joint.axis = s.axis(k);
    const JointFacts& facts = facts_of(*joint_type_named(b.joint.type));
    if (facts.second_axis) b.joint.axis2 = Numbers3{s.axis(k)[1], s.axis(k)[2], s.axis(k)[0]};
    if (facts.pitch) b.joint.pitch = 0.05;
    b.joint.origin = origin;
    b.joint.origin.quaternion = quaternion_from_rpy(s.rpy(k));
    b.inertial = cylinder(s.mass(k), s.length(k));
    parent = b.name;
    origin.xyz = {s.length(k), 0, 0};
    d.bodies.push_back(std::move(b));
  }
  if (s.payload == 0) return;
  BodyDescription load;
  load.name = name + "payload", load.parent = parent;
  load.joint.type = "fixed", load.joint.name = load.name + "_joint", load.joint.origin = origin;
  load.inertial = sphere(s.payload, 0.1);
  d.bodies.push_back(std::move(load));
}

/// Hanging from the ground along gravity.
Description hung(const ChainShape& shape) {
  Description d;
  d.gravity = {9.81, 0, 0};
  add_chain(d, "link", "world", {}, shape);
  return d;
}

/// A floating trunk with two arms that carry `load` kg each, two legs, and two tentacles that carry it too.
Description humanoid(int arm, int tentacle, double load) {
  Description d;
  d.gravity = {9.81, 0, 0};
  BodyDescription trunk;
  trunk.name = "trunk", trunk.parent = "world", trunk.joint.name = "base", trunk.joint.type = "floating";
  trunk.inertial = InertialDescription{40, {}, {1, 0.8, 0.7, 0, 0, 0}, 0};
  d.bodies.push_back(trunk);
  ChainShape limb;
  const auto mass = [](int k) { return k % 3 == 2 ? 2.0 : 0.2; };  // two light links at every ball joint
  limb.mass = mass;
  limb.axis = [](int k) { return k % 3 == 0 ? Numbers3{0, 1, 0} : k % 3 == 1 ? Numbers3{1, 0, 0} : Numbers3{0, 0, 1}; };
  limb.length = [](int k) { return k % 3 == 2 ? 0.3 : 0.05; };
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "left_" : "right_";
    limb.links = arm, limb.payload = load;
    add_chain(d, name + "arm", "trunk", {{0.2, 0.2 * side, 0}, {0, 0, 0, 1}}, limb);
    limb.links = 6, limb.payload = 0;
    add_chain(d, name + "leg", "trunk", {{-0.3, 0.1 * side, 0}, {0, 0, 0, 1}}, limb);
    if (tentacle == 0) continue;
    limb.links = tentacle, limb.payload = load;
    add_chain(d, name + "tentacle", "trunk", {{0, 0.1 * side, 0.1}, {0, 0, 0, 1}}, limb);
  }
  return d;
}

class Collection {
 public:
  explicit Collection(bool few) : few_(few) {}

  std::vector<HostileMechanism> run() {
    ropes();
    masses();
    lengths();
    axes();
    joints();
    if (few_) {
      add("humanoid, hands of 100 kg, tentacles of 96", make_model(humanoid(7, 96, 100)));
      return std::move(all_);
    }
    for (const double load : {1.0, 100.0, 1e4}) {
      add("humanoid, hands of " + text(load) + " kg", make_model(humanoid(7, 0, load)));
      add("humanoid, hands of " + text(load) + " kg, tentacles of 96", make_model(humanoid(7, 96, load)));
    }
    return std::move(all_);
  }

 private:
  static std::string text(double x) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", x);
    return number;
  }
  void add(std::string name, Model model) { all_.push_back({std::move(name), std::move(model)}); }
  void add(std::string name, const ChainShape& shape) { add(std::move(name), make_model(hung(shape))); }
  void family(const std::string& name) { add(name, make_model(name)); }
  std::vector<double> some(std::vector<double> values) const {
    if (few_) values.erase(values.begin(), values.end() - 1);
    return values;
  }

  void ropes() {
    for (const double segments : some({8, 16, 32, 64}))
      for (const char* dummy : {"1", "1e-3", "1e-6"})
        for (const char* payload : {"0", "5"})
          if (!few_ || (dummy[1] != '\0' && payload[0] == '5'))
            family("rope:" + text(segments) + ":dummy=" + dummy + ":payload=" + payload);
    for (const double payload : some({0, 5, 1e3})) family("rope:128:joints=spherical:payload=" + text(payload));
    if (!few_) family("rope:32:dummy=1e-9:payload=5");
  }

  void masses() {
    ChainShape s;
    for (const double r : some({10, 1e3, 1e6})) {
      s.mass = [r](int k) { return k % 2 ? r : 1; };
      add("masses 1, " + text(r) + " in turn", s);
      s.mass = [r](int k) { return k % 4 == 1 || k % 4 == 2 ? 1 / r : 1; };
      add("masses 1, r, r, 1 in turn, r = " + text(1 / r), s);
      s.mass = [r](int k) { return std::pow(r, -k / 99.0); };
      add("masses from " + text(r) + " down to 1", s);
      s.mass = [r](int k) { return std::pow(r, k / 99.0); };
      add("masses from 1 up to " + text(r), s);
    }
    s.mass = [](int k) { return k % 4 == 1 || k % 4 == 2 ? 1e-2 : 1; };
    add("masses 1, r, r, 1 in turn, r = 0.01", s);
    ChainShape loaded;
    for (const double load : some({10, 1e3, 1e6})) {
      loaded.payload = load;
      add("payload of " + text(load) + " kg", loaded);
    }
  }

  void lengths() {
    ChainShape s;
    for (const double r : some({10, 100, 1e3})) {
      s.length = [r](int k) { return k % 2 ? 1 : 1 / r; };
      add("lengths 1, " + text(1 / r) + " m in turn", s);
      s.length = [r](int k) { return k / 2 % 2 ? 1 : 1 / r; };
      add("lengths 1, 1, r, r in turn, r = " + text(1 / r) + " m", s);
      s.length = [r](int k) { return std::pow(r, -k / 99.0); };
      add("lengths from 1 m down to " + text(1 / r), s);
      s.length = [r](int k) { return std::pow(r, k / 99.0 - 1); };
      add("lengths from " + text(1 / r) + " up to 1 m", s);
    }
    s.length = [](int k) { return k % 2 ? 0.2 : 0.02; };
    add("lengths 2 cm, 20 cm in turn", s);
  }

  void axes() {
    ChainShape s;
    s.axis = [](int) { return Numbers3{0, 1, 0}; };
    add("axes parallel", s);
    s.payload = 100, s.links = 256;
    if (!few_) add("axes parallel, 256 links, payload of 100 kg", s);
    s.payload = 0, s.links = 100;
    s.rpy = [](int k) { return Numbers3{0.5 * k, 0.3, -0.2 * k}; };
    add("axes twisted", s);
    ChainShape along;
    along.axis = [](int) { return Numbers3{1, 0, 0}; };
    add("axes along the links", along);
  }

  void joints() {
    for (const JointType each : moving_types()) {
      if (is_revolute(each) || each == JointType::floating) continue;
      const char* type = kinetree::name_of(each).data();  // a literal's
      if (few_ && type[0] != 'p') continue;
      ChainShape s;
      s.type = [type](int) { return type; };
      add(std::string("all ") + type, s);
      s.links = 96;
      s.type = [type](int k) { return k % 2 ? type : "revolute"; };
      add(std::string("every other ") + type, s);
      s.type = [type](int k) { return k % 12 == 5 ? type : "revolute"; };
      add(std::string("few ") + type, s);
      s.type = [type](int k) { return k % 12 == 5 ? "revolute" : type; };
      add(std::string("mostly ") + type, s);
      s.type = [type](int k) { return k < 48 ? type : "revolute"; };
      add(std::string("the inboard half ") + type, s);
      s.type = [type](int k) { return k < 48 ? "revolute" : type; };
      add(std::string("the outboard half ") + type, s);
      s.type = [type](int k) { return k == 95 ? "revolute" : type; };
      add(std::string("all but the last ") + type, s);
    }
  }

  bool few_;
  std::vector<HostileMechanism> all_;
};

}  // namespace

std::vector<HostileMechanism> few_hostile_mechanisms() { return Collection(true).run(); }
std::vector<HostileMechanism> hostile_mechanisms() { return Collection(false).run(); }

TestState state_in(const Model& model, Regime regime, std::uint64_t seed) {
  if (regime == Regime::near_rest) return near_static_state(model, seed);
  TestState s = random_state(model, seed);
  Random random(seed + 77);
  if (regime == Regime::controlled) {
    Workspace workspace(model);
    if (!inverse_dynamics(model, workspace, s.q, s.v, uniform_vector(random, model.nv(), 1), s.tau).ok())
      throw std::logic_error("a hostile state failed");
  } else if (regime == Regime::hanging) {
    const double away = std::pow(10, random.uniform(-6, -1));
    s.q = uniform_vector(random, model.nq(), away);
    for (std::size_t i = 0; i < model.data().parent.size(); ++i) {
      const JointType type = model.data().joint_type[i];
      if (type != JointType::spherical && type != JointType::floating) continue;
      const int end = model.data().q_index[i + 1];
      s.q[end - 1] = 1;
      s.q.segment<4>(end - 4).normalize();
    }
    s.v = uniform_vector(random, model.nv(), away);
    s.tau.setZero();
  }
  return s;
}

}  // namespace kinetree::oracle
