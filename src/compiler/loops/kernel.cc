// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/internal_error.h"
#include "compiler/loops/type_rules.h"

namespace culprit::compiler::loops {
namespace {

std::string ExtentText(const Kernel& kernel, uint32_t variable) {
  const Expression& extent = kernel.body[kernel.extents[variable]];
  return fmt::format("i{} < {}{}", variable, extent.op == Op::kSize ? "size " : "", extent.integer);
}

std::string VariablesText(const Kernel& kernel, const std::vector<uint32_t>& variables) {
  std::vector<std::string> texts;
  texts.reserve(variables.size());
  for (const uint32_t variable : variables) texts.push_back(ExtentText(kernel, variable));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string StageText(const Kernel& kernel, size_t number) {
  const Stage& stage = kernel.stages[number];
  std::string text = fmt::format("stage {}: for [{}]", number, VariablesText(kernel, stage.variables));
  if (stage.kind == LoopKind::kReduction)
    text += fmt::format(" {} of %{}", Describe(stage.combine).name, Index(stage.combined));
  if (stage.kind == LoopKind::kScan)
    text += fmt::format(" {} so far of %{}", Describe(stage.combine).name, Index(stage.combined));
  text += "\n";
  for (const BufferStore& store : stage.stores)
    text += fmt::format("  b{}[%{}] = %{}\n", store.buffer, Index(store.index), Index(store.value));
  return text;
}

}  // namespace

int64_t Kernel::Extent(uint32_t variable) const {
  const Expression& extent = body[extents[variable]];
  return extent.op == Op::kSize ? numbers[static_cast<size_t>(extent.integer)] : extent.integer;
}

int64_t Kernel::Pieces() const {
  int64_t pieces = 1;
  for (uint32_t i = 0; i < outer; ++i) {
    const bool is_chunked = lanes == Lanes::kOuter && i + 1 == outer;
    pieces *= is_chunked ? (Extent(i) + kChunk - 1) / kChunk : Extent(i);
  }
  return pieces;
}

std::string ToText(const Kernel& kernel) {
  std::string text;
  for (size_t i = 0; i < kernel.buffers.size(); ++i)
    text += fmt::format("b{}: {}{}\n", i, NameOf(kernel.buffers[i].dtype),
                        kernel.buffers[i].is_written ? ", written" : "");
  std::vector<uint32_t> outer;
  for (uint32_t i = 0; i < kernel.outer; ++i) outer.push_back(i);
  text += fmt::format("outer [{}], lanes {}\n", VariablesText(kernel, outer),
                      kernel.lanes == Lanes::kOuter ? "outer" : "inner");
  text += ToText(kernel.body, [](uint32_t source) { return fmt::format("b{}", source); });
  for (size_t i = 0; i < kernel.stages.size(); ++i) text += StageText(kernel, i);
  return text;
}

void Verify(const Kernel& kernel) {
  VerifyTypes(kernel.body);
  CULPRIT_CHECK(kernel.outer <= kernel.extents.size(), "{} outer variables of {}", kernel.outer,
                kernel.extents.size());
  CULPRIT_CHECK(kernel.lanes == Lanes::kInner || kernel.outer > 0,
                "lanes over outer variables, of which there are none");
  for (const Expression& expression : kernel.body.expressions()) {
    const auto number = static_cast<size_t>(expression.integer);
    if (expression.op == Op::kLoad) {
      CULPRIT_CHECK(number < kernel.buffers.size(), "no buffer {}", number);
      CULPRIT_CHECK(expression.operands.size() == (expression.masked ? 2 : 1), "a load with several indices");
      CULPRIT_CHECK(expression.type == TypeInRegisters(kernel.buffers[number].dtype),
                    "a load of another type");
    }
    if (expression.op == Op::kIndex) CULPRIT_CHECK(number < kernel.extents.size(), "no variable {}", number);
    if (expression.op == Op::kSize) CULPRIT_CHECK(number < kernel.numbers.size(), "no number {}", number);
    if (expression.op == Op::kRow) CULPRIT_CHECK(number < kernel.stages.size(), "no stage {}", number);
  }
  for (const Stage& stage : kernel.stages) {
    for (const uint32_t variable : stage.variables)
      CULPRIT_CHECK(variable >= kernel.outer && variable < kernel.extents.size(), "a stage loops over {}",
                    variable);
    for (const BufferStore& store : stage.stores) {
      CULPRIT_CHECK(store.buffer < kernel.buffers.size() && kernel.buffers[store.buffer].is_written,
                    "a store into buffer {}", store.buffer);
      CULPRIT_CHECK(kernel.body.type(store.index) == Type::Long, "a place that is no Long");
    }
  }
}

}  // namespace culprit::compiler::loops
