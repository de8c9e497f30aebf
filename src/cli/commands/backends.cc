// SPDX-License-Identifier: Apache-2.0
//
// culprit backends [NAME]: which compilers there are, and how each can be set.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "backend/description.h"
#include "backends/table.h"
#include "base/settings.h"
#include "base/text.h"
#include "cli/command.h"

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

struct Row {
  std::string name;
  std::string meaning;
};

// A plug-in says what it likes; a terminal should not obey it.
std::string AsText(const std::vector<Row>& rows, std::string_view indent) {
  size_t width = 0;
  for (const Row& row : rows) width = std::max(width, base::Printable(row.name).size());
  std::string text;
  for (const Row& row : rows)
    text +=
        fmt::format("{}{:{}}  {}\n", indent, base::Printable(row.name), width, base::Printable(row.meaning));
  return text;
}

std::string AsText(const Description& description) {
  std::string text = AsText({{description.name, description.line}}, "");
  std::vector<Row> rows;
  for (const backend::OptionDescription& option : description.options) {
    const std::string choices =
        option.choices.empty() ? "" : fmt::format(" (one of {})", fmt::join(option.choices, ", "));
    rows.push_back({fmt::format("{}={}", option.name, option.default_value), option.line + choices});
  }
  if (!rows.empty()) text += "\noptions, with their defaults\n" + AsText(rows, "  ");
  rows.clear();
  for (const backend::SwitchDescription& one : description.switches) rows.push_back({one.name, one.line});
  if (!rows.empty()) text += "\nswitches, each turned off with off=NAME\n" + AsText(rows, "  ");
  return text;
}

std::string AsText(const std::vector<backends::Listed>& listed) {
  std::vector<Row> rows;
  rows.reserve(listed.size());
  for (const backends::Listed& one : listed) {
    rows.push_back({one.name, one.description.ok() ? one.description->line
                                                   : "cannot be used: " + one.description.error().message});
  }
  return AsText(rows, "");
}

int Show(const auto& shown, bool json) {
  fmt::print("{}", json ? AsJson(shown).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n"
                        : AsText(shown));
  return kSuccess;
}

int Run(const Options& options) {
  if (options.name.empty()) {
    const base::Result<base::Settings> settings = base::CurrentSettings();
    if (!settings.ok()) return Fail(settings.error());
    return Show(backends::List(settings->backends), options.json);
  }
  const base::Result<Description> description = backends::Describe(options.name);
  return description.ok() ? Show(*description, options.json) : Fail(description.error());
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name, "A backend, or the file of a plug-in: a name with a slash in it");
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
    "  ./libmine.so:option=value         a plug-in: a compiler of your own\n\n"
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
