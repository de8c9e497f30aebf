// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "compiler/loops/scalar_math.h"

namespace culprit::tests {

/// The element of a source at these indices.
using ReadElement =
    std::function<compiler::loops::Scalar(uint32_t source, const std::vector<int64_t>& indices)>;

/// Evaluates a body for one iteration after the other.
class BodyEvaluator {
 public:
  BodyEvaluator(const compiler::loops::Body& body, compiler::loops::ExprId result, ReadElement read);

  compiler::loops::Scalar Run(const std::vector<int64_t>& variables);

 private:
  compiler::loops::Scalar Evaluate(const compiler::loops::Expression& expression,
                                   const std::vector<int64_t>& variables);
  compiler::loops::Scalar Load(const compiler::loops::Expression& load);
  const compiler::loops::Scalar& Operand(const compiler::loops::Expression& expression,
                                         size_t operand) const {
    return scalars_[Index(expression.operands[operand])];
  }

  const compiler::loops::Body& body_;
  compiler::loops::ExprId result_;
  ReadElement read_;
  std::vector<bool> is_needed_;
  std::vector<compiler::loops::Scalar> scalars_;
};

}  // namespace culprit::tests
