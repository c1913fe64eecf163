#include <algorithm>
#include <array>
#include <cmath>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/workspace.hpp>
#include <limits>
#include <optional>
#include <stdexcept>

#include "engine/algorithm/embedded_compliance.hpp"
#include "engine/algorithm/inverse_dynamics.hpp"
#include "engine/algorithm/mass_solve.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/shared_memory.hpp"

namespace kinetree {

struct Workspace::Space {
  explicit Space(const Model& m)
      : model(m),
        modules(make_modules(model.data(), {})),
        x(model.data(), modules),
        k(model.data()),
        inverse(model.data()),
        zero(at(model.nv())) {}

  void run(std::span<const Pass> passes) { run_serial(passes, this, static_cast<int>(modules.steps.size())); }

  Model model;
  Modules modules;
  Context<double> x;
  Kinematics<double> k;
  InverseDynamics<double> inverse;
  std::optional<CompositeBody<double>> composite;
  std::optional<MassMatrix<double>> mass;
  std::optional<OperationalSpace<double>> tasks;
  struct Embedded : EmbeddedMassMatrix<double> {
    EmbeddedCompliance<double> compliance;
    using EmbeddedMassMatrix<double>::EmbeddedMassMatrix;
  };
  std::optional<Embedded> named, best;
  Embedded* embedded = nullptr;  ///< which of them the passes fill
  std::ptrdiff_t stride = 0;     ///< of the dense mass matrix that is written
  std::vector<double> zero;
};

Workspace::Workspace(const Model& model) : space_(std::make_unique<Space>(model)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

namespace {

Workspace::Space& of(void* space) { return *static_cast<Workspace::Space*>(space); }

constexpr std::array inverse_passes{Pass{Direction::scatter,
                                         [](void* space, int step) {
                                           Workspace::Space& s = of(space);
                                           kinematics(s.x, s.k, step);
                                           accelerations(s.x, s.k, s.inverse, step);
                                         }},
                                    Pass{Direction::gather, [](void* space, int step) {
                                           Workspace::Space& s = of(space);
                                           joint_forces(s.x, s.k, s.inverse, s.x.state.result, step);
                                         }}};

void write_mass_matrix(Workspace::Space& s, double* H, std::ptrdiff_t stride) {
  dense_mass_matrix(s.x, *s.mass, H, stride);
  mirror(H, s.model.nv(), stride);
}

constexpr Pass of_positions{Direction::scatter,
                            [](void* space, int step) { kinematics(of(space).x, of(space).k, step); }};
constexpr Pass of_composites{Direction::gather, [](void* space, int step) {
                               Workspace::Space& s = of(space);
                               composite_inertias(s.x, s.k, *s.composite, step);
                               mass_rows(s.x, s.k, *s.composite, *s.mass, step);
                             }};

constexpr std::array energy_passes{of_positions, Pass{Direction::gather, [](void* space, int step) {
                                                        Workspace::Space& s = of(space);
                                                        composite_inertias(s.x, s.k, *s.composite, step);
                                                      }}};

constexpr std::array mass_passes{of_positions, of_composites,
                                 Pass{Direction::once, [](void* space, int) {
                                        write_mass_matrix(of(space), of(space).x.state.result, of(space).stride);
                                      }}};

constexpr std::array embedded_mass_passes{
    of_positions,
    Pass{Direction::each,
         [](void* space, int step) { embed(of(space).x, of(space).k, of(space).embedded->nodes, step); }},
    of_composites, Pass{Direction::once, [](void* space, int) {
                          Workspace::Space& s = of(space);
                          s.embedded->find(s.x, *s.mass);
                        }}};

constexpr std::array compliance_passes{
    Pass{Direction::scatter, [](void* space, int step) { positions(of(space).x, of(space).k, step); }},
    Pass{Direction::gather,
         [](void* space, int step) {
           Workspace::Space& s = of(space);
           articulated_inertias(s.x, s.k, s.tasks->articulated, step);
         }},
    Pass{Direction::scatter,
         [](void* space, int step) { compliances(of(space).x, of(space).k, *of(space).tasks, step); }},
    Pass{Direction::gather, [](void* space, int step) { relate(of(space).x, of(space).k, *of(space).tasks, step); }}};

/// Fills the mass matrix of a model with aggregates: in the Model's coordinates, or in those that are best here.
Status run_embedded(Workspace::Space& s, IndependentCoordinates which) {
  const ModelData& m = s.model.data();
  if (!s.mass) s.mass.emplace(m), s.composite.emplace(m);
  std::optional<Workspace::Space::Embedded>& embedded = which == IndependentCoordinates::models ? s.named : s.best;
  if (!embedded) embedded.emplace(s.x, which);
  s.embedded = &*embedded;
  s.run(embedded_mass_passes);
  const EmbeddedNode<double>* lost = singular_aggregate(embedded->nodes);
  if (lost == nullptr) return {};
  return {StatusCode::singular_loop, 0, lost->body(0), lost->map.pivot};
}

void fill(Columns<double> result, double value) {
  for (std::ptrdiff_t c = 0; c < result.columns; ++c) std::fill_n(result.data + c * result.stride, result.rows, value);
}

/// The same as by articulated bodies, of a model with aggregates.
Status compliance_of_loops(Workspace::Space& s, std::span<const int> frames, Columns<double> result) {
  const ModelData& m = s.model.data();
  const Status status = run_embedded(s, IndependentCoordinates::best);
  if (!status.ok()) return status;
  Workspace::Space::Embedded& e = *s.embedded;
  const std::size_t n = at(e.size()), rows = 6 * frames.size();
  e.compliance.resize(rows, n);
  for (std::size_t f = 0; f < frames.size(); ++f)
    independent_jacobian(s.x, s.k, e.velocities, m.frames[at(frames[f])], e.compliance.J.data() + 6 * f * n);
  const int still = embedded_compliance(e.velocities, e.independent.data(), e.compliance, static_cast<int>(rows),
                                        result.data, result.stride);
  if (still < 0) return status;
  const auto body = std::upper_bound(m.v_index.begin(), m.v_index.end(), still) - m.v_index.begin() - 1;
  return {StatusCode::singular, 0, static_cast<int>(body), 0};
}

/// What is wrong with the call as a whole; `apart`: the result shares no memory with an input.
Status fault(const Model& model, const Workspace::Space& s, bool sizes_fit, bool apart = true) {
  if (&model.data() != &s.model.data()) return {StatusCode::other_model};
  if (!sizes_fit) return {StatusCode::wrong_size};
  return {apart ? StatusCode::ok : StatusCode::shared_memory};
}

template <class T>
bool fits(const Columns<T>& c, std::ptrdiff_t rows, std::ptrdiff_t columns = 1) {
  return c.rows == rows && c.columns == columns;
}

}  // namespace

namespace boundary {

Status inverse_dynamics(const Model& model, Workspace& workspace, Columns<const double> q, Columns<const double> v,
                        Columns<const double> a, Columns<const double> f_ext, Columns<double> tau) {
  Workspace::Space& s = workspace.space();
  const bool pushed = f_ext.data || f_ext.columns;
  const Status status =
      fault(model, s,
            fits(q, model.nq()) && fits(v, model.nv()) && fits(a, model.nv()) && fits(tau, model.nv()) &&
                (!pushed || fits(f_ext, 6 * static_cast<std::ptrdiff_t>(model.body_count()))),
            !share_memory(tau, q) && !share_memory(tau, v) && !share_memory(tau, a) && !share_memory(tau, f_ext));
  if (!status.ok()) return status;
  if (pushed) s.k.expect_external_forces();
  s.x.state = {.q = q.data, .v = v.data, .f_ext = f_ext.data, .a = a.data, .result = tau.data};
  s.run(inverse_passes);
  return status;
}

Status mass_matrix(const Model& model, Workspace& workspace, Columns<const double> q, Columns<double> H) {
  Workspace::Space& s = workspace.space();
  std::ptrdiff_t size = model.nv();
  for (const Aggregate& a : model.data().aggregates) size -= a.velocities - a.freedoms;
  const Status status =
      fault(model, s, fits(q, model.nq()) && fits(H, size, size), !columns_overlap(H) && !share_memory(H, q));
  if (!status.ok()) return status;
  s.x.state = {.q = q.data, .v = s.zero.data(), .result = H.data};
  if (has_aggregates(model.data())) {
    const Status closed = run_embedded(s, IndependentCoordinates::models);
    if (!closed.ok()) fill(H, std::numeric_limits<double>::quiet_NaN());
    if (!closed.ok()) return closed;
    for (std::ptrdiff_t r = 0; r < size; ++r)
      std::copy_n(s.embedded->independent.data() + r * size, size, H.data + r * H.stride);
    return status;
  }
  if (!s.mass) s.mass.emplace(model.data()), s.composite.emplace(model.data());
  s.stride = H.stride;
  s.run(mass_passes);
  return status;
}

Status operational_space_compliance(const Model& model, Workspace& workspace, Columns<const double> q,
                                    std::span<const int> frames, Columns<double> result) {
  Workspace::Space& s = workspace.space();
  const auto rows = 6 * static_cast<std::ptrdiff_t>(frames.size());
  const Status status = fault(model, s, fits(q, model.nq()) && fits(result, rows, rows),
                              !columns_overlap(result) && !share_memory(result, q));
  if (!status.ok()) return status;
  for (const int frame : frames)
    if (frame < 0 || frame >= static_cast<int>(model.data().frames.size()))
      return {StatusCode::no_such_frame, 0, -1, static_cast<double>(frame)};
  for (int body = 0; body < model.body_count(); ++body)
    for (int k = model.data().q_index[at(body)]; k < model.data().q_index[at(body + 1)]; ++k)
      if (!std::isfinite(q.data[k])) return {StatusCode::not_finite, 0, body, q.data[k]};
  s.x.state = {.q = q.data, .v = s.zero.data()};
  if (has_aggregates(model.data())) {
    const Status closed = compliance_of_loops(s, frames, result);
    if (!closed.ok()) fill(result, std::numeric_limits<double>::quiet_NaN());
    return closed;
  }
  if (!s.tasks) s.tasks.emplace(s.x);
  s.tasks->set_frames(model.data(), frames);
  s.tasks->result = result.data, s.tasks->stride = result.stride;
  fill(result, 0);  // what never meets
  s.run(compliance_passes);
  const int body = singular_body(model.data(), s.tasks->articulated);
  if (body < 0) return status;
  fill(result, std::numeric_limits<double>::quiet_NaN());
  return {StatusCode::singular, 0, body, 0};
}

Status energy(const Model& model, Workspace& workspace, Columns<const double> q, Columns<const double> v,
              Energy& result) {
  Workspace::Space& s = workspace.space();
  const Status status = fault(model, s, fits(q, model.nq()) && fits(v, model.nv()));
  if (!status.ok()) return status;
  if (!s.composite) s.composite.emplace(model.data());
  s.x.state = {.q = q.data, .v = v.data};
  s.run(energy_passes);
  result = {};
  for (int i = 0; i < model.body_count(); ++i) {
    const Motion<double>& twist = s.k.v[at(i)];
    result.kinetic += 0.5 * dot(twist, s.x.link[at(i)].I * twist);
    if (s.x.parent(i) >= 0) continue;
    const Vector3<double>& h = s.composite->I_up[at(i)].h;  // mass times place of everything outboard, ground's axes
    const Vector3<double>& up = s.x.ground_acceleration.linear;
    result.potential += up.x * h.x + up.y * h.y + up.z * h.z;
  }
  for (std::size_t k = 0; k < s.x.rotors.size(); ++k) result.kinetic += 0.5 * s.x.rotors[k] * v.data[k] * v.data[k];
  return status;
}

}  // namespace boundary

std::vector<int> independent_velocities(const Model& model) {
  const ModelData& m = model.data();
  std::vector<int> list;
  for (int i = 0; i < model.body_count(); ++i)
    for (int v = m.v_index[at(i)]; v < m.v_index[at(i + 1)]; ++v) {
      const int a = aggregate_of(m, i);
      if (a < 0 ||
          std::binary_search(m.aggregates[at(a)].independent.begin(), m.aggregates[at(a)].independent.end(), v))
        list.push_back(v);
    }
  return list;
}

std::vector<std::string> independent_joints(const Model& model) {
  const ModelData& m = model.data();
  std::vector<std::string> list;
  for (const int v : independent_velocities(model)) {
    const auto body = std::upper_bound(m.v_index.begin(), m.v_index.end(), v) - m.v_index.begin() - 1;
    list.emplace_back(model.joint_name(static_cast<int>(body)));
  }
  return list;
}

int frame_index(const Model& model, std::string_view link) { return frame_named(model.data(), link); }

}  // namespace kinetree
