// SPDX-License-Identifier: Apache-2.0
#include "hunt/graph_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace culprit::hunt {

std::string_view NameOf(Standing standing) {
  constexpr std::string_view kNames[] = {"passes", "failure", "ignored", "invalid"};
  return kNames[static_cast<size_t>(standing)];
}

Standing HuntedGraph::standing() const {
  if (!character.invalid.empty()) return Standing::kInvalid;
  if (character.expectation) return Standing::kFails;
  return character.ignored.empty() ? Standing::kPasses : Standing::kIgnored;
}

std::string HuntedGraph::what() const {
  switch (standing()) {
    case Standing::kInvalid:
      return character.invalid;
    case Standing::kFails:
      return character.expectation->signature.ToString();
    case Standing::kIgnored:
      return character.ignored.front().ToString();
    case Standing::kPasses:
      break;
  }
  return "";
}

base::Result<std::vector<HuntedGraph>> HuntInSeries(const GraphSeries& series, const HuntOne& hunt,
                                                    Listener& listener) {
  std::vector<HuntedGraph> graphs;
  bool has_failed = false;
  for (size_t i = 0; i < series.names.size() && !listener.stop(); ++i) {
    if (series.only && *series.only != i) continue;
    const bool quickly = has_failed && !series.all;
    listener.OnGraph(series.names[i], i + 1, series.names.size(), quickly);
    HuntedGraph graph = CULPRIT_TRY(hunt(i, quickly));
    graph.number = i + 1;
    graph.name = series.names[i];
    if (listener.stop() && !graph.report) break;
    has_failed = has_failed || graph.standing() == Standing::kFails;
    listener.OnGraphDone(graph, quickly);
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

base::Result<size_t> ChooseGraph(const std::vector<std::string>& names, std::string_view which) {
  const auto named = std::ranges::find(names, which);
  if (named != names.end()) return static_cast<size_t>(named - names.begin());
  size_t number = 0;
  const char* end = which.data() + which.size();
  const auto [last, error] = std::from_chars(which.data(), end, number);
  const bool is_number = error == std::errc() && last == end;
  if (is_number && number >= 1 && number <= names.size()) return number - 1;
  const std::vector<std::string_view> known(names.begin(), names.end());
  base::Diagnostic diagnostic{{},
                              fmt::format("there is no graph '{}'{}", base::Shortened(which),
                                          is_number ? "" : base::DidYouMean(which, known))};
  constexpr size_t kListed = 20;
  for (size_t i = 0; i < std::min(names.size(), kListed); ++i)
    diagnostic.notes.push_back(fmt::format("graph {}: {}", i + 1, names[i]));
  if (names.size() > kListed)
    diagnostic.notes.push_back(fmt::format("... and {} more", names.size() - kListed));
  diagnostic.help = "choose one with --which NAME or --which N";
  return diagnostic;
}

}  // namespace culprit::hunt
