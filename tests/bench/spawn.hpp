#pragma once
// The built command in a process of its own.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace kinetree::bench {

namespace fs = std::filesystem;

inline std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_text(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// A folder of the test's own, gone when it ends.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / ("kinetree_spawn_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Scratch() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// As a shell says: the exit status, or 128 and the signal that ended it.
inline int status_of(int waited) { return WIFEXITED(waited) ? WEXITSTATUS(waited) : 128 + WTERMSIG(waited); }

class Command {
 public:
  /// Starts `kinetree` with stdout and stderr in these files; an empty `out` closes stdout. `prepare` runs before it in
  /// its process.
  Command(
      std::vector<std::string> arguments, const fs::path& out, const fs::path& err,
      const std::function<void()>& prepare = [] {}) {
    std::vector<char*> words;
    arguments.insert(arguments.begin(), KINETREE_COMMAND);
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    child_ = fork();
    if (child_ != 0) return;
    prepare();
    const int error = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int output = out.empty() ? -1 : ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(error, STDERR_FILENO);
    out.empty() ? ::close(STDOUT_FILENO) : ::dup2(output, STDOUT_FILENO);
    ::execv(words[0], words.data());
    ::_exit(126);
  }
  void signal(int number) const { ::kill(child_, number); }
  int wait() const {
    int waited = 0;
    ::waitpid(child_, &waited, 0);
    return status_of(waited);
  }
  /// Waits until this is so; false: the command ended before, or a minute went by.
  bool reaches(const std::function<bool()>& so) const {
    for (int k = 0; k < 60000; ++k) {
      if (so()) return true;
      siginfo_t ended{};
      if (::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0)
        return so();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

 private:
  pid_t child_ = 0;
};

/// A test's command, run in its own folder; by signal number where it is to be interrupted.
class InterruptedCommand : public testing::TestWithParam<int> {
 protected:
  /// Its exit status; what it said on stderr is in err_.
  int kinetree(
      const std::vector<std::string>& arguments, const std::function<void()>& prepare = [] {}) {
    return ended(Command(arguments, folder_ / "out", folder_ / "err", prepare));
  }
  /// The same of one that gets the signal once `ready` says so.
  int interrupted(const std::vector<std::string>& arguments, const std::function<bool()>& ready, int signal) {
    const Command command(arguments, folder_ / "out", folder_ / "err");
    EXPECT_TRUE(command.reaches(ready)) << text_of(folder_ / "err");
    command.signal(signal);
    return ended(command);
  }

  const Scratch folder_;
  std::string err_;

 private:
  int ended(const Command& command) {
    const int status = command.wait();
    err_ = text_of(folder_ / "err");
    return status;
  }
};

}  // namespace kinetree::bench
