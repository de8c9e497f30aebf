// SPDX-License-Identifier: Apache-2.0
#include "open/open_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "base/shell_word.h"
#include "base/text.h"
#include "graph/analysis/file_operators.h"
#include "model/files/file_kind.h"
#include "open/runnable.h"
#include "process/shared_library.h"

namespace culprit::open {

using base::Diagnostic;
using base::Result;

namespace {

Diagnostic TooLarge(const std::string& name, size_t max_bytes) {
  return {{name}, fmt::format("larger than the limit of {}", base::HumanBytes(max_bytes))};
}

Result<std::string> ReadFile(const FileRequest& request, size_t max_bytes) {
  if (request.contents) {
    if (request.contents->size() > max_bytes) return TooLarge(request.shown_file(), max_bytes);
    return *request.contents;
  }
  std::ifstream file(request.file, std::ios::binary);
  if (!file) return base::SystemError({request.file}, "cannot be opened", errno);
  std::string text;
  std::string block(size_t{1} << 20, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block, 0, static_cast<size_t>(file.gcount()));
    if (text.size() > max_bytes) return TooLarge(request.file, max_bytes);
  }
  if (file.bad()) return base::SystemError({request.file}, "cannot be read", errno);
  return text;
}

/// A file that holds no text, if it is known what else.
base::Status RefuseKind(const FileRequest& request, const model::FileKind* kind) {
  if (kind == nullptr) return base::Done{};
  Diagnostic error{{request.shown_file()},
                   fmt::format("is {}, where a script with a graph is expected", kind->name)};
  error.help = kind->HelpFor(request.shown_file());
  return error;
}

/// The error for a text that is no script with a graph.
Diagnostic IsModel(const FileRequest& request) {
  Diagnostic error{{request.shown_file()},
                   "is the text of a TorchScript model, where a script with a graph is expected"};
  error.notes.emplace_back("explain, run and hunt take models, with --inputs for each argument of the call");
  error.help = fmt::format("to see its graphs, run: culprit explain {} --inputs f32[1,3,224,224]",
                           base::ShellWord(request.shown_file()));
  return error;
}

base::Status CheckFileOperators(const graph::text::Script& script, const FileRequest& request) {
  const std::optional<graph::NodeId> node = graph::FirstFileOperator(script.graph);
  if (!node || request.allow_file_operators) return base::Done{};
  Diagnostic error{{request.shown_file(), script.node_lines.empty() ? 0 : script.node_lines[Index(*node)]},
                   fmt::format("operator '{}' opens a file", script.graph.node(*node).op->name())};
  error.help = "if you trust the graph, add: --allow-file-operators";
  return error;
}

}  // namespace

Result<repro::ReadRepro> OpenFile(const FileRequest& request, Notes& notes, bool trust) {
  for (const std::string& library : request.libraries) CULPRIT_TRY(process::LoadSharedLibrary(library));
  if (!request.contents) CULPRIT_TRY(RefuseKind(request, model::KindOfFile(request.file)));
  const std::string text = CULPRIT_TRY(ReadFile(request, graph::text::ReadOptions{}.max_source_bytes));
  CULPRIT_TRY(RefuseKind(request, model::KindOfBytes(text)));
  Result<repro::ReadRepro> read = repro::OpenRepro(
      request.shown_file(), text,
      {.which = request.which, .device = request.device, .store = request.store, .trust = trust});
  if (!read.ok() && model::IsModelText(text)) return IsModel(request);
  if (!read.ok()) return read;
  for (const Diagnostic& warning : read->warnings) notes.push_back(warning.Render("warning"));
  return read;
}

Result<repro::Repro> LoadInputs(repro::ReadRepro read, const FileRequest& request,
                                std::optional<uint64_t> seed, Notes& notes) {
  CULPRIT_TRY(CheckFileOperators(read.script, request));
  CULPRIT_TRY(CheckRunnable(read.script, {request.shown_file()}));
  Result<repro::LoadedRepro> loaded = repro::LoadRepro(std::move(read), {.seed = seed});
  if (!loaded.ok()) {
    Diagnostic error = std::move(loaded).error();
    if (error.place.file.empty()) error.place = {request.shown_file()};
    return error;
  }
  // Those of the header lost their data when the file was written.
  std::vector<std::string>& random = loaded->repro.header.random;
  for (const std::string& name : loaded->random) {
    if (std::find(random.begin(), random.end(), name) == random.end()) random.push_back(name);
  }
  if (!random.empty())
    notes.push_back(fmt::format("note: the file does not hold the data of {}; these are random numbers",
                                base::FirstOf(random)));
  return std::move(loaded->repro);
}

}  // namespace culprit::open
