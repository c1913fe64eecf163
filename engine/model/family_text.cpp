#include "engine/model/family_text.hpp"

#include <algorithm>
#include <cmath>
#include <kinetree/finding.hpp>
#include <kinetree/joint_type.hpp>
#include <kinetree/model.hpp>
#include <optional>
#include <vector>

#include "engine/model/out_of_memory.hpp"
#include "engine/model/slips.hpp"
#include "engine/scalar/number_from.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree {
inline namespace inner {
namespace {

constexpr double most_bodies = 2e7, countless = 1e15;

struct Form {
  std::string_view word, form;
  bool two_sizes;
};
constexpr Form forms[] = {
    {"chain", "chain:N[:ratio=R][:joints=TYPE][:armature=A]", false},
    {"tree", "tree:BxD[:ratio=R][:joints=TYPE][:armature=A]", true},
    {"star", "star:AxN[:ratio=R][:joints=TYPE][:armature=A]", true},
    {"comb", "comb:N[:ratio=R][:joints=TYPE][:armature=A]", false},
    {"rope", "rope:N[:dummy=KG][:payload=KG][:joints=spherical]", false},
    {"random", "random:N:seed=K[:floating=0|1][:ratio=R][:branching=B][:joints=mixed|TYPE][:special=0|1]", false},
    {"geared", "geared:N[:rotors=bodies|armature|none]", false},
    {"fourbars", "fourbars:N[:comb=0|1]", false},
    {"ring", "ring:N", false},
};

template <class T>
bool parse(std::string_view text, T& value) {
  const std::optional<T> number = number_from<T>(text);
  if (number) value = *number;
  return number.has_value();
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

const Form* form_of(std::string_view text) {
  for (const Form& form : forms)
    if (text.size() > form.word.size() && text.substr(0, form.word.size()) == form.word &&
        text[form.word.size()] == ':')
      return &form;
  return nullptr;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  FamilyText run() {
    const Form* form = form_of(text_);
    if (!form) {
      std::string all;
      std::vector<std::string_view> words;
      for (const Form& f : forms) {
        all += (all.empty() ? "" : ", ") + std::string(f.form);
        words.push_back(f.word);
      }
      say("names no family" + if_meant(text_.substr(0, text_.find(':')), words) + "; families are " + all);
    } else {
      family_.word = form->word;
      expected_ = "; expected " + std::string(form->form);
      const auto parts = split(text_, ':');
      sizes(parts[1], form->two_sizes);
      for (std::size_t k = 2; k < parts.size(); ++k) parameter(parts[k]);
      if (form->word == "random" && !given("seed")) say("has no seed" + expected_);
      if (form->word == "rope" && given("dummy") && given("joints"))
        say("dummy has no use with ball joints, which need no dummy links; leave it out" + expected_);
      if (form->word == "ring" && findings_.empty() && first_ < 3)
        say("has " + number_text(first_) + " links beside the ground; fewer than 3 can't move" + expected_);
      if (findings_.empty()) count();
    }
    if (!findings_.empty()) throw InputError(std::move(findings_));
    return family_;
  }

 private:
  void say(std::string message) {
    findings_.push_back(
        {Severity::error, std::string(text_), 0, "family \"" + std::string(text_) + "\"", std::move(message)});
  }

  /// A whole number >= 1, which may be more than an int holds.
  static bool size(std::string_view text, double& value) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
    value = number_from<double>(text).value_or(countless);
    return value >= 1;
  }

  void sizes(std::string_view part, bool two) {
    const std::size_t x = two ? part.find('x') : std::string_view::npos;
    bool good = two == (x != std::string_view::npos) && size(part.substr(0, x), first_);
    if (two) good = good && size(part.substr(x + 1), second_);
    if (!good)
      say("size \"" + std::string(part) + "\" is not " +
          (two ? "two whole numbers >= 1 with an x between" : "a whole number >= 1") + expected_);
  }

  void parameter(std::string_view part) {
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1);
    const bool random = family_.word == "random", geared = family_.word == "geared", rope = family_.word == "rope";
    const bool fourbars = family_.word == "fourbars", ring = family_.word == "ring";
    const bool tree = !geared && !rope && !fourbars && !ring;
    const auto is_wrong = [&](const char* rule) {
      say("parameter \"" + std::string(part) + "\": " + std::string(key) + " takes " + rule + expected_);
    };
    const auto is_mass = [&](double& kilograms) {
      if (!parse(value, kilograms) || !std::isfinite(kilograms) || kilograms < 0) is_wrong("a mass >= 0 in kg");
    };
    if (given(key)) say("parameter \"" + std::string(key) + "\" is given twice" + expected_);
    given_.push_back(key);
    if (tree && key == "ratio") {
      if (!parse(value, family_.ratio) || !std::isfinite(family_.ratio) || family_.ratio < 1) is_wrong("a number >= 1");
    } else if (tree && key == "joints") {
      family_.joints = value;
      const auto type = joint_type_named(value);
      if (!(random && value == "mixed") && (!type || *type == JointType::fixed))
        is_wrong("the name of a movable joint type");
    } else if (tree && !random && key == "armature") {
      if (!parse(value, family_.armature) || !std::isfinite(family_.armature) || family_.armature < 0)
        is_wrong("an inertia >= 0 in kg m²");
    } else if (fourbars && key == "comb") {
      if (value != "0" && value != "1") is_wrong("0 or 1");
      family_.comb = value == "1";
    } else if (rope && key == "dummy") {
      is_mass(family_.dummy);
    } else if (rope && key == "payload") {
      is_mass(family_.payload);
    } else if (rope && key == "joints") {
      family_.joints = value;
      if (value != "spherical") is_wrong("spherical, or is left out");
    } else if (random && key == "seed") {
      if (!parse(value, family_.seed)) is_wrong("a whole number >= 0");
    } else if (random && key == "branching") {
      if (!parse(value, family_.branching) || family_.branching < 1) is_wrong("a whole number >= 1");
    } else if (random && (key == "floating" || key == "special")) {
      if (value != "0" && value != "1") is_wrong("0 or 1");
      (key == "floating" ? family_.floating : family_.special) = value == "1";
    } else if (geared && key == "rotors") {
      family_.rotors = value;
      if (value != "bodies" && value != "armature" && value != "none") is_wrong("bodies, armature or none");
    } else {
      say("parameter \"" + std::string(part) + "\" is unknown" + expected_);
    }
  }

  bool given(std::string_view key) const { return std::find(given_.begin(), given_.end(), key) != given_.end(); }

  void count() {
    double bodies = first_;
    if (family_.word == "star") bodies *= second_;
    if (family_.word == "comb" || family_.comb) bodies *= 1 + std::ceil(std::log2(first_));
    if (family_.word == "geared" && (family_.rotors.empty() || family_.rotors == "bodies")) bodies *= 2;
    if (family_.word == "fourbars") bodies *= 3;
    if (family_.word == "rope" && family_.joints.empty()) bodies *= 3;
    if (family_.word == "tree") {
      double level = 1;
      bodies = first_ > 1 ? 0 : second_;
      for (double k = 0; first_ > 1 && k < second_ && bodies < countless; ++k) bodies += level, level *= first_;
    }
    if (bodies > most_bodies) {
      const std::string over = bodies < countless ? "" : "more than ";
      bodies = std::min(bodies, countless);
      return say("makes " + over + number_text(bodies) + " bodies, which take " + over +
                 number_text(bodies * bytes_of_a_body / 1e9, 2) +
                 " GB of memory; 20 million bodies are the most, with " +
                 number_text(most_bodies * bytes_of_a_body / 1e9, 2) + " GB; give smaller sizes" + expected_);
    }
    family_.first = static_cast<int>(first_), family_.second = static_cast<int>(second_);
    family_.bodies = static_cast<int>(bodies);
  }

  std::string_view text_;
  std::string expected_;
  FamilyText family_;
  double first_ = 0, second_ = 0;  ///< sizes
  std::vector<std::string_view> given_;
  std::vector<Finding> findings_;
};

}  // namespace

FamilyText parse_family(std::string_view text) { return Parser(text).run(); }

}  // namespace inner

bool names_family(std::string_view text) { return inner::form_of(text) != nullptr; }

}  // namespace kinetree
