// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/call_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {

CallView::CallView(const ExpressionArena& arena, std::optional<ExpressionId> id) : arena_(arena) {
  if (!id || arena[*id].kind != ExpressionKind::kCall) return;
  call_ = &arena[*id];
  while (positional_ + 1 < call_->child_count &&
         arena.ChildOf(*call_, positional_ + 1).kind != ExpressionKind::kKeyword) {
    ++positional_;
  }
}

std::string_view CallView::name() const {
  if (call_ == nullptr) return {};
  const Expression& callee = arena_.ChildOf(*call_, 0);
  return callee.kind == ExpressionKind::kName ? callee.text : std::string_view();
}

std::optional<ExpressionId> CallView::Positional(uint32_t index) const {
  if (call_ == nullptr || index >= positional_) return std::nullopt;
  return arena_.child(*call_, index + 1);
}

std::optional<ExpressionId> CallView::Keyword(std::string_view name) const {
  if (call_ == nullptr) return std::nullopt;
  for (uint32_t i = positional_ + 1; i < call_->child_count; ++i) {
    const Expression& keyword = arena_.ChildOf(*call_, i);
    if (keyword.text == name) return arena_.child(keyword, 0);
  }
  return std::nullopt;
}

std::optional<ExpressionId> CallView::Argument(uint32_t index, std::string_view keyword) const {
  const std::optional<ExpressionId> positional = Positional(index);
  return positional ? positional : Keyword(keyword);
}

bool CallView::Flag(std::string_view keyword) const {
  const std::optional<ExpressionId> value = Keyword(keyword);
  return value && arena_[*value].text == "True";
}

namespace {

// "npu", "npu:0"
bool IsDeviceName(std::string_view text) {
  const std::string_view type = text.substr(0, text.find(':'));
  const std::string_view index = text.substr(std::min(type.size() + 1, text.size()));
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !type.empty() && std::all_of(type.begin(), type.end(), is_letter) &&
         std::all_of(index.begin(), index.end(), is_digit);
}

}  // namespace

base::Result<at::Device> DeviceAt(const Source& source, size_t offset, std::string_view text) {
  if (const std::optional<at::Device> device = DeviceFromText(text)) return *device;
  if (source.for_cpu() && IsDeviceName(text)) return at::Device(at::kCPU);
  base::Diagnostic error = source.Error(offset, fmt::format("unknown device '{}'", base::Printable(text)));
  if (IsDeviceName(text)) error.help = "to have everything on the CPU instead, add: --device cpu";
  return error;
}

base::Result<at::Device> EvaluateDevice(const Source& source, const ExpressionArena& arena, ExpressionId id) {
  const Expression& expression = arena[id];
  std::string text;
  const CallView call(arena, id);
  const std::optional<ExpressionId> type =
      expression.kind == ExpressionKind::kString ? std::optional(id) : call.Argument(0, "type");
  if (type && arena[*type].kind == ExpressionKind::kString)
    text = StringFromText(arena[*type].text).value_or("");
  const std::optional<ExpressionId> index = call.Argument(1, "index");
  if (index && arena[*index].kind == ExpressionKind::kInt) text += fmt::format(":{}", arena[*index].text);
  return DeviceAt(source, expression.offset, text);
}

}  // namespace culprit::graph::text
