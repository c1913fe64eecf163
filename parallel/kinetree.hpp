#pragma once
// kinetree: forward dynamics of articulated mechanisms. This header is all a simulator needs.

#include <kinetree/io/load_model.hpp>
#include <kinetree/model/model.hpp>
#include <kinetree/parallel/calibration.hpp>
#include <kinetree/parallel/configuration.hpp>
#include <kinetree/parallel/forward_dynamics.hpp>
#include <kinetree/parallel/workspace.hpp>
