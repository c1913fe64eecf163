// `kinetree show`: pictures of a mechanism, its operators' sparsity and the dial's modules, as SVG.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/arguments.hpp"
#include "bench/output.hpp"
#include "bench/show/dial_pictures.hpp"
#include "bench/show/mechanism.hpp"
#include "bench/subcommands.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/option_words.hpp"
#include "library/planner.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

/// Beyond this nobody can read the pictures, and a matrix has millions of blocks.
constexpr int most_bodies = 2000;

struct Arguments {
  ModelArguments model;
  std::string out;
  Options options{.algorithm = Algorithm::modular};
};

struct Picture {
  const char* file;
  std::string svg;
};

int show(const Arguments& a) {
  const Model model = a.model.read();
  if (const int bodies = model.body_count(); bodies > most_bodies)
    throw InputError({{Severity::error, a.model.model, 0, fmt::format("model \"{}\"", model.name()),
                       fmt::format("has {} moving bodies; pictures are drawn of at most {}: show a smaller member of "
                                   "its family, or a part of it",
                                   bodies, most_bodies)}});
  const Mechanism mechanism(model);
  const ModuleOptions dial_options = one_method(make_plan(model, a.options).plan).modules;
  const Modules modules = make_modules(model.data(), dial_options);
  const Mechanism parts = modules.split ? Mechanism(Model(modules.split)) : mechanism;
  const DialSetting setting{dial_options.grain, a.options.grain == 0, std::string(to_word(a.options.cuts))};
  const std::vector<Picture> pictures{{"digraph.svg", digraph_picture(mechanism)},
                                      {"adjacency.svg", adjacency_picture(mechanism)},
                                      {"resolvent.svg", resolvent_picture(mechanism)},
                                      {"mass_matrix.svg", mass_matrix_picture(mechanism)},
                                      {"modules.svg", modules_picture(parts, modules, setting)},
                                      {"system.svg", system_picture(parts, modules, setting)}};
  make_folder(a.out);
  for (const Picture& picture : pictures) write_and_tell(fs::path(a.out) / picture.file, picture.svg);
  return done;
}

}  // namespace

void add_show(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("show", "Pictures (SVG): the tree, sparsity of the operators, the dial's modules");
  const auto a = std::make_shared<Arguments>();
  a->model.add_to(*sub);
  sub->add_option("--out", a->out, "Folder for the pictures; made where it is missing")->required();
  constexpr std::string_view dial[]{"grain", "cuts"};
  add_options(*sub, a->options, dial);
  sub->callback([a, &action] { action = [a] { return show(*a); }; });
}

}  // namespace kinetree::bench
