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
  // painting costs time of the next case
  if (now - last_shown_ < (terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10))) return;
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double left = done_ > 0 ? seconds * (total_ - done_) / done_ : 0;
  const std::string line =
      fmt::format("{:3.0f} %  {}  {:.0f} s, about {:.0f} s left", 100 * done_ / total_, what, seconds, left);
  terminal_ ? fmt::print(stderr, "\r\033[K{}", line) : fmt::print(stderr, "{}\n", line);
  std::fflush(stderr);
}

}  // namespace kinetree::bench
