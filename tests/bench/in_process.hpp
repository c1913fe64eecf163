#pragma once
// The command, run in this process: what it prints, and its exit status.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/command.hpp"

namespace kinetree::bench {

struct Ended {
  int status;
  std::string out, err;
};

inline Ended command(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "kinetree");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = run_command(static_cast<int>(arguments.size()), arguments.data());
  std::fflush(stdout);
  return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

/// A file with this text, gone when the test ends.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_((std::filesystem::temp_directory_path() / ("kinetree_" + std::to_string(::getpid()) + "_" + name))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

}  // namespace kinetree::bench
