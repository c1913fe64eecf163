#include "bench/sweep/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace kinetree::bench {

using std::chrono::steady_clock;

Progress::Progress(double total)
    : total_(total), terminal_(isatty(STDERR_FILENO) != 0), start_(steady_clock::now()), last_shown_(start_) {}

Progress::~Progress() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::advance(double work, const std::string& what) {
  done_ = std::min(total_, done_ + work);
  const auto now = steady_clock::now();
  if (!terminal_ || now - last_shown_ < std::chrono::milliseconds(200)) return;  // painting costs time of the next case
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double left = done_ > 0 ? seconds * (total_ - done_) / done_ : 0;
  fmt::print(stderr, "\r\033[K{:3.0f} %  {}  {:.0f} s, about {:.0f} s left", 100 * done_ / total_, what, seconds, left);
  std::fflush(stderr);
}

}  // namespace kinetree::bench
