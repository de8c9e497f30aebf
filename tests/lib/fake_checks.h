// SPDX-License-Identifier: Apache-2.0
//
// For tests of the minifier: programs, and checks that need no compiler.
#pragma once

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "graph/analysis/structural_hash.h"
#include "graph/ir/verify.h"
#include "minify/failure_check.h"
#include "minify/program/program.h"
#include "tests/lib/graph_builder.h"

namespace culprit::tests {

using minify::Program;
using minify::Reply;

/// "sin" for aten::sin, in program order.
inline std::vector<std::string> OperatorsOf(const Program& program) {
  std::vector<std::string> names;
  for (const graph::Node& node : program.graph.nodes()) names.push_back(node.op->name().substr(6));
  return names;
}

/// sin, sin ... with other operators at some places.
inline Program Chain(size_t length, const std::map<size_t, std::string>& others = {}) {
  TestGraph g;
  graph::ValueId value = g.Placeholder("x");
  for (size_t i = 0; i < length; ++i) {
    const auto other = others.find(i);
    value = g.Call("aten::" + (other == others.end() ? "sin" : other->second), {value});
  }
  g.Return({value});
  return {g.graph(), {at::ones({2, 3})}};
}

using AnswerFunction = std::function<Reply(const Program&)>;

/// Answers by a function, and notes what it was asked. Every program it is asked about has to be valid.
class FakeCheck : public minify::FailureCheck {
 public:
  explicit FakeCheck(AnswerFunction answer) : answer_(std::move(answer)) {}

  Reply Ask(const Program& program) override {
    EXPECT_TRUE(graph::Verify(program.graph).ok()) << graph::Verify(program.graph).error().message;
    {
      const std::lock_guard lock(mutex_);
      ++questions_;
      if (!asked_.insert(graph::StructuralHash(program.graph, program.inputs)).second) ++asked_twice_;
    }
    return answer_(program);
  }
  /// Without noting anything.
  Reply Answer(const Program& program) const { return answer_(program); }

  size_t questions() const { return questions_; }
  size_t asked_twice() const { return asked_twice_; }

 private:
  AnswerFunction answer_;
  std::mutex mutex_;
  size_t questions_ = 0;
  size_t asked_twice_ = 0;
  std::set<graph::Hash128> asked_;
};

inline Reply FailsIf(bool fails) {
  return {{fails ? minify::Answer::kSameFailure : minify::Answer::kPasses}};
}

inline AnswerFunction Always(minify::Answer answer) {
  return [answer](const Program&) { return Reply{{answer}}; };
}

/// Fails if every one of these operators is there.
inline AnswerFunction Needs(std::set<std::string> operators) {
  return [operators = std::move(operators)](const Program& program) {
    const std::vector<std::string> names = OperatorsOf(program);
    return FailsIf(std::ranges::all_of(
        operators, [&](const std::string& name) { return std::ranges::count(names, name) > 0; }));
  };
}

/// A coin per program, which falls the same way each time: `percent` of all fail, in one output or another.
inline AnswerFunction ByHash(uint64_t seed, uint64_t percent) {
  return [=](const Program& program) {
    const graph::Hash128 hash = graph::StructuralHash(program.graph, program.inputs);
    const uint64_t coin = (hash.low ^ (seed * 0x9e3779b97f4a7c15U)) * 0xbf58476d1ce4e5b9U >> 32U;
    Reply reply = FailsIf(coin % 100 < percent);
    if (reply.fails() && !program.graph.outputs().empty())
      reply.wrong_outputs = {hash.high % program.graph.outputs().size()};
    return reply;
  };
}

/// Wrong numbers, as a compiler makes them that fuses `first` into `second` wrongly (or computes `second`
/// wrongly, if `first` is empty). It does not fuse what is shown as an output.
inline AnswerFunction WrongNumbers(std::string first, std::string second) {
  return [first = std::move(first), second = std::move(second)](const Program& program) {
    const graph::Graph& graph = program.graph;
    const std::vector<std::string> names = OperatorsOf(program);
    std::unordered_set<graph::ValueId> shown;
    for (const graph::Argument& output : graph.outputs())
      ForEachValue(output, [&](graph::ValueId id) { shown.insert(id); });
    std::unordered_set<graph::ValueId> wrong;
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      bool is_wrong = names[i] == second && first.empty();
      for (const graph::Argument& argument : graph.nodes()[i].arguments) {
        ForEachValue(argument, [&](graph::ValueId id) {
          const graph::Value& value = graph.value(id);
          const bool fused = value.origin == graph::Origin::kNode && names[i] == second &&
                             names[value.origin_index] == first && !shown.contains(id);
          is_wrong = is_wrong || fused || wrong.contains(id);
        });
      }
      if (is_wrong) wrong.insert(graph.nodes()[i].results.begin(), graph.nodes()[i].results.end());
    }
    Reply reply;
    for (size_t i = 0; i < graph.outputs().size(); ++i) {
      const graph::Argument& output = graph.outputs()[i];
      if (output.is_value() && wrong.contains(output.value())) reply.wrong_outputs.push_back(i);
    }
    reply.verdict.answer =
        reply.wrong_outputs.empty() ? minify::Answer::kPasses : minify::Answer::kSameFailure;
    return reply;
  };
}

}  // namespace culprit::tests
