#pragma once
// What a simulated motion keeps, seen at every step: energy less the work of forces, and closed constraints.

#include <cmath>
#include <kinetree/simulation/simulation.hpp>
#include <string>

#include "engine/scalar/worst.hpp"

namespace kinetree::bench {

class Balance {
 public:
  /// At the start and after every step.
  void look(Simulation& simulation) {
    const Energy energy = simulation.energy();
    now_ = energy.total() - simulation.work();
    energy_ = energy.total(), work_ = simulation.work();
    if (steps_++ == 0) start_ = energy_, at_start_ = now_;
    keep_worst(kinetic_, energy.kinetic);
    keep_worst(off_, std::abs(now_ - at_start_));
    keep_worst(error_, simulation.closure_error());
    worked_ = worked_ || work_ != 0;
  }
  /// Lines of `energy`, of `work` where forces did any, and of `constraints` where there are some.
  std::string text(bool constrained) const;

 private:
  double start_ = 0, energy_ = 0, work_ = 0;  ///< J
  double at_start_ = 0, now_ = 0;             ///< energy less work, J
  double kinetic_ = 0, off_ = 0, error_ = 0;  ///< the largest
  long steps_ = 0;
  bool worked_ = false;
};

}  // namespace kinetree::bench
