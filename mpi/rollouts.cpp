#include <algorithm>
#include <kinetree/model.hpp>
#include <kinetree/mpi/rollouts.hpp>
#include <optional>
#include <utility>

#include "engine/scalar/index.hpp"
#include "library/argument.hpp"
#include "mpi/agreement.hpp"
#include "mpi/first_failed.hpp"

namespace kinetree::mpi {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Rollouts::Implementation {
 public:
  Implementation(MPI_Comm comm, Model given, int columns, Options options, RolloutOptions how)
      : shares(comm, columns), model(std::move(given)) {
    const Communicator& c = shares.communicator();
    agree_on_model(c, model);
    c.agree(fault_of([&] {
      // a grain that is left open is chosen by rank 0, whose cores are not those of others
      if (c.rank() == 0 && options.algorithm == Algorithm::modular && options.grain == 0) {
        Options one = options;
        one.threads = 1, one.pinning = Pinning::none;
        options.grain = kinetree::ForwardDynamics(model, one).plan().grain;
      }
    }));
    c.broadcast(options);
    c.broadcast(how);
    const int count = shares.own().count;
    twice = count == 1 && columns > 1;
    const std::string fault = fault_of([&] {
      // a rank without columns is refused what others are refused
      own.emplace(model, twice ? 2 : columns > 0 ? std::max(1, count) : columns, options, how);
    });
    c.agree(fault);
    forces_ = [this](RolloutColumns& all) { give_forces(all); };
  }

  Status reset(const Eigen::Ref<const MatrixXd>& q, const Eigen::Ref<const MatrixXd>& v, double time) {
    const int count = shares.own().count;
    if (const Status sizes = fault_of_sizes({argument("q", boundary::input<double>(q).columns(), model.nq(), count),
                                             argument("v", boundary::input<double>(v).columns(), model.nv(), count)});
        !sizes.ok() || count == 0)
      return sizes;
    return twice ? own->reset(q.replicate(1, 2), v.replicate(1, 2), time) : own->reset(q, v, time);
  }

  Status step(double dt, const RolloutForces& forces, int steps) {
    if (shares.own().count == 0) return {};
    users_forces_ = &forces;
    return own->step(dt, forces ? forces_ : RolloutForces{}, steps);
  }

  std::span<const Status> statuses() const { return own->statuses().first(at(shares.own().count)); }

  Shares shares;
  Model model;
  bool twice = false;  ///< one of several columns goes by the kernels for several, as in mpi::Ensemble: twice
  std::optional<kinetree::Rollouts> own;

 private:
  /// The user's forces, for columns that the ensemble has.
  void give_forces(RolloutColumns& all) {
    const Eigen::Index n = twice ? 1 : all.q.cols();
    RolloutColumns columns{shares.own().first + all.first,
                           all.worker,
                           {all.time.data(), n},
                           {all.q.data(), all.q.rows(), n},
                           {all.v.data(), all.v.rows(), n},
                           {all.tau.data(), all.tau.rows(), n},
                           {all.f_ext.data(), all.f_ext.rows(), n}};
    (*users_forces_)(columns);
    if (!twice) return;
    all.tau.col(1) = all.tau.col(0);
    if (all.f_ext.rows() > 0) all.f_ext.col(1) = all.f_ext.col(0);
  }

  RolloutForces forces_;
  const RolloutForces* users_forces_ = nullptr;
};

Rollouts::Rollouts(MPI_Comm comm, Model model, int columns, const Options& options, const RolloutOptions& how)
    : implementation_(std::make_unique<Implementation>(comm, std::move(model), columns, options, how)) {}
Rollouts::~Rollouts() = default;
Rollouts::Rollouts(Rollouts&&) noexcept = default;
Rollouts& Rollouts::operator=(Rollouts&&) noexcept = default;

Status Rollouts::reset(const Eigen::Ref<const MatrixXd>& q, const Eigen::Ref<const MatrixXd>& v, double time) {
  return implementation_->reset(q, v, time);
}
Status Rollouts::step(double dt, const RolloutForces& forces, int steps) {
  return implementation_->step(dt, forces, steps);
}
Map<const MatrixXd> Rollouts::q() const {
  const auto all = implementation_->own->q();
  return {all.data(), all.rows(), shares().own().count};
}
Map<const MatrixXd> Rollouts::v() const {
  const auto all = implementation_->own->v();
  return {all.data(), all.rows(), shares().own().count};
}
Map<const VectorXd> Rollouts::time() const { return {implementation_->own->time().data(), shares().own().count}; }
std::span<const Status> Rollouts::statuses() const { return implementation_->statuses(); }
Status Rollouts::first_failed() const { return inner::first_failed(implementation_->shares, statuses()); }
const Shares& Rollouts::shares() const { return implementation_->shares; }
const Model& Rollouts::model() const { return implementation_->model; }

}  // namespace kinetree::mpi
