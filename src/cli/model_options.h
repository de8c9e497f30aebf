// SPDX-License-Identifier: Apache-2.0
//
// The options of commands that take a TorchScript model: how it is called.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/left_out.h"

namespace culprit::cli {

struct ModelOptions {
  std::string method;
  std::vector<std::string> inputs;
  std::vector<std::string> disabled;
  bool train = false;

  /// Commands about graphs do not have them.
  static constexpr LeftOut kLeftOut[] = {
      {"--inputs", true}, {"--method", true}, {"--disable", true}, {"--train"}};

  /// The options keep pointing here.
  void Declare(CLI::App& app);
  /// Whether any of them was used: the file is a model then.
  bool are_given() const { return !method.empty() || !inputs.empty() || !disabled.empty() || train; }
  /// The same as words of a command line.
  std::vector<std::string> Words() const;
};

/// Of a command that takes either.
void DescribeScriptOrModel(CLI::App& app);

}  // namespace culprit::cli
