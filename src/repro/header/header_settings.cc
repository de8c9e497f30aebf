// SPDX-License-Identifier: Apache-2.0
#include "repro/header/header_settings.h"

#include <fmt/format.h>

#include <charconv>

#include "base/setting_table.h"
#include "base/text.h"

namespace culprit::repro {
namespace {

struct Number {
  const char* name;
  uint64_t most;
};
constexpr Number kNumbers[] = {{kTimeoutSetting, kMostSeconds},
                               {kCpuLimitSetting, kMostSeconds},
                               {kMemoryLimitSetting, kMostMib},
                               {kRepeatsSetting, kMostRepeats}};

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

base::Diagnostic Wrong(std::string_view name, const std::string& wanted, std::string_view value) {
  return {
      {},
      fmt::format("the header's 'settings.{}' must be {}, not '{}'", name, wanted, base::Shortened(value))};
}

}  // namespace

base::Result<bool> CheckHeaderSetting(std::string_view name, std::string_view value) {
  for (const Number& number : kNumbers) {
    if (name != number.name) continue;
    const std::optional<uint64_t> parsed = ParseNumber(value);
    if (parsed && *parsed >= 1 && *parsed <= number.most) return true;
    return Wrong(name, fmt::format("a whole number from 1 to {}", number.most), value);
  }
  if (name == kRankSetting || name == kIgnoreSetting || name == kCheckTextSetting) return true;
  if (name == kFreezeSetting) {
    if (value == "none") return true;
    return Wrong(name, "none", value);
  }
  const base::Result<const base::SettingRow*> row = base::FindSetting(name);
  if (!row.ok()) return false;
  base::Settings settings;
  if (base::ParseSetting(**row, value, name, settings).ok()) return true;
  return Wrong(name, base::ValuesOf(**row), value);
}

std::optional<uint64_t> NumberAmong(const std::map<std::string, std::string>& settings, const char* name) {
  const auto found = settings.find(name);
  return found == settings.end() ? std::nullopt : ParseNumber(found->second);
}

}  // namespace culprit::repro
