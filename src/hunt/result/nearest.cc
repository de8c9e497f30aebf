// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/nearest.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/text/script/script.h"
#include "hunt/result/line_difference.h"
#include "repro/describe_inputs.h"

namespace culprit::hunt {
namespace {

/// Longer ones are not small enough to be shown.
constexpr size_t kMostOperators = 200;
constexpr size_t kLongestLine = 160;

/// The class, and the shapes of its inputs without their numbers.
std::optional<std::vector<std::string>> LinesOf(const minify::Program& program) {
  const auto inputs = repro::DescribeInputs(program.graph, program.inputs);
  if (!inputs.ok()) return std::nullopt;
  const auto text = graph::text::PrintScript({.graph = program.graph, .inputs = inputs->specs});
  if (!text.ok()) return std::nullopt;
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    std::string line = text->substr(begin, end - begin);
    if (line.size() > kLongestLine) line = line.substr(0, kLongestLine) + " ...";
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::optional<NearestPassing> FindNearest(const minify::Program& failing,
                                          const std::vector<minify::Neighbour>& passing) {
  if (failing.graph.nodes().size() > kMostOperators) return std::nullopt;
  const auto lines = LinesOf(failing);
  if (!lines) return std::nullopt;
  std::optional<NearestPassing> nearest;
  size_t fewest = SIZE_MAX;
  for (const minify::Neighbour& neighbour : passing) {
    const auto other = LinesOf(neighbour.program);
    if (!other) continue;
    const LineDifference difference = Difference(*lines, *other);
    if (difference.changed == 0 || difference.changed >= fewest) continue;
    fewest = difference.changed;
    nearest = NearestPassing{neighbour.edit, difference.text};
  }
  return nearest;
}

}  // namespace culprit::hunt
