// SPDX-License-Identifier: Apache-2.0
#include "cli/show/hunted_graphs_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/shell_word.h"
#include "base/text.h"
#include "cli/show/report_text.h"
#include "report/finding_text.h"
#include "report/text_table.h"
#include "report/wrap.h"

namespace culprit::cli {
namespace {

using hunt::HuntedGraph;
using hunt::Standing;
using nlohmann::ordered_json;

std::string OperatorsText(const HuntedGraph& graph) {
  if (!graph.report) return std::to_string(graph.operators);
  return fmt::format("{} -> {}", graph.operators, graph.report->after.operators);
}

ordered_json GraphAsJson(const HuntedGraph& graph) {
  ordered_json object{{"graph", graph.name},
                      {"number", graph.number},
                      {"verdict", NameOf(graph.standing())},
                      {"operators", graph.operators}};
  if (graph.standing() == Standing::kInvalid) object["invalid"] = graph.what();
  if (graph.standing() == Standing::kFails) object["signature"] = graph.what();
  for (const backend::FailureSignature& ignored : graph.character.ignored)
    object["ignored"].push_back(ignored.ToString());
  return object;
}

}  // namespace

std::string HuntedGraphsAsTable(const std::vector<HuntedGraph>& graphs) {
  std::vector<report::TableRow> rows = {{"graph", "verdict", "operators", "signature", "run folder"}};
  for (const HuntedGraph& graph : graphs)
    rows.push_back({graph.name, std::string(NameOf(graph.standing())), OperatorsText(graph),
                    base::Shortened(graph.what()), graph.report ? graph.report->folder : ""});
  const auto failed =
      static_cast<size_t>(std::ranges::count(graphs, Standing::kFails, &HuntedGraph::standing));
  return fmt::format("\n{}{} of {}\n",
                     report::AlignTable(rows, {.text_begin = 0, .text_end = rows[0].size()}),
                     failed == 1 ? "a failure in 1" : fmt::format("failures in {}", failed),
                     base::Counted(graphs.size(), "graph"));
}

std::string OtherGraphsAsText(const std::vector<HuntedGraph>& graphs, size_t count,
                              const CommandWith& command) {
  const auto first =
      std::ranges::find_if(graphs, [](const HuntedGraph& graph) { return graph.report.has_value(); });
  if (first == graphs.end() || count == 1 || graphs.size() < count) return "";
  std::vector<const HuntedGraph*> failing;
  for (const HuntedGraph& graph : graphs) {
    if (graph.standing() == Standing::kFails && !graph.report) failing.push_back(&graph);
  }
  if (failing.empty())
    return fmt::format("\nof the {} of the model only {} fails\n", base::Counted(count, "graph"),
                       first->name);
  std::string text = fmt::format("\n{} of the model {} too:\n", base::Counted(failing.size(), "other graph"),
                                 failing.size() == 1 ? "fails" : "fail");
  for (const HuntedGraph* graph : failing) text += fmt::format("  {}: {}\n", graph->name, graph->what());
  const std::string more = failing.size() == 1 ? " --which " + failing[0]->name : " --all";
  return report::Wrapped(text + fmt::format("to hunt there:   {}\n", command(more)));
}

std::string HuntedGraphsAsJson(const std::vector<HuntedGraph>& graphs, const HuntedGraphsOptions& options) {
  const HuntedGraph* first = nullptr;
  bool passes = !options.is_cut_off;
  ordered_json all = ordered_json::array();
  ordered_json others = ordered_json::array();
  for (const HuntedGraph& graph : graphs) {
    ordered_json object = GraphAsJson(graph);
    passes = passes && graph.standing() != Standing::kFails && graph.standing() != Standing::kInvalid;
    const bool is_first = graph.report && first == nullptr;
    if (is_first) first = &graph;
    if (!is_first && graph.standing() != Standing::kPasses) others.push_back(object);
    if (graph.report) object["report"] = ReportToJson(*graph.report);
    all.push_back(std::move(object));
  }
  if (options.all) return report::Dumped({{"passes", passes}, {"graphs", all}});
  if (first != nullptr) {
    ordered_json object = ReportToJson(*first->report);
    object["graph"] = first->name;
    object["graphs"] = graphs.size();
    object["other_graphs"] = others;
    return report::Dumped(object);
  }
  ordered_json object{{"passes", passes}, {"graphs", graphs.size()}};
  if (!others.empty()) object["other_graphs"] = others;
  return report::Dumped(object);
}

}  // namespace culprit::cli
