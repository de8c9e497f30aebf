// SPDX-License-Identifier: Apache-2.0
//
// The program `watched` (watched_main.cc) with a compiler that has a fault, and what it leaves behind. Each
// run has a folder of its own for its repros.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

/// How it is run. By default everything is watched.
struct Watching {
  std::string fault = {};
  int level = 4;
  std::string point = "aot";
  std::string backend = "aot-eager";
  std::vector<std::string> arguments = {};
  /// More settings, by variable.
  EnvironmentChanges settings = {};
  /// It is killed after so many.
  int seconds = 60;
};

/// A folder below the folder of repros.
struct LeftFolder {
  std::string path;
  /// In its name.
  std::string graph;
  /// Those in it, without the store; the names of threads are N.
  std::set<std::string> files;

  std::string repro() const { return path + "/repro.py"; }
};

class WatchedRun {
 public:
  explicit WatchedRun(Watching watching) : watching_(std::move(watching)) { Again(); }

  /// Once more, with the same folder of repros.
  void Again();

  const ProgramRun& program() const { return program_; }
  std::string runs() const { return folder_ / "runs"; }
  const TemporaryFolder& folder() const { return folder_; }
  /// In the order of their names.
  std::vector<LeftFolder> Left() const;
  /// Where `latest` leads; empty if there is none.
  std::string Latest() const;
  /// The text of the repro in the newest folder.
  std::string Repro() const { return ReadWholeFile(Latest() + "/repro.py"); }

 private:
  const Watching watching_;
  const TemporaryFolder folder_;
  ProgramRun program_;
};

/// The last lines of what is thrown.
std::string ReportLines(const std::string& graph, const std::string& repro);

}  // namespace culprit::tests
