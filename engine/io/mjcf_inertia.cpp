#include "engine/io/mjcf_inertia.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "engine/io/mjcf_solids.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

std::array<double, 6> six(const Matrix3d& I) { return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}; }
Matrix3d matrix(const std::array<double, 6>& I) {
  Matrix3d all;
  all << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  return all;
}

class BodyInertias {
 public:
  BodyInertias(MjcfReading& r, const MjcfModel& model) : r_(r), m_(model) {}

  std::vector<std::optional<MjcfPlacedInertia>> run() {
    std::vector<std::optional<MjcfPlacedInertia>> all(m_.bodies.size());
    double total = 0;
    for (std::size_t b = 1; b < m_.bodies.size(); ++b) {
      all[b] = inertia(m_.bodies[b]);
      if (all[b]) total += all[b]->mass;
    }
    const double wanted = m_.uses.front().source->compiler.total_mass;
    if (wanted > 0 && total > 0)
      for (auto& one : all) {
        if (!one) continue;
        one->mass *= wanted / total;
        for (double& x : one->moments) x *= wanted / total;
      }
    say_what_meshes_gave(all);
    return all;
  }

 private:
  static constexpr std::size_t most_told = 20;

  /// What the meshes of a body weigh, and what is between their faces where that is known of all.
  struct OfMeshes {
    std::size_t body = 0;
    std::string names;
    double mass = 0, enclosed = 0;
    bool known = true, alone = true;
  };

  /// A body's mass is then nowhere in the file, and depends on a rule.
  void say_what_meshes_gave(const std::vector<std::optional<MjcfPlacedInertia>>& all) {
    for (std::size_t k = 0; k < std::min(of_meshes_.size(), most_told); ++k) {
      const OfMeshes& one = of_meshes_[k];
      const MjcfBody& body = m_.bodies[one.body];
      if (!all[one.body]) continue;
      std::string text = "its mass, " + number_text(all[one.body]->mass, 4) + " kg, comes from meshes (" + one.names +
                         (one.alone ? ")" : ") and other geoms");
      const double more = one.known && one.enclosed > 0 ? one.mass / one.enclosed - 1 : 0;
      if (std::abs(more) > .01)
        text += "; MuJoCo's default takes them for " + number_text(100 * std::abs(more), 3) + " % " +
                (more > 0 ? "larger" : "smaller") + " than what lies between their faces, " +
                number_text(one.enclosed, 4) + " kg where it is " + number_text(one.mass, 4) +
                "; inertia=\"exact\" on a mesh takes that";
      r_.say(Severity::notice, body.line, body.name.empty() ? "<body>" : "body " + in_quotes(body.name), text);
    }
    if (of_meshes_.size() > most_told)
      r_.say(Severity::notice, m_.bodies[of_meshes_[most_told].body].line, "<body>",
             "of further bodies, " + std::to_string(of_meshes_.size() - most_told) +
                 ", the mass comes from meshes as well");
  }

  std::optional<MjcfPlacedInertia> inertia(const MjcfBody& body) {
    const MjcfCompiler& compiler = body.source->compiler;
    std::optional<MjcfPlacedInertia> found = body.given;
    if (compiler.inertia_from_geoms == 1 || (compiler.inertia_from_geoms == 2 && !body.given))
      if (auto sum = of_geoms(body, compiler)) found = sum;
    if (!found && (compiler.least_mass > 0 || compiler.least_moment > 0)) {
      found.emplace().line = body.line;
      found->frame =
          body.pose;  // MuJoCo 3.3.8 puts such a centre where the body stands in its parent, in the body's axes
    }
    if (!found) return found;
    if (compiler.least_mass > 0) found->mass = std::max(found->mass, compiler.least_mass);
    bound(*found, compiler);
    if (found->mass == 0 && std::all_of(found->moments.begin(), found->moments.end(), [](double x) { return x == 0; }))
      return std::nullopt;
    return found;
  }

  /// Raises principal moments to the bound. With `balance`, moments that no body can have become their mean.
  static void bound(MjcfPlacedInertia& inertia, const MjcfCompiler& compiler) {
    if (!(compiler.least_moment > 0) && !compiler.balance) return;
    const Matrix3d I = matrix(inertia.moments);
    if (!I.allFinite()) return;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(I);
    Vector3d principal = solver.eigenvalues();
    const bool small = compiler.least_moment > 0 && principal[0] < compiler.least_moment;
    if (compiler.least_moment > 0) principal = principal.cwiseMax(compiler.least_moment);
    if (compiler.balance && principal[0] + principal[1] < principal[2])
      principal.setConstant(principal.mean());
    else if (!small)
      return;
    inertia.moments = six(solver.eigenvectors() * principal.asDiagonal() * solver.eigenvectors().transpose());
  }

  /// A single geom's axes are the body's; of several the body's own axes stand.
  std::optional<MjcfPlacedInertia> of_geoms(const MjcfBody& body, const MjcfCompiler& compiler) {
    std::vector<MjcfInertia> parts;
    std::vector<MjcfPose> poses;
    OfMeshes meshes;
    std::size_t count = 0;
    meshes.body = static_cast<std::size_t>(&body - m_.bodies.data());
    for (const int g : body.geoms) {
      const MjcfGeom& geom = m_.geoms[at(g)];
      if (geom.group < compiler.first_group || geom.group > compiler.last_group) continue;
      if (geom.mass ? *geom.mass == 0 : geom.density == 0) continue;
      MjcfPose moved;
      const MjcfInertia part = inertia_of(r_, geom, compiler.fit_to_boxes, meshes_, moved);
      if (!(part.mass > 0)) continue;
      if (geom.kind == MjcfGeomKind::mesh) {
        if (++count <= most_told) meshes.names += (count > 1 ? ", " : "") + in_quotes(geom.mesh->name);
        if (count == most_told + 1) meshes.names += ", ...";
        meshes.mass += part.mass;
        meshes.enclosed += part.enclosed;
        meshes.known &= part.enclosed > 0;
      }
      parts.push_back(part);
      poses.push_back(geom.pose * moved);
    }
    if (parts.empty()) return std::nullopt;
    meshes.alone = count == parts.size();
    if (count > 0) of_meshes_.push_back(std::move(meshes));
    MjcfPlacedInertia sum;
    sum.line = body.line;
    if (parts.size() == 1) {
      sum.mass = parts[0].mass;
      sum.frame = poses[0] * MjcfPose{parts[0].centre, Eigen::Quaterniond::Identity()};
      sum.moments = six(parts[0].moments);
      return sum;
    }
    for (std::size_t k = 0; k < parts.size(); ++k)
      parts[k] = placed(parts[k], poses[k].turn.toRotationMatrix(), poses[k].at);
    const MjcfInertia all = sum_of(parts);
    sum.mass = all.mass;
    sum.frame.at = all.centre;
    sum.moments = six(all.moments);
    return sum;
  }

  MjcfReading& r_;
  const MjcfModel& m_;
  MjcfMeshes meshes_;
  std::vector<OfMeshes> of_meshes_;
};

}  // namespace

std::vector<std::optional<MjcfPlacedInertia>> inertias(MjcfReading& r, const MjcfModel& model) {
  return BodyInertias(r, model).run();
}

}  // namespace kinetree::inline inner
