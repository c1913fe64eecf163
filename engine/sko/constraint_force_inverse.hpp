#pragma once
// The core of the constraint force algorithm as a map: tau to M⁻¹ tau (Featherstone & Fijany 1999, Eq. 16), by the
// dial's own passes. Nothing is written out; any model, any grain, any cutting.

#include <kinetree/model.hpp>
#include <kinetree/sko/matrix.hpp>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"

namespace kinetree::sko {

/// M(q)⁻¹ as an operator. The velocity and gravity terms that Solver carries along are switched off by a copy of the
/// model without gravity and by v = 0; what is left is linear in tau.
///
/// Grain 1 is Eq. 16 itself; larger grains cut fewer joints; `cuts = Cuts::main` is the paper's extension to side
/// branches (end of Sec. 4); where no joint may be cut it is articulated bodies. `refinements` polish each answer with
/// the same factors; off, as they are here, the map is Eq. 16 as it stands.
///
/// Formulation::literal factorizes in `set` and reuses the factors for every tau; Formulation::direct does everything
/// anew for every tau, which is less work for one. Either has O(log N) depth at grain 1.
///
/// S: what make_solver is instantiated for. One worker at a time.
template <class S>
class ConstraintForceInverse {
 public:
  /// Throws TooManyCuts (cuts = all at a hub).
  explicit ConstraintForceInverse(const Model& model, const ModuleOptions& modules = {.grain = 1}, int refinements = 0,
                                  Formulation formulation = Formulation::literal)
      : solver_(make_solver<S>(weightless(model), Method{.algorithm = Algorithm::modular,
                                                         .modules = modules,
                                                         .refinements = refinements,
                                                         .formulation = formulation})),
        name_(model.name()),
        q_(static_cast<std::size_t>(model.nq())),
        v_(static_cast<std::size_t>(model.nv()), S(0)),
        tau_(v_),
        result_(v_) {
    for (int b = 0; b < model.body_count(); ++b) body_.emplace_back(model.body_name(b));
  }

  int freedoms() const { return static_cast<int>(v_.size()); }
  /// Where it cuts.
  const Modules& modules() const { return solver_->modules(); }

  /// The positions, nq, in the model's order. Throws std::domain_error naming a body whose joint inertia is singular.
  void set(const S* q) {
    for (S& x : q_) x = *q++;
    for (S& x : tau_) x = S(0);
    solver_->set({q_.data(), v_.data(), nullptr, tau_.data(), nullptr, result_.data()});
    // all passes once: the answer to zero, for the sake of the check
    run(0, solver_->passes().size());
    if (const int body = solver_->singular_body(); body >= 0)
      throw std::domain_error("constraint force inverse of '" + name_ + "': the inertia that the joint of body '" +
                              body_[static_cast<std::size_t>(body)] +
                              "' moves is singular at this q; give the body or its children mass");
    set_ = true;
  }

  /// result = M⁻¹ tau, both nv, in the model's order; they may be the same. Throws std::logic_error before `set`.
  void apply(const S* tau, S* result) {
    if (!set_) throw std::logic_error("constraint force inverse of '" + name_ + "': call set(q) before apply");
    for (S& x : tau_) x = *tau++;
    run(solver_->rounds().first, solver_->passes().size());
    for (const S& x : result_) *result++ = x;
  }

  /// M⁻¹ B, column by column; B has nv rows, in the model's order. M⁻¹ itself: B = 1.
  Matrix<S> times(Matrix<S> B) {
    if (B.rows() != freedoms())
      throw std::invalid_argument("constraint force inverse of '" + name_ + "': a column has " +
                                  std::to_string(B.rows()) + " entries, the model " + std::to_string(freedoms()) +
                                  " freedoms");
    for (Eigen::Index c = 0; c < B.cols(); ++c) apply(B.col(c).data(), B.col(c).data());
    return B;
  }

 private:
  static Model weightless(const Model& model) {
    ModelData data = model.data();
    data.gravity = {0, 0, 0};
    return Model(std::make_shared<const ModelData>(std::move(data)));
  }
  void run(std::size_t first, std::size_t last) {
    run_serial(solver_->passes().subspan(first, last - first), solver_->space(), solver_->step_count());
  }

  std::unique_ptr<Solver<S>> solver_;
  std::string name_;
  std::vector<std::string> body_;
  std::vector<S> q_, v_, tau_, result_;
  bool set_ = false;
};

}  // namespace kinetree::sko
