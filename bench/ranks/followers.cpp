#include "bench/ranks/followers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <kinetree/mpi/error.hpp>
#include <string>
#include <utility>

#include "bench/ranks/asleep.hpp"
#include "bench/ranks/binding.hpp"
#include "bench/ranks/measured_messages.hpp"
#include "bench/ranks/predicted_ranks.hpp"
#include "bench/ranks/world.hpp"
#include "engine/scalar/index.hpp"
#include "mpi/predicted_ns.hpp"

namespace kinetree::bench {
namespace {

/// All ranks: of rank 0. The others sleep until it comes.
void broadcast(Order& order) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&order, sizeof order, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  own_rank() == 0 ? static_cast<void>(MPI_Wait(&request, MPI_STATUS_IGNORE)) : complete_asleep(request);
}

/// Rank 0's side of a case over ranks.
class CaseOverRanks : public PreparedCase {
 public:
  CaseOverRanks(RankCases& cases, int number) : cases_(cases), number_(number), own_(*cases.find(number)) {}
  ~CaseOverRanks() override {
    Order order{.kind = Order::Kind::drop, .number = number_};
    broadcast(order);
    cases_.drop(number_);
  }

  std::function<bool()> call() override {
    return [&own = own_] { return own.solve_next(); };
  }
  void begin(std::int64_t calls) override {
    Order order{.kind = Order::Kind::solve, .number = number_, .calls = calls};
    broadcast(order);
  }
  Eigen::MatrixXd first_answers(Eigen::Index count, std::string& why) override {
    Order order{.kind = Order::Kind::answer, .number = number_, .calls = count};
    broadcast(order);
    return own_.first_answers(count, why);
  }
  const Plan& plan() const override { return own_.plan(); }
  int modules() const override { return 0; }
  int cut_joints() const override { return own_.cuts(); }

 private:
  RankCases& cases_;
  int number_;
  RankCase& own_;
};

}  // namespace

Surroundings look_around() {
  Surroundings around{measured_messages(MPI_COMM_WORLD), machines_of(MPI_COMM_WORLD), {}};
  const std::string binding = binding_in_words(MPI_COMM_WORLD);
  if (own_rank() == 0 && !binding.empty())
    fmt::print(stderr, "kinetree: warning: cases on several threads of one process are slow: {}\n", binding);
  around.context = ranks_context(MPI_COMM_WORLD, around.messages);
  return around;
}

// ---- every rank -----------------------------------------------------------------------------------------------------

RankCases::~RankCases() {
  cases_.clear();
  for (auto& [size, group] : groups_)
    if (group != MPI_COMM_NULL) MPI_Comm_free(&group);
}

MPI_Comm RankCases::first_ranks(int count) {
  const auto [group, is_new] = groups_.emplace(count, MPI_COMM_NULL);
  if (is_new) MPI_Comm_split(MPI_COMM_WORLD, own_rank() < count ? 0 : MPI_UNDEFINED, own_rank(), &group->second);
  return group->second;
}

void RankCases::make(const Order& order, const Model& model, const Options& options,
                     std::shared_ptr<const StateSet> states) {
  const MPI_Comm group = first_ranks(order.ranks);
  if (group != MPI_COMM_NULL)
    cases_[order.number] = std::make_unique<RankCase>(group, model, options, order.batch, std::move(states));
}

RankCase* RankCases::find(int number) const {
  const auto found = cases_.find(number);
  return found == cases_.end() ? nullptr : found->second.get();
}

// ---- rank 0 ---------------------------------------------------------------------------------------------------------

Followers::Followers() : around_(look_around()) {}

Followers::~Followers() {
  Order order{.kind = Order::Kind::end};
  broadcast(order);
}

std::unique_ptr<PreparedCase> Followers::prepare(const Case& c, const Model& model, const StateSet& states) {
  Order order{.kind = Order::Kind::make,
              .number = next_++,
              .ranks = c.ranks,
              .model = static_cast<int>(c.model),
              .batch = c.batch,
              .states = states.count()};
  broadcast(order);
  cases_.make(order, model, c.options, {std::shared_ptr<const StateSet>(), &states});  // which outlives the case
  return std::make_unique<CaseOverRanks>(cases_, order.number);
}

std::optional<double> Followers::predicted_ns(const Model& model, const Case& c, const Plan& plan,
                                              const Calibration& calibration) const {
  if (c.batch > 1 || plan.one_threads > 1) return std::nullopt;
  Calibration measured = calibration;
  measured.messages = around_.messages;
  return predicted_over_ranks(model, plan, {c.ranks, on_this_machine(c.ranks)}, measured);
}

int Followers::on_this_machine(int ranks) const {
  const std::vector<int>& machines = around_.machines;
  return static_cast<int>(std::count(machines.begin(), machines.begin() + ranks, machines[0]));
}

// ---- the others -----------------------------------------------------------------------------------------------------

void follow(std::uint64_t seed, const std::vector<LoadedModel>& models) try {
  look_around();  // as rank 0 does
  RankCases cases;
  std::shared_ptr<const StateSet> states;  // of the model and number that follow
  int drawn_of = -1;
  for (;;) {
    Order order;
    broadcast(order);
    if (order.kind == Order::Kind::end) return;
    if (order.kind == Order::Kind::make) {
      const Model& model = models.at(at(order.model)).model;
      if (own_rank() < order.ranks && (!states || drawn_of != order.model || states->count() != order.states)) {
        states = std::make_shared<const StateSet>(random_states(model, order.states, seed));
        drawn_of = order.model;
      }
      try {
        cases.make(order, model, {}, states);
      } catch (const mpi::Error&) {  // which rank 0 has, too
      }
    }
    RankCase* own = cases.find(order.number);
    if (own == nullptr) continue;
    std::string why;
    if (order.kind == Order::Kind::solve)
      for (std::int64_t k = 0; k < order.calls; ++k) own->solve_next();
    if (order.kind == Order::Kind::answer) own->first_answers(order.calls, why);
    if (order.kind == Order::Kind::drop) cases.drop(order.number);
  }
} catch (const std::exception& error) {
  abort_all_ranks(error.what());
}

}  // namespace kinetree::bench
