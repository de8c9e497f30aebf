// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <sstream>

#include "base/settings.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/help_formatter.h"
#include "cli/show/print.h"
#include "files/private_folder.h"
#include "process/environment.h"
#include "report/term_list.h"

namespace culprit::cli {
namespace {

/// What this process was started with.
std::vector<std::string>& Remembered() {
  static std::vector<std::string> words;
  return words;
}

std::string VersionText() {
  const process::Environment environment = process::DescribeEnvironment();
  const std::string terms = report::TermList(
      {{"PyTorch", fmt::format("{} in {}", environment.torch_version, environment.torch_folder)},
       {"BLAS", fmt::format("{}, oneDNN {}", environment.blas,
                            environment.onednn.empty() ? "none" : environment.onednn)},
       {"CPU", fmt::format("{}, kernels for {}", environment.cpu_model, environment.cpu_capability)},
       {"threads", fmt::format("{}, OpenMP wait policy {}", environment.threads, environment.wait_policy)}});
  return fmt::format("culprit {}\n{}", CULPRIT_VERSION, terms.substr(0, terms.size() - 1));
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
std::string UnexpectedArgument(const CLI::App& command, const std::string& word) {
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
  // CLI11 counts the end of the options among what it did not expect.
  std::vector<std::string> remaining = command.remaining();
  std::erase(remaining, "--");
  std::string message = remaining.empty() ? error.what() : UnexpectedArgument(command, remaining.front());
  if (message.size() > 1 && std::islower(message[1]))
    message[0] = static_cast<char>(std::tolower(message[0]));
  PrintErr("{}: error: {}\n  help: to see its options, run: {} --help\n", name, message, name);
  return kUsage;
}

/// A command that asks for no setting would ignore a wrong one in the environment. `culprit config` is what
/// the error tells the user to run.
int RunWithSettings(const Command& command, const std::function<int()>& run) {
  std::error_code no_folder;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(no_folder);
  if (!no_folder) files::RemoveAbandonedFolders(temporary);
  const base::Result<base::Settings> settings = base::CurrentSettings();
  return settings.ok() || &command == &kConfigCommand ? run() : Fail(settings.error());
}

}  // namespace

std::span<const Command* const> AllCommands() {
  static constexpr const Command* kCommands[] = {
      &kHuntCommand,   &kExecCommand,       &kExplainCommand, &kRunCommand,   &kMinifyCommand,
      &kVerifyCommand, &kQueryCommand,      &kConvertCommand, &kGraphCommand, &kBackendsCommand,
      &kFaultsCommand, &kStrategiesCommand, &kConfigCommand,  &kWorkerCommand};
  return kCommands;
}

void RememberCommandLine(int argc, char** argv) {
  std::vector<std::string>& words = Remembered();
  words.assign(argv, argv + argc);
  const auto end_of_options = std::find(words.begin(), words.end(), "--");
  if (end_of_options == words.end()) return;
  // Options are added behind the words, so none may be the last.
  for (auto word = words.erase(end_of_options); word != words.end(); ++word) {
    if (word->size() > 1 && word->starts_with('-')) word->insert(0, "./");
  }
}

std::string ThisCommandWith(const std::string& more) {
  std::string text = "culprit";
  for (size_t i = 1; i < Remembered().size(); ++i) text += " " + base::ShellWord(Remembered()[i]);
  return text + more;
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
    sub->callback(
        [&status, command, run = command->declare(*sub)] { status = RunWithSettings(*command, run); });
  }
  if (argc > 1 && argv[1][0] != '-' && !IsCommand(argv[1])) {
    PrintErr("{}\n", UnknownCommand(argv[1]));
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream page;
    app.exit(success, page);
    PrintOut("{}", page.str());
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    return PrintUsageError(app, error);
  }
  if (app.get_subcommands().empty()) {
    PrintOut("{}", app.help());
    return kUsage;
  }
  return status;
}

}  // namespace culprit::cli
