#include "engine/io/mjcf_inertia.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/io/mjcf_solids.hpp"

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
    return all;
  }

 private:
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

  /// No principal moment below the bound; with `balance` those that no body can have become their mean.
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
    for (const int g : body.geoms) {
      const MjcfGeom& geom = m_.geoms[at(g)];
      if (geom.group < compiler.first_group || geom.group > compiler.last_group) continue;
      if (geom.mass ? *geom.mass == 0 : geom.density == 0) continue;
      MjcfPose moved;
      const MjcfInertia part = inertia_of(r_, geom, compiler.fit_to_boxes, meshes_, moved);
      if (!(part.mass > 0)) continue;
      parts.push_back(part);
      poses.push_back(geom.pose * moved);
    }
    if (parts.empty()) return std::nullopt;
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
  MjcfMeshInertias meshes_;
};

}  // namespace

std::vector<std::optional<MjcfPlacedInertia>> inertias(MjcfReading& r, const MjcfModel& model) {
  return BodyInertias(r, model).run();
}

}  // namespace kinetree::inline inner
