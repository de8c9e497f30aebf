// SPDX-License-Identifier: Apache-2.0
#include "repro/run_folder.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <tuple>
#include <vector>

#include "base/shell_word.h"
#include "files/read_file.h"
#include "graph/text/script/script.h"
#include "repro/file_name.h"

namespace culprit::repro {
namespace {

namespace fs = std::filesystem;

base::Diagnostic CannotMake(const std::string& path, const std::error_code& error) {
  base::Diagnostic diagnostic = base::SystemError({path}, "the folder cannot be made", error.value());
  diagnostic.help = "name a folder that can be written, with: --out DIR";
  return diagnostic;
}

std::tm LocalTime() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  return parts;
}

/// Whether something has the name that is no link of ours.
bool IsTaken(const fs::path& latest) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(latest, ignored);
  return fs::exists(status) && !fs::is_symlink(status);
}

/// Never in nobody's way: it is made under another name and moved.
void LinkLatest(const fs::path& runs, const std::string& name) {
  if (IsTaken(runs / "latest")) return;
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

/// The first link in the folder that would lead a writer out of it. Only a folder inside leads to the store
/// beside it (MakeFolder).
std::optional<fs::path> LinkOut(const fs::path& run) {
  std::error_code ignored;
  for (const char* name : {"repro.py", "original.py", "trace.jsonl", "summary.md", "plain.py", "compiler",
                           "checkpoints", "finds", "store", "store/storages", "store/tensors"}) {
    if (fs::is_symlink(run / name, ignored)) return run / name;
  }
  for (const char* name : {"checkpoints/store", "finds/store"}) {
    if (fs::is_symlink(run / name, ignored) && fs::read_symlink(run / name, ignored) != "../store")
      return run / name;
  }
  return std::nullopt;
}

}  // namespace

base::Result<RunFolder> RunFolder::Create(const std::string& runs, const std::string& graph_name) {
  std::error_code error;
  fs::create_directories(runs, error);
  if (error) return CannotMake(runs, error);
  const std::string stem =
      fmt::format("{:%Y%m%dT%H%M%S}-{}-{}", LocalTime(), getpid(), AsFileName(graph_name, "graph"));
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

std::optional<base::Diagnostic> RunFolder::WarningAboutLatest() const {
  const fs::path latest = fs::path(path_).parent_path() / "latest";
  if (!IsTaken(latest)) return std::nullopt;
  base::Diagnostic warning{{latest.string()}, "is no link to the newest run, so it is left as it is"};
  warning.help = "to have a link to the newest run there, rename what is in its place";
  return warning;
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
  if (const std::optional<fs::path> link = LinkOut(folder.path_)) {
    base::Diagnostic diagnostic{{link->string()}, "is a link, through which a run would write elsewhere"};
    diagnostic.help = fmt::format("go on in a copy without links: cp -rL {} COPY", base::ShellWord(path));
    return diagnostic;
  }
  if (fs::is_regular_file(folder.original(), error) && fs::is_regular_file(folder.trace(), error))
    return folder;
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

base::Result<std::string> ReadScript(const std::string& path) {
  return files::ReadText(path, static_cast<int64_t>(graph::text::ReadOptions{}.max_source_bytes));
}

}  // namespace culprit::repro
