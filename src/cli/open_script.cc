// SPDX-License-Identifier: Apache-2.0
#include "cli/open_script.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "base/text.h"
#include "cli/checked_option.h"
#include "graph/map_devices.h"
#include "graph/verify.h"

namespace culprit::cli {

using base::Diagnostic;
using base::Result;
using graph::text::Script;

namespace {

Result<std::string> ReadAll(std::istream& stream, const std::string& name, size_t max_bytes) {
  std::string text;
  std::string block(size_t{1} << 20, '\0');
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
    text.append(block, 0, static_cast<size_t>(stream.gcount()));
    if (text.size() > max_bytes)
      return Diagnostic{{name}, fmt::format("larger than the limit of {}", base::HumanBytes(max_bytes))};
  }
  if (stream.bad()) return Diagnostic{{name}, fmt::format("cannot be read: {}", std::strerror(errno))};
  return text;
}

Result<std::string> ReadFile(const ScriptOptions& options, size_t max_bytes) {
  if (options.file == "-") return ReadAll(std::cin, options.shown_file(), max_bytes);
  std::ifstream file(options.file, std::ios::binary);
  if (!file) return Diagnostic{{options.file}, fmt::format("cannot be opened: {}", std::strerror(errno))};
  return ReadAll(file, options.file, max_bytes);
}

}  // namespace

void ScriptOptions::Declare(CLI::App& app) {
  const auto set_file = [this](const std::string& text) {
    if (text.empty()) throw CLI::ValidationError("FILE is an empty name");
    file = text;
  };
  app.add_option_function<std::string>(
         "FILE", set_file,
         "A script with a graph, as PyTorch or Culprit writes it (docs/text-form.md); - is standard input")
      ->required();
  AddInteger(
      app, "--which", [this](uint64_t number) { which = number; }, 1, UINT32_MAX,
      "Which graph, counted from 1, if the file holds several; without it such a file is an error that lists "
      "them");
  AddDevice(
      app, "--device", [this](at::Device wanted) { device = wanted; },
      "Map all devices in the graph and of its inputs to this one, for example a graph for a GPU to cpu");
}

Result<Script> OpenScript(const ScriptOptions& options) {
  const std::optional<at::Device>& device = options.device;
  const graph::text::ReadOptions read_options{.which = options.which, .for_cpu = device && device->is_cpu()};
  const std::string text = CULPRIT_TRY(ReadFile(options, read_options.max_source_bytes));
  Script script = CULPRIT_TRY(graph::text::ReadScript(options.shown_file(), text, read_options));
  for (const Diagnostic& warning : script.warnings) fmt::print(stderr, "{}\n", warning.Render("warning"));
  CULPRIT_TRY(graph::Verify(script.graph));
  if (device) {
    script.graph = graph::MapDevices(script.graph, *device);
    if (script.inputs) script.inputs = graph::MapDevices(*script.inputs, *device);
  }
  return script;
}

}  // namespace culprit::cli
