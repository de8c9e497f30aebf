// SPDX-License-Identifier: Apache-2.0
//
// Options that say how a graph is run and when its numbers are wrong.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "open/judge_request.h"

namespace culprit::cli {

/// The options keep pointing at the request. Gives those of which only one can be given.
std::vector<CLI::Option*> DeclareJudge(CLI::App& app, open::JudgeRequest& judge);

/// Of these only one can be given.
void Exclude(const std::vector<CLI::Option*>& options);

}  // namespace culprit::cli
