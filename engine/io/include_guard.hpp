#pragma once
// Files that a model's file names, opened one inside the other: none twice on the way in, and none without limit.

#include <cstddef>
#include <filesystem>
#include <kinetree/finding.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// A file that a document names.
struct Include {
  std::string written;         ///< as the document has it
  std::filesystem::path file;  ///< where it is found; empty: nowhere, which the library says by itself
  int line = 0;
  bool followed = true;  ///< false: an asset, which includes nothing
};

/// How much may be included.
struct IncludeLimits {
  std::size_t files = 1000;        ///< each counted as often as it is read
  std::size_t bytes = 256u << 20;  ///< of all of them
};

class IncludeGuard {
 public:
  /// `outermost`: the file that includes the others.
  IncludeGuard(const std::string& outermost, std::vector<Finding>& findings, const IncludeLimits& limits = {});

  /// The text of a file that `includer` includes, which is then the innermost one until leave() is called. False, with
  /// an error that names includer and line: it stands in itself; it is a folder, a device or a named FIFO; there are
  /// more includes than the limits allow, after which enough() holds and the rest need not be looked at: it would only
  /// repeat this.
  bool enter(const Include& include, const std::string& includer, std::string& text);
  void leave() { around_.pop_back(); }
  bool enough() const { return enough_; }

  void refuse(const Include& include, const std::string& includer, const std::string& message);

 private:
  bool stop(const Include& include, const std::string& includer, std::size_t most, const char* of);

  std::vector<Finding>& findings_;
  const IncludeLimits most_;
  std::vector<std::filesystem::path> around_;  ///< the files that the present one is included by, outermost first
  std::size_t files_ = 0, bytes_ = 0;
  bool enough_ = false;
};

}  // namespace kinetree::inline inner
