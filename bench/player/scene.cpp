#include "bench/player/scene.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <kinetree/kinematics.hpp>
#include <set>

#include "bench/player/groups.hpp"
#include "bench/player/meshes.hpp"
#include "bench/show/colours.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_triangles = 150'000;  ///< 24 bytes of the page each: 3.6 MB

Vector3d vector_of(const Vector3<double>& v) { return {v.x, v.y, v.z}; }

/// Twelve digits: a page of thousands of bodies needs no more, and lengths that rounding left beside zero are zero.
double shortened(double x) {
  const double y = std::round(x * 1e9) / 1e9;
  return y == 0 ? 0 : y;
}

Json numbers(const Vector3d& v) { return {shortened(v[0]), shortened(v[1]), shortened(v[2])}; }

Json pose_json(const Isometry3d& pose) {
  const Eigen::Quaterniond turn(pose.linear());
  Json list = numbers(pose.translation());
  for (const double x : {turn.x(), turn.y(), turn.z(), turn.w()}) list.push_back(shortened(x));
  return list;
}

Isometry3d pose_of(const Placement& at) {
  const auto& q = at.quaternion;
  return Eigen::Translation3d(at.xyz[0], at.xyz[1], at.xyz[2]) *
         Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized();
}

/// Every joint at zero, whether loops close there or not.
Eigen::VectorXd at_zero(const ModelData& m) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(m.q_index.back());
  for (std::size_t b = 0; b < m.joint_type.size(); ++b)
    if (const int quaternion = facts_of(m.joint_type[b]).quaternion; quaternion >= 0)
      q[m.q_index[b] + quaternion + 3] = 1;
  return q;
}

class SceneWriter {
 public:
  SceneWriter(const Model& model, const std::filesystem::path& folder)
      : model_(model), m_(model.data()), meshes_(folder, most_triangles) {
    std::vector<int> all(m_.frames.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
    // a joint's frame is its body's own link at zero
    Eigen::VectorXd flat(12 * static_cast<Eigen::Index>(all.size()));
    Workspace workspace(model);
    if (!all.empty()) (void)poses(model, workspace, at_zero(m_), all, flat);
    for (std::size_t k = 0; k < all.size(); ++k) {
      Isometry3d& pose = link_.emplace_back(Isometry3d::Identity());
      pose.affine() = Eigen::Map<const Eigen::Matrix<double, 3, 4>>(flat.data() + 12 * k);
    }
  }

  Scene write() {
    Scene scene;
    Json& json = scene.json;
    json["name"] = model_.name();
    json["gravity"] = m_.gravity;
    json["palette"] = Json::array();
    for (const Colour& colour : palette) json["palette"].push_back({colour.fill, colour.outline});
    const Groups groups = groups_of(model_);
    json["modules"] = groups.modules_words;
    json["bodies"] = bodies(groups);
    json["shapes"] = shapes();
    json["meshes"] = meshes_.json();
    json["loops"] = loops();
    json["forces"] = forces();
    json["couplings"] = Json::array();
    for (const Coupling& c : m_.couplings) json["couplings"].push_back(c.name);
    scene.notes = meshes_.notes();
    return scene;
  }

 private:
  /// Of the link whose frame a body's poses are.
  const Isometry3d& own(int body) const {
    static const Isometry3d ground = Isometry3d::Identity();
    return body < 0 ? ground : link_[at(m_.body_frame[at(body)])];
  }

  /// A point in a body's inner coordinates, in its own link's.
  Vector3d in_own(int body, const Vector3<double>& point) const {
    if (body < 0) return vector_of(point);
    const Transform<double>& X = m_.frames[at(m_.body_frame[at(body)])].X_frame_body;
    return vector_of(X.E * (point - X.r));
  }

  Json bodies(const Groups& groups) const {
    Json list = Json::array();
    for (int b = 0; b < model_.body_count(); ++b) {
      const Transform<double>& X = m_.frames[at(m_.body_frame[at(b)])].X_frame_body;
      Json body{{"name", model_.body_name(b)},
                {"joint", model_.joint_name(b)},
                {"type", name_of(m_.joint_type[at(b)])},
                {"parent", m_.parent[at(b)]},
                {"segment", groups.segment[at(b)]},
                {"module", groups.module[at(b)]},
                {"aggregate", groups.aggregate[at(b)]},
                {"axis", numbers(vector_of(X.E * Vector3<double>{0, 0, 1}))},
                {"from", numbers(own(m_.parent[at(b)]).inverse() * own(b).translation())}};
      const RigidInertia<double>& I = m_.link[at(b)].I;
      if (I.mass > 0) body["centre"] = numbers(in_own(b, {I.h.x / I.mass, I.h.y / I.mass, I.h.z / I.mass}));
      list.push_back(std::move(body));
    }
    return list;
  }

  /// Visual shapes of every link, or what it collides with where it has none.
  Json shapes() {
    std::set<std::string> files;
    const auto of = [&](int frame) {
      const auto visuals = model_.visuals(frame);
      return visuals.empty() ? model_.collisions(frame) : visuals;
    };
    const int count = static_cast<int>(m_.frames.size());
    for (int f = 0; f < count; ++f)
      for (const ShapeDescription& shape : of(f))
        if (shape.type == "mesh") files.insert(shape.mesh);
    meshes_.expect(files.size());
    Json list = Json::array();
    for (int f = 0; f < count; ++f) {
      const int body = m_.frames[at(f)].body;
      for (const ShapeDescription& shape : of(f)) {
        Json one{{"body", body},
                 {"link", m_.frames[at(f)].name},
                 {"type", shape.type},
                 {"size", shape.size},
                 {"pose", pose_json(own(body).inverse() * link_[at(f)] * pose_of(shape.frame))}};
        if (shape.material && shape.material->rgba) one["colour"] = *shape.material->rgba;
        if (shape.type == "mesh") {
          one["mesh"] = meshes_.take(shape.mesh);
          if (one["mesh"] == -1) continue;
        }
        list.push_back(std::move(one));
      }
    }
    return list;
  }

  Json loops() const {
    Json list = Json::array();
    for (const Loop& loop : m_.loops)
      list.push_back({{"name", loop.name},
                      {"type", name_of(loop.type)},
                      {"first", {{"body", loop.first}, {"at", numbers(in_own(loop.first, loop.X_first.r))}}},
                      {"second", {{"body", loop.second}, {"at", numbers(in_own(loop.second, loop.X_second.r))}}}});
    return list;
  }

  /// Of forces between points: where their ends are.
  Json forces() const {
    const auto end = [&](const PointForceDescription::End& e) {
      const int frame = e.body == "world" ? -1 : frame_named(m_, e.body),
                body = frame < 0 ? -1 : m_.frames[at(frame)].body;
      Vector3d point(e.xyz[0], e.xyz[1], e.xyz[2]);
      if (frame >= 0) point = own(body).inverse() * link_[at(frame)] * point;
      return Json{{"body", body}, {"at", numbers(point)}};
    };
    Json list = Json::array();
    for (const PointForceDescription& f : model_.point_forces())
      list.push_back({{"name", f.name}, {"first", end(f.first)}, {"second", end(f.second)}});
    return list;
  }

  const Model& model_;
  const ModelData& m_;
  PageMeshes meshes_;
  std::vector<Isometry3d> link_;  ///< over frames: poses in the world, every joint at zero
};

}  // namespace

Scene make_scene(const Model& model, const std::filesystem::path& folder) { return SceneWriter(model, folder).write(); }

std::vector<double> body_poses(const Model& model, Workspace& workspace, const Eigen::VectorXd& q) {
  const std::vector<int>& links = model.data().body_frame;
  Eigen::VectorXd flat(12 * static_cast<Eigen::Index>(links.size()));
  if (!links.empty()) (void)poses(model, workspace, q, links, flat);  // of a configuration that was in a motion
  std::vector<double> result;
  for (Eigen::Index k = 0; k < flat.size(); k += 12) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> pose(flat.data() + k);
    const Eigen::Quaterniond turn(Eigen::Matrix3d(pose.leftCols<3>()));
    result.insert(result.end(), {pose(0, 3), pose(1, 3), pose(2, 3), turn.x(), turn.y(), turn.z(), turn.w()});
  }
  return result;
}

}  // namespace kinetree::bench
