#pragma once
// A step past a change point: collocation at nodes that count the less the nearer they are to it. The motion is smooth
// there, only its rates are not known well.

#include <functional>
#include <kinetree/kinetree.hpp>
#include <limits>
#include <vector>

#include "simulation/collocation.hpp"

namespace kinetree::inline inner {

/// The motion over one step, known at all its times. Its memory is made once, for states of one size.
class Passage {
 public:
  double start = 0, length = 0;  ///< s
  double end() const { return start + length; }
  int nodes() const { return nodes_; }
  double time(int node) const { return times_[static_cast<std::size_t>(node)]; }
  /// At a node, on the constraints.
  const std::vector<double>& at_node(int node) const { return states_[static_cast<std::size_t>(node)]; }
  void at(double time, std::vector<double>& state) const;

 private:
  friend class Crossing;
  int nodes_ = 0;
  Eigen::VectorXd from_;  ///< the state at the start
  Collocation collocation_;
  Eigen::MatrixXd coefficients_;  ///< of the rates
  std::vector<double> times_;     ///< of the nodes
  std::vector<std::vector<double>> states_;
};

/// Finds passages. Allocates when it is made alone.
class Crossing {
 public:
  /// Brings the state at a node onto the constraints and finds its rates there.
  using Rates = std::function<Status(int node, double time, std::vector<double>& state, std::vector<double>& rates)>;
  /// Of a state from change points, see ChangePoints; nodes much nearer than others are left out.
  using Distance = std::function<double(const std::vector<double>& state)>;

  /// Where a search begins.
  enum class Guess {
    straight,  ///< at rates that stay as they are
    marched    ///< along the constraints' branch, node by node; the polynomial has twice the degree
  };

  /// What the last search for a passage found.
  struct Found {
    double error = std::numeric_limits<double>::infinity();  ///< the least tolerance met, by sweeps that converge
    bool too_long = false;                                   ///< its polynomial has too few degrees for its length
  };

  /// `size`: of states.
  Crossing(int size, Rates rates, Distance distance);

  /// From `state` at `time` over `length` s, into passage(); false where that does not converge, its error is above the
  /// tolerance, rates fail or more of them would be asked for than `most_rates`. `rates`: of the state. Where the last
  /// passage looked for came near the motion there, the search begins at it.
  bool pass(const std::vector<double>& state, const std::vector<double>& rates, double time, double length,
            double tolerance, Guess guess, double most_rates);
  const Passage& passage() const { return way_; }
  /// Of the last pass().
  const Found& found() const { return found_; }

 private:
  void go_straight(const std::vector<double>& rates);
  void march(const std::vector<double>& rates);
  void follow(double time, double length);
  bool look_up(double time, double length);
  bool choose_nodes();
  double largest(const Eigen::VectorXd& error) const;
  double left_out();

  Rates rates_;
  Distance distance_;
  OverNodes straight_, marched_;      ///< nodes that belong to either guess
  OverNodes all_, nodes_, weights_;   ///< all nodes; those taken
  Collocation::ToDegrees integrals_;  ///< from the start to each of those taken, one column each
  int coefficients_ = 0;
  Passage way_;
  Found found_;
  Eigen::VectorXd error_, last_rate_, change_;   ///< change_: of rates, 1/s
  Eigen::MatrixXd states_, next_, rates_there_;  ///< one column per node
  std::vector<double> stage_, rate_;
};

}  // namespace kinetree::inline inner
