// SPDX-License-Identifier: Apache-2.0
//
// A command: what its manual page says (cli/help_formatter.h), and how it adds itself to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

#include "cli/show/exit_code.h"

namespace culprit::cli {

struct Example {
  std::string_view command;
  std::string_view what;
};

inline constexpr std::string_view kResultsAreOnDisk = "interrupted; what was found so far is on disk";
inline constexpr std::string_view kEagerFails = "eager itself fails, or the backend cannot take the graph";

struct Command {
  std::string_view name;
  /// One line, in lower case and without a full stop.
  std::string_view summary;
  /// Paragraphs with blank lines between them; lines that begin with a blank are shown as they are.
  std::string_view description;
  std::span<const Example> examples;
  std::string_view see_also;
  /// Where 0 and 1 mean something else than for other commands.
  std::string_view meaning_of_success = "success; nothing failed";
  std::string_view meaning_of_failure = "a failure: of a compiler, or the numbers are off";
  /// Empty for those that run nothing.
  std::string_view meaning_of_reference = "";
  /// Empty for those that are done before anybody interrupts them.
  std::string_view meaning_of_interruption = "";
  /// Declares the options; the function it returns does the work and gives the exit code.
  std::function<int()> (*declare)(CLI::App& app);
};

/// In the order of the list in --help.
std::span<const Command* const> AllCommands();

extern const Command kGraphCommand;
extern const Command kRunCommand;
extern const Command kConvertCommand;
extern const Command kFaultsCommand;
extern const Command kBackendsCommand;
extern const Command kQueryCommand;
extern const Command kVerifyCommand;
extern const Command kExplainCommand;
extern const Command kHuntCommand;
extern const Command kMinifyCommand;
extern const Command kStrategiesCommand;
extern const Command kExecCommand;
extern const Command kConfigCommand;
extern const Command kWorkerCommand;

}  // namespace culprit::cli
