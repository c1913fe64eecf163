// Loads a plugin the way a simulator does, every symbol bound at once, and runs it on a model file.
#include <dlfcn.h>

#include <cstdio>

int main(int, char** argv) {
  void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  auto* const run = plugin ? reinterpret_cast<int (*)(const char*)>(dlsym(plugin, "run_plugin")) : nullptr;
  if (!run) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const int fault = run(argv[2]);
  if (fault) std::fprintf(stderr, "plugin: step %d failed\n", fault);
  return fault;
}
