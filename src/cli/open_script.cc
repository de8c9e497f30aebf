// SPDX-License-Identifier: Apache-2.0
#include "cli/open_script.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "graph/map_devices.h"
#include "graph/text/literal.h"
#include "graph/verify.h"

namespace culprit::cli {

using base::Diagnostic;
using base::Result;
using graph::text::Script;

namespace {

Result<std::string> ReadFile(const std::string& path, size_t max_bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Diagnostic{{path}, fmt::format("cannot be opened: {}", std::strerror(errno))};
  std::string text;
  std::string block(size_t{1} << 20, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block, 0, static_cast<size_t>(file.gcount()));
    if (text.size() > max_bytes)
      return Diagnostic{{path}, fmt::format("larger than the limit of {}", base::HumanBytes(max_bytes))};
  }
  if (file.bad()) return Diagnostic{{path}, fmt::format("cannot be read: {}", std::strerror(errno))};
  return text;
}

Result<std::optional<at::Device>> DeviceOf(const ScriptOptions& options) {
  if (options.device.empty()) return std::optional<at::Device>();
  const std::optional<at::Device> device = graph::text::DeviceFromText(options.device);
  if (!device) return Diagnostic{{"--device"}, fmt::format("unknown device '{}'", options.device)};
  return device;
}

}  // namespace

void ScriptOptions::Declare(CLI::App& app) {
  app.add_option("FILE", file, "A script with a graph, as PyTorch or Culprit writes it")->required();
  app.add_option("--which", which, "Which graph, counted from 1, if the file holds several")->type_name("N");
  app.add_option("--device", device, "Map all devices in the graph to this one")->type_name("DEVICE");
}

Result<Script> OpenScript(const ScriptOptions& options) {
  const std::optional<at::Device> device = CULPRIT_TRY(DeviceOf(options));
  const graph::text::ReadOptions read_options{.which = options.which, .for_cpu = device && device->is_cpu()};
  const std::string text = CULPRIT_TRY(ReadFile(options.file, read_options.max_source_bytes));
  Script script = CULPRIT_TRY(graph::text::ReadScript(options.file, text, read_options));
  for (const Diagnostic& warning : script.warnings) fmt::print(stderr, "{}\n", warning.Render("warning"));
  CULPRIT_TRY(graph::Verify(script.graph));
  if (device) {
    script.graph = graph::MapDevices(script.graph, *device);
    if (script.inputs) script.inputs = graph::MapDevices(*script.inputs, *device);
  }
  return script;
}

Result<repro::Repro> OpenRepro(const ScriptOptions& options) {
  const repro::ReadOptions read_options{.which = options.which, .device = CULPRIT_TRY(DeviceOf(options))};
  const std::string text = CULPRIT_TRY(ReadFile(options.file, graph::text::ReadOptions{}.max_source_bytes));
  repro::ReadRepro read = CULPRIT_TRY(repro::OpenRepro(options.file, text, read_options));
  for (const Diagnostic& warning : read.warnings) fmt::print(stderr, "{}\n", warning.Render("warning"));
  if (!read.script.inputs && !read.script.graph.placeholders().empty()) {
    Diagnostic error{{options.file}, "the file does not say what its inputs look like"};
    error.help = "add a function load_args(reader), as in examples/01_first_graph/net.py";
    return error;
  }
  Result<repro::LoadedRepro> loaded = repro::LoadRepro(std::move(read), read_options);
  if (loaded.ok()) {
    loaded->repro.header.random = loaded->random;
    return std::move(loaded->repro);
  }
  Diagnostic error = std::move(loaded).error();
  error.place = {options.file};
  return error;
}

}  // namespace culprit::cli
