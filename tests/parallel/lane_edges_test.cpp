// Registers take in and give out a caller's numbers, and touch none beside them.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// Columns with a gap behind each but the last, which ends where memory may not be touched.
template <class T>
class AtTheEdge {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  using Block = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;
  static constexpr Eigen::Index gap = 3;
  static constexpr T untouched = T(-7);

  AtTheEdge(Eigen::Index rows, Eigen::Index columns)
      : rows_(rows), columns_(columns), numbers_(columns * (rows + gap) - gap) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(numbers_);
    size_ = ((bytes + page - 1) / page + 1) * page;
    memory_ = static_cast<std::byte*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED || mprotect(memory_ + size_ - page, page, PROT_NONE) != 0)
      throw std::runtime_error("no page to guard");
    first_ = reinterpret_cast<T*>(memory_ + size_ - page - bytes);
    std::fill_n(first_, numbers_, untouched);
  }
  AtTheEdge(const AtTheEdge&) = delete;
  AtTheEdge& operator=(const AtTheEdge&) = delete;
  ~AtTheEdge() { munmap(memory_, size_); }

  Block block() { return Block(first_, rows_, columns_, Eigen::OuterStride<>(rows_ + gap)); }
  bool gaps_are_untouched() const {
    for (Eigen::Index c = 0; c + 1 < columns_; ++c)
      for (Eigen::Index k = 0; k < gap; ++k)
        if (first_[c * (rows_ + gap) + rows_ + k] != untouched) return false;
    return true;
  }

 private:
  Eigen::Index rows_, columns_, numbers_;
  std::size_t size_ = 0;
  std::byte* memory_ = nullptr;
  T* first_ = nullptr;
};

template <class T>
void compare(ForwardDynamics& dynamics, Eigen::Index columns, const std::string& where) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Model& model = dynamics.model();
  const Eigen::Index nq = model.nq(), nv = model.nv(), nf = 6 * model.body_count();
  AtTheEdge<T> q(nq, columns), v(nv, columns), tau(nv, columns), f(nf, columns), a(nv, columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    const TestState s = random_state(model, static_cast<std::uint64_t>(c) + 3);
    q.block().col(c) = s.q.cast<T>(), v.block().col(c) = s.v.cast<T>();
    tau.block().col(c) = s.tau.cast<T>(), f.block().col(c) = s.f_ext.cast<T>();
  }
  const Matrix packed_q = q.block(), packed_v = v.block(), packed_tau = tau.block(), packed_f = f.block();
  Matrix expected(nv, columns);
  for (const bool forced : {false, true}) {
    auto out = a.block();
    const Status status = forced ? dynamics.solve(q.block(), v.block(), tau.block(), f.block(), out)
                                 : dynamics.solve(q.block(), v.block(), tau.block(), out);
    ASSERT_TRUE(status.ok()) << where << status.message(model);
    ASSERT_TRUE((forced ? dynamics.solve(packed_q, packed_v, packed_tau, packed_f, expected)
                        : dynamics.solve(packed_q, packed_v, packed_tau, expected))
                    .ok());
    EXPECT_TRUE(Matrix(out) == expected) << where;
    EXPECT_TRUE(a.gaps_are_untouched()) << where;
  }
}

/// Of every size beside a register's width, since the last numbers go another way.
TEST(LaneEdges, BatchesOfAnySizeTouchNothingElse) {
  for (const InstructionSet set : sets()) {
    const Environment limited(name_of(set));
    for (int links = 1; links <= 17; ++links) {
      const std::string where = "chain:" + std::to_string(links) + ", " + name_of(set) + ", ";
      ForwardDynamics dynamics(make_model("chain:" + std::to_string(links)), serial(Algorithm::ab));
      for (const Eigen::Index columns : {2, 37}) {
        compare<double>(dynamics, columns, where + "double ");
        compare<float>(dynamics, columns, where + "float ");
      }
    }
  }
}

/// The same of one state, whose limbs lie side by side.
TEST(LaneEdges, LimbsOfAnySizeTouchNothingElse) {
  for (const InstructionSet set : sets()) {
    const Environment limited(name_of(set));
    for (const int width : limb_widths(set))
      for (int links = 1; links <= 9; ++links) {
        const std::string family = "star:" + std::to_string(width + 1) + "x" + std::to_string(links);
        Options options = serial(Algorithm::ab);
        options.limbs = width;
        ForwardDynamics dynamics(make_model(family), options);
        compare<double>(dynamics, 1, family + ", " + name_of(set) + ", double ");
        compare<float>(dynamics, 1, family + ", " + name_of(set) + ", float ");
      }
  }
}

}  // namespace
}  // namespace kinetree::oracle
