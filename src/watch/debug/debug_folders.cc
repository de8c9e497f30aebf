// SPDX-License-Identifier: Apache-2.0
#include "watch/debug/debug_folders.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/seconds_since.h"
#include "check/query/stamp.h"
#include "repro/header/note_parameters.h"
#include "watch/session/not_watched.h"

namespace culprit::watch {
namespace {

using base::SecondsSince;
using Clock = std::chrono::steady_clock;

/// net_0_captured => net_0
std::string StemOf(const std::string& graph_name) {
  return graph_name.substr(0, graph_name.rfind('_'));
}

/// How a graph is compiled and run, here and now.
repro::Header HeaderNow(repro::Header header) {
  header.run = repro::CurrentRunSettings();
  check::Stamp(header);
  return header;
}

/// Calls what may fail in any way.
template <typename Function>
std::string ErrorOf(const Function& function) {
  try {
    const base::Status status = function();
    return status.ok() ? "" : status.error().Render("warning");
  } catch (const std::exception& error) {
    return fmt::format("warning: the debug folder is not complete: {}", error.what());
  } catch (...) {
    return "warning: the debug folder is not complete";
  }
}

}  // namespace

void DebugFolders::Begin(const std::function<CapturedGraph()>& describe) noexcept {
  Warn(ErrorOf([&] { return MakeFolder(describe); }));
}

base::Status DebugFolders::MakeFolder(const std::function<CapturedGraph()>& describe) {
  const NotWatched off;
  const CapturedGraph captured = describe();
  const repro::Header how = HeaderNow(session_->header(Point::kCapture));
  const at::NoGradGuard no_grad;
  const std::string& directory = session_->settings().debug_directory;
  base::Result<DebugFolder> folder =
      DebugFolder::Create(std::filesystem::absolute(directory), captured.graph.name(),
                          session_->FolderName(captured.graph.name()));
  if (!folder.ok()) {
    base::Diagnostic error = folder.error();
    error.place = {directory};
    error.help = "name a folder that can be written, with: CULPRIT_DEBUG_DIRECTORY=DIR";
    return error;
  }
  if (log_) log_(fmt::format("{}: its debug folder is {}", captured.graph.name(), folder->path()));
  base::Status written = folder->WriteCaptured(captured, how);
  const std::lock_guard lock(mutex_);
  known_.insert_or_assign(StemOf(captured.graph.name()), Known{*std::move(folder)});
  return written;
}

void DebugFolders::Write(const std::string& graph_name,
                         const std::function<base::Status(Known&)>& write) noexcept {
  Warn(ErrorOf([&]() -> base::Status {
    const NotWatched off;
    const at::NoGradGuard no_grad;
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(StemOf(graph_name));
    if (known == known_.end()) return base::Done{};
    return write(known->second);
  }));
}

void DebugFolders::Warn(const std::string& text) noexcept {
  if (text.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_warned_, true)) return;
  }
  try {
    session_->Warn(text);
  } catch (...) {
    // Whoever hears warnings may throw; the program is not to be disturbed.
    return;
  }
}

DebugFolders::Whole::Whole(DebugFolders& folders, const std::string& graph_name)
    : folders_(folders), graph_name_(graph_name), start_(Clock::now()) {}

DebugFolders::Whole::~Whole() {
  const double seconds = SecondsSince(start_);
  folders_.Write(graph_name_, [&](Known& known) {
    return known.folder.NoteAutograd(std::max(0.0, seconds - known.handed_seconds));
  });
}

DebugFolders::Handed::Handed(DebugFolders& folders, const graph::Graph& graph, const backend::Values& inputs)
    : folders_(folders), graph_name_(graph.name()), start_(Clock::now()) {
  repro::Header header = HeaderNow(folders_.session_->header(Point::kAot));
  repro::NoteParameters(graph, header);
  folders_.Write(graph_name_, [&](Known& known) { return known.folder.WriteHanded(graph, inputs, header); });
  insight_.emplace([this](const std::string& name, const std::string& text) {
    folders_.Write(graph_name_, [&](Known& known) { return known.folder.WriteInsight(name, text); });
  });
  compile_start_ = Clock::now();
}

DebugFolders::Handed::~Handed() {
  const double seconds = SecondsSince(compile_start_);
  folders_.Write(graph_name_, [&](Known& known) {
    base::Status noted = known.folder.NoteCompiled(graph_name_, seconds);
    known.handed_seconds += SecondsSince(start_);
    return noted;
  });
}

}  // namespace culprit::watch
