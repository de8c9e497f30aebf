// SPDX-License-Identifier: Apache-2.0
//
// Values for some of the settings, to be laid over what others say about them.
#pragma once

#include <set>
#include <string_view>

#include "base/result.h"
#include "base/setting_table.h"

namespace culprit::base {

class SettingLayer {
 public:
  /// ParseSetting; an error changes nothing.
  Status Set(const SettingRow& row, std::string_view text, std::string_view written_as);
  bool Has(const SettingRow& row) const { return rows_.contains(&row); }
  void LayOver(Settings& settings) const;

 private:
  Settings values_;
  std::set<const SettingRow*> rows_;
};

/// The settings among environment variables, NAME=value each, with a null pointer behind the last. One
/// without a value counts as not set. One that begins with CULPRIT_ and is no setting is an error, since it
/// is most likely a misspelt one that would do nothing.
Result<SettingLayer> ReadEnvironment(const char* const* entries);

}  // namespace culprit::base
