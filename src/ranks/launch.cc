// SPDX-License-Identifier: Apache-2.0
#include "ranks/launch.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace culprit::ranks {
namespace {

using base::Diagnostic;
using base::Result;

constexpr int kMostRanks = 1 << 20;

struct Spelling {
  const char* rank;
  const char* size;
};

constexpr Spelling kSpellings[] = {{"RANK", "WORLD_SIZE"},
                                   {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   {"PMI_RANK", "PMI_SIZE"},
                                   {"SLURM_PROCID", "SLURM_NTASKS"}};

constexpr char kHelp[] =
    "start the program with torchrun, or give every rank RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT";

/// A variable without a value counts as not set, as in settings.
std::optional<std::string_view> Find(const Variable& variable, const char* name) {
  const char* value = variable(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

Result<std::string_view> Need(const Variable& variable, const char* name) {
  const auto found = Find(variable, name);
  if (found) return *found;
  return Diagnostic{.place = {}, .message = fmt::format("{} is not set", name), .help = kHelp};
}

Result<int> NeedNumber(const Variable& variable, const char* name, int minimum, int maximum) {
  const std::string_view text = CULPRIT_TRY(Need(variable, name));
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && number >= minimum && number <= maximum) return number;
  return Diagnostic{.place = {},
                    .message = fmt::format("{} is '{}', which is not a whole number from {} to {}", name,
                                           base::Printable(text), minimum, maximum),
                    .help = kHelp};
}

Result<const Spelling*> FindSpelling(const Variable& variable) {
  for (const Spelling& spelling : kSpellings) {
    if (Find(variable, spelling.rank) || Find(variable, spelling.size)) return &spelling;
  }
  return Diagnostic{.place = {},
                    .message = "the environment does not say which rank this is: RANK is not set",
                    .help = kHelp};
}

}  // namespace

Result<Launch> ReadLaunch(const Variable& variable) {
  const Spelling* spelling = CULPRIT_TRY(FindSpelling(variable));
  Launch launch;
  launch.size = CULPRIT_TRY(NeedNumber(variable, spelling->size, 1, kMostRanks));
  launch.rank = CULPRIT_TRY(NeedNumber(variable, spelling->rank, 0, launch.size - 1));
  launch.host = CULPRIT_TRY(Need(variable, "MASTER_ADDR"));
  launch.port = static_cast<uint16_t>(CULPRIT_TRY(NeedNumber(variable, "MASTER_PORT", 1, 65535)));
  return launch;
}

}  // namespace culprit::ranks
