#include "simulation/backward_differences.hpp"

#if KINETREE_CVODE
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

namespace kinetree::inline inner {
namespace {

void check(bool made) {
  if (!made) throw std::bad_alloc();  // all that CVODE's set-up can fail of with arguments that are right
}

}  // namespace

bool BackwardDifferences::available() { return true; }

struct BackwardDifferences::Memory {
  explicit Memory(Equations given) : equations(std::move(given)) {}
  Memory(std::size_t size, Equations given, double longest) : Memory(std::move(given)) {
    const auto n = static_cast<sunindextype>(size);
    check(SUNContext_Create(nullptr, &context) == 0);
    y = N_VNew_Serial(n, context), e = N_VNew_Serial(n, context), weight = N_VNew_Serial(n, context);
    J = SUNDenseMatrix(n, n, context);
    solver = y == nullptr || J == nullptr ? nullptr : SUNLinSol_Dense(y, J, context);
    cvode = CVodeCreate(CV_BDF, context);
    check(e != nullptr && weight != nullptr && solver != nullptr && cvode != nullptr);
    N_VConst(0, y);
    check(CVodeInit(cvode, &Memory::rates, 0, y) == CV_SUCCESS);
    // outcomes say what fails; nothing is printed
    check(CVodeSetErrHandlerFn(
              cvode, [](int, const char*, const char*, char*, void*) {}, nullptr) == CV_SUCCESS);
    check(CVodeSetUserData(cvode, this) == CV_SUCCESS && CVodeWFtolerances(cvode, &Memory::weights) == CV_SUCCESS &&
          CVodeSetLinearSolver(cvode, solver, J) == CV_SUCCESS &&
          CVodeSetProjFn(cvode, &Memory::project) == CV_SUCCESS && CVodeSetProjErrEst(cvode, SUNFALSE) == CV_SUCCESS);
    if (std::isfinite(longest)) check(CVodeSetMaxStep(cvode, longest) == CV_SUCCESS);
  }
  Memory(const Memory&) = delete;
  ~Memory() {
    CVodeFree(&cvode);
    if (solver != nullptr) SUNLinSolFree(solver);
    if (J != nullptr) SUNMatDestroy(J);
    for (const N_Vector v : {y, e, weight})
      if (v != nullptr) N_VDestroy(v);
    SUNContext_Free(&context);
  }

  /// No exception may pass through CVODE: it is kept, and the step given up.
  template <class Function>
  static int kept(void* user, const Function& function) {
    auto& self = *static_cast<Memory*>(user);
    try {
      return function(self) ? 0 : 1;
    } catch (...) {
      self.thrown = std::current_exception();
      return -1;
    }
  }
  static int rates(double t, N_Vector y, N_Vector rate, void* user) {
    return kept(user,
                [&](Memory& self) { return self.equations.rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate)); });
  }
  static int weights(N_Vector y, N_Vector weight, void* user) {
    return kept(user, [&](Memory& self) {
      const auto n = static_cast<std::size_t>(N_VGetLength(y));
      double* w = N_VGetArrayPointer(weight);
      self.equations.allowed(N_VGetArrayPointer(y), w);
      for (std::size_t k = 0; k < n; ++k) w[k] = 1 / w[k];
      N_VScale(1, weight, self.weight);
      return std::all_of(w, w + n, [](double x) { return std::isfinite(x); });
    });
  }
  static int project(double, N_Vector y, N_Vector correction, double, N_Vector, void* user) {
    return kept(user, [&](Memory& self) {
      N_VScale(1, y, correction);
      if (!self.equations.project(N_VGetArrayPointer(correction))) return false;
      N_VLinearSum(1, correction, -1, y, correction);
      // less than half of what a step may be off by: rounding in it would disturb the differences more than it mends
      if (N_VWrmsNorm(correction, self.weight) < 0.5) N_VConst(0, correction);
      return true;
    });
  }

  Equations equations;
  SUNContext context = nullptr;
  N_Vector y = nullptr, e = nullptr, weight = nullptr;
  SUNMatrix J = nullptr;
  SUNLinearSolver solver = nullptr;
  void* cvode = nullptr;
  double scale = 1;
  std::exception_ptr thrown;
};

BackwardDifferences::BackwardDifferences(std::size_t size, Equations equations, double longest)
    : memory_(std::make_unique<Memory>(size, std::move(equations), longest)) {}
BackwardDifferences::~BackwardDifferences() = default;

void BackwardDifferences::begin(double t, const std::vector<double>& y, double scale) {
  std::copy(y.begin(), y.end(), N_VGetArrayPointer(memory_->y));
  check(CVodeReInit(memory_->cvode, t, memory_->y) == CV_SUCCESS);
  from_ = reached_ = t;
  memory_->scale = scale;
}

BackwardDifferences::Outcome BackwardDifferences::step(double until) {
  Memory& m = *memory_;
  (void)CVodeSetStopTime(m.cvode, until);  // fails, and bounds nothing, where the step would have no length
  double t = reached_;
  const int flag = CVode(m.cvode, reached_ + m.scale, m.y, &t, CV_ONE_STEP);
  if (m.thrown) std::rethrow_exception(std::exchange(m.thrown, nullptr));
  if (flag < 0) {
    const bool known =
        flag == CV_ERR_FAILURE || flag == CV_TOO_MUCH_ACC || flag == CV_TOO_CLOSE || flag == CV_CONV_FAILURE;
    return known ? Outcome::too_small : Outcome::unknown;
  }
  if (!(t > reached_)) return Outcome::too_small;
  from_ = reached_, reached_ = t;
  return Outcome::taken;
}

double BackwardDifferences::next_length() const {
  double length = 0;
  (void)CVodeGetCurrentStep(memory_->cvode, &length);
  return length;
}

void BackwardDifferences::at(double t, std::vector<double>& y) const {
  check(CVodeGetDky(memory_->cvode, t, 0, memory_->e) == CV_SUCCESS);
  const double* values = N_VGetArrayPointer(memory_->e);
  std::copy(values, values + y.size(), y.begin());
}

void BackwardDifferences::errors(std::vector<double>& e) const {
  check(CVodeGetEstLocalErrors(memory_->cvode, memory_->e) == CV_SUCCESS);
  const double* values = N_VGetArrayPointer(memory_->e);
  std::copy(values, values + e.size(), e.begin());
}

}  // namespace kinetree::inline inner

#else
#include <stdexcept>

namespace kinetree::inline inner {

struct BackwardDifferences::Memory {};

bool BackwardDifferences::available() { return false; }

BackwardDifferences::BackwardDifferences(std::size_t, Equations, double) {
  throw std::invalid_argument(
      "simulation: this build of kinetree lacks the stiff integrator, which is CVODE of SUNDIALS; install that "
      "(Debian: "
      "libsundials-dev) and configure and build kinetree again");
}
BackwardDifferences::~BackwardDifferences() = default;
void BackwardDifferences::begin(double, const std::vector<double>&, double) {}
BackwardDifferences::Outcome BackwardDifferences::step(double) { return Outcome::unknown; }
double BackwardDifferences::next_length() const { return 0; }
void BackwardDifferences::at(double, std::vector<double>&) const {}
void BackwardDifferences::errors(std::vector<double>&) const {}

}  // namespace kinetree::inline inner
#endif
