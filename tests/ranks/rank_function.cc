// SPDX-License-Identifier: Apache-2.0
#include "tests/ranks/rank_function.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ranks/join.h"
#include "tests/ranks/rank_processes.h"

namespace culprit::tests {
namespace {

std::string SizesOf(const capture::TensorLike& like) {
  std::vector<std::string> sizes;
  for (size_t i = 0; i < like.sizes.size(); ++i) {
    const bool is_symbol = i < like.size_symbols.size() && like.size_symbols[i];
    sizes.push_back(is_symbol ? fmt::format("s{}", *like.size_symbols[i]) : std::to_string(like.sizes[i]));
  }
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

}  // namespace

capture::Options AgreeingOptions(int rank, int size, const RankFunctionOptions& options) {
  const std::chrono::milliseconds limit(static_cast<int64_t>(options.timeout * 1000));
  const auto agreement = std::make_shared<api::Agreement>(
      rank, size, ranks::JoinByLaunch(LaunchOf(rank, size, options.port), options.port, limit), limit,
      nullptr);
  capture::Options capture;
  capture.share = [agreement](const capture::PlaceView& view) { return agreement->Share(view); };
  capture.captures_together = options.together;
  capture.fullgraph = options.fullgraph;
  return capture;
}

RankFunction::RankFunction(int rank, int size, const char* source, const RankFunctionOptions& options)
    : function_(source, AgreeingOptions(rank, size, options)) {}

std::string RankFunction::Call(const std::vector<c10::IValue>& arguments) {
  try {
    const c10::IValue expected = function_.AsWritten(arguments);
    const c10::IValue actual = function_(arguments);
    if (!expected.isTensor()) return expected == actual ? "right" : "wrong";
    return expected.toTensor().equal(actual.toTensor()) ? "right" : "wrong";
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string RankFunction::Captured() {
  const auto segments = function_.program().segments();
  if (segments.empty()) return "0";
  std::vector<std::string> values;
  for (const capture::Guard& guard : segments.back()->guards) {
    const std::string& name = guard.source.name;
    if (const auto* like = std::get_if<capture::TensorLike>(&guard.expected))
      values.push_back(fmt::format("{} {}", name, SizesOf(*like)));
    if (const auto* number = std::get_if<capture::NumberSymbol>(&guard.expected))
      values.push_back(fmt::format("{} s{}", name, number->symbol));
    if (const auto* constant = std::get_if<capture::Constant>(&guard.expected);
        constant && constant->value.isInt())
      values.push_back(fmt::format("{} {}", name, constant->value.toInt()));
  }
  return fmt::format("{}: {}", segments.size(), fmt::join(values, ", "));
}

}  // namespace culprit::tests
