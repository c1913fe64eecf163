#include "engine/model/file_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

namespace kinetree::inline inner {

namespace {

/// The number of the descriptor that `-`, /dev/stdin or /dev/fd/N names; -1 for the name of a file.
int opened_already(std::string_view name) {
  if (name == "-" || name == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (name.substr(0, folder.size()) != folder) continue;
    int number = -1;
    const char* const end = name.data() + name.size();
    const auto [last, error] = std::from_chars(name.data() + folder.size(), end, number);
    if (error == std::errc() && last == end) return number;
  }
  return -1;
}

/// An open file, closed at the end.
class Opened {
 public:
  explicit Opened(int descriptor) : descriptor_(descriptor) {}
  ~Opened() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Reads on until the end or beyond `most` bytes; what went wrong, or 0.
int read_all(int descriptor, std::size_t most, std::string& text) {
  std::array<char, 1 << 16> piece;
  while (text.size() <= most) {
    const ssize_t count = ::read(descriptor, piece.data(), piece.size());
    if (count == 0) return 0;
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
  }
  return 0;
}

/// Why the file can't be read, or nothing and its text.
std::string fault(const std::filesystem::path& file, const FileRules& rules, std::string& text) {
  const auto because = [&](int error) {
    return std::string("can't be read (") + std::strerror(error) + "); " + rules.advice;
  };
  if (file.empty()) return "no file name was given; " + rules.advice;
  struct ::stat status {};
  const int given = opened_already(file.native());
  // named files are looked at before they are opened: to open a FIFO waits for a writer, and to open a device may act
  if (given < 0 && ::stat(file.c_str(), &status) != 0)
    return errno == ENOENT ? "does not exist; " + rules.advice : because(errno);
  if (given < 0 && !S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode))
    return "is no ordinary file but a device, a socket or a named FIFO; " + rules.advice +
           ", or /dev/stdin to read from a pipe";
  const Opened opened(given >= 0 ? ::dup(given) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (opened.descriptor() < 0 || ::fstat(opened.descriptor(), &status) != 0) return because(errno);
  if (S_ISDIR(status.st_mode)) return "is a folder; " + rules.advice;
  if (const int error = read_all(opened.descriptor(), rules.most_bytes, text)) return because(error);
  if (text.size() > rules.most_bytes)
    return "has more than " + std::to_string(rules.most_bytes) + " bytes, which is the limit; " + rules.advice;
  return {};
}

}  // namespace

std::string file_text(const std::filesystem::path& file, const FileRules& rules, std::vector<Finding>& findings) {
  std::string text, why = fault(file, rules, text);
  if (why.empty()) return text;
  findings.push_back({Severity::error, file.string(), 0, rules.element, std::move(why)});
  return {};
}

std::string file_text(const std::filesystem::path& file, const FileRules& rules) {
  std::vector<Finding> findings;
  std::string text = file_text(file, rules, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  return text;
}

}  // namespace kinetree::inline inner
