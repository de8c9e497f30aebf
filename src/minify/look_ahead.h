// SPDX-License-Identifier: Apache-2.0
//
// While the search waits for one answer, this asks the questions that will probably follow, the most probable first, as
// many at a time as the check can answer. That never changes the course of the search, which is the same with one
// question at a time: the answers are only there sooner.
//
//   question 1 ---passes---> question 2 ---passes---> question 3 ...
//       \                        \
//        fails: question 2'       fails: question 3'
//
// How probable an answer is, the strategy's answers so far tell: with shapes and numbers half of them fail,
// with most others few do.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "minify/asker.h"
#include "minify/fork.h"

namespace culprit::minify {

class LookAhead {
 public:
  /// `known` is the answer if it is. Programs that are arrived at ahead have no more operators together than
  /// `most_operators`, since what their runs leave behind takes memory.
  using Known = std::function<std::optional<Reply>(const graph::Hash128&)>;
  LookAhead(Asker& asker, Known known, size_t most_operators)
      : asker_(asker), known_(std::move(known)), most_operators_(most_operators) {}

  /// Asks until there is no room, or nothing that is worth it; at most so many questions.
  void AskFrom(Fork& root, size_t at_most);

  void Learn(const Candidate& candidate, bool fails);

 private:
  struct Counts {
    size_t failing = 0;
    size_t all = 0;
  };
  /// A way that nobody has made yet.
  struct Place {
    double probability = 0;
    Fork* fork = nullptr;
    Reply reply = {};
  };

  double ProbabilityOfFailure(const Candidate& candidate) const;
  void Consider(Fork& fork, const Reply& reply, double probability, Place& best);
  void Find(Fork& fork, double probability, Place& best);

  Asker& asker_;
  Known known_;
  size_t most_operators_;
  size_t operators_ = 0;
  std::map<std::string_view, Counts> counts_;
};

}  // namespace culprit::minify
