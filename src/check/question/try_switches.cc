// SPDX-License-Identifier: Apache-2.0
#include "check/question/try_switches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backend/spec.h"
#include "backends/table.h"
#include "base/shell_word.h"

namespace culprit::check {

std::string TriedSwitches::ToString() const {
  if (tried == 0) return "";
  if (passing.empty()) {
    return tried == switches
               ? fmt::format("none of the {} switches of the compiler makes it pass", switches)
               : fmt::format("{} of {} switches of the compiler were tried, and none makes it pass", tried,
                             switches);
  }
  constexpr size_t kMostShown = 3;
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(passing.size(), kMostShown); ++i)
    shown.push_back("--backend " + base::ShellWord(passing[i]));
  const std::string more =
      passing.size() > kMostShown ? fmt::format(", and with {} more", passing.size() - kMostShown) : "";
  return fmt::format("passes with {}{}", fmt::join(shown, ", or with "), more);
}

base::Result<TriedSwitches> TrySwitches(const AskOnce& ask, const repro::Repro& repro,
                                        std::chrono::steady_clock::time_point deadline,
                                        const std::function<bool()>& stop) {
  TriedSwitches result;
  const backend::Spec spec = CULPRIT_TRY(backend::ParseSpec(repro.header.backend));
  const backend::Description description = CULPRIT_TRY(backends::Describe(spec));
  result.switches = description.switches.size();
  for (const backend::SwitchDescription& one : description.switches) {
    if (stop() || std::chrono::steady_clock::now() >= deadline) break;
    if (std::ranges::count(spec.off, one.name, &backend::SwitchOff::name) > 0) continue;
    backend::Spec without = spec;
    without.off.push_back({one.name});
    repro::Repro asked = repro;
    asked.header.backend = without.ToString();
    const Finding finding = CULPRIT_TRY(ask(asked));
    ++result.tried;
    if (finding.passes()) result.passing.push_back(asked.header.backend);
  }
  return result;
}

}  // namespace culprit::check
