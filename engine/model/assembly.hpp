#pragma once
// Closing with coordinates held: where joints stand when some of them keep their positions and the constraints hold.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <kinetree/export.hpp>
#include <memory>
#include <vector>

#include "engine/model/closure.hpp"
#include "engine/model/constraint_units.hpp"
#include "engine/model/least_errors.hpp"
#include "engine/model/least_norm.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"

namespace kinetree::inline inner {

/// How closing ended.
struct Assembled {
  enum class End {
    closed,
    contradicts,  ///< nothing that may move brings it nearer to first order, and moving what is held would
    not_reached   ///< it ended before it closed or came to a contradiction
  };
  End end = End::closed;
  double error = 0;  ///< how far open it is left (Closure::opening): at the contradiction; the least that was found
};

/// Works on one model, in double; one per thread. Allocates in its first call alone, or in prepare. `held`: columns of
/// the aggregate, ascending.
class Assembly {
 public:
  KINETREE_EXPORT explicit Assembly(const ModelData& model);

  /// Takes the memory of all later calls, which may go another way than the first.
  KINETREE_EXPORT void prepare();
  /// Moves q's joints of the aggregate, but for what is held, to where it closes: the nearest by Newton's method; else
  /// from where it closes with nothing held, moving what is held bit by bit to its place; else by least squares; else
  /// from around, the same starts in every call. Where it ends open, q is where errors' squares are least of all these,
  /// if what is held contradicts there (LeastErrors), else the nearest that was found.
  KINETREE_EXPORT Assembled close(const Aggregate& a, double* q, const std::vector<int>& held);
  /// From q alone, as the first of those ways.
  KINETREE_EXPORT Assembled close_near(const Aggregate& a, double* q, const std::vector<int>& held);
  /// v's velocities of the aggregate, but for those held, become the nearest with which the constraints hold at q.
  /// Returns what is left open: the largest rate, over 1 + |v|.
  KINETREE_EXPORT double close_velocities(const Aggregate& a, const double* q, double* v, const std::vector<int>& held);

  /// Of the last call that ended in a contradiction: the held columns that take part in it.
  const std::vector<int>& contradicting() const { return contradicting_; }
  Closure& closure() { return closure_; }
  /// m: what counts as much as a turn by 1 rad where something slides.
  double lever(const Aggregate& a) { return memory_of(a).units.lever; }

 private:
  using Matrix = ConstraintUnits::Matrix;

  struct Memory {  ///< of one aggregate
    Memory(const ModelData& m, const Aggregate& a, const ConstraintUnits& units);
    ConstraintUnits units;
    Matrix K;  ///< without units; held columns are zero
    Eigen::MatrixXd squares;
    Eigen::LDLT<Eigen::MatrixXd> factor;
    Eigen::VectorXd e, y, x, rates;
    LeastNorm step;
    LeastErrors least;
  };

  Memory& memory_of(const Aggregate& a);
  bool newton(const Aggregate& a, std::vector<double>& q, const std::vector<int>& held);
  bool bit_by_bit(const Aggregate& a, const std::vector<double>& from, const double* target,
                  const std::vector<int>& held);
  bool least_squares(const Aggregate& a, std::vector<double>& q, const std::vector<int>& held, int steps, bool far);
  void scatter(const Aggregate& a, std::vector<double>& q, const std::vector<int>& held, double size, Random& random);
  bool goes_on(const Aggregate& a, const std::vector<int>& held);
  bool closes(const Aggregate& a, std::vector<double>& q, const std::vector<int>& held);
  void keep_nearest(const Aggregate& a, const std::vector<double>& q);
  bool contradicts(const Aggregate& a, const std::vector<int>& held);
  void look(const Aggregate& a, const std::vector<double>& q, const std::vector<int>& held);
  void move(const Aggregate& a, std::vector<double>& q, const Eigen::VectorXd& x, double part);
  /// `to` becomes held entries of `q` moved by `part` of the way to `target`, others as they stand in q.
  void move_held(const Aggregate& a, const std::vector<double>& q, const double* target, double part,
                 const std::vector<int>& held, std::vector<double>& to) const;

  /// Ends of least squares since the least of them.
  struct Seen {
    double least = INFINITY;  ///< sum of squares
    int alike = 0, ends = 0;
    bool from_far = false;
    void note(double squares, bool far);
    bool enough() const;
  };

  const ModelData& m_;
  Closure closure_;
  std::vector<std::unique_ptr<Memory>> memory_;  ///< over aggregates
  std::vector<double> now_, tried_, near_, start_;
  std::vector<double> best_, settled_;  ///< where it was open least; where the squares of errors were least
  std::vector<int> contradicting_;
  const std::vector<int> none_;
  double best_error_ = 0, least_squares_ = 0;
  Seen seen_;
};

}  // namespace kinetree::inline inner
