// SPDX-License-Identifier: Apache-2.0
//
// A strategy proposes edits and learns what became of them. It never asks the question itself: the search
// does (search.h), which remembers answers, runs several at once and keeps what still fails.
//
//   Propose(subject)  ->  edits  ->  [the search asks]  ->  Learn(answers)
//   Propose(that subject, or a smaller one)  ->  ...
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "minify/failure_check.h"
#include "minify/program/subject.h"
#include "minify/rewrite/edit.h"

namespace culprit::minify {

struct Learned {
  Reply reply;
  /// The edit was applied: the next subject has it.
  bool accepted = false;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Up to `at_most` edits of the subject that can be asked about at the same time; none if it is done. After
  /// an edit was accepted the subject is what that edit made of the former one.
  virtual std::vector<Edit> Propose(const Subject& subject, size_t at_most) = 0;
  /// One per edit that was proposed last.
  virtual void Learn(std::span<const Learned> learned) = 0;
};

/// When a strategy is worth its questions.
enum class Use : uint8_t {
  /// Once per search, at the beginning.
  kOnce,
  /// Once, if the failure is wrong numbers: it looks at which outputs are wrong.
  kOnceForNumbers,
  /// Again and again until nothing moves.
  kAlways,
};

struct StrategyEntry {
  std::string_view name;
  /// One line, in lower case and without a full stop.
  std::string_view line;
  Use use = Use::kAlways;
  std::unique_ptr<Strategy> (*make)() = nullptr;
};

}  // namespace culprit::minify
