// SPDX-License-Identifier: Apache-2.0
//
// What a failure of a compiler has to leave behind, by its kind, the level and the point at which the program
// is watched:
//
//   failure          at level         the program        there is
//   throws           1, 2, 3, 4       gets it            a repro; from 2 on it records the failure
//   wrong numbers    4                AccuracyError      a repro that records the failure
//   dies             3                dies               what it was doing, written before
//   hangs            1, 2, 3, 4       ends, or waits     a repro, and the stacks of all threads; at 3 what it
//                                                        was doing, too
//   any              others, or none  as without         nothing
//
// With `auto` the graph is the one that the compiler got. What it was doing is then written for the captured
// graph as well: it may be autograd that has died.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/watch/watched_run.h"

namespace culprit::tests {

enum class Failure { kCannotCompile, kThrows, kThrowsAnInteger, kWrongNumbers, kDies, kHangs };

struct FailureKind {
  /// As `culprit faults` calls it.
  std::string_view fault;
  Failure failure;
  /// Of a program that dies of it.
  int exit_code = 1;
};

inline constexpr FailureKind kFailureKinds[] = {
    {"compile-error", Failure::kCannotCompile},
    {"runtime-error", Failure::kThrows},
    {"nonstandard-throw", Failure::kThrowsAnInteger},
    {"accuracy", Failure::kWrongNumbers},
    {"nan", Failure::kWrongNumbers},
    {"gradient", Failure::kWrongNumbers},
    {"shape", Failure::kWrongNumbers},
    {"dtype", Failure::kWrongNumbers},
    {"writes-input", Failure::kWrongNumbers},
    {"segfault", Failure::kDies, 139},
    {"compile-segfault", Failure::kDies, 139},
    {"abort", Failure::kDies, 134},
    {"exit7", Failure::kDies, 7},
    {"hang", Failure::kHangs},
    {"compile-hang", Failure::kHangs},
};
inline constexpr int kLevels[] = {0, 1, 2, 3, 4};
inline constexpr std::string_view kPoints[] = {"none", "capture", "dynamo", "aot", "auto"};

/// Which graph has the guilty operator.
enum class Guilty { kInference, kForward, kBackward };
inline constexpr Guilty kGuilty[] = {Guilty::kInference, Guilty::kForward, Guilty::kBackward};

struct Compiler {
  std::string backend;
  /// Whether it gets forward and backward graphs, or graphs as they are captured.
  bool is_below_autograd = true;
  std::string net = "plain";
  bool trains = true;
};

struct Cell {
  FailureKind kind;
  int level = 0;
  std::string_view point;
  Guilty guilty = Guilty::kInference;
  /// What follows on a hang.
  std::string_view on_timeout = "end";
};

struct Expected {
  int exit_code = 0;
  /// The first line of what the program says about it; empty if it cannot say anything.
  std::string exception = {};
  /// The name of the guilty graph; empty if there is no repro.
  std::string graph = {};
  /// A repro that was written when it failed.
  bool is_reported = false;
  /// The repro says which failure it is.
  bool has_failure = false;
  /// A repro that was written before, since nobody can write one afterwards.
  bool is_recorded = false;
  /// One of the captured graph beside it.
  bool is_recorded_above = false;
};

/// Of a kind, by its name.
const FailureKind& KindCalled(std::string_view fault);

/// Whether nobody can see it at that point, or at all.
bool IsHidden(const Cell& cell, const Compiler& compiler);

Expected ExpectedOf(const Cell& cell, const Compiler& compiler);

Watching WatchingOf(const Cell& cell, const Compiler& compiler);

/// Compares what is there with what there has to be.
void ExpectOutcome(const WatchedRun& run, const Cell& cell, const Compiler& compiler);

/// Of all kinds, levels, points and guilty graphs, without outputs of another shape or dtype while a program
/// is trained: autograd throws there without a watcher, too.
std::vector<Cell> AllCells();

std::ostream& operator<<(std::ostream& out, const Cell& cell);

}  // namespace culprit::tests
