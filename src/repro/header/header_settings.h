// SPDX-License-Identifier: Apache-2.0
//
// What a header's `settings` may hold: settings of Culprit that decide what a repro does
// (base/setting_table.h), and what a failure depends on beside them.
//
//   "settings": {"repro_fp64": "false", "timeout": "300", "freeze": "none"}
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace culprit::repro {

/// Seconds, seconds of processor time, and MiB that a query may take.
inline constexpr const char* kTimeoutSetting = "timeout";
inline constexpr const char* kCpuLimitSetting = "cpu_limit";
inline constexpr const char* kMemoryLimitSetting = "memory_limit";
/// "none" if the graph has no parameters on purpose.
inline constexpr const char* kFreezeSetting = "freeze";
/// How many queries it takes until a failure that comes sometimes has come.
inline constexpr const char* kRepeatsSetting = "repeats";
/// Kinds of failures that are set aside, with commas between them (backend/failure/failure_kinds.h).
inline constexpr const char* kIgnoreSetting = "ignore";
/// Exceptions whose text does not hold this are set aside, as by PyTorch's `check_str`.
inline constexpr const char* kCheckTextSetting = "check_text";
/// Which of several processes the failure was in, as in "1 of 4".
inline constexpr const char* kRankSetting = "rank";

inline constexpr uint64_t kMostSeconds = 1000000;
inline constexpr int kMostRepeats = 200;
inline constexpr uint64_t kMostMib = uint64_t{1} << 30;

/// Whether there is such a setting; an error if there is and this is none of its values.
base::Result<bool> CheckHeaderSetting(std::string_view name, std::string_view value);

/// The number that the settings of a header, which were checked, have under this name.
std::optional<uint64_t> NumberAmong(const std::map<std::string, std::string>& settings, const char* name);

}  // namespace culprit::repro
