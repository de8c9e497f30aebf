// SPDX-License-Identifier: Apache-2.0
#include "hunt/request/hunt_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "backend/spec.h"
#include "backends/table.h"
#include "base/text.h"
#include "minify/strategies/table.h"

namespace culprit::hunt {

base::Result<std::vector<minify::StrategyEntry>> StrategiesNamed(const std::vector<std::string>& names) {
  std::vector<minify::StrategyEntry> entries;
  std::vector<std::string_view> known;
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies()) known.push_back(entry.name);
  for (const std::string& name : names) {
    const auto found = std::ranges::find(minify::strategies::AllStrategies(), std::string_view(name),
                                         &minify::StrategyEntry::name);
    if (found == minify::strategies::AllStrategies().end()) {
      base::Diagnostic error{
          {},
          fmt::format("there is no strategy '{}'{}", base::Printable(name), base::DidYouMean(name, known))};
      error.help = "to see all of them, run: culprit strategies";
      return error;
    }
    entries.push_back(*found);
  }
  return entries;
}

size_t JobsOf(const HuntRequest& request) {
  return request.jobs.value_or(std::max<size_t>(1, std::thread::hardware_concurrency() / 2));
}

size_t JobsOf(const HuntRequest& request, const repro::Header& header) {
  const size_t jobs = JobsOf(request);
  if (request.jobs || !request.launcher.empty() || !request.judge_program.empty()) return jobs;
  const base::Result<backend::Spec> spec = backend::ParseSpec(header.backend);
  const bool is_served = spec.ok() && backends::IsServed(*spec);
  return is_served ? std::max<size_t>(jobs, std::min(2U, std::thread::hardware_concurrency())) : jobs;
}

base::Result<std::vector<std::string>> WantedStrategies(const HuntRequest& request) {
  for (const std::vector<std::string>* names : {&request.only, &request.skip})
    CULPRIT_TRY(StrategiesNamed(*names));
  std::vector<std::string> wanted;
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies()) {
    const bool is_named = std::ranges::count(request.only, entry.name) > 0;
    if ((request.only.empty() || is_named) && std::ranges::count(request.skip, entry.name) == 0)
      wanted.emplace_back(entry.name);
  }
  if (wanted.empty()) return base::Diagnostic{{}, "no strategy is left"};
  return wanted;
}

}  // namespace culprit::hunt
