// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/text.h"
#include "cli/help_formatter.h"
#include "process/environment.h"

namespace culprit::cli {
namespace {

std::string VersionText() {
  const process::Environment environment = process::DescribeEnvironment();
  return fmt::format(
      "culprit {}\n"
      "libtorch  {}\n"
      "BLAS      {}\n"
      "CPU       {}, kernels for {}\n"
      "threads   {}, OpenMP wait policy {}",
      CULPRIT_VERSION, environment.torch_version, environment.blas, environment.cpu_model,
      environment.cpu_capability, environment.threads, environment.wait_policy);
}

bool IsCommand(std::string_view word) {
  return std::any_of(AllCommands().begin(), AllCommands().end(),
                     [&](const Command* command) { return word == command->name; });
}

// CLI11's own message for a misspelt command is "The following argument was not expected".
std::string UnknownCommand(std::string_view word) {
  std::vector<std::string_view> names;
  for (const Command* command : AllCommands()) names.push_back(command->name);
  return fmt::format(
      "culprit: error: unknown command '{}'{}\n  help: to see all commands, run: culprit --help",
      base::Printable(word), base::DidYouMean(word, names));
}

// CLI11's own message names everything behind the first mistake too, in reverse.
std::string UnexpectedArgument(const CLI::App& command) {
  const std::string word = command.remaining().front();
  if (!word.starts_with('-')) {
    const CLI::Option* inputs = command.get_option_no_throw("--inputs");
    const bool follows_inputs = inputs != nullptr && inputs->count() > 0;
    return fmt::format("unexpected argument '{}'{}", base::Printable(word),
                       follows_inputs ? "; each argument of a model has its own --inputs" : "");
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  return fmt::format("unknown option '{}'{}", base::Printable(word), base::DidYouMean(word, views));
}

int PrintUsageError(const CLI::App& app, const CLI::ParseError& error) {
  const auto used = app.get_subcommands();
  const CLI::App& command = used.empty() ? app : *used.front();
  const std::string name = used.empty() ? "culprit" : "culprit " + command.get_name();
  std::string message = command.remaining().empty() ? error.what() : UnexpectedArgument(command);
  if (message.size() > 1 && std::islower(message[1]))
    message[0] = static_cast<char>(std::tolower(message[0]));
  fmt::print(stderr, "{}: error: {}\n  help: to see its options, run: {} --help\n", name, message, name);
  return kUsage;
}

}  // namespace

std::span<const Command* const> AllCommands() {
  static constexpr const Command* kCommands[] = {&kHuntCommand,    &kExplainCommand,    &kRunCommand,
                                                 &kMinifyCommand,  &kVerifyCommand,     &kQueryCommand,
                                                 &kConvertCommand, &kGraphCommand,      &kBackendsCommand,
                                                 &kFaultsCommand,  &kStrategiesCommand, &kConfigCommand};
  return kCommands;
}

int Fail(const base::Diagnostic& error, ExitCode code) {
  fmt::print(stderr, "{}\n", error.Render());
  return code;
}

int RunCommandLine(int argc, char** argv) {
  CLI::App app("", "culprit");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", VersionText, "Show versions and what this machine computes with");
  app.set_help_flag("-h,--help", "Show this page");
  app.require_subcommand(0, 1);
  int status = kSuccess;
  for (const Command* command : AllCommands()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name));
    sub->callback([&status, run = command->declare(*sub)] { status = run(); });
  }
  if (argc > 1 && argv[1][0] != '-' && !IsCommand(argv[1])) {
    fmt::print(stderr, "{}\n", UnknownCommand(argv[1]));
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return PrintUsageError(app, error);
  }
  if (app.get_subcommands().empty()) {
    fmt::print("{}", app.help());
    return kUsage;
  }
  return status;
}

}  // namespace culprit::cli
