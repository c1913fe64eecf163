// Files the command leaves: whole or not at all, and the reason where not.

#include "bench/output.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include "bench/spawn.hpp"

namespace kinetree::bench {
namespace {

/// A folder of the test's own, gone when it ends.
class Output : public testing::Test {
 protected:
  Output() : folder_(fs::temp_directory_path() / ("kinetree_output_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Output() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  auto files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  const fs::path folder_;
};

std::string complaint(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// What `work` complains of in a process of its own, which may lose rights and room.
std::string complaint_elsewhere(const std::function<void()>& before, const std::function<void()>& work) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    before();
    const std::string text = complaint(work);
    const ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return text;
}

void without_rights() {
  if (geteuid() == 0 && (setegid(65534) != 0 || seteuid(65534) != 0)) _exit(2);
}

/// No file may grow beyond 1000 bytes: what a full disk does, but for the number of the error.
void without_room() {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1000, 1000};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
}

TEST_F(Output, AnOlderFileStaysWholeWhereTheNewOneCannotBe) {
  write_files({{folder_ / "a", "older a"}, {folder_ / "b", "older b"}});
  const std::string why = complaint_elsewhere(without_room, [&] {
    write_files({{folder_ / "a", "newer a"}, {folder_ / "b", std::string(100000, 'b')}});
  });
  EXPECT_NE(why.find((folder_ / "b").string() + ": File too large"), std::string::npos) << why;
  EXPECT_NE(why.find("make room"), std::string::npos) << why;
  EXPECT_EQ(text_of(folder_ / "a"), "older a") << "one of them alone would not go with the other";
  EXPECT_EQ(text_of(folder_ / "b"), "older b");
  EXPECT_EQ(files(), 2) << "nothing else is left";
}

TEST_F(Output, FilesAreReplacedAndKeepTheirRightsAndLinks) {
  write_file(folder_ / "a", "older");
  fs::permissions(folder_ / "a", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(folder_ / "a", folder_ / "link");
  write_file(folder_ / "link", "newer");
  EXPECT_EQ(text_of(folder_ / "a"), "newer");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(fs::status(folder_ / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Output, SaysWhyAFileCannotBeWritten) {
  const std::string full = complaint([] { write_file("/dev/full", "text"); });
  EXPECT_NE(full.find("can't write /dev/full: No space left on device"), std::string::npos) << full;
  const std::string folder = complaint([&] { write_file(folder_, "text"); });
  EXPECT_NE(folder.find("Is a directory"), std::string::npos) << folder;
}

TEST_F(Output, AFolderThatMayNotBeWrittenIsKnownBeforeTheWork) {
  make_folder(folder_ / "new" / "deep");
  EXPECT_TRUE(fs::is_directory(folder_ / "new" / "deep"));
  EXPECT_TRUE(fs::is_empty(folder_ / "new" / "deep")) << "what tried it is gone";
  fs::permissions(folder_,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  const std::string why = complaint_elsewhere(without_rights, [&] { make_folder(folder_); });
  EXPECT_NE(why.find("Permission denied; name a folder that may be written"), std::string::npos) << why;
  fs::permissions(folder_, fs::perms::owner_all);
  write_file(folder_ / "file", "text");
  const std::string file = complaint([&] { make_folder(folder_ / "file"); });
  EXPECT_NE(file.find("Not a directory"), std::string::npos) << file;
}

TEST_F(Output, AGrowingFileStandsUnderItsIncompleteNameUntilItIsWhole) {
  const fs::path file = folder_ / "trajectory.csv", part = folder_ / "trajectory.incomplete.csv";
  EXPECT_EQ(incomplete(file), part);
  write_file(file, "older");
  {
    GrowingFile growing(file);
    growing.add("one\n");
    EXPECT_EQ(text_of(part), "one\n") << "what was added is with the system already";
  }
  EXPECT_EQ(text_of(part), "one\n") << "what was not finished stays";
  EXPECT_EQ(text_of(file), "older");
  GrowingFile growing(file);
  growing.add("two\n");
  growing.finish();
  EXPECT_EQ(text_of(file), "two\n");
  EXPECT_FALSE(fs::exists(part));
  const std::string why = complaint_elsewhere(without_room, [&] { GrowingFile(file).add(std::string(5000, 'x')); });
  EXPECT_NE(why.find("File too large"), std::string::npos) << why;
}

}  // namespace
}  // namespace kinetree::bench
