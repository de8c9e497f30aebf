// SPDX-License-Identifier: Apache-2.0
#include "capture/segment/view_of.h"

#include <fmt/format.h>

namespace culprit::capture {
namespace {

/// Nothing for what is no input: an object, a list as a whole, a string that an attribute is.
std::optional<InputView> InputOf(const Guard& guard) {
  if (const auto* like = std::get_if<TensorLike>(&guard.expected)) {
    return InputView{.name = guard.source.name,
                     .type = fmt::format("{} tensor", c10::toString(like->dtype)),
                     .sizes = {like->sizes.begin(), like->sizes.end()},
                     .strides = {like->strides.begin(), like->strides.end()}};
  }
  const bool is_element =
      guard.source.kind == SourceKind::kElement || guard.source.kind == SourceKind::kValue;
  const auto* constant = std::get_if<Constant>(&guard.expected);
  if (is_element || constant == nullptr) return std::nullopt;
  const c10::IValue& value = constant->value;
  if (value.isInt()) return InputView{.name = guard.source.name, .type = "int", .number = value.toInt()};
  if (value.isDouble()) return InputView{.name = guard.source.name, .type = "float"};
  if (value.isBool()) return InputView{.name = guard.source.name, .type = "bool"};
  return std::nullopt;
}

}  // namespace

std::vector<SourceId> SourcesInView(const Segment& segment) {
  std::vector<SourceId> sources;
  for (size_t i = 0; i < segment.guards.size(); ++i) {
    if (InputOf(segment.guards[i])) sources.push_back(SourceId(i));
  }
  return sources;
}

PlaceView ViewOf(const Segment& segment, std::string place, std::string failed_guard) {
  PlaceView view = {.place = std::move(place),
                    .operators = segment.graph.nodes().size(),
                    .failed_guard = std::move(failed_guard)};
  for (const Guard& guard : segment.guards) {
    if (std::optional<InputView> input = InputOf(guard)) view.inputs.push_back(*std::move(input));
  }
  if (segment.end) {
    const OriginText origin = TextOf(segment.end->origin);
    view.end = BreakView{.code = std::string(DescriptionOf(segment.end->kind).code),
                         .reason = segment.end->reason,
                         .place = fmt::format("{}:{}", origin.file, origin.line)};
  }
  return view;
}

}  // namespace culprit::capture
