#include "bench/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

/// What to do about the system's reason.
const char* advice(int why) {
  switch (why) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "make room, or name a folder where there is some";
    case EACCES:
    case EPERM:
    case EROFS:
      return "name a folder that may be written";
    default:
      return "name another folder";
  }
}

[[noreturn]] void fail(const char* what, const fs::path& path, int why) {
  throw std::runtime_error(
      fmt::format("can't {} {}: {}; {}", what, path.string(), std::generic_category().message(why), advice(why)));
}

/// All of it, or the system's reason.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t taken = ::write(descriptor, text.data(), text.size());
    if (taken < 0 && errno != EINTR) return errno;
    if (taken > 0) text.remove_prefix(static_cast<std::size_t>(taken));
  }
  return 0;
}

/// A file of a name that no other has, in the folder of the one that it is to become, gone unless it took that name.
class Beside {
 public:
  explicit Beside(fs::path file) : file_(std::move(file)) {
    std::error_code error;
    if (fs::is_symlink(file_, error)) {  // what the link points to is replaced, not the link
      const fs::path target = fs::canonical(file_, error);
      if (!error) file_ = target;
    }
    struct stat old {};
    const bool exists = ::stat(file_.c_str(), &old) == 0;
    if (exists && ::access(file_.c_str(), W_OK) != 0) fail("write", file_, errno);
    if (exists && S_ISDIR(old.st_mode)) fail("write", file_, EISDIR);
    if (exists && !S_ISREG(old.st_mode)) {
      descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
      for (int k = 0; descriptor_ < 0 && (k == 0 || (errno == EEXIST && k < 100)); ++k) {
        part_ = file_;
        part_.replace_filename(fmt::format(".{}.{}.{}", file_.filename().string(), ::getpid(), k));
        descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      }
      if (descriptor_ < 0) part_.clear();
    }
    if (descriptor_ < 0) fail("write", file_, errno);
    if (exists && !part_.empty() && ::fchmod(descriptor_, old.st_mode & 07777) != 0) fail("write", file_, errno);
  }
  Beside(Beside&& other) noexcept
      : file_(std::move(other.file_)),
        part_(std::exchange(other.part_, {})),
        descriptor_(std::exchange(other.descriptor_, -1)) {}
  ~Beside() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!part_.empty()) ::unlink(part_.c_str());
  }

  /// On the disk, not only on its way: some systems say that they are full when a file is closed.
  void write(std::string_view text) {
    int why = write_all(descriptor_, text);
    if (why == 0 && !part_.empty() && ::fsync(descriptor_) != 0) why = errno;
    if (::close(std::exchange(descriptor_, -1)) != 0 && why == 0) why = errno;
    if (why != 0) fail("write", file_, why);
  }

  void take_name() {
    if (part_.empty()) return;
    if (::rename(part_.c_str(), file_.c_str()) != 0) fail("write", file_, errno);
    part_.clear();
  }

 private:
  fs::path file_, part_;
  int descriptor_ = -1;
};

}  // namespace

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) fail("make the folder", folder, error.value());
  Beside(folder / "kinetree.may.write").write("may this be written?\n");
}

void write_files(const std::vector<FileText>& files) {
  std::vector<Beside> parts;
  parts.reserve(files.size());
  for (const FileText& f : files) parts.emplace_back(f.file).write(f.text);
  for (Beside& part : parts) part.take_name();
}

void write_file(const fs::path& file, const std::string& text) { write_files({{file, text}}); }

void tell(const fs::path& file) { fmt::print("{}\n", fs::absolute(file).lexically_normal().string()); }

void write_and_tell(const fs::path& file, const std::string& text) {
  write_file(file, text);
  tell(file);
}

fs::path incomplete(const fs::path& file) {
  fs::path name = file.stem();
  name += ".incomplete";
  name += file.extension();
  return file.parent_path() / name;
}

GrowingFile::GrowingFile(fs::path file)
    : file_(std::move(file)),
      path_(incomplete(file_)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail("write", path_, errno);
}

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void GrowingFile::add(std::string_view text) {
  if (const int why = write_all(descriptor_, text); why != 0) fail("write", path_, why);
}

void GrowingFile::finish() {
  int why = ::fsync(descriptor_) != 0 ? errno : 0;
  if (::close(std::exchange(descriptor_, -1)) != 0 && why == 0) why = errno;
  if (why == 0 && ::rename(path_.c_str(), file_.c_str()) != 0) why = errno;
  if (why != 0) fail("write", file_, why);
  path_ = file_;
}

bool stdout_is_whole() {
  errno = 0;
  std::cout.flush();  // flushes stdout too
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && !std::ferror(stdout) && std::cout.good()) return true;
  fmt::print(stderr, "kinetree: stdout could not be written whole{}{}; the results are not all there\n",
             errno ? ": " : "", errno ? std::generic_category().message(errno) : "");
  return false;
}

}  // namespace kinetree::bench
