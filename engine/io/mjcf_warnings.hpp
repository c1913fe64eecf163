#pragma once
// MuJoCo's warnings as texts: by itself it prints them to stdout and adds them to MUJOCO_LOG.TXT in the folder that the
// process works in, and errors end the process.

#include <stdexcept>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// Thrown out of a call of MuJoCo that can't go on, while a MujocoWarnings lives on this thread.
class MujocoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While it lives, it keeps MuJoCo's warnings of this thread, each text once. Its destructor restores the handlers of
/// warnings and errors that were set before. A process has one handler of each, so only one object may live at a time.
/// Warnings of other threads go to the handler that was set before, or to stderr where there was none.
class MujocoWarnings {
 public:
  MujocoWarnings();
  ~MujocoWarnings();
  MujocoWarnings(const MujocoWarnings&) = delete;
  MujocoWarnings& operator=(const MujocoWarnings&) = delete;
  const std::vector<std::string>& said() const { return said_; }

 private:
  static void warn(const char* text);
  static void fail(const char* text);

  std::vector<std::string> said_;
};

}  // namespace kinetree::inline inner
