#include "engine/model/lock_joints.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/coupling_scale.hpp"
#include "engine/model/joint_frames.hpp"
#include "engine/model/joint_numbers.hpp"
#include "engine/model/joint_positions.hpp"
#include "engine/model/loop_joint.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/placement.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double closes_to = 1e-8;  ///< m or rad; of couplings relative to CouplingScale

std::vector<double> zero(JointType type) {
  std::vector<double> q(at(position_count(type)));
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = zero_position(type, static_cast<int>(k));
  return q;
}

class JointLock : NumberChecks {
 public:
  JointLock(Description& d, const Topology& topology, std::vector<Finding>& findings)
      : NumberChecks(d.file, findings), d_(d), topology_(topology), findings_(findings) {
    for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
      link_.emplace(d_.bodies[k].name, static_cast<int>(k));
      joint_.emplace(d_.bodies[k].joint.name, k);
    }
  }

  void run(const std::vector<JointPositions>& lock) {
    if (!d_.loops.empty()) moving_ = d_;
    for (const JointPositions& one : lock) fix(one.joint, one.positions.empty() ? usual(one.joint) : one.positions);
    bool more = true;
    while (more) {  // a joint that one coupling determines may stand in others
      more = false;
      for (const CouplingDescription& coupling : d_.couplings) more = lock_the_last(coupling) || more;
    }
    std::erase_if(d_.couplings, [&](CouplingDescription& coupling) { return !take_locked_terms(coupling); });
    std::erase_if(d_.loops, [&](const LoopDescription& loop) { return is_rigid(loop); });
    std::erase_if(d_.independent, [&](const std::string& joint) { return positions_.count(joint) > 0; });
    std::erase_if(d_.assembled, [&](const JointPositions& a) { return positions_.count(a.joint) > 0; });
  }

 private:
  /// Where the description says that the joint stands, else zero.
  std::vector<double> usual(const std::string& joint) const {
    for (const JointPositions& a : d_.assembled)
      if (a.joint == joint) return a.positions;
    return zero(*joint_type_named(d_.bodies[joint_.at(joint)].joint.type));
  }

  void fix(const std::string& name, std::vector<double> q) {
    fix_joint(d_.bodies[joint_.at(name)].joint, q, d_.file, findings_);
    positions_.emplace(name, std::move(q));
  }

  /// What a coupling has left of its offset for the joints that move, and how many these are.
  struct Rest {
    double offset;
    CouplingScale scale;
    const CouplingDescription::Term* moving = nullptr;  ///< one of them
    std::size_t count = 0;
  };
  Rest rest_of(const CouplingDescription& coupling) const {
    Rest rest{coupling.offset, CouplingScale(coupling.offset)};
    for (const CouplingDescription::Term& term : coupling.terms) {
      const auto locked = positions_.find(term.joint);
      if (locked == positions_.end()) {
        rest.moving = &term, ++rest.count;
        continue;
      }
      const double position = locked->second.front();
      rest.offset -= term.factor(position) * position, rest.scale.add(term.coefficient, term.powers, position);
    }
    return rest;
  }

  /// Where a term is `share`, of several such positions the nearest to `from`; NaN: nowhere.
  static double position_of(const CouplingDescription::Term& term, double share, double from) {
    if (term.linear()) return share / term.coefficient;
    double nearest = NAN;
    for (const double start : starts_of(term, share, from)) {
      const double q = improved(term, share, start);
      CouplingScale scale(share);
      scale.add(term.coefficient, term.powers, q);
      if (!(std::abs(term.factor(q) * q - share) <= closes_to * scale.of_positions())) continue;
      if (!(std::abs(q - from) >= std::abs(nearest - from))) nearest = q;
    }
    return nearest;
  }

  /// The real roots of a term less `share`, or nearly: eigenvalues of the companion matrix. After them `from`.
  static std::vector<double> starts_of(const CouplingDescription::Term& term, double share, double from) {
    const std::array<double, 5> c{-share, term.coefficient, term.powers[0], term.powers[1], term.powers[2]};
    int degree = 4;
    while (c[at(degree)] == 0) --degree;  // a term that is not linear has one above the first
    Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(degree, degree);
    companion.diagonal(-1).setOnes();
    for (int k = 0; k < degree; ++k) companion(k, degree - 1) = -c[at(k)] / c[at(degree)];
    std::vector<double> starts;
    if (companion.allFinite())
      for (const std::complex<double>& root : companion.eigenvalues())
        if (std::abs(root.imag()) <= 1e-4 * (1 + std::abs(root))) starts.push_back(root.real());
    starts.push_back(from);
    return starts;
  }

  /// Newton's steps, for as long as they lead nearer.
  static double improved(const CouplingDescription::Term& term, double share, double q) {
    const auto& [a, b, c] = term.powers;
    double off = term.factor(q) * q - share;
    for (int step = 0; step < 50 && off != 0; ++step) {
      const double next = q - off / (term.coefficient + q * (2 * a + q * (3 * b + 4 * c * q)));
      const double then = term.factor(next) * next - share;
      if (!(std::abs(then) < std::abs(off))) break;
      q = next, off = then;
    }
    return q;
  }

  /// Locks the last joint of a coupling whose others are locked. Returns whether there was one.
  bool lock_the_last(const CouplingDescription& coupling) {
    const Rest rest = rest_of(coupling);
    if (rest.count != 1 || coupling.terms.size() == 1) return false;
    const std::string& joint = rest.moving->joint;
    const double position = position_of(*rest.moving, rest.offset, usual(joint).front());
    if (!std::isfinite(position)) {
      if (refused_.insert(coupling.name).second)
        say(Severity::error, coupling.line, "coupling \"" + coupling.name + "\"",
            "gives joint \"" + joint +
                "\" no position where the others are locked; lock them elsewhere, or leave one free");
      return false;
    }
    say(Severity::notice, d_.bodies[joint_.at(joint)].joint.line, "joint \"" + joint + "\"",
        "is locked too, at " + number(position) + ", since coupling \"" + coupling.name +
            "\" ties it to joints that are locked");
    fix(joint, {position});
    return true;
  }

  /// Returns whether the coupling stays: one all of whose joints are locked has nothing left to say.
  bool take_locked_terms(CouplingDescription& coupling) {
    const Rest rest = rest_of(coupling);
    if (rest.count == 0 && !(std::abs(rest.offset) <= closes_to * rest.scale.of_positions()))
      say(Severity::error, coupling.line, "coupling \"" + coupling.name + "\"",
          "does not hold where its joints are locked: it is off by " + number(std::abs(rest.offset)) +
              "; lock them at positions that satisfy it, or leave one free");
    std::erase_if(coupling.terms,
                  [&](const CouplingDescription::Term& term) { return positions_.count(term.joint) > 0; });
    coupling.offset = rest.offset;
    return rest.count > 0;
  }

  /// A frame as the rigid body has it that it is on, by fixed joints: the body's first link (-1: the world), the way
  /// from there, and whether it leads over a joint that is locked.
  struct OnBody {
    int link = -1;
    Transform<double> X;
    bool locked = false;
  };
  OnBody on_body(const LoopDescription::End& end, const Matrix3<double>& turn) const {
    OnBody on{end.body == "world" ? -1 : link_.at(end.body), transform_of(end.frame)};
    on.X.E = turn * on.X.E;
    while (on.link >= 0 && d_.bodies[at(on.link)].joint.type == name_of(JointType::fixed)) {
      const JointDescription& joint = d_.bodies[at(on.link)].joint;
      on.X = on.X * transform_of(joint.origin);
      on.locked = on.locked || positions_.count(joint.name) > 0;
      on.link = topology_.parent[at(on.link)];
    }
    return on;
  }

  /// Whether locked joints have made the loop's ends one rigid body, so that nothing is left to be closed.
  bool is_rigid(const LoopDescription& loop) {
    const LoopType type = *loop_type_named(loop.type);
    const LoopFrames frames = loop_frames(type, loop);
    const OnBody first = on_body(loop.first, frames.first), second = on_body(loop.second, frames.second);
    if (first.link != second.link || !(first.locked || second.locked)) return false;
    double error[6]{}, worst = 0;
    const Transform<double>&A = first.X, &B = second.X;
    loop_error(type, frames.cosine, LoopPose<double>{{B.E * transpose(A.E), A.E * (B.r - A.r)}}, error);
    for (int k = 0; k < constraint_count(type); ++k) keep_worst(worst, std::abs(error[k]));
    if (worst > closes_to && is_rounding(loop.name, worst))
      say(Severity::notice, loop.line, "loop \"" + loop.name + "\"",
          "is open by " + number(worst) + " (m or rad) where its joints are locked, by rounding of the file's numbers");
    else if (!(worst <= closes_to))
      say(Severity::error, loop.line, "loop \"" + loop.name + "\"",
          "is open where its joints are locked: it is off by " + number(worst) +
              " (m or rad); lock them at positions that close it, such as neutral(model) has, or leave one free");
    return true;
  }

  /// Whether with joints that move the loop is one that rounding keeps open, and closed as far as it then can be.
  bool is_rounding(const std::string& name, double worst) const try {
    Description moving = moving_;
    for (BodyDescription& body : moving.bodies) body.joint.mimic.reset();  // they are couplings already
    const Model model = make_model(moving);
    const ModelData& m = model.data();
    std::vector<double> q = m.assembled;
    for (std::size_t i = 0; i < m.joint_name.size(); ++i)
      if (const auto locked = positions_.find(m.joint_name[i]); locked != positions_.end())
        std::copy(locked->second.begin(), locked->second.end(), q.begin() + m.q_index[i]);
    Closure closure(m);
    for (const Aggregate& a : m.aggregates) {
      const std::vector<double>& errors = closure.errors(a, q.data());
      int row = 0;
      for (const int l : a.loops) {
        const Loop& loop = m.loops[at(l)];
        double held = 0;
        for (const int end = row + row_count(loop); row < end; ++row) keep_worst(held, std::abs(errors[at(row)]));
        if (loop.name == name)
          return loop.rounded && worst <= a.rounding.open && (a.rounding.nearest || held <= closes_to);
      }
    }
    return false;
  } catch (const InputError&) {
    return false;
  }

  Description& d_;
  Description moving_;  ///< before joints are locked; where there are loops
  const Topology& topology_;
  std::vector<Finding>& findings_;
  std::unordered_map<std::string, int> link_;
  std::unordered_map<std::string, std::size_t> joint_;              ///< the body that it carries
  std::unordered_map<std::string, std::vector<double>> positions_;  ///< of joints that are locked
  std::unordered_set<std::string> refused_;                         ///< couplings that give the last joint no position
};

}  // namespace

void fix_joint(JointDescription& joint, const std::vector<double>& q, const std::string& file,
               std::vector<Finding>& findings) {
  const JointType type = *joint_type_named(joint.type);
  JointNumberChecks(file, findings).warn_beyond_limits(joint, q);
  if (q != zero(type))  // else the origin stays number for number
    joint.origin = compose(joint.origin, placement_of(joint_motion(type, joint, q.data())));
  JointDescription fixed;
  fixed.name = joint.name, fixed.type = name_of(JointType::fixed), fixed.origin = joint.origin, fixed.line = joint.line;
  joint = std::move(fixed);
}

void lock_joints(Description& d, const Topology& topology, std::vector<JointPositions> lock,
                 std::vector<Finding>& findings) {
  if (lock.empty()) return;
  JointPositionChecks(d, findings).check("lock", lock, true);
  if (!has_error(findings)) JointLock(d, topology, findings).run(lock);
}

}  // namespace kinetree::inline inner
