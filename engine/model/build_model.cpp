// From a checked Description to a Model: fixed joints merged, axes turned to z, bodies numbered depth first.
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include <kinetree/model/model.hpp>

#include "carried_inertia.hpp"
#include "check_description.hpp"
#include "placement.hpp"

namespace kinetree {
namespace {

using Index = std::size_t;

struct JointFrames {
  Transform<double> X_tree;  ///< link frame of the parent's body to the joint's first frame
  Matrix3<double> link_to_body;  ///< rotation from the link's axes to the body's internal axes
  double constant[2]{0, 0};
};

/// Internal axes: z is the joint's axis, by the shortest turn; a universal joint's z is its second axis and x the common
/// normal of both (Link::constant).
JointFrames internal_frames(JointType type, const JointDescription& j) {
  const Transform<double> X = transform_of(j.origin);
  JointFrames f{X, Matrix3<double>::identity(), {0, 0}};
  if (type == JointType::universal) {
    const Vector3<double> a{j.axis[0], j.axis[1], j.axis[2]}, b{(*j.axis2)[0], (*j.axis2)[1], (*j.axis2)[2]};
    const Vector3<double> n = cross(a, b);
    const double sine = std::sqrt(dot(n, n)), cosine = dot(a, b);
    const Vector3<double> x = (1 / sine) * n, y1 = cross(a, x), y2 = cross(b, x);
    f.X_tree.E = Matrix3<double>{x.x, x.y, x.z, y1.x, y1.y, y1.z, a.x, a.y, a.z} * X.E;
    f.link_to_body = {x.x, x.y, x.z, y2.x, y2.y, y2.z, b.x, b.y, b.z};
    f.constant[0] = cosine, f.constant[1] = sine;
  } else if (has_axis(type)) {
    f.link_to_body = turn_z_to(j.axis);
    f.X_tree.E = f.link_to_body * X.E;
    if (type == JointType::helical) f.constant[0] = j.pitch, f.constant[1] = 1 / std::sqrt(1 + j.pitch * j.pitch);
  }
  return f;
}

std::string three(const std::array<double, 3>& e) {
  char text[96];
  std::snprintf(text, sizeof text, "%.6g, %.6g, %.6g", e[0], e[1], e[2]);
  return text;
}

/// What is wrong with a rotational inertia about the centre of mass; empty if nothing. `rounding` where only by rounding.
std::string inertia_fault(const std::array<double, 3>& e, bool& rounding) {
  rounding = false;
  const double largest = std::max(std::abs(e[0]), std::abs(e[2]));
  if (largest == 0) return "";
  const double below = -e[0] / largest, beyond = (e[2] - e[0] - e[1]) / largest;
  rounding = below < 1e-6 && beyond < 1e-6;
  if (below > 1e-9) return "inertia about the centre of mass has a negative eigenvalue";
  if (beyond > 1e-9) return "inertia breaks the triangle inequality (largest principal moment <= sum of the others)";
  return "";
}

class Builder {
 public:
  Builder(const Description& d, const std::vector<int>& order, std::vector<Finding>& findings)
      : d_(d), order_(order), findings_(findings), model_(std::make_shared<ModelData>()) {}

  std::shared_ptr<ModelData> build() {
    model_->name = d_.name;
    model_->gravity = d_.gravity;
    place();
    number();
    judge_inertias();
    if (!has_error(findings_)) judge_freedoms();
    return model_;
  }

 private:
  void say(Severity severity, int line, std::string element, std::string message) {
    findings_.push_back({severity, d_.file, line, std::move(element), std::move(message)});
  }

  /// Every link gets a body (its own, or the one it is merged into) and its placement there.
  void place() {
    std::unordered_map<std::string, int> link;
    ModelData& m = *model_;
    m.frames.resize(d_.bodies.size());
    for (Index k = 0; k < d_.bodies.size(); ++k) m.frames[k].name = d_.bodies[k].name, link.emplace(d_.bodies[k].name, static_cast<int>(k));
    for (int k : order_) {
      const BodyDescription& b = d_.bodies[static_cast<Index>(k)];
      Frame& frame = m.frames[static_cast<Index>(k)];
      const JointType type = *joint_type_named(b.joint.type);
      // the parent link on its body; the ground is its own
      const Frame ground{"world", -1, Transform<double>::identity()};
      const Frame& parent = b.parent == "world" ? ground : m.frames[static_cast<Index>(link.at(b.parent))];
      RigidInertia<double> own{};
      if (b.inertial) own = rigid_inertia(*b.inertial);
      if (type == JointType::fixed) {
        frame.body = parent.body;
        frame.X_frame_body = transform_of(b.joint.origin) * parent.X_frame_body;
        if (frame.body >= 0) m.link[static_cast<Index>(frame.body)].I += congruence(frame.X_frame_body, own);
        if (b.inertial) judge_link(b, own);
        continue;
      }
      const JointFrames joint = internal_frames(type, b.joint);
      const auto body = static_cast<int>(m.parent.size());
      frame.body = body;
      frame.X_frame_body = {transpose(joint.link_to_body), {0, 0, 0}};
      m.parent.push_back(parent.body);
      m.joint_type.push_back(type);
      m.joint_name.push_back(b.joint.name);
      m.body_frame.push_back(k);
      Link<double> l;
      l.X_tree = joint.X_tree * parent.X_frame_body;
      l.I = congruence(frame.X_frame_body, own);
      l.constant[0] = joint.constant[0], l.constant[1] = joint.constant[1];
      m.link.push_back(l);
    }
  }

  void number() {
    ModelData& m = *model_;
    const Index n = m.parent.size();
    m.q_index.assign(1, 0), m.v_index.assign(1, 0);
    m.subtree_end.resize(n);
    m.children_begin.assign(n + 1, 0);
    for (Index i = 0; i < n; ++i) {
      m.q_index.push_back(m.q_index.back() + position_count(m.joint_type[i]));
      m.v_index.push_back(m.v_index.back() + velocity_count(m.joint_type[i]));
      m.subtree_end[i] = static_cast<int>(i) + 1;
      if (m.parent[i] < 0)
        m.roots.push_back(static_cast<int>(i));
      else
        ++m.children_begin[static_cast<Index>(m.parent[i]) + 1];
    }
    for (Index i = n; i-- > 0;)
      if (m.parent[i] >= 0) {
        int& end = m.subtree_end[static_cast<Index>(m.parent[i])];
        end = std::max(end, m.subtree_end[i]);
      }
    for (Index i = 0; i < n; ++i) m.children_begin[i + 1] += m.children_begin[i];
    m.children.resize(static_cast<Index>(m.children_begin[n]));
    std::vector<int> fill(m.children_begin.begin(), m.children_begin.end() - 1);
    for (Index i = 0; i < n; ++i)
      if (m.parent[i] >= 0) m.children[static_cast<Index>(fill[static_cast<Index>(m.parent[i])]++)] = static_cast<int>(i);
  }

  /// A merged link on its own: a warning only, since what moves is the whole body.
  void judge_link(const BodyDescription& b, const RigidInertia<double>& own) {
    bool rounding = false;
    const auto e = eigenvalues(about_com(own));
    const std::string fault = inertia_fault(e, rounding);
    if (!fault.empty())
      say(Severity::warning, b.inertial->line > 0 ? b.inertial->line : b.line, "link \"" + b.name + "\"",
          fault + ": eigenvalues " + three(e) + "; it is merged by a fixed joint");
  }

  void judge_inertias() {
    ModelData& m = *model_;
    m.may_cut.resize(m.parent.size());
    for (Index i = 0; i < m.parent.size(); ++i) {
      const BodyDescription& b = d_.bodies[static_cast<Index>(m.body_frame[i])];
      const auto e = eigenvalues(about_com(m.link[i].I));
      bool rounding = false;
      const std::string fault = inertia_fault(e, rounding);
      if (!fault.empty())
        say(rounding ? Severity::warning : Severity::error, b.inertial && b.inertial->line > 0 ? b.inertial->line : b.line,
            "link \"" + b.name + "\"",
            fault + ": eigenvalues " + three(e) + (rounding ? ", by rounding" : "; give a physical inertia"));
      m.may_cut[i] = m.link[i].I.mass > 0 && e[0] >= 1e-6 * e[2] && e[2] > 0;
    }
  }

  void judge_freedoms() {
    for (int i : joints_without_inertia(*model_)) {
      const BodyDescription& b = d_.bodies[static_cast<Index>(model_->body_frame[static_cast<Index>(i)])];
      say(Severity::error, b.joint.line, "joint \"" + b.joint.name + "\"",
          "moves no inertia in one of its directions: link \"" + b.name + "\" and what hangs from it weigh nothing there; "
          "give it mass, or make the joint fixed");
    }
  }

  const Description& d_;
  const std::vector<int>& order_;
  std::vector<Finding>& findings_;
  std::shared_ptr<ModelData> model_;
};

}  // namespace

Model make_model(const Description& description, const LoadOptions& options, std::vector<Finding> findings) {
  Description checked = description;
  const std::vector<int> order = check_description(checked, options, findings);
  if (has_error(findings)) throw InputError(std::move(findings));
  std::shared_ptr<ModelData> data = Builder(checked, order, findings).build();
  if (has_error(findings)) throw InputError(std::move(findings));
  if (data->parent.empty()) {
    findings.push_back({Severity::error, description.file, 0, "model", "nothing moves: every joint is fixed"});
    throw InputError(std::move(findings));
  }
  data->findings = std::move(findings);
  return Model(std::move(data));
}

Model make_model(std::string_view family, const LoadOptions& options) {
  LoadOptions rest = options;
  rest.floating_base = false;  // the family has freed its base already
  return make_model(make_description(family, options), rest);
}

}  // namespace kinetree
