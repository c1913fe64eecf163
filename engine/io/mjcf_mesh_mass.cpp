// Masses of meshes by libmujoco: a model of one geom.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/io/mjcf_compile.hpp"
#include "engine/io/mjcf_solids.hpp"
#include "engine/io/plain_locale.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return "\"" + out + "\"";
}

/// The text of a mesh of unit density. `why`: what is wrong with it instead.
std::string model_of(const MjcfMesh& mesh, bool shell, bool exact, std::string& why) {
  std::string text = "<mujoco><compiler exactmeshinertia=\"";
  text += exact ? "true\"/><asset><mesh name=\"m\"" : "false\"/><asset><mesh name=\"m\"";
  if (mesh.file.empty()) {
    for (const char* name : {"vertex", "face"})
      if (const char* given = mesh.element->attribute(name)) text += std::string(" ") + name + "=" + quoted(given);
  } else {
    std::error_code error;
    if (!std::filesystem::is_regular_file(mesh.file, error)) why = mesh.file.string() + " is no ordinary file";
    text += " file=" + quoted(std::filesystem::absolute(mesh.file).string());
  }
  const auto put = [&](const char* name, std::initializer_list<double> numbers) {
    text += std::string(" ") + name + "=\"";
    for (const double x : numbers) text += number_text(x, 17) + " ";
    text += "\"";
  };
  const MjcfPose& from = mesh.origin;
  put("refpos", {from.at[0], from.at[1], from.at[2]});
  put("refquat", {from.turn.w(), from.turn.x(), from.turn.y(), from.turn.z()});
  put("scale", {mesh.scale[0], mesh.scale[1], mesh.scale[2]});
  text += "/></asset><worldbody><body><geom type=\"mesh\" mesh=\"m\" density=\"1\" shellinertia=\"";
  return text + (shell ? "true" : "false") + "\"/></body></worldbody></mujoco>";
}

std::optional<MjcfInertia> compiled(const MjcfMesh& mesh, bool shell, bool exact, std::string& why) {
  const std::string text = model_of(mesh, shell, exact, why);
  if (!why.empty()) return std::nullopt;
  std::vector<std::string> warnings;
  const auto model = compile_mjcf(text, "mesh.xml", why, warnings);
  why.erase(std::min(why.find('\n'), why.size()));
  if (!model) return std::nullopt;
  MjcfInertia out;
  out.mass = model->body_mass[1];
  out.centre = Eigen::Vector3d(model->body_ipos + 3);
  const mjtNum *q = model->body_iquat + 4, *I = model->body_inertia + 3;
  const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  out.moments = R * Eigen::Vector3d(I[0], I[1], I[2]).asDiagonal() * R.transpose();
  return out;
}

}  // namespace

std::optional<MjcfInertia> mesh_inertia(MjcfReading& r, const MjcfMesh& mesh, bool shell, const MjcfGeom& geom) {
  std::string why, fault;
  if (const std::string locale = foreign_numbers(); !locale.empty())
    why = "libmujoco reads numbers by C++'s global locale, which is " + locale +
          " (call std::locale::global(std::locale::classic()) first)";
  const auto found = why.empty() ? compiled(mesh, shell, mesh.inertia == 1, why) : std::nullopt;
  if (!found) {
    r.say(Severity::error, geom.line, called(geom),
          "its mesh " + in_quotes(mesh.name) + " gives the body no inertia: " + why + "; give the body an <inertial>");
    return std::nullopt;
  }
  if (shell || mesh.inertia != 2) return found;
  // MuJoCo 2.2.2 takes most meshes for larger than they are
  if (const auto exact = compiled(mesh, shell, true, fault); exact && std::abs(found->mass / exact->mass - 1) > 0.01)
    r.say(Severity::notice, mesh.element->line(), called(*mesh.element),
          "has a volume of " + number_text(found->mass, 3) + " m³ by MuJoCo's default, and of " +
              number_text(exact->mass, 3) +
              " m³ between its faces; inertia=\"exact\" (in older files <compiler exactmeshinertia=\"true\"/>) takes "
              "the mesh's own");
  return found;
}

}  // namespace kinetree::inline inner
