// SPDX-License-Identifier: Apache-2.0
#include "watch/debug/debug_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "graph/text/script/script.h"
#include "repro/describe_inputs.h"
#include "repro/file_name.h"
#include "repro/keep_data.h"
#include "repro/write_repro.h"
#include "watch/session/watch_session.h"

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

/// A graph with its constants and what its inputs look like, but not their numbers.
base::Result<graph::text::Script> ScriptOf(const graph::Graph& graph, backend::Values inputs,
                                           const repro::Header& how, const std::string& folder) {
  repro::KeptData kept = CULPRIT_TRY(repro::KeepData({graph, {}, how}, {}, folder + "/store"));
  graph::text::Script script{.graph = graph,
                             .inputs = std::nullopt,
                             .constant_contents = std::move(kept.constants),
                             .header = "\n" + repro::HeaderToJson(kept.header)};
  GiveMemory(inputs);
  // What no file can hold is told by whoever writes the repro.
  if (auto described = repro::DescribeInputs(graph, inputs); described.ok())
    script.inputs = std::move(described->specs);
  return script;
}

base::Status WriteScript(const std::string& path, const std::string& comment,
                         const graph::text::Script& script) {
  return repro::WriteText(path,
                          CULPRIT_TRY(graph::text::PrintScript(script, {.opening = "# " + comment + ".\n"})));
}

base::Status WriteCapturedScript(const CapturedGraph& captured, const repro::Header& how,
                                 const std::string& folder) {
  const auto script = CULPRIT_TRY(ScriptOf(captured.graph, captured.inputs, how, folder));
  return WriteScript(folder + "/captured.py", captured.graph.name() + " as it was captured", script);
}

/// The header may hold what differs from time to time: the state of the random generator.
base::Result<store::ContentHash> HashWithoutHeader(graph::text::Script script) {
  script.header.reset();
  const std::string text = CULPRIT_TRY(graph::text::PrintScript(script));
  return store::ContentHash::Of(std::as_bytes(std::span(text)));
}

}  // namespace

base::Result<DebugFolder> DebugFolder::Create(const std::string& directory, const std::string& graph_name,
                                              const std::string& folder_name) {
  return DebugFolder(CULPRIT_TRY(repro::RunFolder::Create(directory, folder_name)), graph_name);
}

base::Status DebugFolder::WriteCaptured(const CapturedGraph& captured, const repro::Header& how) {
  capture_seconds_ = captured.capture_seconds;
  guard_seconds_ = captured.guard_seconds;
  FirstError error;
  error.Add(repro::WriteText(path() + "/guards.txt", GuardsText(captured.conditions)));
  error.Add(WriteTimings());
  error.Add(WriteCapturedScript(captured, how, path()));
  repro::Repro repro{captured.graph, captured.inputs, how};
  const auto data = GiveMemory(repro.inputs);
  const base::Result<repro::WrittenRepro> written = repro::WriteRepro(folder_.repro(), repro, {.data = data});
  if (!written.ok()) error.Add(written.error());
  return error.Take();
}

base::Status DebugFolder::WriteHanded(const graph::Graph& graph, const backend::Values& inputs,
                                      const repro::Header& how) {
  const auto script = CULPRIT_TRY(ScriptOf(graph, inputs, how, path()));
  const store::ContentHash hash = CULPRIT_TRY(HashWithoutHeader(script));
  if (std::ranges::find(handed_, hash, &Handed::hash) != handed_.end()) return base::Done{};
  const bool is_captured = graph.name() == graph_name_;
  const std::string kind = is_captured ? "handed" : repro::AsFileName(KindOf(graph.name()), "graph");
  handed_.push_back({graph.name(), FreeName(kind) + ".py", hash});
  const std::string comment =
      fmt::format("{}, {}exactly as the backend {} was handed it", graph.name(),
                  is_captured ? "" : fmt::format("made by autograd of {}, ", graph_name_), how.backend);
  FirstError error;
  error.Add(WriteScript(path() + "/" + handed_.back().file, comment, script));
  error.Add(WriteTimings());
  return error.Take();
}

base::Status DebugFolder::WriteInsight(const std::string& name, const std::string& text) {
  if (handed_.empty() || handed_.back().seconds) return base::Done{};
  const std::string folder = path() + "/" + std::filesystem::path(handed_.back().file).stem().string();
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  return repro::WriteText(folder + "/" + name, text);
}

base::Status DebugFolder::NoteCompiled(const std::string& graph_name, double seconds) {
  const auto newest = std::ranges::find(handed_.rbegin(), handed_.rend(), graph_name, &Handed::graph);
  if (newest == handed_.rend() || newest->seconds) return base::Done{};
  newest->seconds = seconds;
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
