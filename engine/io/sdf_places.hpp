#pragma once
// Where the elements of an SDFormat file stand. Lines of included files go on behind those of the file itself, as a
// description has them (included_lines.hpp).

#include <tinyxml2.h>

#include <kinetree/description.hpp>
#include <map>
#include <sdf/Element.hh>
#include <string>
#include <utility>
#include <vector>

namespace kinetree::inline inner {

class SdfPlaces {
 public:
  /// Notes the file itself, then each file that it includes, which may come several times. A URDF has no lines: the
  /// elements are those of a text that libsdformat makes of it.
  void note(const tinyxml2::XMLElement& root, const std::string& file);

  /// Elements of `copy` are those of `file`, line by line.
  void note_copy(const std::string& copy, const std::string& file) { originals_[copy] = file; }

  /// The line of an element, or that of a file's own line; 0: unknown.
  int line_of(const sdf::ElementPtr& element) const;
  int line_in(const std::string& file, int line) const;
  /// Of an element with this tag and name, in the first included file that has one, the last; 0: there is none.
  int line_of(const std::string& tag, const std::string& name) const;

  /// The included file that an element stands in, as it was found; empty: in the file itself.
  std::string file_of(const sdf::ElementPtr& element) const;

  const std::vector<IncludedFile>& included() const { return included_; }

 private:
  std::string original(const std::string& file) const;

  std::vector<IncludedFile> included_;
  std::map<std::string, int> before_;  ///< of included files
  std::map<std::string, std::string> originals_;
  std::map<std::pair<std::string, std::string>, int> named_;
  int lines_ = 0;
  bool outermost_ = true;  ///< is still to come
};

}  // namespace kinetree::inline inner
