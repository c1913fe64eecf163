#pragma once
// Where a Model's bodies are and how they move, on the spanning tree: what its SKO model and its constraints are read
// from.

#include <kinetree/model.hpp>

#include "engine/algorithm/kinematics.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/partition/make_modules.hpp"

namespace kinetree::sko {

/// One scatter over a model at one state (q: nq, v: nv, f_ext: 6 per body or null); loops and couplings play no part.
template <class S>
struct BodyKinematics {
  Modules modules;
  Context<S> x;
  Kinematics<S> k;

  BodyKinematics(const Model& model, const S* q, const S* v, const S* f_ext)
      : modules(make_modules(model.data(), {})), x(model.data(), modules), k(model.data()) {
    x.state = {.q = q, .v = v, .f_ext = f_ext};
    if (f_ext) k.expect_external_forces();
    const Pass pass{Direction::scatter, [](void* space, int step) {
                      auto& self = *static_cast<BodyKinematics*>(space);
                      kinematics(self.x, self.k, step);
                    }};
    run_serial({&pass, 1}, this, static_cast<int>(modules.steps.size()));
  }
  BodyKinematics(const BodyKinematics&) = delete;  // x points into it
  BodyKinematics& operator=(const BodyKinematics&) = delete;
};

}  // namespace kinetree::sko
