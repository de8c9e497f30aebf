// SPDX-License-Identifier: Apache-2.0
#include "base/setting_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text.h"

namespace culprit::base {
namespace {

constexpr SettingChoice kPoints[] = {{"none"}, {"capture"}, {"dynamo", "capture"}, {"aot"}, {"auto"}};
constexpr SettingChoice kAfterTimeout[] = {{"wait"}, {"end"}};
constexpr SettingChoice kSizes[] = {{"auto"}, {"marked"}, {"off"}};
constexpr SettingChoice kRanks[] = {{"off"}, {"environment"}};

constexpr SettingRow kRows[] = {
    {.name = "repro_after",
     .member = &Settings::repro_after,
     .variable = "CULPRIT_REPRO_AFTER",
     .line = "which graphs of a live program are watched: as captured (or dynamo), as autograd makes them "
             "(aot), or first these and then those",
     .choices = kPoints,
     .in_repro = false},
    {.name = "repro_level",
     .member = &Settings::repro_level,
     .variable = "CULPRIT_REPRO_LEVEL",
     .line = "0 off, 1 a repro on errors, 2 ready to minify, 3 written before every compile and call, for "
             "crashes, 4 numbers are checked too",
     .minimum = 0,
     .maximum = 4,
     .in_repro = false},
    {.name = "repro_tolerance",
     .member = &Settings::repro_tolerance,
     .variable = "CULPRIT_REPRO_TOLERANCE",
     .line = "how far numbers may be off",
     .minimum = 0},
    {.name = "repro_forward_only",
     .member = &Settings::repro_forward_only,
     .variable = "CULPRIT_REPRO_FORWARD_ONLY",
     .line = "compare outputs and no gradients"},
    {.name = "repro_ignore_non_float",
     .member = &Settings::repro_ignore_non_float,
     .variable = "CULPRIT_REPRO_IGNORE_NON_FLOAT",
     .line = "compare no integers and no booleans"},
    {.name = "repro_fp64",
     .member = &Settings::repro_fp64,
     .variable = "CULPRIT_REPRO_FP64",
     .line = "judge numbers by how far they are from those in float64"},
    {.name = "check_every",
     .member = &Settings::check_every,
     .variable = "CULPRIT_CHECK_EVERY",
     .line = "level 4 checks one call in so many",
     .minimum = 1},
    {.name = "verify_correctness",
     .member = &Settings::verify_correctness,
     .variable = "CULPRIT_VERIFY_CORRECTNESS",
     .line = "compare once when compiling, with a tolerance of 1e-4, and throw if numbers differ"},
    {.name = "directory",
     .member = &Settings::directory,
     .variable = "CULPRIT_DIRECTORY",
     .line = "where run folders are made",
     .in_repro = false},
    {.name = "store_limit",
     .member = &Settings::store_limit,
     .variable = "CULPRIT_STORE_LIMIT",
     .line = "MiB of inputs that level 3 keeps for a graph",
     .minimum = 0,
     .maximum = 1e9},
    {.name = "call_timeout",
     .member = &Settings::call_timeout,
     .variable = "CULPRIT_CALL_TIMEOUT",
     .line = "seconds after which a call or a compilation hangs; 0 for none",
     .minimum = 0,
     .maximum = 1e6},
    {.name = "on_timeout",
     .member = &Settings::on_timeout,
     .variable = "CULPRIT_ON_TIMEOUT",
     .line = "what follows once the repro of a hang is written: go on waiting, or end the process",
     .choices = kAfterTimeout},
    {.name = "suppress_errors",
     .member = &Settings::suppress_errors,
     .variable = "CULPRIT_SUPPRESS_ERRORS",
     .line = "where the compiler fails the program runs as written, which is counted"},
    {.name = "minify_now",
     .member = &Settings::minify_now,
     .variable = "CULPRIT_MINIFY_NOW",
     .line = "minify in a child process after a failure, while the program goes on",
     .in_repro = false},
    {.name = "program",
     .member = &Settings::program,
     .variable = "CULPRIT_PROGRAM",
     .line = "the culprit command that minify_now starts",
     .in_repro = false},
    {.name = "backend",
     .member = &Settings::backend,
     .variable = "CULPRIT_BACKEND",
     .line = "the compiler of programs that name none",
     .in_repro = false},
    {.name = "backends",
     .member = &Settings::backends,
     .variable = "CULPRIT_BACKENDS",
     .line = "files of plug-ins, with colons between, that `culprit backends` lists too",
     .in_repro = false},
    {.name = "faults",
     .member = &Settings::faults,
     .variable = "CULPRIT_FAULTS",
     .line = "faults to put into the backend, with commas between, to try things out (`culprit faults`)",
     .in_repro = false},
    {.name = "recompile_limit",
     .member = &Settings::recompile_limit,
     .variable = "CULPRIT_RECOMPILE_LIMIT",
     .line = "how often one place is compiled before it runs as written",
     .minimum = 1},
    {.name = "accumulated_recompile_limit",
     .member = &Settings::accumulated_recompile_limit,
     .variable = "CULPRIT_ACCUMULATED_RECOMPILE_LIMIT",
     .line = "how often all places of a program together are compiled before the rest runs as written",
     .minimum = 1},
    {.name = "dynamic_sizes",
     .member = &Settings::dynamic_sizes,
     .variable = "CULPRIT_DYNAMIC_SIZES",
     .line = "which sizes become symbols, so that graphs are for all of them: those that differ from call to "
             "call and those that are marked, marked ones only, or none",
     .choices = kSizes},
    {.name = "disable",
     .member = &Settings::disable,
     .variable = "CULPRIT_DISABLE",
     .line = "capture nothing: the program runs as written",
     .in_repro = false},
    {.name = "fresh_caches",
     .member = &Settings::fresh_caches,
     .variable = "CULPRIT_FRESH_CACHES",
     .line = "use nothing again that was compiled before"},
    {.name = "log",
     .member = &Settings::log,
     .variable = "CULPRIT_LOG",
     .line = "what happens is told here: stderr, or a file",
     .in_repro = false},
    {.name = "debug",
     .member = &Settings::debug,
     .variable = "CULPRIT_DEBUG",
     .line = "write a folder about every compiled graph",
     .in_repro = false},
    {.name = "debug_directory",
     .member = &Settings::debug_directory,
     .variable = "CULPRIT_DEBUG_DIRECTORY",
     .line = "where debug makes its folders",
     .in_repro = false},
    {.name = "ranks",
     .member = &Settings::ranks,
     .variable = "CULPRIT_RANKS",
     .line =
         "whether ranks agree before they compile: not unless the program says so, or as the variables of "
         "torchrun or an MPI launcher tell",
     .choices = kRanks,
     .in_repro = false},
    {.name = "ranks_timeout",
     .member = &Settings::ranks_timeout,
     .variable = "CULPRIT_RANKS_TIMEOUT",
     .line = "seconds after which a rank that has not come is named",
     .minimum = 0.001,
     .maximum = 1e6,
     .in_repro = false},
    {.name = "ranks_port",
     .member = &Settings::ranks_port,
     .variable = "CULPRIT_RANKS_PORT",
     .line = "of rank 0, where ranks meet that a launcher has started; 0 for 1000 above MASTER_PORT",
     .minimum = 0,
     .maximum = 65535,
     .in_repro = false},
    {.name = "ranks_recompile",
     .member = &Settings::ranks_recompile,
     .variable = "CULPRIT_RANKS_RECOMPILE",
     .line = "a rank that compiles a place again makes all ranks do so",
     .in_repro = false},
};

struct SwitchWord {
  std::string_view word;
  bool value;
};

constexpr SwitchWord kSwitchWords[] = {{"1", true},  {"0", false},   {"true", true}, {"false", false},
                                       {"on", true}, {"off", false}, {"yes", true},  {"no", false}};

/// Those that the value has to be one of; none if it is free.
std::vector<std::string_view> WordsOf(const SettingRow& row) {
  std::vector<std::string_view> words;
  if (std::holds_alternative<bool Settings::*>(row.member)) {
    for (const SwitchWord& word : kSwitchWords) words.push_back(word.word);
  }
  for (const SettingChoice& choice : row.choices) words.push_back(choice.word);
  return words;
}

// Each Read leaves the value alone when the text is no good, and returns false.

bool Read(const SettingRow& /*row*/, std::string_view text, bool& value) {
  const auto* found = std::ranges::find(kSwitchWords, text, &SwitchWord::word);
  if (found == std::end(kSwitchWords)) return false;
  value = found->value;
  return true;
}

template <typename Number>
bool Read(const SettingRow& row, std::string_view text, Number& value) {
  Number number = {};
  const char* const end_of_text = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), end_of_text, number);
  // NaN is not within any limits.
  const auto compared = static_cast<double>(number);
  const bool is_within = compared >= row.minimum && compared <= row.maximum;
  if (error != std::errc() || end != end_of_text || !is_within) return false;
  value = number;
  return true;
}

bool Read(const SettingRow& row, std::string_view text, std::string& value) {
  if (row.choices.empty()) {
    const bool is_missing = text.empty() && !PrintSetting(row, Settings()).empty();
    if (!is_missing) value = text;
    return !is_missing;
  }
  const auto found = std::ranges::find(row.choices, text, &SettingChoice::word);
  if (found == row.choices.end()) return false;
  value = found->means.empty() ? found->word : found->means;
  return true;
}

std::string LimitsOf(const SettingRow& row) {
  const SettingRow unlimited = {};
  if (row.maximum != unlimited.maximum) return fmt::format(" from {} to {}", row.minimum, row.maximum);
  if (row.minimum != unlimited.minimum) return fmt::format(" of {} or more", row.minimum);
  return "";
}

}  // namespace

std::span<const SettingRow> AllSettings() {
  return kRows;
}

Result<const SettingRow*> FindSetting(std::string_view name) {
  const auto* found = std::ranges::find(kRows, name, &SettingRow::name);
  if (found != std::end(kRows)) return found;
  std::vector<std::string_view> names;
  for (const SettingRow& row : kRows) names.push_back(row.name);
  return Diagnostic{
      .place = {},
      .message = fmt::format("unknown setting '{}'{}", Printable(name), DidYouMean(name, names)),
      .help = "to see all settings, run: culprit config"};
}

std::string ValuesOf(const SettingRow& row) {
  const std::vector<std::string_view> words = WordsOf(row);
  if (!words.empty()) return fmt::format("one of {}", fmt::join(words, ", "));
  if (std::holds_alternative<int64_t Settings::*>(row.member)) return "a whole number" + LimitsOf(row);
  if (std::holds_alternative<double Settings::*>(row.member)) return "a number" + LimitsOf(row);
  return "text";
}

std::string PrintSetting(const SettingRow& row, const Settings& settings) {
  return std::visit([&](auto member) { return fmt::format("{}", settings.*member); }, row.member);
}

Status ParseSetting(const SettingRow& row, std::string_view text, std::string_view written_as,
                    Settings& settings) {
  const bool is_read = std::visit([&](auto member) { return Read(row, text, settings.*member); }, row.member);
  if (is_read) return Done();
  const bool is_text = std::holds_alternative<std::string Settings::*>(row.member);
  if (is_text && row.choices.empty()) {
    return Diagnostic{.place = {},
                      .message = fmt::format("{} is empty", written_as),
                      .help = fmt::format("its default is {}", PrintSetting(row, Settings()))};
  }
  return Diagnostic{.place = {},
                    .message = fmt::format("{} is '{}', which is not {}{}", written_as, Printable(text),
                                           ValuesOf(row), DidYouMean(text, WordsOf(row))),
                    .help = "to see all settings, run: culprit config --markdown"};
}

}  // namespace culprit::base
