#pragma once
// A generated family at other sizes: the number in its text that makes more bodies of the same kind.

#include <optional>
#include <string>

namespace kinetree::bench {

/// The family that a text names. Its size is N of `chain:N`, A of `star:AxN`, D of `tree:BxD`.
class FamilySize {
 public:
  /// Throws InputError where the text names no family, or a wrong one.
  explicit FamilySize(const std::string& source);

  /// "chain:N", "star:Nx3", "tree:2xN", "random:N:seed=1".
  std::string form() const { return before_ + "N" + after_; }
  std::string with(int size) const { return before_ + std::to_string(size) + after_; }
  int bodies() const { return bodies_; }
  /// At another size; nothing where that is beyond the bodies that a family may have.
  std::optional<int> bodies_with(int size) const;

  /// The least size with so many bodies; nothing beyond the sizes that there are.
  std::optional<int> least_size(double bodies) const;

  /// The text with so many times the bodies, within a tenth; nothing where no size has.
  std::optional<std::string> times(int factor) const;

 private:
  std::string before_, after_;
  int bodies_ = 0;
};

}  // namespace kinetree::bench
