#include "engine/model/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "engine/model/slips.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

/// The numbers of its size; a plane may have none.
std::size_t size_count(const std::string& type) {
  if (type == "sphere") return 1;
  return type == "cylinder" || type == "capsule" || type == "plane" ? 2 : 3;
}

std::string fault_of_size(const ShapeDescription& s) {
  const std::size_t count = size_count(s.type);
  if (s.size.size() != count && !(s.type == "plane" && s.size.empty()))
    return "size has " + std::to_string(s.size.size()) + (s.size.size() == 1 ? " number" : " numbers") + "; a " +
           s.type + " takes " + std::to_string(count);
  for (const double x : s.size) {
    if (!std::isfinite(x)) return "size " + number_text(x) + " is not finite; give finite numbers";
    if (x < 0 && s.type != "mesh") return "size " + number_text(x) + " is negative; give numbers >= 0";
  }
  return "";
}

}  // namespace

std::string fault_of_shape(const ShapeDescription& s) {
  if (std::find(shape_type_names.begin(), shape_type_names.end(), s.type) == shape_type_names.end()) {
    std::string known;
    for (const std::string_view name : shape_type_names) known += (known.empty() ? "" : ", ") + std::string(name);
    return "unknown type \"" + s.type + "\"" + if_meant(s.type, shape_type_names) + "; known are " + known;
  }
  if (std::string fault = fault_of_size(s); !fault.empty()) return fault;
  if (s.type == "mesh" && s.mesh.empty()) return "a mesh names no file; give mesh";
  if (s.type != "mesh" && !s.mesh.empty()) return "a " + s.type + " has a mesh; leave it out, or make it a mesh";
  for (const double x : s.frame.xyz)
    if (!std::isfinite(x)) return "xyz " + number_text(x) + " is not finite; give finite numbers";
  double squares = 0;
  for (const double x : s.frame.quaternion) squares += x * x;
  if (!std::isfinite(squares) || squares < 1e-24) return "its quaternion has no direction; give a unit quaternion";
  if (s.material && s.material->rgba)
    for (const double x : *s.material->rgba)
      if (!(x >= 0 && x <= 1)) return "rgba " + number_text(x) + " is not between 0 and 1; give four such numbers";
  return "";
}

}  // namespace kinetree::inline inner
