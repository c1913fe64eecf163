#include "bench/show/aggregates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/constraint_words.hpp"
#include "bench/show/colours.hpp"
#include "bench/show/svg.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

constexpr std::size_t most_in_legend = 12;  ///< aggregates, and lines of each
constexpr std::size_t most_names = 8;
constexpr std::size_t longest_line = 150;
constexpr int longest_name = 40;

template <class Bodies>
std::string names(const Model& model, const Bodies& bodies) {
  std::string text;
  std::size_t count = 0;
  for (const int i : bodies) {
    if (++count > most_names) return text + fmt::format(" and {} more", bodies.size() - most_names);
    text += (count > 1 ? ", " : "") + (i < 0 ? std::string("the ground") : shortened(model.body_name(i), longest_name));
  }
  return text;
}

std::string tied(const Model& model, const Constraint& c) {
  return fmt::format("{} \"{}\" ties {}", c.kind, shortened(c.name, longest_name), names(model, c.bodies));
}

/// Which bodies, and why they are one node.
std::vector<std::string> legend(const Model& model, const Aggregate& a, std::size_t number,
                                const std::vector<Constraint>& constraints) {
  std::vector<std::string> parts{
      fmt::format("aggregate {}: {} on {}, {} of {} velocities independent", number, names(model, a.bodies),
                  a.parent < 0 ? std::string("the ground") : shortened(model.body_name(a.parent), longest_name),
                  a.freedoms, a.velocities)};
  for (const Constraint& c : constraints) parts.push_back(tied(model, c));
  for (const Merge& m : merges_of(constraints))
    parts.push_back(fmt::format("\"{}\" and \"{}\" share {}", shortened(m.first, longest_name),
                                shortened(m.second, longest_name), names(model, m.shared)));
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (lines.empty() || lines.back().size() + parts[k].size() > longest_line) {
      if (lines.size() == most_in_legend) {
        lines.push_back("\xE2\x80\xA6 `kinetree info` lists all");
        break;
      }
      if (!lines.empty()) lines.back() += ";";
      lines.push_back(std::move(parts[k]));
    } else {
      lines.back() += "; " + parts[k];
    }
  }
  return lines;
}

}  // namespace

void add_ties(const Mechanism& m, TreePicture& picture) {
  const ModelData& data = m.model.data();
  if (data.aggregates.empty()) return;
  picture.captions.push_back("Dashed red: loop joints. Dotted black: couplings, from joint to joint.");
  std::size_t number = 0;
  for (const Aggregate& a : data.aggregates) {
    ++number;
    for (const Constraint& c : constraints_of(data, a)) {
      Tie& tie = picture.ties.emplace_back();
      tie.coupling = c.coupling;
      tie.tooltip = fmt::format("{}\naggregate {}", tied(m.model, c), number);
      for (const int body : c.ends) tie.ends.push_back(body < 0 ? -1 : m.number(body));
      if (c.ends.size() == 1) {  // a joint held in place: between the bodies on both of its sides
        const int parent = data.parent[at(c.ends.front())];
        tie.ends.push_back(parent < 0 ? -1 : m.number(parent));
      }
    }
  }
}

void add_aggregates(const Mechanism& m, TreePicture& picture) {
  const ModelData& data = m.model.data();
  if (data.aggregates.empty()) return;
  add_ties(m, picture);
  picture.captions.push_back(
      "The bodies that they tie are an aggregate (shaded), one node of the tree: its bodies share a number and a "
      "colour "
      "(Jain 2012 II, Sec. 4).");
  std::size_t number = 0;
  for (const Aggregate& a : data.aggregates) {
    Shade& shade = picture.shades.emplace_back();
    for (const int body : a.bodies) shade.nodes.push_back(m.number(body));
    shade.colour = number % palette.size();
    shade.tooltip = fmt::format("aggregate {}", ++number);
    if (number <= most_in_legend) shade.legend = legend(m.model, a, number, constraints_of(data, a));
  }
  if (number > most_in_legend)
    picture.shades[most_in_legend - 1].legend.push_back(
        fmt::format("and {} more aggregates: tooltips say which, `kinetree info` why", number - most_in_legend));
}

}  // namespace kinetree::bench
