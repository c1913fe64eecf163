#include "engine/io/states.hpp"

#include <cmath>
#include <initializer_list>
#include <kinetree/finding.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <unordered_map>

#include "engine/io/drive_tables.hpp"
#include "engine/io/json_text.hpp"
#include "engine/joint/joint.hpp"
#include "engine/model/file_text.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/slips.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

using nlohmann::json;

constexpr std::size_t most_states_bytes = 1u << 30;
constexpr int most_errors = 1000;
const std::string one_state = "state ";

class StatesReader {
 public:
  StatesReader(const std::string& name, const Model& model) : file_(name), model_(model) {
    for (const Frame& frame : model.data().frames) {
      frame_of_.emplace(frame.name, &frame);
      links_.names.push_back(frame.name);
    }
    joints_.names = model.data().joint_name;
  }

  States read(const std::string& text) {
    json root = json_object(text, file_, "\"states\"", findings_);
    for (const auto& [key, value] : root.items()) check_key(key, "file", {"joints", "states", "units", "drives"});
    read_units(root);
    read_joints(root);
    if (root.contains("drives"))
      read_drives(root["drives"], model_, states_.drives,
                  [this](const std::string& element, const std::string& message) { say(element, message); });
    if (!root.contains("states") || !root["states"].is_array())
      say("states", "is " + (root.contains("states") ? shown(root["states"]) : "missing") + "; give a list of states");
    else if (root["states"].empty())
      findings_.push_back({Severity::notice, file_, 0, "states", "is an empty list, so there is nothing to do"});
    else if (joints_good_)
      for (std::size_t k = 0; k < root["states"].size(); ++k) read_state(root["states"][k], k);
    for (Finding& finding : findings_)
      if (finding.severity == Severity::error && finding.element.starts_with(one_state)) {
        finding.message += " (states count from 0)";
        break;
      }
    if (has_error(findings_)) throw InputError(findings_);
    if (!states_.drives.empty())
      findings_.push_back({Severity::notice, file_, 0, "drives", std::string(drives_notice)});
    states_.findings = std::move(findings_);
    return std::move(states_);
  }

 private:
  void say(const std::string& element, const std::string& message) {
    if (errors_ > most_errors) return;
    if (errors_++ < most_errors)
      findings_.push_back({Severity::error, file_, 0, element, message});
    else
      findings_.push_back({Severity::error, file_, 0, "file",
                           "has more than " + std::to_string(most_errors) +
                               " errors; the rest is left out: correct these and read again"});
  }

  void check_key(const std::string& key, const std::string& element, std::initializer_list<std::string_view> known) {
    if (is_among(key, known)) return;
    std::string list;
    for (const std::string_view word : known) list.append(list.empty() ? "" : ", ").append(word);
    say(element, "unknown key \"" + key + "\"" + if_meant(key, known) + "; known are " + list);
  }

  /// `degrees`: angles and their rates are in degrees, lengths, forces and quaternions as ever.
  void read_units(const json& root) {
    if (!root.contains("units")) return;
    const json& units = root["units"];
    if (units == "degrees")
      angle_ = std::numbers::pi / 180;
    else if (units != "radians")
      say("units", "is " + shown(units) + "; give \"degrees\" or \"radians\"");
  }

  /// What an entry of q or v, of a joint with a type, is multiplied by.
  double unit_of(const char* key, JointType type, int entry) const {
    const JointFacts& facts = facts_of(type);
    const bool quaternion = *key == 'q' && facts.quaternion >= 0 && entry >= facts.quaternion;
    const bool slides = facts.slides >> entry & 1;  // positions before a quaternion stand as velocities do
    return *key == 't' || quaternion || slides ? 1 : angle_;
  }

  void read_joints(const json& root) {
    std::map<std::string, int, std::less<>> body;
    for (int i = 0; i < model_.body_count(); ++i) body.emplace(std::string(model_.joint_name(i)), i);
    if (!root.contains("joints")) {
      for (int i = 0; i < model_.body_count(); ++i) {
        states_.joints.emplace_back(model_.joint_name(i));
        states_.bodies.push_back(i);
      }
      return;
    }
    const json& joints = root["joints"];
    const std::size_t before = findings_.size();
    if (!joints.is_array()) {
      joints_good_ = false;
      return say("joints", "is " + shown(joints) + "; give a list of names");
    }
    std::set<std::string> seen;
    for (const json& entry : joints) {
      const std::string name = entry.is_string() ? entry.get<std::string>() : shown(entry);
      const auto found = body.find(name);
      if (found == body.end())
        say("joints", "\"" + name + "\" " + is_none_of(joints_, links_, name));
      else if (!seen.insert(name).second)
        say("joints", "\"" + name + "\" stands twice; name every joint once");
      else
        states_.joints.push_back(name), states_.bodies.push_back(found->second);
    }
    for (const auto& [name, i] : body)
      if (!seen.count(name)) say("joints", "\"" + name + "\" is missing; name every joint of the model once");
    joints_good_ = findings_.size() == before;
  }

  /// A list of numbers in the caller's order, turned to the model's.
  bool read_vector(const json& state, const char* key, const std::string& element, const std::vector<int>& index,
                   int (*count)(JointType), std::vector<double>& out) {
    out.assign(at(index.back()), 0.0);
    if (!state.contains(key)) return true;
    const json& list = state[key];
    if (!list.is_array() || list.size() != out.size()) {
      say(element, std::string(key) + " is " + shown(list) + " where a list of " + std::to_string(out.size()) +
                       " numbers belongs");
      return false;
    }
    std::size_t next = 0;
    bool good = true;
    for (std::size_t k = 0; k < states_.bodies.size(); ++k) {
      const int i = states_.bodies[k];
      for (int e = 0; e < count(model_.data().joint_type[at(i)]); ++e, ++next) {
        const json& x = list[next];
        if (!x.is_number() || !std::isfinite(x.get<double>())) {
          say(element,
              std::string(key) + " of joint \"" + states_.joints[k] + "\" is " + shown(x) + "; give a finite number");
          good = false;
          continue;
        }
        out[at(index[at(i)] + e)] = x.get<double>() * unit_of(key, model_.data().joint_type[at(i)], e);
      }
    }
    return good;
  }

  void read_state(const json& state, std::size_t k) {
    const std::string element = one_state + std::to_string(k);
    if (!state.is_object()) return say(element, "is " + shown(state) + "; give an object with q");
    for (const auto& [key, value] : state.items()) check_key(key, element, {"q", "v", "tau", "f_ext"});
    if (!state.contains("q")) return say(element, "has no q; give " + std::to_string(model_.nq()) + " positions");
    std::vector<double> q, v, tau, f_ext;
    std::vector<LinkForce> on_links;
    const ModelData& m = model_.data();
    const bool good = read_vector(state, "q", element, m.q_index, position_count, q);
    read_vector(state, "v", element, m.v_index, velocity_count, v);
    read_vector(state, "tau", element, m.v_index, velocity_count, tau);
    if (good) check_quaternions(q, element);
    if (good && state.contains("f_ext")) read_forces(state["f_ext"], element, q, f_ext, on_links);
    states_.q.push_back(std::move(q)), states_.v.push_back(std::move(v)), states_.tau.push_back(std::move(tau));
    states_.f_ext.push_back(std::move(f_ext));
    states_.forces.push_back(std::move(on_links));
  }

  void check_quaternions(const std::vector<double>& q, const std::string& element) {
    for (int i = 0; i < model_.body_count(); ++i) {
      const JointType type = model_.data().joint_type[at(i)];
      const int quaternion = facts_of(type).quaternion;
      if (quaternion < 0) continue;
      const double* p = q.data() + model_.data().q_index[at(i)] + quaternion;
      const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
      if (std::abs(norm - 1) > 1e-6) {
        say(element, "joint \"" + std::string(model_.joint_name(i)) + "\": the quaternion" +
                         (norm == 0 ? " is zero, which is no rotation; give one of norm 1"
                                    : "'s norm is " + number_text(norm) + "; normalize it within 1e-6"));
      }
    }
  }

  void read_forces(const json& forces, const std::string& element, const std::vector<double>& q,
                   std::vector<double>& out, std::vector<LinkForce>& on_links) {
    if (!forces.is_object()) return say(element, "f_ext is " + shown(forces) + "; give an object of links' names");
    const ModelData& m = model_.data();
    out.assign(6 * m.parent.size(), 0.0);
    const std::vector<Matrix3<double>> R = world_rotations(q);
    for (const auto& [name, list] : forces.items()) {
      const auto found = frame_of_.find(name);
      if (found == frame_of_.end()) {
        say(element, "f_ext names \"" + name + "\", which " + is_none_of(links_, joints_, name));
        continue;
      }
      const Frame* frame = found->second;
      bool good = list.is_array() && list.size() == 6;
      for (std::size_t k = 0; good && k < 6; ++k) good = list[k].is_number() && std::isfinite(list[k].get<double>());
      if (!good) {
        say(element, "f_ext of \"" + name + "\" is " + shown(list) + "; give six finite numbers: moment, force");
        continue;
      }
      if (frame->body < 0) {
        findings_.push_back({Severity::notice, file_, 0, element,
                             "f_ext of \"" + name + "\" is left out: the link is fixed to the world"});
        continue;
      }
      on_links.push_back({static_cast<int>(frame - m.frames.data()), list.get<std::array<double, 6>>()});
      const Vector3<double> n{list[0], list[1], list[2]}, f{list[3], list[4], list[5]};
      // the moment about the link's origin, moved to that of the body's own link: from there to here in world axes
      const Frame& own = model_.data().frames[at(model_.data().body_frame[at(frame->body)])];
      const Vector3<double> r = transpose_times(R[at(frame->body)], frame->X_frame_body.r - own.X_frame_body.r);
      const Vector3<double> moment = n + cross(r, f);
      double* slot = out.data() + 6 * frame->body;
      for (double x : {moment.x, moment.y, moment.z, f.x, f.y, f.z}) *slot++ += x;
    }
  }

  /// World to body coordinates of every body.
  std::vector<Matrix3<double>> world_rotations(const std::vector<double>& q) const {
    const ModelData& m = model_.data();
    std::vector<Matrix3<double>> R(m.parent.size());
    const double zero[6]{};
    for (std::size_t i = 0; i < R.size(); ++i) {
      Transform<double> X;
      Motion<double> columns[6], cJ;
      joint_at(m.joint_type[i], m.link[i], q.data() + m.q_index[i], zero, X, columns, cJ);
      R[i] = m.parent[i] < 0 ? X.E : X.E * R[at(m.parent[i])];
    }
    return R;
  }

  std::string file_;
  const Model& model_;
  States states_;
  std::vector<Finding> findings_;
  std::unordered_map<std::string_view, const Frame*> frame_of_;
  NamesOf links_{"link", {}}, joints_{"moving joint", {}};  ///< for messages
  double angle_ = 1;                                        ///< the file's unit of angles, in rad
  bool joints_good_ = true;
  int errors_ = 0;
};

}  // namespace

States read_states_text(const std::string& text, const std::string& name, const Model& model) {
  return StatesReader(name, model).read(text);
}

States read_states(const std::filesystem::path& file, const Model& model) {
  const FileRules rules{.element = "file", .advice = "give a JSON file of states", .most_bytes = most_states_bytes};
  return read_states_text(file_text(file, rules), file.string(), model);
}

std::vector<double> in_callers_order(const States& states, const Model& model,
                                     const std::vector<double>& in_model_order) {
  std::vector<double> out;
  out.reserve(in_model_order.size());
  const ModelData& m = model.data();
  for (int i : states.bodies)
    for (int k = m.v_index[at(i)]; k < m.v_index[at(i + 1)]; ++k) out.push_back(in_model_order[at(k)]);
  return out;
}

}  // namespace kinetree::inline inner
