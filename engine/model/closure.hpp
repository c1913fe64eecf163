#pragma once
// Whether loops are closed, and the nearest configuration in which they are (Newton projection).

#include <kinetree/export.hpp>
#include <kinetree/status.hpp>
#include <memory>
#include <vector>

#include "engine/model/coordinates.hpp"
#include "engine/model/coupling_scale.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

class NearestClosure;

/// One constraint that a state breaks.
struct Violation {
  std::string constraint;  ///< `loop "closure"` or `coupling "gear"`
  double amount = 0;       ///< position: rad or m, the largest; of couplings relative to CouplingScale.
                           ///< velocity: relative to 1 + |v|, of couplings to CouplingScale too
  bool velocity = false;
};

/// Works on one model, in double; one per thread. Does not look at what has no constraint. Each function of an
/// aggregate allocates at its first call alone.
class Closure {
 public:
  // KINETREE_EXPORT here and elsewhere in private code: what another component of the library calls
  KINETREE_EXPORT explicit Closure(const ModelData& model);
  KINETREE_EXPORT ~Closure();
  KINETREE_EXPORT Closure(Closure&&) noexcept;

  /// Position errors of an aggregate's constraints, a.rows entries, loops before couplings.
  KINETREE_EXPORT const std::vector<double>& errors(const Aggregate& a, const double* q);
  /// The largest error of constraints that rounding keeps from closing, those included that are left out; 0 where
  /// nothing is rounded.
  KINETREE_EXPORT double open(const Aggregate& a, const double* q);
  /// K of an aggregate at q, in rows(); velocity terms too where v is given (then all bodies' velocities are found).
  KINETREE_EXPORT ConstraintRows<double>& rows(const Aggregate& a, const double* q);
  /// The same in rows of the caller's. `errors` (null: none) are those that errors() found there, and become what the
  /// rows are the derivatives of: both belong to points where the levers of joints are short, see loop_levers.hpp.
  void fill(const Aggregate& a, const double* q, ConstraintRows<double>& rows, double* errors = nullptr);
  /// Newton steps of least norm from q, which stays on the side of a singularity it is on where it can (steps are short
  /// and halved while they lead away), until errors and opening are no more than `until` or no step makes errors
  /// smaller. Changes the q of the aggregate's joints only, and of these none that has a column of `held`. Returns how
  /// far open the aggregate then is (opening), or, where rounding keeps constraints open, how far these are if that is
  /// more than rounding explains.
  KINETREE_EXPORT double project(const Aggregate& a, double* q, double until = 1e-15,
                                 const std::vector<int>& held = {});
  /// v := the nearest velocities that the aggregate's constraints allow at q; changes those of its joints only.
  KINETREE_EXPORT void project_velocity(const Aggregate& a, const double* q, double* v);
  /// How far q is from a change point of a branch of that rank: the smallest singular value that the rank takes, of K
  /// without units whose rows are none longer than 1; 0 where the rank is lost. Absolute errors 1e-8.
  KINETREE_EXPORT double regularity(const Aggregate& a, const double* q, int rank);
  /// How far open an aggregate is: the largest error of its constraints (rad or m), couplings relative to
  /// CouplingScale; infinite where one is NaN.
  KINETREE_EXPORT double opening(const Aggregate& a, const double* q);
  /// Whether an aggregate whose largest error at q is that counts as closed: closed_within, or what rounding leaves
  /// where the frames of its loops stand far from where the paths to them part. After errors() at q.
  KINETREE_EXPORT bool closed(const Aggregate& a, double error) const;
  /// Constraints off by more than 1e-8 in position (couplings: relative) or 1e-8 (1 + |v|) in velocity; of those that
  /// rounding keeps open, what is held of them, and the whole where it is open by more than rounding explains.
  KINETREE_EXPORT std::vector<Violation> violations(const double* q, const double* v);
  /// The same, without allocating: not_closed of the largest violation by positions (`q`), else by velocities (`v`);
  /// these are not looked at where v is null.
  KINETREE_EXPORT Status fault(const double* q, const double* v);
  /// What an error of a coupling is measured by at q.
  CouplingScale scale_of(const Coupling& c, const double* q) const;
  std::size_t bytes() const;

 private:
  struct Memory;  ///< of one aggregate
  Memory& memory_of(const Aggregate& a);
  AggregateState<double> state() const { return {X_up_.data(), columns_.data(), nullptr, nullptr}; }
  void place(const Aggregate& a, const double* q);
  double measured(const Aggregate& a, const double* q) const;
  template <class Use>
  void each_violation(const double* q, const double* v, Use&& use);
  NearestClosure& nearest(const Aggregate& a);

  const ModelData& m_;
  std::vector<JointTransform<double>> X_up_;
  std::vector<Transform<double>> general_;  ///< of joints that are not placed by screws
  std::vector<Motion<double>> columns_;
  std::vector<double> error_, tried_;
  std::vector<std::unique_ptr<Memory>> memory_;
};

/// q with every joint at zero and every quaternion a unit.
std::vector<double> zero_configuration(const ModelData& model);

}  // namespace kinetree::inline inner
