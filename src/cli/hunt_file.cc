// SPDX-License-Identifier: Apache-2.0
#include "cli/hunt_file.h"

#include <algorithm>
#include <optional>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/hunt_listener.h"
#include "cli/options/piped_input.h"
#include "cli/show/hunted_graphs_text.h"
#include "cli/show/print.h"
#include "cli/show/report_text.h"
#include "cli/supervise.h"
#include "files/private_folder.h"
#include "hunt/hunt.h"
#include "report/finding_text.h"

namespace culprit::cli {
namespace {

using base::Diagnostic;
using base::Result;
using hunt::HuntedGraph;
using hunt::HuntRequest;
using hunt::Standing;

/// Of a graph that was made smaller.
int ConcludeReport(const hunt::Report& report, const HuntRequest& request, bool json) {
  PrintOut("{}", json ? ReportAsJson(report) : ReportAsText(report));
  if (report.summary_error) return Fail(*report.summary_error, kEnvironment);
  if (request.purpose == hunt::Purpose::kHunt) return kFailure;
  return report.verification.holds() ? kSuccess : kFailure;
}

/// It does not fail: that is what a hunt may find, and nothing that can be made smaller.
int ConcludeWithout(const check::Character& character, const HuntRequest& request, bool json) {
  const std::string file = request.file.shown_file();
  if (!character.invalid.empty()) {
    Diagnostic error{{file}, "there is no question to ask: " + character.invalid};
    error.help = character.help;
    return Fail(error, CodeOfInvalid(character.invalid));
  }
  if (request.purpose == hunt::Purpose::kHunt) {
    PrintOut("{}", json ? report::CharacterAsJson(character) : report::CharacterAsText(character));
    return kSuccess;
  }
  PrintErr("{}", report::IgnoredLines(character.ignored));
  Diagnostic error{{file}, "does not fail, so there is nothing to make smaller"};
  error.help = "to see what it does, use `culprit run` with the same options";
  return Fail(error, kFailure);
}

int StatusOf(const hunt::HuntResult& result) {
  int status = result.is_cut_off ? kReference : kSuccess;
  for (const HuntedGraph& graph : result.graphs) {
    if (graph.standing() == Standing::kFails) return kFailure;
    if (graph.standing() == Standing::kInvalid) status = CodeOfInvalid(graph.character.invalid);
  }
  return status;
}

int ConcludeModel(const hunt::HuntResult& result, const HuntRequest& request, bool json) {
  if (json) {
    PrintOut("{}", HuntedGraphsAsJson(result.graphs, {.all = request.all, .is_cut_off = result.is_cut_off}));
  } else if (request.all) {
    PrintOut("{}", HuntedGraphsAsTable(result.graphs));
  } else {
    PrintOut("{}", OtherGraphsAsText(result.graphs, result.count, ThisCommandWith));
  }
  for (const HuntedGraph& graph : result.graphs) {
    if (graph.report && graph.report->summary_error) return Fail(*graph.report->summary_error, kEnvironment);
  }
  return StatusOf(result);
}

bool WasStopped(const HuntedGraph& graph) {
  return graph.report && graph.report->ended == minify::Ended::kStopped;
}

/// Whoever interrupts a search does not want to read a report.
int Work(const HuntRequest& request, bool json) {
  HuntListener listener(json);
  const Result<hunt::HuntResult> result = hunt::Hunt(request, listener);
  listener.OnPhase("");
  if (!result.ok()) return IsInterrupted() ? kInterrupted : Fail(result.error());
  if (std::ranges::any_of(result->graphs, WasStopped)) return kInterrupted;
  if (request.is_model) return IsInterrupted() ? kInterrupted : ConcludeModel(*result, request, json);
  const HuntedGraph& graph = result->graphs.at(0);
  if (graph.report) return ConcludeReport(*graph.report, request, json);
  return IsInterrupted() ? kInterrupted : ConcludeWithout(graph.character, request, json);
}

}  // namespace

int HuntSupervised(HuntRequest request, bool json) {
  if (const base::Status piped = TakePiped(request.file); !piped.ok()) return Fail(piped.error());
  if (!request.is_model) return RunSupervised([&] { return Work(request, json); });
  // The folder is this process's, so that it goes whatever happens to the one that works.
  const Result<files::PrivateFolder> folder = files::PrivateFolder::Make("", "culprit-hunt");
  if (!folder.ok()) return Fail(folder.error());
  request.scratch = folder->path();
  return RunSupervised([&] { return Work(request, json); });
}

}  // namespace culprit::cli
