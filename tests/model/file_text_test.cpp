// Files that a user names: ordinary ones and what the caller has opened are read, all else is refused and never waited
// for.
#include "engine/model/file_text.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace kinetree {
namespace {

namespace fs = std::filesystem;

class FileText : public testing::Test {
 protected:
  FileText() { fs::create_directories(folder_); }
  ~FileText() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& file, std::size_t most = 1000) {
    return file_text(file, {.element = "thing", .advice = "give a thing", .most_bytes = most});
  }
  static std::string refusal(const fs::path& file, std::size_t most = 1000) {
    try {
      read(file, most);
    } catch (const InputError& error) {
      return error.what();
    }
    return "was read";
  }
  /// The reading end of a pipe that holds a text and is closed behind it.
  static int pipe_with(const std::string& text) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
    return ends[0];
  }

  fs::path folder_ = fs::temp_directory_path() / ("kinetree_file_text_" + std::to_string(::getpid()));
};

TEST_F(FileText, OrdinaryFilesAreReadToTheLastByte) {
  const std::string bytes("a\0b\r\n\xff", 6);
  std::ofstream(folder_ / "file", std::ios::binary) << bytes;
  EXPECT_EQ(read(folder_ / "file"), bytes);
  EXPECT_EQ(read(folder_ / "file", 6), bytes);
  fs::create_symlink(folder_ / "file", folder_ / "link");
  EXPECT_EQ(read(folder_ / "link"), bytes);
}

TEST_F(FileText, RefusalsNameTheFileTheElementAndTheRule) {
  const std::string name = (folder_ / "none").string();
  EXPECT_EQ(refusal(folder_ / "none"), name + ": error: thing: does not exist; give a thing");
  EXPECT_EQ(refusal(folder_), folder_.string() + ": error: thing: is a folder; give a thing");
  EXPECT_NE(refusal("/dev/zero").find("/dev/zero: error: thing: is no ordinary file but a device"), std::string::npos);
  std::ofstream(folder_ / "long") << std::string(1001, 'x');
  EXPECT_NE(refusal(folder_ / "long").find("has more than 1000 bytes, which is the limit"), std::string::npos);
}

TEST_F(FileText, ANamedFifoIsRefusedRatherThanWaitedFor) {
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_NE(refusal(folder_ / "fifo").find("is no ordinary file"), std::string::npos);
}

TEST_F(FileText, PipesThatTheCallerOpenedAreRead) {
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const int end = pipe_with("through a pipe");
    EXPECT_EQ(read(folder + std::to_string(end)), "through a pipe");
    ::close(end);
  }
  const int before = ::dup(STDIN_FILENO);
  for (const char* name : {"-", "/dev/stdin"}) {
    const int end = pipe_with("through stdin");
    ::dup2(end, STDIN_FILENO);
    ::close(end);
    EXPECT_EQ(read(name), "through stdin");
  }
  ::dup2(before, STDIN_FILENO);
  ::close(before);
}

TEST_F(FileText, AnOpenedFolderOrAnEndlessStreamIsRefusedToo) {
  const int folder = ::open(folder_.c_str(), O_RDONLY), endless = ::open("/dev/zero", O_RDONLY);
  EXPECT_NE(refusal("/dev/fd/" + std::to_string(folder)).find("is a folder"), std::string::npos);
  EXPECT_NE(refusal("/dev/fd/" + std::to_string(endless)).find("more than 1000 bytes"), std::string::npos);
  ::close(folder);
  ::close(endless);
  EXPECT_NE(refusal("/dev/fd/" + std::to_string(endless)).find("can't be read"), std::string::npos);
}

}  // namespace
}  // namespace kinetree
