// SPDX-License-Identifier: Apache-2.0
//
// What came of a run, as data: the command line prints it, summary.h writes it for an issue tracker.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "check/question/try_switches.h"
#include "hunt/result/extent.h"
#include "hunt/result/guilty.h"
#include "hunt/result/nearest.h"
#include "minify/search.h"
#include "repro/header/header.h"

namespace culprit::hunt {

/// How often a file failed again, in processes that were started for it.
struct Verification {
  int times = 0;
  int same = 0;
  /// What it did otherwise, in one line.
  std::string otherwise = {};
  /// How many of the processes were forked. The others were started anew.
  int forked = 0;

  bool holds() const { return times > 0 && same == times; }
  void Add(const Verification& more) {
    times += more.times;
    same += more.same;
    forked += more.forked;
    if (!more.otherwise.empty()) otherwise = more.otherwise;
  }
};

/// Another failure than the one that is searched for, and the file with the smallest program that has it.
struct Find {
  std::string signature;
  size_t operators = 0;
  std::string file;
};

/// What one more run of a repro shows.
struct ShownRun {
  /// As `culprit run` prints it.
  std::string text;
  /// What the compiler shows of its work: texts, by the name of a file.
  std::map<std::string, std::string> insight;
  /// Where the compiler's Python was, innermost first.
  std::vector<std::string> python_frames;
};

struct Report {
  std::string folder;
  repro::Header header;
  /// The program that judges instead of a compiler; empty if there is none.
  std::string judge;
  /// Words that every command about the repro needs, as in " --load-library mine.so".
  std::string options;
  /// Of the original, by whose outputs it is named.
  check::Expectation expected;
  /// What the original calls the output that is wrong; empty if none is.
  std::string output_name;
  /// If numbers or structure are wrong.
  std::optional<check::HowWrong> original_how_wrong;
  /// Of the program in the file, by whose outputs it is named.
  backend::FailureSignature signature;
  std::optional<check::HowWrong> how_wrong;
  /// If they were tried.
  std::optional<check::TriedSwitches> switches;
  Extent before;
  Extent after;
  std::vector<GuiltyOperator> guilty;
  std::optional<NearestPassing> nearest;
  std::vector<minify::Tried> tried;
  std::vector<Find> finds;
  Verification verification;
  /// The search has arrived at just this program. Otherwise steps were taken back.
  bool is_last_step = true;
  /// Smaller programs that did not fail again in a fresh process, so that a larger one had to be taken.
  size_t taken_back = 0;
  minify::Ended ended = minify::Ended::kMinimal;
  /// Asked in all, and of these before the run was interrupted.
  size_t questions = 0;
  size_t questions_before = 0;
  /// In all, too.
  double seconds = 0;
  ShownRun shown;
  std::optional<backend::PlainProgram> plain;
  /// Of the compiler and what it stands on, by name.
  std::map<std::string, std::string> versions;
  /// Where the compiler runs and eager with it, if that is another environment (backend/description.h).
  std::string place = {};
  /// Of the processor that it was found on.
  std::string cpu_model;
  /// The files that were written: the script, and whether it needs the store beside it.
  std::string program_text;
  bool needs_store = false;
  /// Python shows the failure by itself.
  bool fails_in_python = false;
  /// Why there is no summary.md, or not a whole one; nothing if it was written.
  std::optional<base::Diagnostic> summary_error = std::nullopt;
};

}  // namespace culprit::hunt
