// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/split_reductions.h"

#include "compiler/loops/type_rules.h"

namespace culprit::compiler::schedule {
namespace {

using loops::BodyCopy;
using loops::Expression;
using loops::ExprId;
using loops::Loop;
using loops::LoopKind;
using loops::LoopProgram;
using loops::Op;
using loops::Value;
using loops::ValueIndex;

// Fewer elements are summed up before a thread has started.
constexpr int64_t kLong = 1 << 17;
// Of one kernel with lanes over results, about two pieces.
constexpr int64_t kFewColumns = 8192;
constexpr int64_t kFewRows = 8;
constexpr int64_t kMostParts = 64;
constexpr int64_t kFewestParts = 8;

int64_t Product(const std::vector<int64_t>& numbers) {
  int64_t product = 1;
  for (const int64_t number : numbers) product *= number;
  return product;
}

class Splitter {
 public:
  Splitter(const LoopProgram& source, NumberWriter numbers, const std::function<bool()>& applies)
      : source_(source), numbers_(numbers), applies_(applies), new_of_(source.values.size()) {}

  LoopProgram Run() {
    program_.graph = source_.graph;
    program_.merged_into = source_.merged_into;
    for (uint32_t i = 0; i < source_.values.size(); ++i) {
      Value value = source_.values[i];
      const int64_t parts = PartsFor(value);
      if (parts > 0 && applies_())
        AddSplit(std::move(value), parts);
      else
        AddCopy(std::move(value));
      new_of_[i] = Last();
    }
    for (const ValueIndex old : source_.value_of) program_.value_of.push_back(new_of_[Index(old)]);
    return std::move(program_);
  }

 private:
  ValueIndex Last() const { return ValueIndex{static_cast<uint32_t>(program_.values.size() - 1)}; }

  // How many; 0 if it stays one. They are equal, so that no part has to look where it ends.
  int64_t PartsFor(const Value& value) const {
    if (!value.loop || value.loop->kind != LoopKind::kReduction || FindsPlace(value.loop->combine)) return 0;
    const int64_t kept = Product(value.sizes);
    const std::vector<int64_t>& reduced = value.loop->reduced;
    if (kept == 0 || reduced.empty() || kept * Product(reduced) < kLong) return 0;
    if (kept > (ReadsAlongResults(value) ? kFewColumns : kFewRows)) return 0;
    for (int64_t parts = kMostParts; parts >= kFewestParts; --parts)
      if (reduced[0] % parts == 0 && reduced[0] > parts) return parts;
    return 0;
  }

  // Whether memory goes on with the results, as in a sum of rows.
  bool ReadsAlongResults(const Value& value) const {
    const loops::Body& body = value.loop->body;
    for (const Expression& load : body.expressions()) {
      if (load.op != Op::kLoad) continue;
      const Value& read = source_.values[static_cast<size_t>(load.integer)];
      // What is small is in the cache however it is read.
      if (Product(read.sizes) < Product(value.loop->reduced)) continue;
      if (Product(read.sizes) <= Product(value.sizes)) continue;
      for (size_t d = 0; d < read.sizes.size(); ++d) {
        const Expression& index = body[load.operands[d]];
        if (read.strides[d] == 1 && read.sizes[d] > 1 && index.op == Op::kIndex &&
            static_cast<size_t>(index.integer) < value.sizes.size())
          return true;
      }
    }
    return false;
  }

  std::optional<ExprId> WithNewSource(const Expression& expression, BodyCopy& copy) const {
    if (expression.op != Op::kLoad) return std::nullopt;
    Expression load = expression;
    load.integer = Index(new_of_[static_cast<size_t>(expression.integer)]);
    for (ExprId& operand : load.operands) operand = copy(operand);
    return copy.target().Add(std::move(load));
  }

  void AddCopy(Value value) {
    if (value.loop) {
      auto loop = std::make_shared<Loop>(*value.loop);
      loop->body = {};
      BodyCopy copy(value.loop->body, loop->body, [&](const Expression& expression, BodyCopy& copy) {
        return WithNewSource(expression, copy);
      });
      loop->result = copy(value.loop->result);
      value.loop = std::move(loop);
    }
    program_.values.push_back(std::move(value));
  }

  // The variables of the parts: the value's, the number of the part, and those that are reduced.
  void AddPartial(const Value& value, int64_t parts) {
    const auto rank = static_cast<uint32_t>(value.sizes.size());
    auto loop = std::make_shared<Loop>(*value.loop);
    loop->body = {};
    loop->reduced[0] /= parts;
    BodyCopy copy(
        value.loop->body, loop->body,
        [&](const Expression& expression, BodyCopy& copy) -> std::optional<ExprId> {
          if (expression.op != Op::kIndex) return WithNewSource(expression, copy);
          loops::Body& body = copy.target();
          const auto variable = static_cast<uint32_t>(expression.integer);
          if (variable < rank) return body.IndexOf(variable);
          if (variable > rank) return body.IndexOf(variable + 1);
          const ExprId begin = body.Apply(Op::kMul, {body.IndexOf(rank), numbers_(body, loop->reduced[0])});
          return body.Apply(Op::kAdd, {begin, body.IndexOf(rank + 1)});
        });
    loop->result = copy(value.loop->result);
    Value partial{.name = value.name + ".partial",
                  .dtype = loops::TypeInRegisters(value.dtype),
                  .sizes = value.sizes,
                  .part_of = value.origin()};
    partial.sizes.push_back(parts);
    // Parts of one result far apart: what is read along results is written along them, too.
    int64_t stride = 1;
    partial.strides.resize(partial.sizes.size());
    for (uint32_t d = rank; d-- > 0;) {
      partial.strides[d] = stride;
      stride *= partial.sizes[d];
    }
    partial.strides[rank] = stride;
    partial.loop = std::move(loop);
    program_.values.push_back(std::move(partial));
  }

  void AddSplit(Value value, int64_t parts) {
    AddPartial(value, parts);
    const auto rank = static_cast<uint32_t>(value.sizes.size());
    auto loop = std::make_shared<Loop>(
        Loop{.kind = LoopKind::kReduction, .combine = value.loop->combine, .reduced = {parts}});
    std::vector<ExprId> indices;
    for (uint32_t i = 0; i <= rank; ++i) indices.push_back(loop->body.IndexOf(i));
    loop->result = loop->body.Load(Index(Last()), loops::TypeInRegisters(value.dtype), indices);
    value.loop = std::move(loop);
    program_.values.push_back(std::move(value));
  }

  const LoopProgram& source_;
  NumberWriter numbers_;
  const std::function<bool()>& applies_;
  std::vector<ValueIndex> new_of_;
  LoopProgram program_;
};

}  // namespace

LoopProgram SplitReductions(const LoopProgram& program, NumberWriter numbers,
                            const std::function<bool()>& applies) {
  return Splitter(program, numbers, applies).Run();
}

}  // namespace culprit::compiler::schedule
