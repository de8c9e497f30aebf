// SPDX-License-Identifier: Apache-2.0
//
// Settings as people and programs read them.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/settings.h"

namespace culprit::cli {

/// Each with its value, where that comes from, and what it is for.
std::string SettingsAsText(std::span<const base::SettingValue> values);

/// All about one, a fact in a line.
std::string SettingAsText(const base::SettingValue& value);

nlohmann::ordered_json SettingAsJson(const base::SettingValue& value);

/// The page docs/settings.md, which has defaults in the place of values.
std::string SettingsAsMarkdown();

}  // namespace culprit::cli
