#pragma once
// The humanoid of configs/models on springs that hold it upright, and the spheres by which it touches a floor.

#include <kinetree/load_model.hpp>
#include <kinetree/workspace.hpp>
#include <string>
#include <vector>

/// Freed from the world; every joint has a motor's inertia, a spring and a damper, those of legs and trunk
/// strong enough to stand.
inline kinetree::Model humanoid(const std::string& file) {
  kinetree::Description d = kinetree::read_model(file).description;
  for (kinetree::BodyDescription& body : d.bodies) {
    if (body.joint.type == "fixed") continue;
    const auto has = [&](const char* part) { return body.joint.name.find(part) != std::string::npos; };
    const bool carries = has("hip") || has("knee") || has("ankle") || has("waist");
    body.joint.armature = carries ? 0.1 : 0.01;                // kg m², of motors: it keeps light links from trembling
    body.joint.passive.stiffness = {carries ? 2000.0 : 50.0};  // Nm/rad
    body.joint.passive.damping = {carries ? 50.0 : 1.0};       // Nm s/rad
  }
  return kinetree::make_model(d, {.floating_base = true});
}

/// m, of the pelvis where the soles just touch the floor, every joint at zero.
constexpr double standing_height = 0.936;

/// 24: eight under each foot, two on each hand, one on each knee, one on the pelvis, one on the head.
inline std::vector<kinetree::LinkPoint> contact_spheres(const kinetree::Model& model) {
  std::vector<kinetree::LinkPoint> spheres;
  const auto add = [&](const std::string& link, double x, double y, double z) {
    spheres.push_back({kinetree::frame_index(model, link), {x, y, z}});
  };
  for (const std::string side : {"left_", "right_"}) {
    for (const double x : {-0.04, 0.03, 0.10, 0.17})
      for (const double y : {-0.03, 0.03}) add(side + "foot", x, y, -0.06);
    add(side + "hand", 0, 0, -0.1), add(side + "hand", 0, 0, -0.15);
    add(side + "shank", 0, 0, 0);
  }
  add("lower_trunk", 0, 0, 0), add("head", 0, 0, 0.2);
  return spheres;
}
