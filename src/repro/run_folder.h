// SPDX-License-Identifier: Apache-2.0
//
// The folder of a run, made once and never used for another:
//
//   culprit_runs/20261116T074512-4711-net_0_inference/
//     repro.py             the smallest program so far that fails in the same way
//     original.py          what the run began with
//     checkpoints/         every step on the way, as <n>_<operators>ops.py
//     finds/               other failures that were met
//     store/               large tensors of all of them
//     trace.jsonl          hunt/run/trace.h
//     summary.md           hunt/result/summary.h
//     plain.py             the same as users of the compiler write it, if that fails, too
//     compiler/            what the compiler shows of its work on repro.py
//   culprit_runs/latest    leads to the newest
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace culprit::repro {

inline constexpr const char* kDefaultRunsFolder = "culprit_runs";

class RunFolder {
 public:
  /// With nothing in it. `runs` is made if it does not exist. The error says what to type instead.
  static base::Result<RunFolder> Create(const std::string& runs, const std::string& graph_name);
  /// One that an earlier run has made.
  static base::Result<RunFolder> Open(const std::string& path);

  /// A folder inside it for more repros, which find their data beside them, too.
  base::Status MakeFolder(const std::string& name) const;
  /// If something else is called `latest`, which is left alone.
  std::optional<base::Diagnostic> WarningAboutLatest() const;
  /// It is the newest again.
  void BecomeLatest() const;
  /// With all that is in it; the newest is then another one.
  void Remove() const;

  const std::string& path() const { return path_; }
  std::string repro() const { return path_ + "/repro.py"; }
  std::string original() const { return path_ + "/original.py"; }
  std::string trace() const { return path_ + "/trace.jsonl"; }
  std::string summary() const { return path_ + "/summary.md"; }
  std::string plain() const { return path_ + "/plain.py"; }
  std::string insight() const { return path_ + "/compiler"; }
  std::string checkpoint(size_t number, size_t operators) const;
  std::string find(size_t number) const;

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// The text of a script in such a folder, which may come from a stranger: a regular file, no link, no FIFO,
/// and not larger than a script may be.
base::Result<std::string> ReadScript(const std::string& path);

}  // namespace culprit::repro
