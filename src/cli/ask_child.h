// SPDX-License-Identifier: Apache-2.0
//
// A query as a command line of its own: what one command asks of another, in a child.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/verdict/sign.h"
#include "cli/left_out.h"
#include "isolate/query/limits.h"

namespace culprit::cli {

/// This process's command line as one of another command, with --json.
std::vector<std::string> CommandLineAs(std::string_view command, std::initializer_list<LeftOut> left_out);

/// Runs a command line of `culprit run --json` in a child; its death is a finding too, unless it was opening
/// the file. An error if there is nothing to ask.
base::Result<check::Finding> AskChild(const std::vector<std::string>& run_words,
                                      const isolate::Limits& limits, const backend::FailureKinds& ignored);

}  // namespace culprit::cli
