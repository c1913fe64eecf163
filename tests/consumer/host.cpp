// Loads a plugin the way a simulator does, every symbol bound at once, runs it on a model file, and lets it go again;
// twice, so that what the first left behind would be found.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <thread>

int main(int, char** argv) {
  for (int round = 0; round < 2; ++round) {
    void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    auto* const run = plugin ? reinterpret_cast<int (*)(const char*)>(dlsym(plugin, "run_plugin")) : nullptr;
    if (!run) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    if (const int fault = run(argv[2])) {
      std::fprintf(stderr, "plugin: step %d failed\n", fault);
      return fault;
    }
    dlclose(plugin);
    if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD)) {
      std::fprintf(stderr, "the plugin is still loaded\n");
      return 1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // for threads that would go on in code that is gone
  }
  return 0;
}
