// SPDX-License-Identifier: Apache-2.0
#include "tests/watch/watched_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

namespace culprit::tests {
namespace {

namespace fs = std::filesystem;

std::set<std::string> FilesIn(const std::string& folder) {
  std::set<std::string> files;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(file.path(), folder);
    if (!file.is_regular_file() || name.starts_with("store/")) continue;
    files.insert(std::regex_replace(name, std::regex("in_progress/[0-9]+"), "in_progress/N"));
  }
  return files;
}

/// 20261116T074512-4711-net_0_inference-2: the graph.
std::string GraphIn(const std::string& name) {
  std::smatch parts;
  const bool is_run = std::regex_match(name, parts, std::regex("[0-9]{8}T[0-9]{6}-[0-9]+-(.+?)(-[0-9]+)?"));
  return is_run ? parts[1].str() : "";
}

}  // namespace

void WatchedRun::Again() {
  std::vector<std::string> command = {"/usr/bin/timeout", "--signal=KILL", std::to_string(watching_.seconds),
                                      CULPRIT_WATCHED};
  command.insert(command.end(), watching_.arguments.begin(), watching_.arguments.end());
  EnvironmentChanges environment = {{"CULPRIT_BACKEND", watching_.backend},
                                    {"CULPRIT_REPRO_AFTER", watching_.point},
                                    {"CULPRIT_REPRO_LEVEL", std::to_string(watching_.level)},
                                    {"CULPRIT_FAULTS", watching_.fault},
                                    {"CULPRIT_DIRECTORY", runs()}};
  for (const auto& [variable, value] : watching_.settings) environment[variable] = value;
  program_ = RunProgram(command, environment);
}

std::vector<LeftFolder> WatchedRun::Left() const {
  std::vector<LeftFolder> left;
  if (!fs::exists(runs())) return left;
  for (const fs::directory_entry& entry : fs::directory_iterator(runs())) {
    if (entry.is_symlink()) continue;
    left.push_back({entry.path(), GraphIn(entry.path().filename()), FilesIn(entry.path())});
  }
  std::ranges::sort(left, {}, &LeftFolder::path);
  return left;
}

std::string WatchedRun::Latest() const {
  const std::string latest = runs() + "/latest";
  return fs::exists(latest) ? fs::canonical(latest).string() : "";
}

std::string ReportLines(const std::string& graph, const std::string& repro) {
  return fmt::format(
      "culprit: graph {0}\nculprit: repro {1}\nculprit: to make it small, run: culprit minify {1}\n", graph,
      repro);
}

}  // namespace culprit::tests
