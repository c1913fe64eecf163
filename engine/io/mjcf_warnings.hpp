#pragma once
// MuJoCo's warnings as texts: by itself it prints them to stdout and adds them to MUJOCO_LOG.TXT in the folder that the
// process works in, and errors end the process.

#include <stdexcept>
#include <string>
#include <vector>

namespace kinetree {

/// Thrown out of a call of MuJoCo that can't go on, while a MujocoWarnings lives on this thread.
class MujocoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While it lives, what MuJoCo warns of on this thread is kept, each text once; then what took warnings and errors
/// before takes them again. MuJoCo has one place for both in a process: one at a time. What other threads warn of
/// meanwhile goes to whoever took it before, or to stderr.
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

}  // namespace kinetree
