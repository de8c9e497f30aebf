// SPDX-License-Identifier: Apache-2.0
#include "cli/hunt_listener.h"

#include "base/printable_lines.h"
#include "cli/show/print.h"
#include "cli/show/report_text.h"
#include "cli/supervise.h"
#include "hunt/graph_series.h"
#include "report/finding_text.h"

namespace culprit::cli {

using hunt::HuntedGraph;
using hunt::Standing;

ProgressLine& HuntListener::progress() {
  if (!progress_) progress_.emplace(patience_);
  return *progress_;
}

void HuntListener::OnPhase(const std::string& what) {
  if (!what.empty()) return progress().Begin(what);
  progress_.reset();
  patience_ = kPatience;
}

void HuntListener::OnProgress(const hunt::Progress& now) {
  progress().Show(now);
}

void HuntListener::OnNote(const std::string& text) {
  PrintErr("{}\n", text);
}

void HuntListener::OnModelOutput(const std::string& text) {
  PrintErr("note: the model printed:\n{}", base::PrintableLines(text));
}

void HuntListener::OnGraph(const std::string& name, size_t number, size_t count, bool quickly) {
  if (quickly) PrintErr("looking at {}, too\n", name);
  if (!quickly) PrintErr("graph {} of {}: {}\n", number, count, name);
}

void HuntListener::OnGraphDone(const HuntedGraph& graph, bool quickly) {
  if (graph.standing() == Standing::kInvalid && !quickly) {
    base::Diagnostic error{{graph.name}, "there is no question to ask: " + graph.character.invalid};
    error.help = graph.character.help;
    PrintErr("{}\n", error.Render());
  }
  if (json_ || quickly || graph.standing() == Standing::kInvalid) return;
  if (!graph.report) PrintOut("{}", report::CharacterAsText(graph.character));
  if (graph.report && graph.report->ended != minify::Ended::kStopped)
    PrintOut("{}", ReportAsText(*graph.report));
}

void HuntListener::OnFailure(const check::Character& character, const std::string& folder) {
  PrintErr("{}minifying in {}\n", report::CharacterAsText(character), folder);
}

void HuntListener::OnRun(const std::string& folder, const std::string& resume_command) {
  AnnounceRun(folder, resume_command);
}

bool HuntListener::stop() const {
  return IsInterrupted();
}

}  // namespace culprit::cli
