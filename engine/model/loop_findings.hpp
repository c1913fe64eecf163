#pragma once
// What loading says of loops and couplings.

#include <algorithm>
#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <string>
#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/mobility.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/rounding.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

class LoopFindings {
 public:
  LoopFindings(const Description& d, ModelData& m) : d_(d), m_(m) {}

  std::vector<int> line;  ///< of the file; over loops, then couplings

  void say(Severity severity, int at_line, std::string element, std::string message) {
    m_.findings.push_back({severity, d_.file, at_line, std::move(element), std::move(message)});
  }
  /// Of all constraints of an aggregate.
  void say(Severity severity, const Aggregate& a, std::string message) {
    say(severity, line[a.loops.empty() ? m_.loops.size() + at(a.couplings.front()) : at(a.loops.front())], called(a),
        std::move(message));
  }

  /// Positions of the aggregate's joints, a few of them, as words.
  std::string positions(const Aggregate& a, const std::vector<double>& q) const {
    std::string text;
    for (std::size_t b = 0; b < std::min<std::size_t>(a.bodies.size(), 6); ++b) {
      const int i = a.bodies[b];
      text += (b ? ", " : "") + m_.joint_name[at(i)] + " ";
      for (int k = m_.q_index[at(i)]; k < m_.q_index[at(i + 1)]; ++k)
        text += (k > m_.q_index[at(i)] ? " " : "") + number_text(q[at(k)], 3);
    }
    return text + (a.bodies.size() > 6 ? ", ..." : "");
  }

  void say_rounded(const Aggregate& a, const FoundRounding& found) {
    std::string open;
    const auto add = [&](double size, const char* unit) {
      if (size > 1e-12) open += (open.empty() ? "" : ", ") + number_text(size, 3) + unit;
    };
    add(found.turns, " rad"), add(found.lengths, " m"), add(found.couplings, " of a coupling's terms");
    say(Severity::notice, a,
        std::to_string(found.rows - found.held) + " of its " + std::to_string(found.rows) +
            " constraints are redundant but for rounding of the file's numbers" +
            (found.redundant.empty() ? "" : " (" + found.redundant + ")") + ", and stay open by up to " + open +
            (a.rounding.nearest
                 ? "; since no fixed rows serve everywhere, it closes by least squares, and keeps energy to "
                   "about that"
                 : "; the others are held") +
            ". Singular values without units: held from " + number_text(found.held_value, 3) + ", redundant to " +
            number_text(found.redundant_value, 3) +
            ". Give numbers with all their digits to close it (1.5707963267948966 for a right angle)");
  }

  void say_cant_close(const Aggregate& a, int starts, double nearest, const FoundRounding& found) {
    std::string there = " (m or rad)";
    if (found.singular_values.size() > 0)
      there += ", where singular values of its constraints are " + values(found.singular_values);
    if (found.unclear)
      there += ", and no gap of ten parts those that are held from those that rounding leaves: give more digits";
    if (a.constant())
      say(Severity::error, a,
          "contradict each other: no positions satisfy all of them (off by " + number_text(nearest, 3) +
              "); change a coefficient or an offset");
    else
      say(Severity::error, a,
          "can't close: from " + std::to_string(starts) + " starts the nearest configuration is off by " +
              number_text(nearest, 3) + there + "; check " +
              (a.loops.empty() ? "coefficients, factors of powers and offsets" : "lengths, frames and axes") +
              (d_.assembled.empty() ? ", or say under `assembled` where joints stand when it is closed"
                                    : ", and the positions under `assembled`: they are no place near a closed one"));
  }

  void say_other_branch(const Aggregate& a, const Branch& here, const Branch& other) {
    const auto freedoms = [&](const Branch& b) { return a.velocities - b.rank.rank; };
    say(Severity::notice, a,
        "leaves " + count_of(freedoms(here), "freedom") + " near " + positions(a, here.q) + ", and " +
            std::to_string(freedoms(other)) + " near " + positions(a, other.q) +
            (a.branches() ? ": a state is solved with those of its branch, and mass matrices are those of the first; "
                            "say under `assembled` near which configuration that is to be"
                          : ": states there are refused; say under `assembled` near which configuration freedoms are "
                            "to be counted"));
  }

  void say_lock(const Aggregate& a, const std::vector<double>& locked, const std::vector<double>& q) {
    say(Severity::notice, a,
        std::string("is not closed ") + (d_.assembled.empty() ? "at zero" : "at the positions under `assembled`") +
            ", and closing it from there leads to " + positions(a, locked) +
            ", where its constraints lose rank; taken is " + positions(a, q) +
            "; say under `assembled` where joints stand when it is closed");
  }

 private:
  std::string called(const Aggregate& a) const {
    std::string names;
    const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + ("\"" + name + "\""); };
    for (const int l : a.loops) add(m_.loops[at(l)].name);
    for (const std::vector<int>& couplings : {a.couplings, a.rounding.couplings})
      for (const int c : couplings) add(m_.couplings[at(c)].name);
    return (a.loops.empty() ? "coupling " : "loop ") + names;
  }

  /// Singular values as words.
  static std::string values(const Eigen::VectorXd& s) {
    std::string text;
    for (Eigen::Index k = 0; k < s.size(); ++k) text += (k ? ", " : "") + number_text(s[k], 3);
    return text;
  }

  const Description& d_;
  ModelData& m_;
};

}  // namespace kinetree::inline inner
