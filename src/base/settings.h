// SPDX-License-Identifier: Apache-2.0
//
// What users can set beside the options of a command. Each setting has one row in a table: its name, its
// environment variable, what it may be, and one line that says what it is for. Its default stands here.
//
// The value of a setting is the first of these that there is:
//
//   patch         SettingsPatch, until the end of its scope, for the thread that made it
//   process       SetForProcess, from then on, for all threads
//   environment   CULPRIT_REPRO_LEVEL=3
//   default
#pragma once

#include <cstdint>
#include <string>

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
  bool disable = false;
  bool fresh_caches = false;
  std::string log = "";
  bool debug = false;
  std::string debug_directory = "culprit_debug";
};

}  // namespace culprit::base
