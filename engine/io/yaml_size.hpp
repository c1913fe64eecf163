#pragma once
// How large a YAML text is once its aliases are followed: a few thousand bytes may name billions of values.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// A limit that is passed, or an alias inside the value that it names.
class YamlTooLarge : public YAML::Exception {
 public:
  using YAML::Exception::Exception;
};

/// How much a document may hold, each alias counted as often as a reader would meet the value that it names.
struct YamlLimits {
  std::size_t values = 5'000'000, characters = 256u << 20;
};

/// Counts values and their characters, each alias as often as a reader would meet the value that it names. Nothing is
/// kept but sizes, so that a limit is found before memory is used.
class YamlSize : public YAML::EventHandler {
 public:
  explicit YamlSize(const YamlLimits& most = {}) : most_(most) {}

  /// Of the first document. Returns the line at which a second begins; 0: there is none, or an empty one behind the
  /// last mark. No third is counted, since yaml-cpp finds documents without end behind a comma that begins one. Throws
  /// YamlTooLarge, or YAML::Exception where the text is no YAML.
  static int check(const std::string& text, const YamlLimits& most = {}) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    YamlSize first(most), second(most), third(most);
    if (!parser.HandleNextDocument(first) || !parser.HandleNextDocument(second)) return 0;
    return second.empty_ && !parser.HandleNextDocument(third) ? 0 : second.line_;
  }

  void OnDocumentStart(const YAML::Mark& mark) override { line_ = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    empty_ = open_.empty();
    leaf(mark, anchor, 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& value) override {
    leaf(mark, anchor, value.size());
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (std::any_of(open_.begin(), open_.end(), [&](const Open& around) { return around.anchor == anchor; }))
      throw YamlTooLarge(mark, "has an alias inside the value that it names, which has no end; write that value out");
    if (anchor < named_.size()) add(mark, named_[anchor]);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Size {
    std::size_t values = 0, characters = 0;
  };
  struct Open {
    YAML::anchor_t anchor;
    Size before;
  };

  void leaf(const YAML::Mark& mark, YAML::anchor_t anchor, std::size_t characters) {
    add(mark, {1, characters});
    if (anchor != 0) name(anchor, {1, characters});
  }
  void open(const YAML::Mark& mark, YAML::anchor_t anchor) {
    open_.push_back({anchor, all_});
    add(mark, {1, 0});
  }
  void close() {
    const Open closed = open_.back();
    open_.pop_back();
    if (closed.anchor != 0)
      name(closed.anchor, {all_.values - closed.before.values, all_.characters - closed.before.characters});
  }
  void name(YAML::anchor_t anchor, const Size& size) {
    if (anchor >= named_.size()) named_.resize(anchor + 1);
    named_[anchor] = size;
  }
  void add(const YAML::Mark& mark, const Size& size) {
    all_.values += size.values;
    all_.characters += size.characters;
    const auto refuse = [&](std::size_t most, const char* of) {
      throw YamlTooLarge(mark, "has more than " + std::to_string(most) + of +
                                   ", aliases followed, which is the limit; make it smaller");
    };
    if (all_.values > most_.values) refuse(most_.values, " values");
    if (all_.characters > most_.characters) refuse(most_.characters, " characters in its values");
  }

  YamlLimits most_;
  int line_ = 0;        ///< where the document begins
  bool empty_ = false;  ///< whether nothing is in it
  Size all_;
  std::vector<Open> open_;
  std::vector<Size> named_;
};

}  // namespace kinetree::inline inner
