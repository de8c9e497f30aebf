// SPDX-License-Identifier: Apache-2.0
#include "hunt/target.h"

#include <fmt/format.h>

#include "backend/spec.h"
#include "backends/table.h"
#include "base/text.h"
#include "check/query/stamp.h"
#include "open/load_for_query.h"

namespace culprit::hunt {
namespace {

using base::Diagnostic;

/// A run goes on with the compiler that gave the answers so far.
base::Status CheckSameBackend(const std::string& recorded, const std::string& named,
                              const HuntRequest& request) {
  if (check::AbsoluteBackend(recorded) == check::AbsoluteBackend(named)) return base::Done{};
  Diagnostic error{{request.file.file}, fmt::format("the compiler of the run is '{}'", recorded)};
  error.notes.emplace_back("the answers that are known already are about no other");
  error.help = "leave out --backend, or begin a new run with: culprit minify FILE --backend B";
  return error;
}

void Tell(const open::Notes& notes, Listener& listener) {
  for (const std::string& note : notes) listener.OnNote(note);
}

base::Result<Target> Open(const HuntRequest& request, Lines lines, open::Notes& notes) {
  const std::string shown = request.file.shown_file();
  repro::ReadRepro read = CULPRIT_TRY(open::OpenFile(request.file, notes, request.compiler.trust));
  request.judge.Apply(read.header);
  const std::string recorded = read.header.backend;
  CULPRIT_TRY(request.compiler.Apply(read.header, shown));
  if (!request.resume.empty()) CULPRIT_TRY(CheckSameBackend(recorded, read.header.backend, request));
  Target target;
  target.sources = SourcesOf(read.script.graph, read.script.node_lines, lines == Lines::kOfFile ? shown : "");
  target.repro = CULPRIT_TRY(
      open::LoadForQuery(std::move(read), request.file, request.compiler, request.judge.seed, notes));
  repro::Header& header = target.repro.header;
  header.backend = check::AbsoluteBackend(header.backend);
  request.compiler.Remember(header);
  check::Stamp(header);
  return target;
}

}  // namespace

Diagnostic NoCompiler(const HuntRequest& request) {
  Diagnostic error{{request.file.shown_file()}, "names no compiler, so there is nothing to hunt in"};
  error.help = "name one, as in: --backend torchscript:stage=ofi; `culprit backends` lists them";
  return error;
}

/// A server that runs when the file is opened need not be started by the child that opens it, and again here. What
/// is wrong with the file, that child will say.
void PrepareServer(const HuntRequest& request, const tasks::Children& children) {
  base::Result<repro::Header> header = tasks::ReadHeader(children, request.file);
  if (!header.ok() || !request.compiler.Apply(*header, request.file.shown_file()).ok()) return;
  const base::Result<backend::Spec> spec = backend::ParseSpec(header->backend);
  if (spec.ok()) (void)backends::Prepare(*spec);
}

base::Status CheckOpens(const HuntRequest& request, const tasks::Children& children, Listener& listener) {
  listener.OnPhase("opening " + base::Printable(request.file.shown_file()));
  if (request.launcher.empty() && request.judge_program.empty()) PrepareServer(request, children);
  const auto loaded = CULPRIT_TRY(tasks::AnswerOf(
      children.Load({.file = request.file, .compiler = request.compiler, .judge = request.judge})));
  listener.OnPhase("");
  // If it can be opened, this process will say it.
  if (!loaded.answer.ok()) Tell(loaded.notes, listener);
  if (!loaded.answer.ok()) return loaded.answer.error();
  if (!loaded.answer->names_compiler && request.judge_program.empty()) return NoCompiler(request);
  return base::Done{};
}

base::Result<Target> OpenTarget(const HuntRequest& request, Lines lines, Listener& listener) {
  listener.OnPhase("opening " + base::Printable(request.file.shown_file()));
  open::Notes notes;
  base::Result<Target> target = Open(request, lines, notes);
  Tell(notes, listener);
  return target;
}

}  // namespace culprit::hunt
