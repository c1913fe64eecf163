// The `kinetree` command.
#include <exception>
#include <iostream>

#include "command.hpp"

int main(int argc, char** argv) {
  using namespace kinetree::command;
  CLI::App app("Forward dynamics of articulated mechanisms: articulated bodies, composite bodies, constraint forces.", "kinetree");
  app.require_subcommand(1);
  int exit = done;
  add_info(app, exit);
  add_solve(app, exit);
  add_sweep(app, exit);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e, std::cout, std::cerr) == 0 ? done : bad_usage;
  } catch (const UsageError& e) {
    std::cerr << "kinetree: " << e.message << "\nTry --help.\n";
    return bad_usage;
  } catch (const kinetree::InputError& e) {
    print(e.findings());
    return bad_input;
  } catch (const kinetree::TooManyCuts& e) {
    std::cerr << "kinetree: " << e.what() << '\n';
    return bad_input;
  } catch (const std::exception& e) {
    std::cerr << "kinetree: " << e.what() << '\n';
    return bad_input;
  }
  return exit;
}
