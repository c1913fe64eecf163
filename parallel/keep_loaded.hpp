#pragma once
// Runtimes whose threads outlive the plugin that first asked for them.

namespace kinetree::inline inner {

/// Keeps the shared library that `function` stands in until the process ends. A program that unloads a plugin unloads
/// with it what the plugin alone has loaded, a runtime too, and the runtime's waiting threads would go on in code that
/// is no longer there.
void keep_loaded(const void* function);

}  // namespace kinetree::inline inner
