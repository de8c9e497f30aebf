// SPDX-License-Identifier: Apache-2.0
#include "cli/show/settings_text.h"

#include <fmt/format.h>

#include <variant>

#include "base/setting_table.h"
#include "base/text.h"
#include "report/term_list.h"

namespace culprit::cli {
namespace {

using base::SettingRow;
using base::SettingValue;

constexpr std::string_view kIntroduction = R"(# Settings

What can be set beside the options of a command, most of it about watching a live program. The value of a setting is the
first of these that there is:

| origin | how | for how long | for whom |
|---|---|---|---|
| patch | `culprit::config::Patch` | until the end of its scope; inner ones go over outer ones | the thread that made it |
| process | `culprit::config::Set` | from then on | all threads |
| environment | a variable, `CULPRIT_REPRO_LEVEL=3` | read once, when a setting is first asked for | all threads |
| default | | | |

An unknown name, a value that a setting cannot have, and an environment variable that begins with `CULPRIT_` and is no setting
are errors that name the nearest right one. A variable without a value counts as not set. `culprit config` shows all settings
with value and origin, `culprit config NAME` one of them, and `--json` gives either to a program.

```console
$ CULPRIT_REPRO_LEVEL=4 build/release/culprit config repro_level
setting               repro_level
value                 4
origin                environment
default               2
...
$ CULPRIT_REPRO_LEVLE=4 build/release/culprit config
error: unknown environment variable 'CULPRIT_REPRO_LEVLE', did you mean
    'CULPRIT_REPRO_LEVEL'?
  help: to see all settings, run: culprit config --markdown
```

In C++, with [culprit/config.h](../include/culprit/config.h):

```cpp
culprit::config::Set("directory", "/var/tmp/runs");
{
  culprit::config::Patch patch{{"repro_after", "aot"}, {"repro_level", "4"}};
  auto fast = culprit::Compile(module);
}
std::string level = culprit::config::Get("repro_level");  // "2"
```

Wrong names and values throw `std::invalid_argument`.

For `true` also `1`, `on` and `yes` can be written, for `false` also `0`, `off` and `no`. Repros say which settings
were not as they are by default, where that may matter to whoever reads them: "yes" below.

| setting | default | environment variable | may be | in repros | what it is for |
|---|---|---|---|---|---|
)";

/// Of what a setting is for, below it.
constexpr size_t kIndent = 4;

std::string ShownText(std::string_view text) {
  return text.empty() ? "\"\"" : base::Printable(text);
}

}  // namespace

std::string SettingsAsText(std::span<const SettingValue> values) {
  std::string text;
  for (const SettingValue& value : values) {
    text += fmt::format("{} = {}  ({})\n", value.row->name, ShownText(value.text), value.origin);
    text += report::Filled(value.row->line, {kIndent, kIndent}, report::Columns()) + "\n";
  }
  return text + report::Wrapped(
                    "\nThe environment variable of a setting is its name in capitals behind CULPRIT_, as in "
                    "CULPRIT_REPRO_LEVEL=4.\n");
}

std::string SettingAsText(const SettingValue& value) {
  const SettingRow& row = *value.row;
  return report::TermList({
      {"setting", std::string(row.name)},
      {"value", ShownText(value.text)},
      {"origin", std::string(value.origin)},
      {"default", ShownText(base::PrintSetting(row, {}))},
      {"environment variable", std::string(row.variable)},
      {"may be", base::ValuesOf(row)},
      {"what it is for", std::string(row.line)},
  });
}

nlohmann::ordered_json SettingAsJson(const SettingValue& value) {
  const SettingRow& row = *value.row;
  nlohmann::ordered_json choices = nlohmann::ordered_json::array();
  for (const base::SettingChoice& choice : row.choices) choices.push_back(choice.word);
  return {{"name", row.name},         {"value", value.text},
          {"origin", value.origin},   {"default", base::PrintSetting(row, {})},
          {"variable", row.variable}, {"choices", choices},
          {"line", row.line}};
}

std::string SettingsAsMarkdown() {
  std::string text(kIntroduction);
  for (const SettingRow& row : base::AllSettings()) {
    const bool is_switch = std::holds_alternative<bool base::Settings::*>(row.member);
    const std::string default_text = base::PrintSetting(row, {});
    text += fmt::format("| `{}` | {} | `{}` | {} | {} | {} |\n", row.name,
                        default_text.empty() ? "" : fmt::format("`{}`", default_text), row.variable,
                        is_switch ? "true, false" : base::ValuesOf(row), row.in_repro ? "yes" : "", row.line);
  }
  return text;
}

}  // namespace culprit::cli
