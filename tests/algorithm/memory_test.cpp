// The memory that a workspace says it holds is what the allocator gave it.
#include <gtest/gtest.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <malloc.h>

#include <cstdio>
#include <memory>

#include "engine/algorithm/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {
namespace {

/// Bytes in use, of small blocks and of large ones that have pages of their own.
std::size_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(Memory, IsWhatTheAllocatorGave) {
  const Plan ab{}, sparse{.algorithm = Algorithm::crb},
      dense{.algorithm = Algorithm::crb, .factorization = Factorization::dense},
      dial{.algorithm = Algorithm::modular, .modules = {.grain = 2}, .refinements = 1},
      literal{.algorithm = Algorithm::modular,
              .modules = {.grain = 2},
              .refinements = 1,
              .formulation = Formulation::literal},
      multipliers{.loops = Loops::multipliers};
  for (const char* family : {"chain:120", "tree:2x7", "geared:40", "fourbars:40", "star:40x3:joints=spherical"}) {
    const Model model = make_model(family);
    for (const Plan& plan : {ab, sparse, dense, dial, literal, multipliers}) {
      const auto modules = std::make_shared<const Modules>(make_modules(model.data(), plan.modules));
      for (const bool forced : {false, true}) {
        const std::size_t before = in_use();
        const Solver<double> solver = [&] {
          Solver<double> made(model, plan, modules);
          if (forced) made.expect_external_forces();
          return made;
        }();
        const double given = static_cast<double>(in_use() - before), said = static_cast<double>(solver.memory());
        // a block has a header of 8 bytes and is rounded to 16; the workspace itself is on the heap too
        EXPECT_LE(said, given) << family;
        EXPECT_GE(said, 0.9 * given - 4096)
            << family << ": of " << given << " bytes " << given - said << " are not told";
      }
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
#endif
