// SPDX-License-Identifier: Apache-2.0
//
// What there is to tell about a captured model, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "explain/explanation.h"

namespace culprit::cli {

struct ExplanationOptions {
  /// All guards, not only those about arguments and variables.
  bool guards = false;
};

std::string ExplanationAsText(const explain::Explanation& told, const ExplanationOptions& options);
nlohmann::ordered_json ExplanationAsJson(const explain::Explanation& told);

/// All kinds of breaks, as docs/graph-breaks.md has them.
std::string BreaksAsMarkdown();

}  // namespace culprit::cli
