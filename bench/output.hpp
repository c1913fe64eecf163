#pragma once
// Files the command leaves. They are written beside their names and renamed, so that an older file stays whole until
// the new one is, and folders are known to take files before the work begins. Failures are std::runtime_errors that
// name the file, the system's reason and what to do.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::bench {

/// With all folders above it; a file is made in it and removed again, so that a folder which may not be written, or a
/// full disk, is found now. Throws std::runtime_error where that fails.
void make_folder(const std::filesystem::path& folder);

/// A file's name and all of its text.
struct FileText {
  std::filesystem::path file;
  std::string text;
};

/// Writes all of them beside their names, and renames them once all are whole; a device or a pipe is written as it
/// is. Throws std::runtime_error where one can't be written; files of these names then stay as they were.
void write_files(const std::vector<FileText>& files);
void write_file(const std::filesystem::path& file, const std::string& text);
/// The same, and prints its path.
void write_and_tell(const std::filesystem::path& file, const std::string& text);
/// Prints a file's full path.
void tell(const std::filesystem::path& file);

/// Where a result stands until it is whole: `out/results.json` -> `out/results.incomplete.json`.
std::filesystem::path incomplete(const std::filesystem::path& file);

/// A file that is written line by line while the work goes on, under its incomplete name, and takes its own name when
/// it is whole. What was added survives the end of the process, however it ends.
class GrowingFile {
 public:
  /// Starts empty; what stands under the incomplete name is replaced. Throws std::runtime_error.
  explicit GrowingFile(std::filesystem::path file);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  /// Hands the text to the system at once. Throws std::runtime_error where not all of it could be written.
  void add(std::string_view text);
  /// Gives the file its own name. Throws std::runtime_error.
  void finish();
  /// Where it stands now.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path file_, path_;
  int descriptor_;
};

/// Hands the system what was printed, and says on stderr why if not all of stdout was written: false.
bool stdout_is_whole();

}  // namespace kinetree::bench
