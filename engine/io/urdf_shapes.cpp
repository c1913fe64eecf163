#include "engine/io/urdf_shapes.hpp"

#include "engine/model/shapes.hpp"

namespace kinetree::inline inner {

void UrdfShapes::take(const XMLElement& e, const std::string& element, std::vector<ShapeDescription>& shapes) {
  ShapeDescription shape;
  shape.line = e.GetLineNum();
  shape.name = name_of_element(e);
  shape.frame = origin(only(e, "origin", element), element);
  if (const XMLElement* geometry = only(e, "geometry", element))
    read_geometry(*geometry, element, shape);
  else
    say(Severity::error, shape.line, element, "has no <geometry>");
  if (const XMLElement* material = only(e, "material", element)) shape.material = take_material(*material);
  std::vector<Finding> faults = std::move(reading_.findings);
  reading_.findings.clear();
  if (faults.empty()) {
    if (const std::string fault = fault_of_shape(shape); !fault.empty())
      faults.push_back({Severity::error, "", shape.line, element, fault});
  }
  if (faults.empty()) return shapes.push_back(std::move(shape));
  to_.findings.push_back({Severity::warning, to_.description.file, faults[0].line, element,
                          "<" + std::string(e.Name()) + "> is left out: " + faults[0].message});
}

void UrdfShapes::read_geometry(const XMLElement& geometry, const std::string& element, ShapeDescription& shape) {
  const XMLElement* e = geometry.FirstChildElement();
  if (e == nullptr) return say(Severity::error, geometry.GetLineNum(), element, "<geometry> is empty; give a shape");
  shape.type = e->Name();
  const auto one = [&](const char* attribute) { numbers(*e, attribute, element, &shape.size.emplace_back(), 1, true); };
  if (shape.type == "box") {
    shape.size.resize(3);
    numbers(*e, "size", element, shape.size.data(), 3, true);
  } else if (shape.type == "sphere") {
    one("radius");
  } else if (shape.type == "cylinder" || shape.type == "capsule") {
    one("radius"), one("length");
  } else if (shape.type == "mesh") {
    shape.size = {1, 1, 1};
    numbers(*e, "scale", element, shape.size.data(), 3, false);
    if (const char* file = e->Attribute("filename")) shape.mesh = file;
  }
}

MaterialDescription UrdfShapes::take_material(const XMLElement& e) {
  MaterialDescription m;
  m.name = name_of_element(e);
  const std::string element = "material \"" + m.name + "\"";
  if (const XMLElement* color = e.FirstChildElement("color")) {
    std::array<double, 4> rgba{0, 0, 0, 1};
    numbers(*color, "rgba", element, rgba.data(), 4, true);
    m.rgba = rgba;
  }
  if (const XMLElement* texture = e.FirstChildElement("texture"))
    if (const char* file = texture->Attribute("filename")) m.texture = file;
  if (std::string_view(e.Parent()->Value()) == "robot") {
    for (const Finding& fault : reading_.findings)
      to_.findings.push_back(
          {Severity::warning, to_.description.file, fault.line, element, "its colour is left out: " + fault.message});
    if (!reading_.findings.empty()) m.rgba.reset();
    reading_.findings.clear();
  }
  if (m.rgba || !m.texture.empty()) materials_.emplace(m.name, m);
  return m;
}

void UrdfShapes::give_materials() {
  for (BodyDescription& body : to_.description.bodies)
    for (ShapeDescription& shape : body.visuals) {
      if (!shape.material || shape.material->rgba || !shape.material->texture.empty()) continue;
      if (const auto found = materials_.find(shape.material->name); found != materials_.end())
        shape.material = found->second;
    }
}

}  // namespace kinetree::inline inner
