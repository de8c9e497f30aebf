// SPDX-License-Identifier: Apache-2.0
//
// What users can set beside the options of a command. Each setting has one row in a table
// (base/setting_table.h): its name, its environment variable, what it may be, and one line that says what it
// is for. Its default stands here.
//
// The value of a setting is the first of these that there is:
//
//   patch         SettingsPatch, until the end of its scope, for the thread that made it
//   process       SetForProcess, from then on, for all threads
//   environment   CULPRIT_REPRO_LEVEL=3
//   default
//
// The environment is read once, when settings are first asked for: backends change variables of libtorch's
// while other threads compile, and reading beside that is undefined. All functions may be called from several
// threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace culprit::base {

struct Settings {
  std::string repro_after = "none";
  int64_t repro_level = 2;
  double repro_tolerance = 1e-3;
  bool repro_forward_only = false;
  bool repro_ignore_non_float = false;
  bool repro_fp64 = true;
  int64_t check_every = 1;
  bool verify_correctness = false;
  std::string directory = "culprit_runs";
  int64_t store_limit = 4096;
  double call_timeout = 0;
  std::string on_timeout = "wait";
  bool suppress_errors = false;
  bool minify_now = false;
  std::string program = "culprit";
  std::string backend = "eager";
  std::string backends = "";
  std::string faults = "";
  int64_t recompile_limit = 8;
  int64_t accumulated_recompile_limit = 256;
  std::string dynamic_sizes = "auto";
  bool disable = false;
  bool fresh_caches = false;
  std::string log = "";
  bool debug = false;
  std::string debug_directory = "culprit_debug";
  std::string ranks = "off";
  double ranks_timeout = 30;
  int64_t ranks_port = 0;
  bool ranks_recompile = false;
};

/// As they are for this thread now; an error if the environment holds a wrong one.
Result<Settings> CurrentSettings();

struct SettingRow;

struct SettingValue {
  const SettingRow* row = nullptr;
  std::string text;
  /// "default", "environment", "process" or "patch".
  std::string_view origin;
};

/// All of them, in the order of the table.
Result<std::vector<SettingValue>> DescribeSettings();

Status SetForProcess(std::string_view name, std::string_view text);

class SettingLayer;

/// Values that hold for this thread while it lives, over those of patches that were made before. Patches may
/// end in any order, and anywhere.
class SettingsPatch {
 public:
  /// Names and values.
  using Texts = std::vector<std::pair<std::string, std::string>>;

  /// Of a name that is given twice the last value counts.
  static Result<SettingsPatch> Make(const Texts& texts);

  ~SettingsPatch() = default;
  SettingsPatch(SettingsPatch&&) = default;
  SettingsPatch& operator=(SettingsPatch&&) = default;
  SettingsPatch(const SettingsPatch&) = delete;
  SettingsPatch& operator=(const SettingsPatch&) = delete;

 private:
  explicit SettingsPatch(std::shared_ptr<const SettingLayer> layer) : layer_(std::move(layer)) {}

  std::shared_ptr<const SettingLayer> layer_;
};

/// Those that a repro has to say, because they are not as they are by default; by name.
std::map<std::string, std::string> NonDefault(const Settings& settings);

}  // namespace culprit::base
