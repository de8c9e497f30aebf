// SPDX-License-Identifier: Apache-2.0
#include "check/question/try_switches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <future>

#include "backend/spec.h"
#include "backends/table.h"
#include "base/shell_word.h"

namespace culprit::check {
namespace {

/// A backend, and what is asked about it.
using Asked = std::pair<std::string, std::future<base::Result<Finding>>>;

Asked AskWith(const AskOnce& ask, const repro::Repro& repro, const std::string& backend, size_t jobs) {
  repro::Repro asked = repro;
  asked.header.backend = backend;
  return {backend, std::async(jobs > 1 ? std::launch::async : std::launch::deferred,
                              [&ask, asked = std::move(asked)] { return ask(asked); })};
}

}  // namespace

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
                                        const TrySwitchesOptions& options) {
  TriedSwitches result;
  const backend::Spec spec = CULPRIT_TRY(backend::ParseSpec(repro.header.backend));
  const backend::Description description = CULPRIT_TRY(backends::Describe(spec));
  result.switches = description.switches.size();
  std::deque<Asked> asked;
  const auto take = [&]() -> base::Status {
    auto [backend, answer] = std::move(asked.front());
    asked.pop_front();
    const Finding finding = CULPRIT_TRY(answer.get());
    ++result.tried;
    if (finding.passes()) result.passing.push_back(backend);
    return base::Done{};
  };
  for (const backend::SwitchDescription& one : description.switches) {
    if (options.stop() || std::chrono::steady_clock::now() >= options.deadline) break;
    if (std::ranges::count(spec.off, one.name, &backend::SwitchOff::name) > 0) continue;
    backend::Spec without = spec;
    without.off.push_back({one.name});
    asked.push_back(AskWith(ask, repro, without.ToString(), options.jobs));
    if (asked.size() >= options.jobs) CULPRIT_TRY(take());
  }
  while (!asked.empty()) CULPRIT_TRY(take());
  return result;
}

}  // namespace culprit::check
