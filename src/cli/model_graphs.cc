// SPDX-License-Identifier: Apache-2.0
#include "cli/model_graphs.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/child_streams.h"
#include "cli/command.h"
#include "cli/isolated_command.h"
#include "cli/piped_input.h"

namespace culprit::cli {

using base::Diagnostic;

bool IsModel(const std::string& file, const ModelOptions& options) {
  if (options.are_given()) return true;
  if (IsPiped(file)) return false;
  char magic[4] = {};
  std::ifstream(file, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == "PK\x03\x04";
}

std::string ModelName(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name.empty() ? "model" : name;
}

std::vector<std::string> WithGraph(const std::vector<std::string>& words, const std::string& model,
                                   const std::string& graph) {
  std::vector<std::string> result;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    const bool takes_value = name == "--inputs" || name == "--method" || name == "--disable";
    if (takes_value && name == words[i]) ++i;
    if (takes_value || name == "--train") continue;
    result.push_back(words[i] == model ? graph : words[i]);
  }
  return result;
}

int CaptureGraphs(const ScriptOptions& script, const ModelOptions& model, std::optional<uint64_t> seed,
                  const std::string& folder, ModelGraphs& graphs) {
  std::vector<std::string> words = {"culprit", "explain", script.file, "--json", "--graphs", folder};
  for (const std::vector<std::string>& more : {model.Words(), script.words_for_reading()})
    words.insert(words.end(), more.begin(), more.end());
  if (seed) words.insert(words.end(), {"--seed", std::to_string(*seed)});
  const base::Result<ChildEnding> ending = EndingInChild(words, kReadingLimits);
  if (!ending.ok()) return Fail(ending.error(), kInternal);
  if (const auto* death = std::get_if<isolate::Outcome>(&*ending)) {
    Diagnostic error{{script.file}, "the process that captured the model died: " + death->ToString()};
    if (!death->output.empty()) error.notes.push_back("it had printed:\n" + PrintableLines(death->output));
    return Fail(error, kFailure);
  }
  const auto& prints = std::get<ChildPrints>(*ending);
  const auto explained = nlohmann::json::parse(prints.out, nullptr, /*allow_exceptions=*/false);
  fmt::print(stderr, "{}", prints.err);
  if (!explained.is_object()) return prints.status;
  graphs.files = explained.at("files").get<std::vector<std::string>>();
  if (explained.at("failure").is_string()) graphs.failure = explained.at("failure");
  return kSuccess;
}

}  // namespace culprit::cli
