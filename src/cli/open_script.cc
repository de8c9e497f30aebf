// SPDX-License-Identifier: Apache-2.0
#include "cli/open_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iostream>

#include "base/shell_word.h"
#include "base/text.h"
#include "cli/checked_option.h"
#include "cli/piped_input.h"
#include "cli/print.h"
#include "cli/runnable.h"
#include "graph/analysis/file_operators.h"
#include "model/files/file_kind.h"
#include "process/shared_library.h"

namespace culprit::cli {

using base::Diagnostic;
using base::Result;

namespace {

Result<std::string> ReadAll(std::istream& stream, const std::string& name, size_t max_bytes) {
  std::string text;
  std::string block(size_t{1} << 20, '\0');
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
    text.append(block, 0, static_cast<size_t>(stream.gcount()));
    if (text.size() > max_bytes)
      return Diagnostic{{name}, fmt::format("larger than the limit of {}", base::HumanBytes(max_bytes))};
  }
  if (stream.bad()) return base::SystemError({name}, "cannot be read", errno);
  return text;
}

Result<std::string> ReadFile(const ScriptOptions& options, size_t max_bytes) {
  if (IsStandardInput(options.file)) return ReadAll(std::cin, options.shown_file(), max_bytes);
  std::ifstream file(options.file, std::ios::binary);
  if (!file) return base::SystemError({options.file}, "cannot be opened", errno);
  return ReadAll(file, options.file, max_bytes);
}

/// A file that holds no text, if it is known what else.
base::Status RefuseKind(const ScriptOptions& options, const model::FileKind* kind) {
  if (kind == nullptr) return base::Done{};
  Diagnostic error{{options.shown_file()},
                   fmt::format("is {}, where a script with a graph is expected", kind->name)};
  error.help = kind->HelpFor(options.shown_file());
  return error;
}

/// The error for a text that is no script with a graph.
Diagnostic IsModel(const ScriptOptions& options) {
  Diagnostic error{{options.shown_file()},
                   "is the text of a TorchScript model, where a script with a graph is expected"};
  error.notes.emplace_back("explain, run and hunt take models, with --inputs for each argument of the call");
  error.help = fmt::format("to see its graphs, run: culprit explain {} --inputs f32[1,3,224,224]",
                           base::ShellWord(options.shown_file()));
  return error;
}

}  // namespace

void ScriptOptions::Declare(CLI::App& app, Which graphs) {
  const auto set_file = [this](const std::string& text) {
    if (text.empty()) throw CLI::ValidationError("FILE is an empty name");
    file = text;
  };
  app.add_option_function<std::string>(
         "FILE", set_file,
         "A script with a graph, as PyTorch or Culprit writes it (docs/text-form.md); - is standard input")
      ->required();
  if (graphs == Which::kNumberOrName) {
    app.add_option(
           "--which", which_name,
           "Which graph: of a model its name, as `culprit explain` shows it, or its number; of a script "
           "its number, counted from 1. Without it all graphs of a model; a script that holds several "
           "is an error that lists them")
        ->type_name("GRAPH");
  } else {
    AddInteger(
        app, "--which", [this](uint64_t number) { which = number; }, 1, UINT32_MAX,
        "Which graph, counted from 1, if the file holds several; without it such a file is an error that "
        "lists them");
  }
  AddDevice(
      app, "--device", [this](at::Device wanted) { device = wanted; },
      "Map all devices in the graph and of its inputs to this one, for example a graph for a GPU to cpu");
  app.add_option(
         "--store", store,
         "The folder that holds the data of inputs and constants, Culprit's or the one that PyTorch saved; "
         "without it the folder 'store' beside the file")
      ->type_name("DIR");
  app.add_flag("--allow-file-operators", allow_file_operators,
               "Run graphs that open files (aten::from_file); without it they are refused");
  // Exactly one for each mention: the next word may be FILE.
  app.add_option("--load-library", libraries,
                 "A shared library that registers operators with libtorch (TORCH_LIBRARY), loaded before the "
                 "file is read; may be given several times")
      ->type_name("LIB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::vector<std::string> ScriptOptions::words_for_reading() const {
  std::vector<std::string> words;
  for (const std::string& library : libraries) words.insert(words.end(), {"--load-library", library});
  if (allow_file_operators) words.emplace_back("--allow-file-operators");
  return words;
}

base::Status CheckFileOperators(const graph::text::Script& script, const ScriptOptions& options) {
  const std::optional<graph::NodeId> node = graph::FirstFileOperator(script.graph);
  if (!node || options.allow_file_operators) return base::Done{};
  Diagnostic error{{options.shown_file(), script.node_lines.empty() ? 0 : script.node_lines[Index(*node)]},
                   fmt::format("operator '{}' opens a file", script.graph.node(*node).op->name())};
  error.help = "if you trust the graph, add: --allow-file-operators";
  return error;
}

Result<repro::ReadRepro> OpenScript(const ScriptOptions& options, bool trust) {
  for (const std::string& library : options.libraries) CULPRIT_TRY(process::LoadSharedLibrary(library));
  if (!IsStandardInput(options.file)) CULPRIT_TRY(RefuseKind(options, model::KindOfFile(options.file)));
  const std::string text = CULPRIT_TRY(ReadFile(options, graph::text::ReadOptions{}.max_source_bytes));
  CULPRIT_TRY(RefuseKind(options, model::KindOfBytes(text)));
  Result<repro::ReadRepro> read = repro::OpenRepro(
      options.shown_file(), text,
      {.which = options.which, .device = options.device, .store = options.store, .trust = trust});
  if (!read.ok() && model::IsModelText(text)) return IsModel(options);
  if (!read.ok()) return read;
  for (const Diagnostic& warning : read->warnings) PrintErr("{}\n", warning.Render("warning"));
  return read;
}

Result<repro::Repro> LoadInputs(repro::ReadRepro read, const ScriptOptions& options,
                                std::optional<uint64_t> seed) {
  CULPRIT_TRY(CheckFileOperators(read.script, options));
  CULPRIT_TRY(CheckRunnable(read.script, {options.shown_file()}));
  Result<repro::LoadedRepro> loaded = repro::LoadRepro(std::move(read), {.seed = seed});
  if (!loaded.ok()) {
    Diagnostic error = std::move(loaded).error();
    if (error.place.file.empty()) error.place = {options.shown_file()};
    return error;
  }
  // Those of the header lost their data when the file was written.
  std::vector<std::string>& random = loaded->repro.header.random;
  for (const std::string& name : loaded->random) {
    if (std::find(random.begin(), random.end(), name) == random.end()) random.push_back(name);
  }
  if (!random.empty())
    PrintErr("note: the file does not hold the data of {}; these are random numbers\n",
             base::FirstOf(random));
  return std::move(loaded->repro);
}

}  // namespace culprit::cli
