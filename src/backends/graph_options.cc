// SPDX-License-Identifier: Apache-2.0
#include "backends/graph_options.h"

#include <algorithm>
#include <array>

#include "autograd/with_autograd.h"
#include "base/settings.h"

namespace culprit::backends {
namespace {

using backend::Description;
using backend::Graphs;

constexpr std::string_view kGraphs = "graphs";
constexpr std::string_view kPartition = "partition";

std::string NameOf(Graphs graphs) {
  switch (graphs) {
    case Graphs::kCaptured:
      return "captured";
    case Graphs::kAfterAutograd:
      return "aot";
    case Graphs::kBelow:
      return "below";
  }
  return "";
}

bool Takes(const Description& description, Graphs graphs) {
  return std::ranges::find(description.graphs, graphs) != description.graphs.end();
}

backend::OptionDescription GraphsOption(const Description& description) {
  std::vector<std::string> names;
  for (const Graphs graphs : description.graphs) names.push_back(NameOf(graphs));
  return {.name = std::string(kGraphs),
          .default_value = names[0],
          .line = Takes(description, Graphs::kBelow)
                      ? "graphs as captured, those that Culprit's autograd makes of them, or graphs from "
                        "below autograd"
                      : "graphs as captured, or those that autograd makes of them",
          .choices = names,
          .from_file = backend::FromFile::kUse};
}

backend::OptionDescription PartitionOption() {
  backend::OptionDescription option{.name = std::string(kPartition),
                                    .default_value = std::string(autograd::kPartitionModes[0].name),
                                    .from_file = backend::FromFile::kUse};
  for (const autograd::PartitionMode& mode : autograd::kPartitionModes) {
    if (!option.line.empty()) option.line += "; ";
    option.line += std::string(mode.name).append(" ").append(mode.summary);
    option.choices.emplace_back(mode.name);
  }
  return option;
}

bool TakesOptions(const Description& description) {
  return Takes(description, Graphs::kAfterAutograd);
}

base::Result<Graphs> GraphsOf(const Description& description, const backend::Spec& spec) {
  if (description.graphs.size() == 1) return description.graphs[0];
  const backend::Configuration all =
      CULPRIT_TRY(backend::Configuration::Make(spec, WithGraphOptions(description)));
  return *std::ranges::find(description.graphs, all[kGraphs], NameOf);
}

/// What the kind itself knows.
backend::Spec WithoutGraphOptions(const Description& description, const backend::Spec& spec) {
  backend::Spec rest = spec;
  std::erase_if(rest.options, [&](const backend::OptionSetting& option) {
    return TakesOptions(description) && (option.name == kGraphs || option.name == kPartition);
  });
  return rest;
}

}  // namespace

Description WithGraphOptions(const Description& description) {
  Description with = description;
  if (!TakesOptions(description)) return with;
  if (description.graphs.size() > 1) with.options.push_back(GraphsOption(description));
  with.options.push_back(PartitionOption());
  return with;
}

base::Result<bool> IsBelowAutograd(const Description& description, const backend::Spec& spec) {
  return CULPRIT_TRY(GraphsOf(description, spec)) == Graphs::kAfterAutograd;
}

base::Result<std::vector<backend::Spec>> WaysInto(const Description& description, const backend::Spec& spec) {
  std::vector<backend::Spec> ways = {spec};
  const bool is_chosen = WithoutGraphOptions(description, spec).options.size() != spec.options.size();
  const Graphs first = CULPRIT_TRY(GraphsOf(description, spec));
  if (is_chosen || first != Graphs::kAfterAutograd || !Takes(description, Graphs::kCaptured)) return ways;
  ways.push_back(spec);
  ways.back().options.push_back({std::string(kGraphs), NameOf(Graphs::kCaptured)});
  return ways;
}

backend::Spec ForSplitGraphs(const Description& description, const backend::Spec& spec) {
  backend::Spec direct = spec;
  if (description.graphs.size() == 1) return direct;
  direct.options = WithoutGraphOptions(description, spec).options;
  const Graphs as_they_are = Takes(description, Graphs::kBelow) ? Graphs::kBelow : Graphs::kCaptured;
  if (description.graphs[0] != as_they_are)
    direct.options.push_back({std::string(kGraphs), NameOf(as_they_are)});
  return direct;
}

base::Result<std::unique_ptr<backend::Backend>> OpenForGraphs(const backend::Kind& kind,
                                                              const backend::Spec& spec,
                                                              const OpenOptions& options) {
  const Description& own = kind.description();
  const backend::Configuration all = CULPRIT_TRY(backend::Configuration::Make(spec, WithGraphOptions(own)));
  const backend::Spec rest = WithoutGraphOptions(own, spec);
  backend::Configuration configuration = CULPRIT_TRY(backend::Configuration::Make(rest, own));
  configuration.set_isa(options.isa);
  const Graphs graphs = CULPRIT_TRY(GraphsOf(own, spec));
  configuration.set_graphs(graphs);
  std::unique_ptr<backend::Backend> opened = CULPRIT_TRY(kind.Open(configuration));
  if (options.wrap) opened = CULPRIT_TRY(options.wrap(std::move(opened)));
  if (graphs != Graphs::kAfterAutograd) return opened;
  const base::Settings settings = CULPRIT_TRY(base::CurrentSettings());
  return autograd::WithAutograd(std::move(opened),
                                {.partition = autograd::FindPartitionMode(all[kPartition]),
                                 .most_variants = static_cast<size_t>(settings.recompile_limit),
                                 .log = options.log});
}

}  // namespace culprit::backends
