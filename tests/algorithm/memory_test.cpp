// The memory that a workspace says it holds is what the allocator gave it.
#include <gtest/gtest.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <malloc.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/mechanisms.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::oracle {
namespace {

/// Bytes in use, of small blocks and of large ones that have pages of their own.
std::size_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// False where another allocator is in place of glibc's, a sanitizer's say.
bool sees_allocations() {
  const std::size_t before = in_use();
  const std::vector<double> block(1 << 17);
  return in_use() - before >= block.size() * sizeof(double);
}

TEST(Memory, IsWhatTheAllocatorGave) {
  if (!sees_allocations()) GTEST_SKIP() << "another allocator is in place of glibc's";
  const auto with = [](auto&& set) {
    Method method;
    set(method);
    return method;
  };
  const auto dial = [](Method& p) { p.algorithm = Algorithm::modular, p.modules.grain = 2, p.refinements = 1; };
  const std::vector<Method> plans{
      with([](Method&) {}),
      with([](Method& p) { p.algorithm = Algorithm::crb; }),
      with([](Method& p) { p.algorithm = Algorithm::crb, p.factorization = Factorization::dense; }),
      with(dial),
      with([&](Method& p) { dial(p), p.formulation = Formulation::literal; }),
      with([](Method& p) { p.loops = Loops::multipliers; }),
  };
  struct Case {
    const char* family;
    double least;  ///< part of the memory given that is told: the rest is headers of many small blocks
  };
  for (const auto& [family, least] : {Case{"chain:2500", 0.99}, Case{"star:800x3:joints=spherical", 0.99},
                                      Case{"geared:800", 0.7}, Case{"fourbars:800", 0.7}}) {
    const Model model = make_model(family);
    for (const Method& method : plans) {
      if (method.factorization == Factorization::dense && least > 0.9) continue;  // hundreds of megabytes
      if (method.algorithm == Algorithm::crb && least < 0.9) continue;
      const auto modules = std::make_shared<const Modules>(make_modules(model.data(), method.modules));
      for (const bool forced : {false, true}) {
        const std::size_t before = in_use();
        const auto solver = make_solver<double>(model, method, modules);
        if (forced) solver->expect_external_forces();
        const double given = static_cast<double>(in_use() - before), said = static_cast<double>(solver->memory());
        constexpr double cached = 6000;  // small blocks that were given back before and are kept for the next
        EXPECT_LE(said, given + cached) << family;
        EXPECT_GE(said, least * given - cached) << family << ": " << given - said << " bytes are not told";
      }
    }
  }
}

/// Solvers with parts side by side count their packs.
TEST(Memory, OfPacksIsCounted) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  if (!sees_allocations()) GTEST_SKIP() << "another allocator is in place of glibc's";
  const InstructionSet set = instruction_set();
  const int width = lane_width(set);
  for (const char* family : {"star:64x40", "chain:2500"}) {
    const Model model = make_model(family);
    Parts parts;
    parts.limbs = limbs_that_pay(model.data(), width);
    parts.end_chains = find_end_chains(model.data(), width, 100, {}, parts.limbs.taken);
    ASSERT_FALSE(parts.empty());
    Method method;
    method.refinements = parts.end_chains.all.empty() ? 0 : 1;
    for (const bool forced : {false, true}) {
      const std::size_t before = in_use();
      const auto solver = make_parts_solver<double>(set, model, method, parts);
      if (forced) solver->expect_external_forces();
      const double given = static_cast<double>(in_use() - before), said = static_cast<double>(solver->memory());
      EXPECT_LE(said, given) << family;
      // not told: the modules of the whole, which solvers share, and headers of small blocks
      EXPECT_GE(said, 0.93 * given) << family << ": " << given - said << " bytes of " << given << " are not told";
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
#endif
