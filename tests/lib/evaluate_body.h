// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "compiler/loops/body.h"

namespace culprit::tests {

/// A number of any type: integers and Bools in one, floats in the other.
struct LoopNumber {
  int64_t integer = 0;
  double number = 0;
};

/// The element of a source at these indices.
using ReadElement = std::function<LoopNumber(uint32_t source, const std::vector<int64_t>& indices)>;

/// Evaluates a body for one iteration after the other. Floats are computed in double and rounded to their
/// type, which for + - * / and sqrt gives what Float gives.
class BodyEvaluator {
 public:
  BodyEvaluator(const compiler::loops::Body& body, compiler::loops::ExprId result, ReadElement read);

  LoopNumber Run(const std::vector<int64_t>& variables);

 private:
  LoopNumber Evaluate(const compiler::loops::Expression& expression, const std::vector<int64_t>& variables);
  LoopNumber Load(const compiler::loops::Expression& load);
  const LoopNumber& Operand(const compiler::loops::Expression& expression, size_t operand) const {
    return numbers_[Index(expression.operands[operand])];
  }

  const compiler::loops::Body& body_;
  compiler::loops::ExprId result_;
  ReadElement read_;
  std::vector<bool> is_needed_;
  std::vector<LoopNumber> numbers_;
};

LoopNumber RoundedInto(LoopNumber number, compiler::loops::Type type);

}  // namespace culprit::tests
