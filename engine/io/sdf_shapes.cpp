#include "engine/io/sdf_shapes.hpp"

#include <ignition/math/Pose3.hh>
#include <sdf/sdf.hh>

#include "engine/model/shapes.hpp"

namespace kinetree::inline inner {
namespace {

std::vector<double> numbers(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }

/// Leaves the type empty where there is no counterpart.
void take_geometry(const sdf::Geometry& g, ShapeDescription& s) {
  switch (g.Type()) {
    case sdf::GeometryType::BOX:
      s.type = "box", s.size = numbers(g.BoxShape()->Size());
      return;
    case sdf::GeometryType::SPHERE:
      s.type = "sphere", s.size = {g.SphereShape()->Radius()};
      return;
    case sdf::GeometryType::CYLINDER:
      s.type = "cylinder", s.size = {g.CylinderShape()->Radius(), g.CylinderShape()->Length()};
      return;
    case sdf::GeometryType::CAPSULE:
      s.type = "capsule", s.size = {g.CapsuleShape()->Radius(), g.CapsuleShape()->Length()};
      return;
    case sdf::GeometryType::ELLIPSOID:
      s.type = "ellipsoid", s.size = numbers(g.EllipsoidShape()->Radii());
      return;
    case sdf::GeometryType::PLANE: {
      s.type = "plane", s.size = {g.PlaneShape()->Size().X(), g.PlaneShape()->Size().Y()};
      // our plane lies across z of its frame
      ignition::math::Quaterniond turn,
          frame(s.frame.quaternion[3], s.frame.quaternion[0], s.frame.quaternion[1], s.frame.quaternion[2]);
      turn.From2Axes(ignition::math::Vector3d::UnitZ, g.PlaneShape()->Normal());
      frame = frame * turn;
      s.frame.quaternion = {frame.X(), frame.Y(), frame.Z(), frame.W()};
      return;
    }
    case sdf::GeometryType::MESH:
      s.type = "mesh", s.size = numbers(g.MeshShape()->Scale()), s.mesh = g.MeshShape()->Uri();
      return;
    default:
      return;
  }
}

std::optional<MaterialDescription> material_of(const sdf::Visual& visual) {
  const sdf::Material* given = visual.Material();
  if (given == nullptr) return std::nullopt;
  MaterialDescription m;
  m.name = given->ScriptName();
  const ignition::math::Color c = given->Diffuse();
  m.rgba = {static_cast<double>(c.R()), static_cast<double>(c.G()), static_cast<double>(c.B()),
            static_cast<double>(c.A())};
  if (given->PbrMaterial() != nullptr)
    if (const sdf::PbrWorkflow* metal = given->PbrMaterial()->Workflow(sdf::PbrWorkflowType::METAL))
      m.texture = metal->AlbedoMap();
  return m;
}

}  // namespace

Placement sdf_frame_of(const sdf::SemanticPose& semantic) {
  ignition::math::Pose3d p;
  if (!semantic.Resolve(p).empty()) p = semantic.RawPose();
  return {{p.Pos().X(), p.Pos().Y(), p.Pos().Z()}, {p.Rot().X(), p.Rot().Y(), p.Rot().Z(), p.Rot().W()}};
}

void read_shapes(const sdf::Link& link, BodyDescription& body, const std::string& scope, const SdfPlaces& places,
                 Reading& reading) {
  const auto take = [&](const auto& from, const std::string& kind, std::vector<ShapeDescription>& to) {
    ShapeDescription s;
    s.name = from.Name(), s.line = places.line_of(from.Element());
    s.frame = sdf_frame_of(from.SemanticPose());
    if (from.Geom() != nullptr) take_geometry(*from.Geom(), s);
    if constexpr (requires { from.Material(); }) s.material = material_of(from);
    const std::string fault = s.type.empty() ? "its geometry has no counterpart here" : fault_of_shape(s);
    if (fault.empty()) return to.push_back(std::move(s));
    reading.findings.push_back({Severity::warning, reading.description.file, s.line, "link \"" + body.name + "\"",
                                kind + " \"" + s.name + "\" is left out: " + fault});
  };
  for (std::uint64_t k = 0; k < link.VisualCount(); ++k) take(*link.VisualByIndex(k), "visual", body.visuals);
  for (std::uint64_t k = 0; k < link.CollisionCount(); ++k)
    take(*link.CollisionByIndex(k), "collision", body.collisions);
  for (std::uint64_t k = 0; k < link.SensorCount(); ++k) {
    const sdf::Sensor& sensor = *link.SensorByIndex(k);
    reading.description.sensors.push_back({scope + sensor.Name(), sensor.TypeStr(), body.name,
                                           sdf_frame_of(sensor.SemanticPose()), places.line_of(sensor.Element())});
  }
}

}  // namespace kinetree::inline inner
