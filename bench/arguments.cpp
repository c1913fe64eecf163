#include "bench/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <kinetree/compose.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/loops_from.hpp>
#include <sstream>

#include "bench/joint_words.hpp"
#include "bench/values.hpp"
#include "engine/model/passive_notice.hpp"
#include "engine/scalar/number_from.hpp"
#include "library/option_table.hpp"

namespace kinetree::bench {
namespace {

std::string option_name(std::string_view word) { return fmt::format("--{}", word); }

void add_option(CLI::App& app, Options& options, const OptionEntry& entry) {
  const int open = entry.open();
  if (entry.words.empty()) {
    const auto set = [&](const std::string& text) { entry.set(options, number_from<int>(text).value()); };
    CLI::Option* option = app.add_option_function<std::string>(option_name(entry.word), set, std::string(entry.help));
    option->type_name("INT");
    takes(option, [&entry](const std::string& text) -> std::string {  // its range is looked at with the other options
      if (number_from<int>(text)) return "";
      return fmt::format("give {}", entry.range.empty() ? "a whole number" : entry.range);
    });
    if (open >= 0) option->default_str(std::to_string(open));
    return;
  }
  const std::vector<std::string> words(entry.words.begin(), entry.words.end());
  const auto set = [&, words](const std::string& word) {
    entry.set(options, static_cast<int>(std::find(words.begin(), words.end(), word) - words.begin()));
  };
  takes_one_of(app.add_option_function<std::string>(option_name(entry.word), set, std::string(entry.help)), words)
      ->default_str(words[static_cast<std::size_t>(open)]);
}

}  // namespace

JointPositions joint_positions_from(const std::string& text, const char* option) {
  const std::size_t sign = text.rfind('=');
  JointPositions one{text.substr(0, sign)};
  if (sign == std::string::npos) return one;
  std::istringstream positions(text.substr(sign + 1) + ":");
  for (std::string word; std::getline(positions, word, ':');) {
    const auto position = number_from<double>(word);
    if (!position)
      throw UsageError(fmt::format("{} is {}; give NAME or NAME=POSITION, as elbow=0.3 or ball=0:0:0:1", option, text));
    one.positions.push_back(*position);
  }
  return one;
}

void add_load_options(CLI::App& app, LoadOptions& load) {
  app.add_flag("--floating", load.floating_base,
               "Free the root link; its joint is called floating_base (floating_base_2 where that is taken)");
  app.add_flag("--ignore-mimic", load.ignore_mimic, "Make mimic joints independent");
  const auto lock = [&load](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) load.lock.push_back(joint_positions_from(text, "--lock"));
  };
  add_list(app, "--lock", lock, "Lock joints, at positions given by =, as the model is `assembled`, or at zero")
      ->type_name("NAME[=POSITION],...");
}

void ModelArguments::add_to(CLI::App& app) {
  app.add_option("MODEL", model,
                 "A .urdf, .xml (MJCF), .sdf or .yaml file, or a family: chain:N, tree:BxD, star:AxN, comb:N, "
                 "rope:N, random:N:seed=K, geared:N, fourbars:N, ring:N")
      ->required();
  add_load_options(app, load);
  app.add_option(
      "--loops-from", loops_from,
      "A YAML file whose loops, couplings, forces between points, independent joints and assembled positions are "
      "added to MODEL's");
}

Reading ModelArguments::reading(LoadOptions& rest) const {
  Reading all;
  rest = load;
  if (names_family(model)) {
    all.description = make_description(model, load);
    rest.floating_base = false;  // the description has it already
  } else {
    all = read_model(model);
  }
  return loops_from.empty() ? all : with_loops_from(std::move(all), loops_from);
}

Model ModelArguments::read(bool passive_forces_act) const {
  const auto from_reading = [this] {
    LoadOptions rest;
    Reading all = reading(rest);
    return make_model(all.description, rest, std::move(all.findings));
  };
  Model loaded = loops_from.empty() && names_family(model) ? make_model(model, load) : from_reading();
  for (Finding finding : loaded.findings()) {
    if (finding.message == passive_notice) {
      if (passive_forces_act) continue;
      finding.message = "joints have damping, friction or springs, which act in `simulate` with --passive alone";
    }
    if (finding.message == point_force_notice) {
      if (passive_forces_act) continue;
      finding.message = "forces between points act in `simulate` with --passive alone";
    }
    fmt::print(stderr, "{}\n", to_string(finding));
  }
  return loaded;
}

Description ModelArguments::description() const {
  LoadOptions rest;
  const Reading all = reading(rest);
  return as_loaded(all.description, rest);
}

void add_options(CLI::App& app, Options& options, std::span<const std::string_view> words) {
  for (const std::string_view word : words) add_option(app, options, option_entry(word));
}

void AlgorithmArguments::add_to(CLI::App& app, bool many_states) {
  app_ = &app;
  for (const OptionEntry& entry : option_table())
    if (!entry.help.empty() && (many_states || entry.word != "lanes")) words_.push_back(entry.word);
  add_options(app, options_, words_);
}

std::string AlgorithmArguments::first_given() const {
  for (const std::string_view word : words_)
    if (app_->count(option_name(word)) > 0) return option_name(word);
  return "";
}

Options AlgorithmArguments::options() const {
  std::vector<std::string_view> given;
  for (const std::string_view word : words_)
    if (app_->count(option_name(word)) > 0) given.push_back(word);
  std::string text;
  for (const std::vector<std::string>& faults : {option_faults(options_, given, "--"), processor_faults(options_)})
    for (const std::string& fault : faults) text += (text.empty() ? "" : "\n") + fault;
  if (!text.empty()) throw UsageError(text);
  return options_;
}

}  // namespace kinetree::bench
