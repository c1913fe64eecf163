// `kinetree show`: pictures of a mechanism, its operators' sparsity and the dial's modules, as SVG.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/arguments.hpp"
#include "bench/output.hpp"
#include "bench/player/page.hpp"
#include "bench/show/dial_pictures.hpp"
#include "bench/show/mechanism.hpp"
#include "bench/show/task_picture.hpp"
#include "bench/subcommands.hpp"
#include "bench/values.hpp"
#include "bench/vectors.hpp"
#include "engine/io/states.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/index.hpp"
#include "library/option_table.hpp"
#include "library/option_words.hpp"
#include "library/planner.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

/// Beyond this nobody can read the pictures, and a matrix has millions of blocks.
constexpr int most_bodies = 2000;

struct Arguments {
  ModelArguments model;
  std::string out, states;
  bool in_space = false;  ///< the page in 3D instead of the pictures
  double every = 0;       ///< s between states that it plays; 0: it shows the first
  int threads = 2;        ///< of the tasks; the dial's own pictures are of any number
  Options options{.algorithm = Algorithm::modular};
};

struct Picture {
  const char* file;
  std::string svg;
};

/// The largest grain up to the planned one with which a joint with a constraint force is cut: on short mechanisms the
/// planned grain cuts nothing, which makes no picture. 0 where there is none.
int grain_that_cuts(const Model& model, ModuleOptions options) {
  for (; options.grain >= 1; --options.grain) {
    const Modules modules = make_modules(model.data(), options);
    if (std::ranges::any_of(modules.cuts, [](const CutJoint& cut) { return cut.rows > 0; })) break;
  }
  return options.grain;
}

void expect_at_most(int most, const Model& model, const Arguments& a) {
  if (const int bodies = model.body_count(); bodies > most)
    throw InputError({{Severity::error, a.model.model, 0, fmt::format("model \"{}\"", model.name()),
                       fmt::format("has {} moving bodies; pictures are drawn of at most {}: show a smaller member of "
                                   "its family, or a part of it",
                                   bodies, most)}});
}

/// A page of one configuration, that of the first state or where the model is assembled, or of all states in turn.
int show_in_space(const Arguments& a) {
  const Model model = a.model.read();
  expect_at_most(most_bodies_of_page, model, a);
  PlayedMotion motion{.times = {0}, .q = {to_vector(model.data().assembled)}, .plots = {}, .facts = {}};
  if (!a.states.empty()) {
    const States states = read_states(a.states, model);
    for (const Finding& finding : states.findings) fmt::print(stderr, "{}\n", to_string(finding));
    if (states.count() == 0) throw UsageError(a.states + " has no state to show");
    motion.q = {to_vector(states.q[0])};
    for (int k = 1; a.every > 0 && k < states.count(); ++k) {
      motion.times.push_back(a.every * k);
      motion.q.push_back(to_vector(states.q[at(k)]));
    }
  }
  make_folder(a.out);
  write_and_tell(fs::path(a.out) / "mechanism.html", player_page(model, a.model.model, motion));
  return done;
}

int show(const Arguments& a) {
  const Model model = a.model.read();
  expect_at_most(most_bodies, model, a);
  const Mechanism mechanism(model);
  Method method = one_method(make_plan(model, a.options).plan);
  DialSetting setting{.grain = method.modules.grain, .cuts = std::string(to_word(a.options.cuts))};
  if (a.options.grain == 0) {
    setting.planned = setting.grain;
    const int grain = grain_that_cuts(model, method.modules);
    setting.cuts_nothing = grain == 0;
    if (grain > 0) setting.grain = method.modules.grain = grain;
  }
  const Modules modules = make_modules(model.data(), method.modules);
  const Mechanism parts = modules.split ? Mechanism(Model(modules.split)) : mechanism;
  // in one layout, where both are of one tree
  const TreePicture bodies = digraph_picture(mechanism), dial = modules_picture(parts, modules, setting);
  const std::vector<std::string> drawn =
      modules.split ? std::vector{draw(bodies), draw(dial)} : draw(std::vector{bodies, dial});
  const std::vector<Picture> pictures{
      {"digraph.svg", drawn[0]},
      {"adjacency.svg", adjacency_picture(mechanism)},
      {"resolvent.svg", resolvent_picture(mechanism)},
      {"mass_matrix.svg", mass_matrix_picture(mechanism)},
      {"modules.svg", drawn[1]},
      {"system.svg", system_picture(parts, modules, setting)},
      {"tasks.svg", task_picture(model, task_graph(model, method, a.threads), setting)}};
  make_folder(a.out);
  for (const Picture& picture : pictures) write_and_tell(fs::path(a.out) / picture.file, picture.svg);
  return done;
}

}  // namespace

void add_show(CLI::App& app, Action& action) {
  CLI::App* sub =
      app.add_subcommand("show", "Pictures (SVG): the tree, sparsity of the operators, the dial's modules, tasks");
  const auto a = std::make_shared<Arguments>();
  a->model.add_to(*sub);
  sub->add_option("--out", a->out, "Folder for the pictures; made where it is missing")->required();
  constexpr std::string_view dial[]{"grain", "cuts"};
  add_options(*sub, a->options, dial);
  add_whole(*sub, "--threads", a->threads, 2, option_entry("threads").most,
            "Threads of the run whose tasks tasks.svg shows");
  CLI::Option* in_space =
      sub->add_flag("--3d", a->in_space, "Writes mechanism.html instead: the mechanism in 3D, to turn");
  CLI::Option* states =
      sub->add_option("--states", a->states, "Shows the first of these states; without, where the model is assembled")
          ->needs(in_space);
  add_above_zero(*sub, "--every", a->every, "Plays all of these states, as long after each other (s)")->needs(states);
  sub->callback([a, sub, &action] {
    for (const char* option : {"--grain", "--cuts", "--threads"})
      if (a->in_space && sub->count(option) > 0)
        throw UsageError(std::string(option) + " is of the pictures; --3d draws none");
    action = [a] { return a->in_space ? show_in_space(*a) : show(*a); };
  });
}

}  // namespace kinetree::bench
