// SPDX-License-Identifier: Apache-2.0
#include "repro/run_folder.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <vector>

#include "repro/file_name.h"

namespace culprit::repro {
namespace {

namespace fs = std::filesystem;

base::Diagnostic CannotMake(const std::string& path, const std::error_code& error) {
  base::Diagnostic diagnostic{{path}, "the folder cannot be made: " + error.message()};
  diagnostic.help = "name a folder that can be written, with: --out DIR";
  return diagnostic;
}

/// Never in nobody's way: it is made under another name and moved.
void LinkLatest(const fs::path& runs, const std::string& name) {
  std::error_code ignored;
  const fs::path link = runs / fmt::format(".latest-{}", gettid());
  fs::create_directory_symlink(name, link, ignored);
  fs::rename(link, runs / "latest", ignored);
  fs::remove(link, ignored);
}

/// Of folders, by when they were made. The clock of files has coarse ticks; within one the second of a name
/// is longer than the first, and the tenth than the ninth.
auto AgeOf(const fs::path& folder) {
  struct statx made = {};
  statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BTIME, &made);
  const std::string name = folder.filename();
  return std::tuple(made.stx_btime.tv_sec, made.stx_btime.tv_nsec, name.size(), name);
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
  LinkLatest(runs, name);
  return RunFolder((fs::path(runs) / name).string());
}

base::Status RunFolder::MakeFolder(const std::string& name) const {
  std::error_code error;
  fs::create_directory(path_ + "/store", error);
  if (!error) fs::create_directory(path_ + "/" + name, error);
  if (!error) fs::create_directory_symlink("../store", path_ + "/" + name + "/store", error);
  if (error) return CannotMake(path_ + "/" + name, error);
  return base::Done{};
}

void RunFolder::BecomeLatest() const {
  const fs::path runs = fs::path(path_).parent_path();
  const fs::path name = fs::path(path_).filename();
  std::error_code ignored;
  if (fs::read_symlink(runs / "latest", ignored) != name) LinkLatest(runs, name);
}

void RunFolder::Remove() const {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  const fs::path runs = fs::path(path_).parent_path();
  if (fs::read_symlink(runs / "latest", ignored) != fs::path(path_).filename()) return;
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(runs, ignored)) {
    if (!entry.is_symlink(ignored) && entry.is_directory(ignored)) left.push_back(entry.path());
  }
  fs::remove(runs / "latest", ignored);
  if (!left.empty()) LinkLatest(runs, std::ranges::max(left, {}, AgeOf).filename());
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

}  // namespace culprit::repro
