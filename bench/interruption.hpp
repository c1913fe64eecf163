#pragma once
// Long work that can be interrupted: it stops at its next whole step and leaves what it has.

namespace kinetree::bench {

/// While one lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process; a second one ends it at once.
/// A signal that was ignored (nohup) stays so. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that came; 0: none.
  int signal() const;
  /// "SIGINT", "SIGTERM", "SIGHUP".
  const char* name() const;
  /// As shells have it: 128 and the signal.
  int exit_status() const { return 128 + signal(); }
};

}  // namespace kinetree::bench
