// SPDX-License-Identifier: Apache-2.0
//
// A call expression seen as a function's name and its arguments by position or keyword.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "graph/text/syntax/expression.h"

#include <c10/core/Device.h>

namespace culprit::graph::text {

class CallView {
 public:
  CallView(const ExpressionArena& arena, std::optional<ExpressionId> id);

  /// The dotted name of what is called; empty if the expression is no call of a plain name.
  std::string_view name() const;
  uint32_t positional_count() const { return positional_; }
  std::optional<ExpressionId> Positional(uint32_t index) const;
  std::optional<ExpressionId> Keyword(std::string_view name) const;
  /// By position, or else by keyword.
  std::optional<ExpressionId> Argument(uint32_t index, std::string_view keyword) const;
  /// Whether the keyword is given as True.
  bool Flag(std::string_view keyword) const;

 private:
  const ExpressionArena& arena_;
  const Expression* call_ = nullptr;
  uint32_t positional_ = 0;
};

/// "cuda:0". A device of another maker ("npu:0"), which libtorch does not know, is the CPU if the source is
/// meant for it; otherwise the error says how to make it so.
base::Result<at::Device> DeviceAt(const Source& source, size_t offset, std::string_view text);

/// 'cuda:0', device(type='cuda', index=0), torch.device('cpu').
base::Result<at::Device> EvaluateDevice(const Source& source, const ExpressionArena& arena, ExpressionId id);

}  // namespace culprit::graph::text
