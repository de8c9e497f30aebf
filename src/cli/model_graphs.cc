// SPDX-License-Identifier: Apache-2.0
#include "cli/model_graphs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "backend/failure/top_frames.h"
#include "base/text.h"
#include "cli/child_streams.h"
#include "cli/command.h"
#include "cli/isolated_command.h"
#include "cli/piped_input.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "hunt/private_folder.h"
#include "repro/file_name.h"

namespace culprit::cli {

using base::Diagnostic;

namespace {

/// Of a crash, the innermost functions, without those that only pass a call on.
std::vector<std::string> FramesOf(const isolate::Outcome& death) {
  const auto* signal = std::get_if<isolate::Signal>(&death.ending);
  if (signal == nullptr) return {};
  std::vector<backend::NativeFrame> stack;
  for (const isolate::Frame& frame : signal->frames) stack.push_back({frame.symbol, frame.module});
  return backend::TopFrames(stack);
}

}  // namespace

bool IsModel(const std::string& file, const ModelOptions& options) {
  if (options.are_given()) return true;
  if (IsPiped(file)) return false;
  char magic[4] = {};
  std::ifstream(file, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == "PK\x03\x04";
}

std::string ModelName(const std::string& file) {
  return repro::AsFileName(std::filesystem::path(file).stem().string(), "model");
}

std::vector<std::string> WithGraph(const std::vector<std::string>& words, const std::string& model,
                                   const std::string& graph) {
  std::vector<std::string> result = Without(ModelOptions::kLeftOut, words);
  std::ranges::replace(result, model, graph);
  return result;
}

Diagnostic DeathWhileCapturing(const std::string& file, const isolate::Outcome& death) {
  Diagnostic error{{file}, "its process died " + death.ToString()};
  // Once it is loaded, what runs is the model, with eager kernels.
  error.cause = death.phase == kModelLoadPhase ? base::Cause::kEnvironment : base::Cause::kReference;
  if (const std::vector<std::string> frames = FramesOf(death); !frames.empty())
    error.notes.push_back(fmt::format("it was in {}", fmt::join(frames, ", called by ")));
  if (!death.output.empty()) error.notes.push_back("it had printed:" + LinesBelow(death.output));
  if (std::holds_alternative<isolate::Timeout>(death.ending))
    error.help = "to give it more time, use: --timeout SECONDS";
  if (std::holds_alternative<isolate::MemoryLimit>(death.ending))
    error.help = "to give it more memory, use: --memory-limit MIB";
  return error;
}

std::string DeathAsJson(const std::string& file, const isolate::Outcome& death) {
  const nlohmann::ordered_json object = {
      {"model", ModelName(file)},
      {"died", {{"phase", death.phase}, {"how", death.ToString()}, {"frames", FramesOf(death)}}}};
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

int CaptureGraphs(const ScriptOptions& script, const ModelOptions& model, std::optional<uint64_t> seed,
                  const CaptureLimits& limits, const std::string& folder, ModelGraphs& graphs) {
  std::vector<std::string> words = {"culprit", "explain", script.file, "--json", "--graphs", folder};
  for (const std::vector<std::string>& more : {model.Words(), script.words_for_reading()})
    words.insert(words.end(), more.begin(), more.end());
  if (model.train) words.emplace_back("--joint");
  if (seed) words.insert(words.end(), {"--seed", std::to_string(*seed)});
  isolate::Limits child = kReadingLimits;
  if (limits.seconds) child.wall_time = std::chrono::seconds(*limits.seconds);
  if (limits.memory_mib) child.memory_bytes = *limits.memory_mib << 20;
  if (const base::Status status = PrepareChildren(); !status.ok()) return Fail(status.error());
  ProgressLine progress(kMorePatience);
  progress.Begin("capturing " + base::Printable(script.file));
  const base::Result<ChildEnding> ending = EndingInChild(words, child);
  if (!ending.ok()) return Fail(ending.error());
  if (const auto* death = std::get_if<isolate::Outcome>(&*ending))
    return Fail(DeathWhileCapturing(script.file, *death));
  const auto& prints = std::get<ChildPrints>(*ending);
  const auto explained = nlohmann::json::parse(prints.out, nullptr, /*allow_exceptions=*/false);
  PrintErr("{}", prints.err);
  // Only an error about the folder names it.
  if (prints.status == kEnvironment && prints.err.find(folder) != std::string::npos)
    PrintErr("  help: {}\n", hunt::kHowToMoveThem);
  if (!explained.is_object()) return prints.status == kSuccess ? kInternal : prints.status;
  graphs.files = explained.at("files").get<std::vector<std::string>>();
  graphs.is_cut_off = explained.at("failure").is_string();
  if (graphs.files.empty()) PrintErr("note: {} computes no tensors, so it has no graph\n", script.file);
  return kSuccess;
}

}  // namespace culprit::cli
