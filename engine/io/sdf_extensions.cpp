#include "engine/io/sdf_extensions.hpp"

#include <cstdint>
#include <sdf/Element.hh>
#include <sdf/Model.hh>
#include <sdf/World.hh>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/added_mimic.hpp"
#include "engine/io/sdf_user_text.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

/// The plugins of a model and of those in it.
void read_plugins(const sdf::Model& model, const std::string& scope, const SdfPlaces& places, Reading& reading) {
  const sdf::ElementPtr e = model.Element();
  for (sdf::ElementPtr p = e ? e->FindElement("plugin") : nullptr; p; p = p->GetNextElement("plugin")) {
    const std::string name = p->Get<std::string>("name");
    if (!is_mimic_plugin(p->Get<std::string>("filename"), name)) continue;
    AddedMimic mimic;
    mimic.element = "plugin \"" + name + "\"";
    mimic.line = places.line_of(p);
    const auto say = [&](Severity severity, std::string message) {
      reading.findings.push_back({severity, reading.description.file, mimic.line, mimic.element, std::move(message)});
    };
    const auto fault = [&](std::string message) { say(Severity::error, std::move(message)); };
    const std::string joint = user_text(p, "mimicJoint"), leader = user_text(p, "joint");
    if (joint.empty() || leader.empty()) {
      say(Severity::warning,
          "left out: a joint seems to follow another, but <joint> and <mimicJoint> do not say which");
      continue;
    }
    mimic.joint = scope + joint, mimic.leader = scope + leader;
    mimic.multiplier = user_number(p, "multiplier", 1, fault);
    mimic.offset = user_number(p, "offset", 0, fault);
    add_mimic(mimic, reading, [&](const std::string& of) -> JointDescription* {
      for (BodyDescription& b : reading.description.bodies)
        if (b.joint.name == of) return &b.joint;
      return nullptr;
    });
  }
  for (std::uint64_t k = 0; k < model.ModelCount(); ++k)
    read_plugins(*model.ModelByIndex(k), scope + model.ModelByIndex(k)->Name() + "::", places, reading);
}

}  // namespace

double reflected_inertia(const sdf::Joint& joint, const std::function<void(Severity, std::string)>& fault) {
  const auto error = [&](std::string message) { fault(Severity::error, std::move(message)); };
  const double inertia = user_number(joint.Element(), "drake:rotor_inertia", 0, error);
  const double ratio = user_number(joint.Element(), "drake:gear_ratio", 1, error);
  if (inertia == 0) return 0;
  switch (joint.Type()) {
    case sdf::JointType::REVOLUTE:
    case sdf::JointType::CONTINUOUS:
    case sdf::JointType::PRISMATIC:
    case sdf::JointType::SCREW:
      break;
    default:
      fault(Severity::warning, "its rotor is left out: the joint is not of one degree of freedom");
      return 0;
  }
  if (inertia < 0) {
    fault(Severity::error,
          "<drake:rotor_inertia> " + number_text(inertia) + " is negative; give the rotor's own inertia, >= 0");
    return 0;
  }
  return inertia * ratio * ratio;
}

void read_sdf_plugins(const sdf::Root& root, const SdfPlaces& places, Reading& reading) {
  std::vector<const sdf::Model*> models;
  if (root.WorldCount() == 1)
    for (std::uint64_t k = 0; k < root.WorldByIndex(0)->ModelCount(); ++k)
      models.push_back(root.WorldByIndex(0)->ModelByIndex(k));
  else if (root.Model())
    models.push_back(root.Model());
  std::erase_if(models, [](const sdf::Model* m) { return m->Static(); });
  for (const sdf::Model* model : models)
    read_plugins(*model, models.size() == 1 ? "" : model->Name() + "::", places, reading);
}

}  // namespace kinetree::inline inner
