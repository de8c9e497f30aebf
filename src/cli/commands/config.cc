// SPDX-License-Identifier: Apache-2.0
//
// culprit config [NAME]: the settings, what they are, and who says so.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/setting_table.h"
#include "base/settings.h"
#include "cli/command.h"
#include "cli/show/print.h"
#include "cli/show/settings_text.h"

namespace culprit::cli {
namespace {

using base::SettingValue;
using nlohmann::ordered_json;

struct Options {
  std::string name;
  bool json = false;
  bool markdown = false;
};

// A variable may hold bytes that are no UTF-8.
void PrintJson(const ordered_json& json) {
  PrintOut("{}\n", json.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

int ShowAll(const std::vector<SettingValue>& values, bool as_json) {
  if (as_json) {
    ordered_json all = ordered_json::array();
    for (const SettingValue& value : values) all.push_back(SettingAsJson(value));
    PrintJson(all);
  } else {
    PrintOut("{}", SettingsAsText(values));
  }
  return kSuccess;
}

int ShowOne(const SettingValue& value, bool as_json) {
  if (as_json) {
    PrintJson(SettingAsJson(value));
  } else {
    PrintOut("{}", SettingAsText(value));
  }
  return kSuccess;
}

int Run(const Options& options) {
  if (options.markdown) {
    PrintOut("{}", SettingsAsMarkdown());
    return kSuccess;
  }
  const base::Result<std::vector<SettingValue>> values = base::DescribeSettings();
  if (!values.ok()) return Fail(values.error());
  if (options.name.empty()) return ShowAll(*values, options.json);
  const base::Result<const base::SettingRow*> row = base::FindSetting(options.name);
  if (!row.ok()) return Fail(row.error());
  return ShowOne(*std::ranges::find(*values, *row, &SettingValue::row), options.json);
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::Option* name = app.add_option("NAME", options->name, "One setting, with what it may be");
  CLI::Option* json = app.add_flag("--json", options->json, "Show it as JSON");
  app.add_flag("--markdown", options->markdown, "Show the page docs/settings.md, whatever is set")
      ->excludes(name)
      ->excludes(json);
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Lists what can be set beside the options of commands, most of it about watching a live program: value, "
    "where the value comes from, and what it is for; with NAME all about one.\n\n"
    "A setting is what a program says in C++ (culprit/config.h), for a scope or for the process; else what "
    "the environment variable says; else its default. An environment variable that begins with CULPRIT_ and "
    "is no setting, or whose value is none, is an error.";

constexpr Example kExamples[] = {
    {"culprit config", "What is set, and by whom?"},
    {"culprit config repro_level", "What may this one be?"},
    {"CULPRIT_REPRO_LEVEL=4 culprit config --json", "All of it, for a program"},
};

}  // namespace

const Command kConfigCommand = {
    .name = "config",
    .summary = "list what can be set, with value and origin",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "docs/settings.md",
    .declare = Declare,
};

}  // namespace culprit::cli
