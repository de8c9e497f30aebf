// SPDX-License-Identifier: Apache-2.0
#include "hunt/sources.h"

#include <fmt/format.h>

#include "base/text.h"
#include "minify/node_names.h"

namespace culprit::hunt {
namespace {

constexpr std::string_view kComment = "# File: ";
constexpr size_t kLongest = 160;

/// For every line the last comment about the model, which holds until the next one or the end of the
/// function.
std::vector<std::string> CommentsByLine(std::string_view text) {
  std::vector<std::string> comments;
  std::string last;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const size_t first = line.find_first_not_of(' ');
    const std::string_view words = first == std::string_view::npos ? "" : line.substr(first);
    if (words.starts_with("def ")) last.clear();
    if (words.starts_with(kComment)) last = base::Printable(words.substr(kComment.size(), kLongest));
    comments.push_back(last);
    begin = end + 1;
  }
  return comments;
}

}  // namespace

Sources SourcesOf(const graph::Graph& graph, const std::vector<uint32_t>& node_lines, const std::string& file,
                  std::string_view text) {
  Sources sources;
  const std::vector<std::string> comments = CommentsByLine(text);
  const std::vector<std::string> names = minify::NodeNames(graph);
  for (size_t i = 0; i < names.size() && i < node_lines.size(); ++i) {
    const uint32_t line = node_lines[i];
    if (line == 0) continue;
    const std::string comment = line <= comments.size() ? comments[line - 1] : "";
    sources[names[i]] = fmt::format("{}:{}", file, line) + (comment.empty() ? "" : " (" + comment + ")");
  }
  return sources;
}

}  // namespace culprit::hunt
