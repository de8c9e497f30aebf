// SPDX-License-Identifier: Apache-2.0
#include "cli/help_formatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/internal_error.h"
#include "cli/command.h"
#include "report/wrap.h"

namespace culprit::cli {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kIndent = 7;
constexpr size_t kDeepIndent = 14;

constexpr std::string_view kProgramDescription =
    "Culprit reads a graph, a straight-line program of tensor operators, from a script that PyTorch's own "
    "tools write when a compiler fails, or that Culprit itself wrote. Reading executes nothing of the "
    "script. TorchScript models are captured into graphs.\n\n"
    "Lines have 80 columns, or as many as the environment variable COLUMNS says; 0 is no limit.\n\n"
    "Each COMMAND has a page of its own: culprit COMMAND --help.";

constexpr Example kProgramExamples[] = {
    {"culprit hunt net.pt --inputs f32[1,3,8,8] --backend torchscript:stage=ofi",
     "Does a compiler fail on this model, and who is to blame?"},
    {"culprit graph net.py --stats", "What is in this graph?"},
    {"culprit run net.py --fp64", "Run it, and see how far its outputs are from those in float64"},
};

// The program itself, where a page is about no command.
constexpr Command kProgram = {
    .name = "",
    .summary = "find out why a tensor compiler crashes or gives wrong numbers",
    .description = kProgramDescription,
    .examples = kProgramExamples,
    .see_also = "README.md, docs/models.md, docs/text-form.md, docs/operators-2x.md",
    .meaning_of_reference = kEagerFails,
    .declare = nullptr,
};

const Command& CommandOf(const CLI::App& app) {
  for (const Command* command : AllCommands()) {
    if (app.get_name() == command->name) return *command;
  }
  return kProgram;
}

std::string Wrap(std::string_view paragraph, size_t indent) {
  return report::Filled(paragraph, {indent, indent}, kWidth) + "\n";
}

std::string WrapParagraphs(std::string_view paragraphs, size_t indent) {
  std::string text;
  while (!paragraphs.empty()) {
    const size_t end = std::min(paragraphs.find("\n\n"), paragraphs.size());
    const std::string_view paragraph = paragraphs.substr(0, end);
    if (!text.empty()) text += '\n';
    if (!paragraph.starts_with(' ')) {
      text += Wrap(paragraph, indent);
    } else {
      text += std::string(indent, ' ');
      for (const char c : paragraph) text += c == '\n' ? "\n" + std::string(indent, ' ') : std::string(1, c);
      text += '\n';
    }
    paragraphs.remove_prefix(std::min(end + 2, paragraphs.size()));
  }
  return text;
}

/// A term, and below it what it means.
std::string Entry(std::string_view term, std::string_view meaning) {
  return fmt::format("{}{}\n{}", std::string(kIndent, ' '), term, Wrap(meaning, kDeepIndent));
}

std::string Section(std::string_view title, const std::string& text) {
  return fmt::format("{}\n{}\n", title, text);
}

std::string Synopsis(const CLI::App& app, const Command& command) {
  if (command.declare == nullptr)
    return "culprit COMMAND [OPTION]... [FILE]\nculprit --version\nculprit [COMMAND] --help";
  std::string text = fmt::format("culprit {} [OPTION]...", command.name);
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name();
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string OptionEntry(const CLI::Option& option) {
  std::string term = option.get_name(/*positional=*/false, /*all_options=*/true);
  std::replace(term.begin(), term.end(), ',', ' ');
  if (const size_t blank = term.find(' '); blank != std::string::npos) term.insert(blank, ",");
  if (!option.get_positional() && !option.get_type_name().empty()) term += " " + option.get_type_name();
  std::string meaning = option.get_description();
  if (!option.get_default_str().empty()) meaning += fmt::format(" (default: {})", option.get_default_str());
  return Entry(term, meaning);
}

/// Arguments first, --help last. An option of the group without a name, which CLI11 would hide, is a mistake.
std::string Options(const CLI::App& app) {
  std::vector<const CLI::Option*> options = app.get_options();
  for (const CLI::Option* option : options)
    CULPRIT_CHECK(!option->get_group().empty(), "culprit {} has a hidden option", app.get_name());
  std::stable_sort(options.begin(), options.end(), [&](const CLI::Option* a, const CLI::Option* b) {
    const auto rank = [&](const CLI::Option* option) {
      return option->get_positional() ? 0 : option == app.get_help_ptr() ? 2 : 1;
    };
    return rank(a) < rank(b);
  });
  std::string text;
  for (const CLI::Option* option : options) text += (text.empty() ? "" : "\n") + OptionEntry(*option);
  return text;
}

std::string Commands() {
  size_t width = 0;
  for (const Command* command : AllCommands()) width = std::max(width, command->name.size());
  std::string text;
  for (const Command* command : AllCommands()) {
    text += fmt::format("{}{:<{}}  {}\n", std::string(kIndent, ' '), command->name, width, command->summary);
  }
  return text;
}

std::string ExitStatus(const Command& command) {
  std::vector<std::pair<ExitCode, std::string_view>> rows = {
      {kSuccess, command.meaning_of_success},
      {kFailure, command.meaning_of_failure},
      {kUsage, "wrong usage or unreadable input"},
      {kInternal, "an error of Culprit itself"},
      {kEnvironment, "the environment: a full disk, no memory, a process that died"},
  };
  if (!command.meaning_of_reference.empty()) rows.emplace_back(kReference, command.meaning_of_reference);
  if (!command.meaning_of_interruption.empty())
    rows.emplace_back(kInterrupted, command.meaning_of_interruption);
  std::string text;
  for (const auto& [code, meaning] : rows) {
    text += fmt::format("{}{:<{}}{}\n", std::string(kIndent, ' '), static_cast<int>(code),
                        kDeepIndent - kIndent, meaning);
  }
  return text;
}

std::string Examples(const Command& command) {
  std::string text;
  for (const Example& example : command.examples) {
    text += (text.empty() ? "" : "\n") + Entry(example.command, example.what);
  }
  return text;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string /*name*/,
                                     CLI::AppFormatMode /*mode*/) const {
  const Command& command = CommandOf(*app);
  const bool is_program = command.declare == nullptr;
  const std::string name = is_program ? "culprit" : fmt::format("culprit {}", command.name);
  std::string synopsis = Synopsis(*app, command);
  for (size_t at = synopsis.find('\n'); at != std::string::npos; at = synopsis.find('\n', at + 1))
    synopsis.insert(at + 1, kIndent, ' ');
  std::string page = Section("NAME", Wrap(fmt::format("{} - {}", name, command.summary), kIndent));
  page += Section("SYNOPSIS", std::string(kIndent, ' ') + synopsis + "\n");
  page += Section("DESCRIPTION", WrapParagraphs(command.description, kIndent));
  if (is_program) page += Section("COMMANDS", Commands());
  page += Section("OPTIONS", Options(*app));
  page += Section("EXIT STATUS", ExitStatus(command));
  page += Section("EXAMPLES", Examples(command));
  page += Section("SEE ALSO", Wrap(command.see_also, kIndent));
  page.pop_back();
  return page;
}

}  // namespace culprit::cli
