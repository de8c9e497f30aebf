// SPDX-License-Identifier: Apache-2.0
//
// --help as a manual page: NAME, SYNOPSIS, DESCRIPTION, OPTIONS, EXIT STATUS, EXAMPLES, SEE ALSO, wrapped at
// 80 columns. What a page says comes from the command (cli/command.h) and from the options that it declares;
// an option's description is one or more sentences without the last full stop.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace culprit::cli {

class HelpFormatter : public CLI::FormatterBase {
 public:
  /// The page of the command that has the app's name, or else of the whole program.
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace culprit::cli
