// SPDX-License-Identifier: Apache-2.0
#include "base/setting_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <variant>
#include <vector>

#include "base/text.h"

namespace culprit::base {
namespace {

constexpr std::string_view kPrefix = "CULPRIT_";

// No settings: the volume of the tests, where CMake is to look for the installed package, and the mark of
// `culprit exec`.
constexpr std::string_view kNoSettings[] = {"CULPRIT_TEST_VOLUME", "CULPRIT_ROOT", "CULPRIT_EXEC"};

// The prefix is left out of the comparison: it would make all variables look alike.
Diagnostic UnknownVariable(std::string_view variable) {
  std::string name(variable.substr(kPrefix.size()));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  std::vector<std::string_view> names;
  for (const SettingRow& row : AllSettings()) names.push_back(row.name);
  const std::string_view nearest = NearestName(name, names);
  std::string hint;
  if (!nearest.empty()) {
    const SettingRow& meant = *std::ranges::find(AllSettings(), nearest, &SettingRow::name);
    hint = fmt::format(", did you mean '{}'?", meant.variable);
  }
  return {.place = {},
          .message = fmt::format("unknown environment variable '{}'{}", Printable(variable), hint),
          .help = "to see all settings, run: culprit config --markdown"};
}

}  // namespace

Status SettingLayer::Set(const SettingRow& row, std::string_view text, std::string_view written_as) {
  CULPRIT_TRY(ParseSetting(row, text, written_as, values_));
  rows_.insert(&row);
  return Done();
}

void SettingLayer::LayOver(Settings& settings) const {
  for (const SettingRow* row : rows_)
    std::visit([&](auto member) { settings.*member = values_.*member; }, row->member);
}

Result<SettingLayer> ReadEnvironment(const char* const* entries) {
  SettingLayer layer;
  for (; *entries != nullptr; ++entries) {
    const std::string_view entry = *entries;
    if (!entry.starts_with(kPrefix)) continue;
    const size_t end = std::min(entry.find('='), entry.size());
    const std::string_view variable = entry.substr(0, end);
    if (std::ranges::find(kNoSettings, variable) != std::end(kNoSettings)) continue;
    const auto row = std::ranges::find(AllSettings(), variable, &SettingRow::variable);
    if (row == AllSettings().end()) return UnknownVariable(variable);
    const std::string_view text = entry.substr(std::min(end + 1, entry.size()));
    if (!text.empty()) CULPRIT_TRY(layer.Set(*row, text, variable));
  }
  return layer;
}

}  // namespace culprit::base
