// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/far_rows.h"

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <set>

#include "compiler/codegen/function/function_writer.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Expression;
using loops::ExprId;
using loops::Kernel;
using loops::Op;

// From the next lines on the processor sees by itself where it goes.
constexpr int64_t kMostLines = 4;
constexpr int64_t kBytesOfLine = FunctionWriter::kBytesOfLine;

class Finder {
 public:
  explicit Finder(const Kernel& kernel) : kernel_(kernel) {
    for (const Expression& expression : kernel.body.expressions()) uses_.push_back(UsesOf(expression));
  }

  std::vector<FarRow> Run() const {
    std::vector<FarRow> rows;
    for (const Expression& load : kernel_.body.expressions()) {
      if (load.op != Op::kLoad || load.masked) continue;
      const Uses& place = uses_[Index(load.operands[0])];
      if (!place.is_by_index || !place.is_known) continue;
      const auto buffer = static_cast<uint32_t>(load.integer);
      rows.push_back({buffer, load.operands[0], LinesOf(buffer, place)});
    }
    return rows;
  }

 private:
  struct Uses {
    /// Of variables that change within a piece.
    std::set<uint32_t> inner = {};
    bool is_by_index = false;
    /// All indices in it are read from memory that is there, at places that the piece alone says.
    bool is_known = true;
  };

  bool ChangesWithin(uint32_t variable) const {
    const bool is_of_lanes = kernel_.lanes == loops::Lanes::kOuter && variable + 1 == kernel_.outer;
    return variable >= kernel_.outer || is_of_lanes;
  }

  Uses UsesOf(const Expression& expression) const {
    Uses uses;
    for (const ExprId operand : expression.operands) {
      const Uses& of = uses_[Index(operand)];
      uses.inner.insert(of.inner.begin(), of.inner.end());
      uses.is_by_index = uses.is_by_index || of.is_by_index;
      uses.is_known = uses.is_known && of.is_known;
    }
    const auto number = static_cast<uint32_t>(expression.integer);
    if (expression.op == Op::kIndex && ChangesWithin(number)) uses.inner.insert(number);
    if (expression.op == Op::kRow) uses.is_known = false;
    if (expression.op == Op::kLoad) {
      uses.is_by_index = true;
      uses.is_known =
          uses.is_known && uses.inner.empty() && !expression.masked && !kernel_.buffers[number].is_written;
    }
    return uses;
  }

  unsigned LinesOf(uint32_t buffer, const Uses& place) const {
    auto bytes = static_cast<int64_t>(c10::elementSize(kernel_.buffers[buffer].dtype));
    for (const uint32_t variable : place.inner) {
      const std::optional<int64_t> extent = FixedExtent(kernel_, variable);
      if (!extent) return kMostLines;
      bytes = std::min(bytes * *extent, kMostLines * kBytesOfLine);
    }
    return static_cast<unsigned>((bytes + kBytesOfLine - 1) / kBytesOfLine);
  }

  const Kernel& kernel_;
  std::vector<Uses> uses_;
};

}  // namespace

std::vector<FarRow> FarRowsOf(const Kernel& kernel) {
  return Finder(kernel).Run();
}

}  // namespace culprit::compiler::codegen
