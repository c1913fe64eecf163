#pragma once
// kinetree: forward dynamics of articulated mechanisms. This header is all a simulator needs.

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "kinetree wants C++20: compile with -std=c++20, or with target_link_libraries(... kinetree::kinetree)"
#endif

#include <kinetree/io/load_model.hpp>
#include <kinetree/model/model.hpp>
#include <kinetree/parallel/calibration.hpp>
#include <kinetree/parallel/configuration.hpp>
#include <kinetree/parallel/forward_dynamics.hpp>
#include <kinetree/parallel/workspace.hpp>
