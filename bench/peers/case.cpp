#include "bench/peers/case.hpp"

#include <filesystem>
#include <kinetree/load_model.hpp>
#include <stdexcept>
#include <utility>

namespace kinetree::peers {

Case read_case(const std::string& text, bool floating) {
  Reading reading;
  if (names_family(text))
    reading.description = make_description(text, {.floating_base = floating});
  else
    reading = read_model(text);
  for (BodyDescription& body : reading.description.bodies) {
    if (body.parent != "world") continue;
    if (floating && body.joint.type == "fixed") body.joint.type = "floating";
    // Where a floating base is measured from changes nothing, and peers measure from the world.
    if (body.joint.type == "floating") body.joint.origin = {};
  }
  Model model = make_model(reading.description, {}, reading.findings);
  Mechanism mechanism = mechanism_of(reading.description, model);
  if (floating && !mechanism.floating())
    throw std::runtime_error("its root is no link fixed to the world, to be freed");
  return {names_family(text) ? text : std::filesystem::path(text).stem().string(), std::move(model),
          std::move(mechanism)};
}

Eigen::Index result_size(Function function, const Case& test) {
  const Eigen::Index nv = test.model.nv(), links = test.model.body_count();
  switch (function) {
    case Function::forward_dynamics:
    case Function::inverse_dynamics:
      return nv;
    case Function::mass_matrix:
      return nv * nv;
    case Function::kinematics:
      return 18 * links;
    case Function::jacobians:
      return 6 * links * nv;
  }
  return 0;
}

}  // namespace kinetree::peers
