#pragma once
// A caller's functions on vectors, as the compiled simulation calls them: on columns. Eigen aligns and frees the memory
// of vectors by the flags that a program is compiled with, so that none crosses the boundary; numbers are copied.

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <kinetree/columns.hpp>
#include <type_traits>

namespace kinetree {

/// Joint forces tau (nv, zero on entry) at a time and state. May read anything; must not throw: NaN in tau makes the
/// step fail.
using Control =
    std::function<void(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau)>;

/// The same with forces on bodies: f_ext has 6 entries a body, zero on entry, in the layout of ForwardDynamics::solve;
/// add_forces (forces.hpp) adds forces at points of links up into it.
using Forces = std::function<void(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau,
                                  Eigen::VectorXd& f_ext)>;

namespace boundary {

inline Columns<const double> column(const Eigen::VectorXd& x) { return {x.data(), x.size(), 1, x.size()}; }
inline Columns<double> column(Eigen::VectorXd& x) { return {x.data(), x.size(), 1, x.size()}; }
template <class T>
Eigen::Map<const Eigen::VectorXd> vector(const Columns<T>& x) {
  return {x.data, x.rows};
}
inline void write(const Eigen::VectorXd& from, Columns<double> to) {
  if (from.size() == to.rows) Eigen::Map<Eigen::VectorXd>(to.data, to.rows) = from;
}

/// How many entries a caller's function left two vectors with.
struct EntriesLeft {
  std::ptrdiff_t first, second;
};

/// What the library calls for a Control or Forces; without `call` all forces are zero.
struct ForceFunction {
  void* context = nullptr;
  EntriesLeft (*call)(void* context, double time, Columns<const double> q, Columns<const double> v, Columns<double> tau,
                      Columns<double> f_ext) = nullptr;
  bool on_bodies = false;  ///< whether it gives f_ext
};

/// The vectors that functions get, kept between calls.
struct CallersVectors {
  Eigen::VectorXd q{}, v{}, tau{}, f_ext{};
};

/// A Control or Forces as a ForceFunction, which holds as long as this does.
template <class Function>
class OnVectors {
 public:
  OnVectors(const Function& function, CallersVectors& own) : function_(function), own_(own) {}
  ForceFunction on_columns() {
    if (!function_) return {};
    return {this, &OnVectors::call, std::is_same_v<Function, Forces>};
  }

 private:
  static EntriesLeft call(void* context, double time, Columns<const double> q, Columns<const double> v,
                          Columns<double> tau, Columns<double> f_ext) {
    const auto& [function, own] = *static_cast<OnVectors*>(context);
    own.q = vector(q), own.v = vector(v), own.tau.setZero(tau.rows);
    std::ptrdiff_t on_bodies = f_ext.rows;
    if constexpr (std::is_same_v<Function, Forces>) {
      own.f_ext.setZero(f_ext.rows);
      function(time, own.q, own.v, own.tau, own.f_ext);
      write(own.f_ext, f_ext);
      on_bodies = own.f_ext.size();
    } else {
      function(time, own.q, own.v, own.tau);
    }
    write(own.tau, tau);
    return {own.tau.size(), on_bodies};
  }

  const Function& function_;
  CallersVectors& own_;
};

}  // namespace boundary
}  // namespace kinetree
