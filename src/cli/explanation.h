// SPDX-License-Identifier: Apache-2.0
//
// What there is to tell about a captured model, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/capture_model.h"

namespace culprit::cli {

struct ExplanationOptions {
  /// All guards, not only those about arguments and variables.
  bool guards = false;
};

std::string ExplanationAsText(const CapturedModel& model, const ExplanationOptions& options);
nlohmann::ordered_json ExplanationAsJson(const CapturedModel& model);

/// All kinds of breaks, as docs/graph-breaks.md has them.
std::string BreaksAsMarkdown();

}  // namespace culprit::cli
