#include <kinetree/algorithm/inverse_dynamics.hpp>
#include <kinetree/algorithm/mass_solve.hpp>
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

  Model model;
  Modules modules;
  Context<double> x;
  Kinematics<double> k;
  InverseDynamics<double> inverse;
  std::optional<CompositeBody<double>> composite;
  std::optional<MassMatrix<double>> mass;
  std::vector<double> zero;

  template <class Kernel>
  void scatter(Kernel&& kernel) {
    for (int s = static_cast<int>(modules.steps.size()); s-- > 0;) kernel(s);
  }
  template <class Kernel>
  void gather(Kernel&& kernel) {
    for (int s = 0; s < static_cast<int>(modules.steps.size()); ++s) kernel(s);
  }
};

Workspace::Workspace(const Model& model) : space_(std::make_unique<Space>(model)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

namespace pointers {

void inverse_dynamics(const Model&, Workspace& workspace, const double* q, const double* v, const double* a,
                      const double* f_ext, double* tau) {
  Workspace::Space& s = workspace.space();
  s.x.state = {.q = q, .v = v, .f_ext = f_ext, .a = a};
  if (f_ext) s.k.R.resize(s.k.v.size());
  s.scatter([&](int step) {
    kinematics(s.x, s.k, step);
    accelerations(s.x, s.k, s.inverse, step);
  });
  s.gather([&](int step) { joint_forces(s.x, s.k, s.inverse, tau, step); });
}

void mass_matrix(const Model& model, Workspace& workspace, const double* q, double* H, std::ptrdiff_t stride) {
  Workspace::Space& s = workspace.space();
  if (!s.mass) s.mass.emplace(model.data()), s.composite.emplace(model.data());
  s.x.state = {.q = q, .v = s.zero.data()};
  s.scatter([&](int step) { kinematics(s.x, s.k, step); });
  s.gather([&](int step) {
    composite_inertias(s.x, s.k, *s.composite, step);
    mass_rows(s.x, s.k, *s.composite, *s.mass, step);
  });
  dense_mass_matrix(s.x, *s.mass, H, stride);
  for (int i = 0; i < model.nv(); ++i)
    for (int j = 0; j < i; ++j) H[j * stride + i] = H[i * stride + j];
}

}  // namespace pointers
}  // namespace kinetree
