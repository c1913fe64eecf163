#pragma once
// A mechanism's motion step by step: rates, the integrators, what a step may lose, change points passed.

#include <kinetree/simulation/simulation.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model/closure.hpp"
#include "engine/scalar/worst.hpp"
#include "simulation/applied_forces.hpp"
#include "simulation/backward_differences.hpp"
#include "simulation/change_points.hpp"
#include "simulation/crossing.hpp"
#include "simulation/fine_closure.hpp"
#include "simulation/fixed_step.hpp"
#include "simulation/settle.hpp"
#include "simulation/whole_turns.hpp"

namespace kinetree::inline inner {

class Stepper {
 public:
  /// The part of a call that one step may take: a fixed step has that length (s) and reaches the time `end`, an
  /// adaptive one is not longer.
  struct Leg {
    double length, end;
  };

  Stepper(ForwardDynamics& dynamics, const SimulationOptions& how);
  ~Stepper();

  /// Stands at a state, settled where it is as closed as `start` asks. `anew`: nothing of the motion before counts, it
  /// begins at this time. Where the Status is not ok nothing has changed.
  Status stand(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v, double time,
               bool anew, Start start);
  /// Of the integrator's own length, not past `end`.
  Leg leg_to(double end) const;
  /// One step; where it fails, or forces throw, nothing has changed.
  Status take(const Leg& leg);
  /// Undoes the last step.
  void go_back();

  AppliedForces& forces() { return forces_; }
  const ModelData& model() const { return m_; }
  double time() const { return now_.time; }
  const Eigen::VectorXd& q() const { return q_; }
  const Eigen::VectorXd& v() const { return v_; }
  double work() const { return keeps_work_ ? now_.state.back() : std::numeric_limits<double>::quiet_NaN(); }
  Energy energy();
  double closure_error();
  long evaluations() const { return evaluations_; }
  /// The body whose joint set the length of the last step; -1: none.
  int limited_by() const { return limited_by_; }

 private:
  using Vector = std::vector<double>;

  /// The search for a passage since the last one, so that it comes to an end.
  struct Search {
    double evaluations = 0;                                  ///< of rates at nodes
    double error = std::numeric_limits<double>::infinity();  ///< the tightest tolerance that would have passed
    /// Of passages by one guess, s: longer ones have left the motion, or have too few degrees for the tolerance.
    struct Lengths {
      double stays = std::numeric_limits<double>::infinity(), fits = stays;
    } straight, marched;
  };

  /// What fixed steps lose by their method, at most until now.
  struct Usual {
    double energy = 0;  ///< J in a step
    double rate = 0;    ///< the same, less rounding, over the power of the step's length that the method's error has
    bool far = false;   ///< whether steps far from change points were taken
  };

  /// Forces that the differences were told, and where: functions that give the same there are taken for the same.
  struct Probe {
    double time = 0;
    Vector state;
    AppliedForces::Numbers forces;
  };

  /// All that a step changes.
  struct Moment {
    Vector state;  ///< q, v, work of the forces
    double time = 0;
    double step = 0;                ///< s, what the adaptive integrator tries next
    double work = 0;                ///< at the last good state
    double distance = 1;            ///< to change points
    double speed = 0, kinetic = 0;  ///< the largest since motion stands
    Energy energy;                  ///< where change points are possible
    double way = 0.6;               ///< of the distance to change points that a passage takes
    int creeping = 0;               ///< steps in a row that only came nearer to a change point
    Usual usual;
    Search search;
    bool curved = false;   ///< the last passage was found by a guess along the branch
    double passed_to = 0;  ///< distance below which fixed steps look for a passage again
  };

  void look_about();
  Status take_fixed(const Leg& leg);
  Status take_stages(const Leg& leg);
  bool loses_by_length(double loss);
  bool by_tolerance() const { return has_tolerance(how_.integrator); }
  Status take_adaptive(double end);
  void prepare_stiff();
  Status take_stiff(double end);
  bool differences_go_on();
  Status take_differences(double limit);
  std::optional<Status> pass_change_point(double end, const Status& first);
  bool look_for_passage(double end, bool slope_known);
  bool cross(const Vector& slope, double end, double ahead, double usual, Crossing::Guess guess);
  bool pass(const Vector& slope, double length, Crossing::Guess guess);
  bool left_motion() const;
  double tolerance() const { return by_tolerance() ? how_.tolerance : tolerance_; }
  bool exhausted() const { return now_.search.evaluations > most_evaluations_; }
  double usual_way() const;
  double marched_length() const;
  Status lost(double share, double times);
  Status rates_on_constraints(int node, double t, Vector& x, Vector& rate);
  bool passage_goes_on();
  bool take_passage(double end);
  Status accept(bool project);
  Status accelerate(double t);
  void rates(const Vector& x, Vector& rate, double t);
  void fill_rates(const Vector& x, Vector& rate);
  Status settle_state();
  void load(const Vector& x);
  double largest_speed() const { return largest_of(v_); }

  static constexpr double near = 0.15;  ///< distance from change points below which no stage is evaluated
  static constexpr double fine = 1e-13, coarse = 1e-8;  ///< tolerances of passages between fixed steps

  ForwardDynamics& dynamics_;
  const ModelData& m_;
  SimulationOptions how_;
  Workspace workspace_;
  Closure closure_;
  FineClosure fine_closure_;
  ChangePoints change_points_;
  AppliedForces forces_;
  WholeTurns turns_;  ///< that a passage leaves out
  FixedStep fixed_;
  bool keeps_work_;
  struct Fehlberg;  ///< Boost's, slow to compile
  std::unique_ptr<Fehlberg> fehlberg_;
  Moment now_, before_, kept_;
  Eigen::VectorXd q_, v_, a_, turned_;
  Vector raw_, memory_, slope_, next_, error_, from_;
  FixedStep::Floating floating_;
  std::optional<BackwardDifferences> differences_;  ///< of the stiff integrator
  bool differences_hold_ = false;                   ///< the motion stands within their last step
  long asked_by_ = 0;                               ///< AppliedForces::function_count() when they were last looked at
  Probe probe_;
  std::optional<Crossing> crossing_;                    ///< where change points are possible
  bool in_passage_ = false;                             ///< one goes on where only the end of a step cut it short
  std::vector<AppliedForces::Numbers> passage_forces_;  ///< at its nodes
  double most_evaluations_ = 0;                         ///< that a search may take: those of 0.6 s
  double tolerance_ = 0;                                ///< of the passage
  // found by look_for_passage
  double rate_ = 0;     ///< 1/s, of the distance to change points
  double horizon_ = 0;  ///< s, to the change point ahead
  Status status_;       ///< of the stages of a step
  long evaluations_ = 0;
  int limited_by_ = -1;
};

}  // namespace kinetree::inline inner
