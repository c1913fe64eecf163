// `kinetree convert`: a model of any format, or a family, as kinetree's own YAML.

#include <fmt/format.h>

#include <filesystem>
#include <kinetree/write_model.hpp>
#include <memory>
#include <string>

#include "bench/arguments.hpp"
#include "bench/output.hpp"
#include "bench/subcommands.hpp"

namespace kinetree::bench {
namespace {

struct ConvertArguments {
  ModelArguments model;
  std::string out;
};

int convert(const ConvertArguments& a) {
  const std::filesystem::path out(a.out);
  if (out.extension() != ".yaml" && out.extension() != ".yml")
    throw UsageError(fmt::format("OUT is {}; YAML alone is written: give a name that ends in .yaml or .yml", a.out));
  std::error_code none;
  if (std::filesystem::equivalent(a.model.model, out, none))
    throw UsageError(fmt::format("OUT is MODEL itself, {}, whose comments would be lost; give another name", a.out));
  (void)a.model.read();  // says its warnings and notices, and throws where it is refused
  write_and_tell(out, yaml_text(a.model.description()));
  return done;
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("convert", "Write a model of any format, or a family, as a YAML model");
  const auto a = std::make_shared<ConvertArguments>();
  a->model.add_to(*sub);
  sub->add_option("OUT", a->out, "The file to write, .yaml or .yml; an older one is replaced")->required();
  sub->callback([a, &action] { action = [a] { return convert(*a); }; });
}

}  // namespace kinetree::bench
