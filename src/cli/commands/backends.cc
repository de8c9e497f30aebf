// SPDX-License-Identifier: Apache-2.0
//
// culprit backends [NAME]: which compilers there are, and how each can be set.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "backend/description.h"
#include "backend/spec.h"
#include "backends/table.h"
#include "base/settings.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/show/print.h"
#include "report/term_list.h"

namespace culprit::cli {
namespace {

using backend::Description;
using nlohmann::ordered_json;

struct Options {
  std::string name;
  bool json = false;
};

ordered_json AsJson(const Description& description) {
  ordered_json options = ordered_json::array();
  for (const backend::OptionDescription& option : description.options) {
    options.push_back({{"name", option.name},
                       {"default", option.default_value},
                       {"line", option.line},
                       {"choices", option.choices}});
  }
  ordered_json switches = ordered_json::array();
  for (const backend::SwitchDescription& one : description.switches)
    switches.push_back({{"name", one.name}, {"line", one.line}});
  return {
      {"name", description.name}, {"line", description.line}, {"options", options}, {"switches", switches}};
}

ordered_json AsJson(const std::vector<backends::Listed>& listed) {
  ordered_json all = ordered_json::array();
  for (const backends::Listed& one : listed) {
    all.push_back(one.description.ok()
                      ? AsJson(*one.description)
                      : ordered_json{{"name", one.name}, {"error", one.description.error().message}});
  }
  return all;
}

// A plug-in says what it likes; a terminal should not obey it.
std::string AsText(std::vector<report::Term> terms, size_t indent = 0) {
  for (report::Term& term : terms) term = {base::Printable(term.name), base::Printable(term.meaning)};
  return report::TermList(terms, indent);
}

/// A line about a file says what a file is here.
std::string LineOf(const std::string& name, const std::string& line) {
  const backend::Spec spec{name};
  if (spec.names_server_file() || spec.command()) return "server: " + line;
  return spec.names_file() ? "plug-in: " + line : line;
}

std::string AsText(const Description& description) {
  std::string text = AsText({{description.name, LineOf(description.name, description.line)}});
  std::vector<report::Term> terms;
  for (const backend::OptionDescription& option : description.options) {
    const std::string choices =
        option.choices.empty() ? "" : fmt::format(" (one of {})", fmt::join(option.choices, ", "));
    terms.push_back({fmt::format("{}={}", option.name, option.default_value), option.line + choices});
  }
  if (!terms.empty()) text += "\noptions, with their defaults\n" + AsText(std::move(terms), 2);
  terms.clear();
  for (const backend::SwitchDescription& one : description.switches) terms.push_back({one.name, one.line});
  if (!terms.empty()) text += "\nswitches, each turned off with off=NAME\n" + AsText(std::move(terms), 2);
  return text;
}

std::string AsText(const std::vector<backends::Listed>& listed) {
  std::vector<report::Term> terms;
  terms.reserve(listed.size() + 1);
  for (const backends::Listed& one : listed) {
    const std::string line =
        one.description.ok() ? one.description->line : "cannot be used: " + one.description.error().message;
    terms.push_back({one.name, LineOf(one.name, line)});
  }
  terms.push_back({"./FILE.so", "a path is a plug-in: a compiler of your own (docs/backends.md)"});
  terms.push_back({"./FILE.py", "a compiler in a process of its own (docs/servers.md)"});
  return AsText(std::move(terms));
}

int Show(const auto& shown, bool json) {
  PrintOut("{}", json ? AsJson(shown).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n"
                      : AsText(shown));
  return kSuccess;
}

int Run(const Options& options) {
  if (options.name.empty()) {
    const base::Result<base::Settings> settings = base::CurrentSettings();
    if (!settings.ok()) return Fail(settings.error());
    return Show(backends::List(settings->backends), options.json);
  }
  const base::Result<backend::Spec> spec = backend::ParseSpec(options.name);
  if (!spec.ok()) return Fail(spec.error());
  const base::Result<Description> description = backends::Describe(*spec);
  return description.ok() ? Show(*description, options.json) : Fail(description.error());
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name,
                 "A backend, or the file of a plug-in or server: a name with a slash in it");
  app.add_flag("--json", options->json, "Show all of it as JSON");
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Lists the backends, the compilers that graphs can be run with, one in a line; with NAME shows the "
    "options "
    "of one and the parts of it that can be turned off. One that cannot be used is listed with the "
    "reason.\n\n"
    "Wherever a backend is wanted, its options follow behind a colon:\n\n"
    "  NAME:option=value,option=value    with options\n"
    "  NAME:off=SWITCH                   without one of its parts\n"
    "  NAME:off=SWITCH@3,off=OTHER@5+    without the 3rd application of one,\n"
    "                                    and from the 5th on of another\n"
    "  ./libmine.so:option=value         a plug-in: a compiler of your own\n"
    "  ./mine.py:option=value            one in a process of its own\n"
    "  exec:COMMAND:option=value         the same, started by a command\n\n"
    "The environment variable CULPRIT_BACKENDS names files of plug-ins, with colons between them, that are "
    "to "
    "be listed too.";

constexpr Example kExamples[] = {
    {"culprit backends", "Which backends are there?"},
    {"culprit backends ./libmine.so", "What can be set in this plug-in?"},
    {"CULPRIT_BACKENDS=./libmine.so culprit backends --json", "All of it, for a program"},
};

}  // namespace

const Command kBackendsCommand = {
    .name = "backends",
    .summary = "list the compilers and what can be set in them",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit config --help, docs/backends.md",
    .declare = Declare,
};

}  // namespace culprit::cli
