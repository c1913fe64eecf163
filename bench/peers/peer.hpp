#pragma once
// What a peer is: a function of somebody else's library behind kinetree's states and results.

#include <Eigen/Core>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/function.hpp"
#include "bench/peers/mechanism.hpp"

namespace kinetree::peers {

/// One state, as kinetree has it.
struct State {
  const double *q, *v;
  const double* given;  ///< nv: joint forces of forward dynamics, accelerations of inverse dynamics
};

/// One function of one library, on one mechanism.
class Peer {
 public:
  virtual ~Peer() = default;
  /// What is timed: from one state to its result, wherever and in whichever layout the library keeps it, by the
  /// shortest way that the library's public interface has, setting the state included.
  virtual void compute(const State& state) = 0;
  /// What is not timed: the result of the last `compute`, of this state, as Function has it. `result` begins as zeros.
  virtual void read(const State& state, double* result) = 0;
};

/// A function as a library has it, or why it has none.
struct Offer {
  std::string path;  ///< what is called
  /// Throws std::runtime_error where the library can't hold the mechanism.
  std::unique_ptr<Peer> (*make)(const Mechanism&) = nullptr;
  std::string refusal;  ///< where there is no `make`
};

template <class P>
Offer offer(const char* path) {
  return {path, [](const Mechanism& m) -> std::unique_ptr<Peer> { return std::make_unique<P>(m); }, {}};
}
inline Offer lacks(const char* refusal) { return {"", nullptr, refusal}; }

/// A library that this program was built with.
struct PeerKind {
  std::string name;
  std::string version;
  std::string package;               ///< Debian's
  double tolerance;                  ///< most relative difference of a result
  std::map<Function, Offer> offers;  ///< one of every function
};

/// Filled by one Registration in each peer's file: which of them are linked, CMake decides.
std::vector<PeerKind>& peer_kinds();

struct Registration {
  explicit Registration(PeerKind kind) { peer_kinds().push_back(std::move(kind)); }
};

}  // namespace kinetree::peers
