// SPDX-License-Identifier: Apache-2.0
#include "watch/debug_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graph/text/script.h"
#include "repro/describe_inputs.h"
#include "repro/file_name.h"
#include "repro/keep_data.h"
#include "repro/write_repro.h"
#include "watch/session.h"

namespace culprit::watch {
namespace {

using nlohmann::ordered_json;

ordered_json JsonOf(const std::optional<double>& seconds) {
  return seconds ? ordered_json(*seconds) : ordered_json();
}

/// net_0_forward => forward
std::string KindOf(const std::string& graph_name) {
  return graph_name.substr(graph_name.rfind('_') + 1);
}

class FirstError {
 public:
  void Add(base::Status status) {
    if (first_.ok()) first_ = std::move(status);
  }
  base::Status Take() { return std::move(first_); }

 private:
  base::Status first_ = base::Done{};
};

std::string GuardsText(const std::vector<std::string>& conditions) {
  std::string text;
  for (const std::string& condition : conditions)
    text += fmt::format("{} {}\n", text.empty() ? "holds if" : "  and", condition);
  return text;
}

}  // namespace

base::Result<DebugFolder> DebugFolder::Create(const std::string& directory, const std::string& graph_name) {
  return DebugFolder(CULPRIT_TRY(repro::RunFolder::Create(directory, graph_name)), graph_name);
}

base::Status DebugFolder::WriteCaptured(const CapturedGraph& captured, const repro::Header& how) {
  capture_seconds_ = captured.capture_seconds;
  guard_seconds_ = captured.guard_seconds;
  FirstError error;
  error.Add(repro::WriteText(path() + "/guards.txt", GuardsText(captured.conditions)));
  error.Add(WriteTimings());
  error.Add(WriteGraph("captured.py", fmt::format("{} as it was captured.", graph_name_), captured.graph,
                       captured.inputs, how));
  repro::Repro repro{captured.graph, captured.inputs, how};
  const auto data = GiveMemory(repro.inputs);
  const base::Result<repro::WrittenRepro> written = repro::WriteRepro(folder_.repro(), repro, {.data = data});
  if (!written.ok()) error.Add(written.error());
  return error.Take();
}

base::Status DebugFolder::WriteHanded(const graph::Graph& graph, const backend::Values& inputs,
                                      const repro::Header& how) {
  const bool is_captured = graph.name() == graph_name_;
  const std::string kind = is_captured ? "handed" : repro::AsFileName(KindOf(graph.name()), "graph");
  const std::string file = FreeName(kind) + ".py";
  handed_.push_back({graph.name(), file, std::nullopt});
  const std::string comment =
      fmt::format("{}, {}exactly as the backend {} was handed it.", graph.name(),
                  is_captured ? "" : fmt::format("made by autograd of {}, ", graph_name_), how.backend);
  FirstError error;
  error.Add(WriteGraph(file, comment, graph, inputs, how));
  error.Add(WriteTimings());
  return error.Take();
}

base::Status DebugFolder::NoteCompiled(const std::string& graph_name, double seconds) {
  const auto newest = std::ranges::find(handed_.rbegin(), handed_.rend(), graph_name, &Handed::graph);
  if (newest != handed_.rend()) newest->seconds = seconds;
  return WriteTimings();
}

base::Status DebugFolder::NoteAutograd(double seconds) {
  autograd_seconds_ = seconds;
  return WriteTimings();
}

std::string DebugFolder::FreeName(const std::string& kind) const {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::count(handed_, name + ".py", &Handed::file) > 0;
  };
  std::string name = kind;
  for (int again = 2; is_taken(name); ++again) name = fmt::format("{}_{}", kind, again);
  return name;
}

/// A graph with its constants and what its inputs look like, but not their numbers.
base::Status DebugFolder::WriteGraph(const std::string& file, const std::string& comment,
                                     const graph::Graph& graph, backend::Values inputs,
                                     const repro::Header& how) const {
  const std::string path = folder_.path() + "/" + file;
  repro::KeptData kept = CULPRIT_TRY(repro::KeepData({graph, {}, how}, {}, repro::StorePathOf(path)));
  graph::text::Script script{.graph = graph,
                             .inputs = std::nullopt,
                             .constant_contents = std::move(kept.constants),
                             .header = "\n" + repro::HeaderToJson(kept.header)};
  GiveMemory(inputs);
  // What no file can hold is told by whoever writes the repro.
  if (auto described = repro::DescribeInputs(graph, inputs); described.ok())
    script.inputs = std::move(described->specs);
  const std::string text = CULPRIT_TRY(graph::text::PrintScript(script, {.opening = "# " + comment + "\n"}));
  return repro::WriteText(path, text);
}

base::Status DebugFolder::WriteTimings() const {
  double compile = 0;
  bool is_done = !handed_.empty();
  ordered_json compiled = ordered_json::array();
  for (const Handed& handed : handed_) {
    compiled.push_back({{"graph", handed.graph}, {"file", handed.file}, {"seconds", JsonOf(handed.seconds)}});
    is_done = is_done && handed.seconds;
    compile += handed.seconds.value_or(0);
  }
  const ordered_json timings = {{"graph", graph_name_},
                                {"seconds",
                                 {{"capture", JsonOf(capture_seconds_)},
                                  {"guard_check", JsonOf(guard_seconds_)},
                                  {"autograd", JsonOf(autograd_seconds_)},
                                  {"compile", is_done ? ordered_json(compile) : ordered_json()}}},
                                {"compiled", compiled}};
  return repro::WriteText(path() + "/timings.json",
                          timings.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace culprit::watch
