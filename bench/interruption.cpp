#include "bench/interruption.hpp"

#include <array>
#include <csignal>
#include <cstddef>

namespace kinetree::bench {
namespace {

constexpr std::array<int, 3> watched{SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t received = 0;
std::array<struct sigaction, watched.size()> before;

/// The next signal, of any kind, does what it would have done.
void note(int signal) {
  received = signal;
  for (std::size_t i = 0; i < watched.size(); ++i) sigaction(watched[i], &before[i], nullptr);
}

}  // namespace

Interruption::Interruption() {
  received = 0;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(watched[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < watched.size(); ++i) sigaction(watched[i], &before[i], nullptr);
}

int Interruption::signal() const { return received; }

const char* Interruption::name() const {
  return received == SIGINT ? "SIGINT" : received == SIGTERM ? "SIGTERM" : received == SIGHUP ? "SIGHUP" : "no signal";
}

}  // namespace kinetree::bench
