// SPDX-License-Identifier: Apache-2.0
//
// A strategy proposes edits and learns what became of them. It never asks the question itself: the search
// does (search.h), which remembers answers and keeps what still fails.
//
//   Propose(subject)  ->  edit  ->  [the search asks]  ->  Learn(answer)  ->  Propose(subject or a smaller
//   one) ...
//
// It depends on nothing else, so that a copy of it can be told what an answer may be: the search looks ahead
// (look_ahead.h).
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "minify/failure_check.h"
#include "minify/program/subject.h"
#include "minify/rewrite/edit.h"

namespace culprit::minify {

struct Learned {
  bool fails = false;
  /// Of an edit that is never accepted, where the numbers are wrong: indices of outputs.
  std::vector<size_t> wrong_outputs = {};
  /// The edit was applied: the next subject has it.
  bool accepted = false;

  bool operator==(const Learned&) const = default;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Nothing if it is done. After an edit was accepted the subject is what that edit made of the former one.
  virtual std::optional<Edit> Propose(const Subject& subject) = 0;
  /// About the edit that was proposed last.
  virtual void Learn(const Learned& learned) = 0;
  virtual std::unique_ptr<Strategy> Clone() const = 0;
};

/// Of one that can be copied.
template <typename Self>
class StrategyOf : public Strategy {
 public:
  std::unique_ptr<Strategy> Clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
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

/// What is likely of the program that it proposes, before it has proposed any. The search only looks ahead by
/// it (look_ahead.h).
enum class Likely : uint8_t { kPasses, kEither, kFails };

struct StrategyEntry {
  std::string_view name;
  /// One line, in lower case and without a full stop.
  std::string_view line;
  Use use = Use::kAlways;
  std::unique_ptr<Strategy> (*make)() = nullptr;
  Likely likely = Likely::kPasses;
};

}  // namespace culprit::minify
