// SPDX-License-Identifier: Apache-2.0
#include "hunt/run_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "hunt/file_name.h"

namespace culprit::hunt {
namespace {

namespace fs = std::filesystem;

base::Diagnostic CannotMake(const std::string& path, const std::error_code& error) {
  base::Diagnostic diagnostic{{path}, "the folder cannot be made: " + error.message()};
  diagnostic.help = "name a folder that can be written, with: --out DIR";
  return diagnostic;
}

/// What is in a folder of its own finds its data beside it, too.
void ShareStore(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directory(folder, ignored);
  fs::create_directory_symlink("../store", folder / "store", ignored);
}

/// Never in nobody's way: it is made under another name and moved.
void LinkLatest(const fs::path& runs, const std::string& name) {
  std::error_code ignored;
  const fs::path link = runs / fmt::format(".latest-{}", getpid());
  fs::create_directory_symlink(name, link, ignored);
  fs::rename(link, runs / "latest", ignored);
  fs::remove(link, ignored);
}

}  // namespace

base::Result<RunFolder> RunFolder::Create(const std::string& runs, const std::string& graph_name) {
  std::error_code error;
  fs::create_directories(runs, error);
  if (error) return CannotMake(runs, error);
  const std::string stem = fmt::format("{:%Y%m%dT%H%M%S}-{}-{}", fmt::localtime(std::time(nullptr)), getpid(),
                                       AsFileName(graph_name, "graph"));
  std::string name = stem;
  for (int again = 2; !fs::create_directory(fs::path(runs) / name, error); ++again) {
    if (error) return CannotMake((fs::path(runs) / name).string(), error);
    name = fmt::format("{}-{}", stem, again);
  }
  const fs::path path = fs::path(runs) / name;
  fs::create_directory(path / "store", error);
  if (error) return CannotMake(path.string(), error);
  ShareStore(path / "checkpoints");
  ShareStore(path / "finds");
  LinkLatest(runs, name);
  return RunFolder(path.string());
}

base::Result<RunFolder> RunFolder::Open(const std::string& path) {
  RunFolder folder(fs::path(path).lexically_normal().string());
  while (folder.path_.ends_with('/')) folder.path_.pop_back();
  std::error_code error;
  if (fs::exists(folder.original(), error) && fs::exists(folder.trace(), error)) return folder;
  base::Diagnostic diagnostic{{path}, "is not the folder of a run: original.py or trace.jsonl is missing"};
  diagnostic.help = fmt::format("the newest run is: {}/latest", kDefaultRunsFolder);
  return diagnostic;
}

std::string RunFolder::checkpoint(size_t number, size_t operators) const {
  return fmt::format("{}/checkpoints/{:03}_{}ops.py", path_, number, operators);
}

std::string RunFolder::find(size_t number) const {
  return fmt::format("{}/finds/{:02}.py", path_, number);
}

}  // namespace culprit::hunt
