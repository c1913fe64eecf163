#pragma once

namespace kinetree {

/// Physical cores this process may use: its affinity mask, hardware threads of one core counted once, capped by the
/// cgroup's processor quota; at least 1.
int physical_cores();

}  // namespace kinetree
