// SPDX-License-Identifier: Apache-2.0
//
// One row for each setting (base/settings.h), in the order in which they are shown: `culprit config`,
// docs/settings.md, errors and repros know no more about a setting than its row says.
//
// A value is written as text:
//
//   a switch   1, true, on, yes; 0, false, off, no
//   a number   as C++ writes it, within the limits of the row
//   a text     one of the choices if there are some; empty only if that is the default
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "base/settings.h"

namespace culprit::base {

struct SettingChoice {
  std::string_view word;
  /// The choice that is taken for it, if it is another word for one.
  std::string_view means = {};
};

struct SettingRow {
  using Member =
      std::variant<bool Settings::*, int64_t Settings::*, double Settings::*, std::string Settings::*>;

  std::string_view name;
  Member member;
  std::string_view variable;
  /// Lower case, without a full stop.
  std::string_view line;
  std::span<const SettingChoice> choices = {};
  double minimum = std::numeric_limits<double>::lowest();
  double maximum = std::numeric_limits<double>::max();
  /// Whether somebody who runs a repro elsewhere wants it as it was.
  bool in_repro = true;
};

std::span<const SettingRow> AllSettings();

Result<const SettingRow*> FindSetting(std::string_view name);

/// "one of wait, end", "a whole number from 0 to 4", "text".
std::string ValuesOf(const SettingRow& row);

std::string PrintSetting(const SettingRow& row, const Settings& settings);

/// Changes this one member, or nothing. The error calls the setting `written_as`, since users know either its
/// name or its variable.
Status ParseSetting(const SettingRow& row, std::string_view text, std::string_view written_as,
                    Settings& settings);

}  // namespace culprit::base
