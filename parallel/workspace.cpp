#include <array>
#include <kinetree/algorithm/inverse_dynamics.hpp>
#include <kinetree/algorithm/mass_solve.hpp>
#include <kinetree/algorithm/pass.hpp>
#include <kinetree/parallel/workspace.hpp>
#include <optional>

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
  std::ptrdiff_t stride = 0;  ///< of the dense mass matrix that is written
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

constexpr std::array mass_passes{
    Pass{Direction::scatter, [](void* space, int step) { kinematics(of(space).x, of(space).k, step); }},
    Pass{Direction::gather,
         [](void* space, int step) {
           Workspace::Space& s = of(space);
           composite_inertias(s.x, s.k, *s.composite, step);
           mass_rows(s.x, s.k, *s.composite, *s.mass, step);
         }},
    Pass{Direction::once, [](void* space, int) {
           Workspace::Space& s = of(space);
           double* H = s.x.state.result;
           dense_mass_matrix(s.x, *s.mass, H, s.stride);
           for (int i = 0; i < s.model.nv(); ++i)
             for (int j = 0; j < i; ++j) H[j * s.stride + i] = H[i * s.stride + j];
         }}};

/// What is wrong with the call as a whole.
Status fault(const Model& model, const Workspace::Space& s, bool sizes_fit) {
  if (&model.data() != &s.model.data()) return {StatusCode::other_model};
  return {sizes_fit ? StatusCode::ok : StatusCode::wrong_size};
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
                (!pushed || fits(f_ext, 6 * static_cast<std::ptrdiff_t>(model.body_count()))));
  if (!status.ok()) return status;
  if (pushed) s.k.R.resize(s.k.v.size());
  s.x.state = {.q = q.data, .v = v.data, .f_ext = f_ext.data, .a = a.data, .result = tau.data};
  s.run(inverse_passes);
  return status;
}

Status mass_matrix(const Model& model, Workspace& workspace, Columns<const double> q, Columns<double> H) {
  Workspace::Space& s = workspace.space();
  const Status status = fault(model, s, fits(q, model.nq()) && fits(H, model.nv(), model.nv()));
  if (!status.ok()) return status;
  if (!s.mass) s.mass.emplace(model.data()), s.composite.emplace(model.data());
  s.x.state = {.q = q.data, .v = s.zero.data(), .result = H.data};
  s.stride = H.stride;
  s.run(mass_passes);
  return status;
}

}  // namespace boundary
}  // namespace kinetree
