#include "parallel/keep_loaded.hpp"

#include <dlfcn.h>

namespace kinetree::inline inner {

void keep_loaded(const void* function) {
  Dl_info found{};
  if (dladdr(function, &found) != 0 && found.dli_fname != nullptr)
    (void)dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace kinetree::inline inner
