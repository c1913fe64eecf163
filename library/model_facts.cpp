// What a Model is made of, by names.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <kinetree/model_facts.hpp>
#include <span>
#include <stdexcept>

#include "engine/model/loop_joint.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/placement.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree {
namespace {

std::string link_of(const Model& model, int body) { return body < 0 ? "world" : std::string(model.body_name(body)); }

/// From a body's internal frame to that of its own link; the ground's is the world's.
Transform<double> to_link(const ModelData& m, int body) {
  return body < 0 ? Transform<double>::identity() : m.frames[at(m.body_frame[at(body)])].X_frame_body;
}

std::array<double, 3> three(const Vector3<double>& r) { return {r.x, r.y, r.z}; }

/// A point in a body's internal frame, seen from its own link's.
Vector3<double> in_link(const ModelData& m, int body, const Vector3<double>& r) {
  const Transform<double> X = to_link(m, body);
  return X.E * (r - X.r);
}

}  // namespace

JointParameters joint_parameters(const Model& model, std::string_view joint) {
  const ModelData& m = model.data();
  const int body = model.body_of_joint(joint);
  const auto q = at(model.q_index(body)), v = at(model.v_index(body));
  const auto positions = [&](std::span<const double> all) {
    const auto part = all.subspan(q, at(position_count(model.joint_type(body))));
    return std::vector<double>(part.begin(), part.end());
  };
  const auto velocities = [&](std::span<const double> all) {
    const auto part = all.subspan(v, at(velocity_count(model.joint_type(body))));
    return std::vector<double>(part.begin(), part.end());
  };
  return {.name = std::string(joint),
          .type = std::string(name_of(model.joint_type(body))),
          .parent = link_of(model, model.parent(body)),
          .child = link_of(model, body),
          .body = body,
          .q_index = model.q_index(body),
          .v_index = model.v_index(body),
          .armature = velocities(m.armature),
          .damping = velocities(model.damping()),
          .friction = velocities(model.friction()),
          .stiffness = velocities(model.stiffness()),
          .spring_reference = positions(model.spring_reference()),
          .lower = positions(model.lower_limits()),
          .upper = positions(model.upper_limits()),
          .velocity_limit = velocities(model.velocity_limits()),
          .effort_limit = velocities(model.effort_limits())};
}

InertiaFacts inertia_facts(const Model& model, std::string_view link) {
  const ModelData& m = model.data();
  const int body = model.body_of_link(link);
  if (body < 0)
    throw std::invalid_argument("link '" + std::string(link) + "' of model '" + model.name() +
                                "' is fixed to the ground, which has no inertia");
  const RigidInertia<double>& I = m.link[at(body)].I;
  InertiaFacts facts{link_of(model, body), I.mass, {}, {}};
  const Vector3<double> c = I.mass > 0 ? (1 / I.mass) * I.h : Vector3<double>{0, 0, 0};
  facts.centre_of_mass = three(in_link(m, body, c));
  if (!(I.mass > 0)) return facts;
  const Symmetric3<double> J = congruence(transpose(to_link(m, body).E), about_com(I));
  facts.inertia = {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz};
  return facts;
}

double total_mass(const Model& model) {
  double sum = 0;
  for (const Link<double>& link : model.data().link) sum += link.I.mass;
  return sum;
}

std::vector<LoopFacts> loop_facts(const Model& model) {
  const ModelData& m = model.data();
  std::vector<LoopFacts> all;
  for (const Loop& loop : m.loops)
    all.push_back({loop.name, std::string(name_of(loop.type)), link_of(model, loop.first), link_of(model, loop.second),
                   three(in_link(m, loop.first, loop.X_first.r)), three(in_link(m, loop.second, loop.X_second.r)),
                   row_count(loop)});
  return all;
}

std::vector<CouplingFacts> coupling_facts(const Model& model) {
  std::vector<CouplingFacts> all;
  for (const Coupling& coupling : model.data().couplings) {
    CouplingFacts& facts = all.emplace_back(CouplingFacts{coupling.name, {}, coupling.offset});
    for (std::size_t t = 0; t < coupling.terms.size(); ++t)
      facts.terms.push_back({std::string(model.joint_name(coupling.terms[t].first)), coupling.terms[t].second,
                             coupling.linear() ? std::array<double, 3>{} : coupling.powers[t]});
  }
  return all;
}

std::optional<double> ratio(const Model& model, std::string_view driven, std::string_view driver) {
  const ModelData& m = model.data();
  const int one = model.body_of_joint(driven), other = model.body_of_joint(driver);
  if (one == other) return 1;
  const int which = aggregate_of(m, one);
  if (which < 0 || which != aggregate_of(m, other)) return {};
  if (velocity_count(model.joint_type(one)) != 1 || velocity_count(model.joint_type(other)) != 1) return {};
  const Aggregate& a = m.aggregates[at(which)];
  std::vector<int> linear;
  for (const int c : a.couplings)
    if (m.couplings[at(c)].linear()) linear.push_back(c);
  if (linear.empty()) return {};
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(linear.size()), a.velocities);
  for (std::size_t r = 0; r < linear.size(); ++r)
    for (const auto& [body, coefficient] : m.couplings[at(linear[r])].terms)
      K(static_cast<Eigen::Index>(r), m.aggregate_column[at(body)]) += coefficient;
  const Eigen::MatrixXd motions = K.fullPivLu().kernel();  // those that couplings leave
  const Eigen::RowVectorXd of_one = motions.row(m.aggregate_column[at(one)]),
                           of_other = motions.row(m.aggregate_column[at(other)]);
  const double size = of_other.squaredNorm();
  if (!(size > 1e-24)) return {};
  const double found = of_one.dot(of_other) / size;
  if ((of_one - found * of_other).norm() > 1e-9 * (1 + std::abs(found)) * std::sqrt(size)) return {};
  return found;
}

}  // namespace kinetree
