// SPDX-License-Identifier: Apache-2.0
#include "cli/hunt_model.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/hunted_graphs_text.h"
#include "cli/minify_job.h"
#include "cli/model_graphs.h"
#include "cli/print.h"
#include "cli/report_text.h"
#include "cli/repro_question.h"
#include "cli/supervise.h"
#include "hunt/graph_series.h"
#include "hunt/private_folder.h"

namespace culprit::cli {
namespace {

using base::Diagnostic;
using base::Result;
using hunt::HuntedGraph;
using hunt::Standing;

class FileWorker : public hunt::GraphWorker {
 public:
  FileWorker(MinifyQuestion& question, const MinifyOptions& options, const std::vector<std::string>& files)
      : question_(&question), options_(options), files_(&files) {
    options_.is_captured = true;
  }

  Result<HuntedGraph> Check(size_t index, bool quickly) override {
    options_.script.file = files_->at(index);
    job_ = std::make_unique<MinifyJob>(*question_, options_);
    HuntedGraph graph;
    graph.character = CULPRIT_TRY(job_->Check(Purpose::kHunt, quickly));
    graph.operators = job_->operators();
    return graph;
  }
  Result<hunt::Report> Minify() override { return job_->Minify(); }

 private:
  MinifyQuestion* question_;
  MinifyOptions options_;
  const std::vector<std::string>* files_;
  std::unique_ptr<MinifyJob> job_;
};

/// What a user sees of a graph as soon as it is done.
void Tell(const HuntedGraph& graph, bool quickly, const MinifyOptions& options) {
  if (graph.standing() == Standing::kInvalid && !quickly) {
    Diagnostic error{{graph.name}, "there is no question to ask: " + graph.character.invalid};
    error.help = graph.character.help;
    PrintErr("{}\n", error.Render());
  }
  if (options.json || quickly || graph.standing() == Standing::kInvalid) return;
  if (!graph.report) PrintOut("{}", CharacterAsText(graph.character));
  if (graph.report && graph.report->ended != minify::Ended::kStopped)
    PrintOut("{}", ReportAsText(*graph.report));
}

int StatusOf(const std::vector<HuntedGraph>& graphs, bool is_cut_off) {
  int status = is_cut_off ? kReference : kSuccess;
  for (const HuntedGraph& graph : graphs) {
    if (graph.standing() == Standing::kFails) return kFailure;
    if (graph.standing() == Standing::kInvalid) status = CodeOfReference(graph.character.invalid);
  }
  return status;
}

int Conclude(const std::vector<HuntedGraph>& graphs, const hunt::GraphSeries& series, bool is_cut_off,
             const MinifyOptions& options) {
  for (const HuntedGraph& graph : graphs) {
    if (graph.report && graph.report->ended == minify::Ended::kStopped) return kInterrupted;
  }
  if (IsInterrupted()) return kInterrupted;
  if (options.json) {
    PrintOut("{}", HuntedGraphsAsJson(graphs, {.all = options.all, .is_cut_off = is_cut_off}));
  } else if (options.all) {
    PrintOut("{}", HuntedGraphsAsTable(graphs));
  } else {
    PrintOut("{}", OtherGraphsAsText(graphs, series.names.size()));
  }
  for (const HuntedGraph& graph : graphs) {
    if (graph.report && graph.report->summary_error) return Fail(*graph.report->summary_error, kEnvironment);
  }
  return StatusOf(graphs, is_cut_off);
}

int HuntInGraphs(const ModelGraphs& model, const MinifyOptions& options) {
  hunt::GraphSeries series{.all = options.all, .stop = IsInterrupted};
  for (const std::string& file : model.files) series.names.push_back(std::filesystem::path(file).stem());
  if (!options.script.which_name.empty()) {
    const Result<size_t> chosen = hunt::ChooseGraph(series.names, options.script.which_name);
    if (!chosen.ok()) {
      Diagnostic error = chosen.error();
      error.place.file = options.script.shown_file();
      return Fail(error);
    }
    series.only = *chosen;
  }
  bool is_quick = false;
  series.on_begin = [&](size_t index, bool quickly) {
    is_quick = quickly;
    if (quickly) PrintErr("looking at {}, too\n", series.names[index]);
    if (!quickly) PrintErr("graph {} of {}: {}\n", index + 1, series.names.size(), series.names[index]);
  };
  series.on_done = [&](const HuntedGraph& graph) { Tell(graph, is_quick, options); };
  Result<std::unique_ptr<MinifyQuestion>> question = PrepareQuestion(options);
  if (!question.ok()) return Fail(question.error());
  FileWorker worker(**question, options, model.files);
  const Result<std::vector<HuntedGraph>> graphs = hunt::HuntInSeries(series, worker);
  if (!graphs.ok()) return IsInterrupted() ? kInterrupted : Fail(graphs.error());
  return Conclude(*graphs, series, model.is_cut_off && !series.only, options);
}

int HuntInModel(const MinifyOptions& options, const std::string& folder) {
  ModelGraphs graphs;
  const int captured =
      CaptureGraphs(options.script, options.model, options.judge.seed,
                    {options.query.timeout_seconds, options.query.memory_mib}, folder, graphs);
  return captured == kSuccess ? HuntInGraphs(graphs, options) : captured;
}

}  // namespace

int HuntModel(const MinifyOptions& options) {
  if (options.check.empty() && !options.query.backend && options.query.faults.empty())
    return Fail(NoCompiler(options));
  const Result<hunt::PrivateFolder> folder = hunt::PrivateFolder::Make("", "culprit-hunt");
  if (!folder.ok()) return Fail(folder.error());
  // The folder is this process's, so that it goes whatever happens to the one that works.
  return RunSupervised([&] { return HuntInModel(options, folder->path() + "/graphs"); });
}

}  // namespace culprit::cli
