// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/model_lines.h"

#include <algorithm>

#include "base/text.h"

namespace culprit::graph::text {
namespace {

constexpr std::string_view kComment = "# File:";
constexpr size_t kLongest = 200;

struct Comment {
  uint32_t line = 0;
  ModelLine text;
};

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

std::vector<Comment> FindComments(std::string_view text, uint32_t line) {
  std::vector<Comment> comments;
  for (size_t begin = 0; begin < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view words = Trimmed(text.substr(begin, end - begin));
    if (words.starts_with(kComment)) {
      const std::string_view about = Trimmed(words.substr(kComment.size())).substr(0, kLongest);
      const bool is_empty = about.empty();
      comments.push_back({line, is_empty ? nullptr : std::make_shared<std::string>(base::Printable(about))});
    }
    begin = end + 1;
  }
  return comments;
}

}  // namespace

void ReadModelLines(std::string_view function, uint32_t first_line, const std::vector<uint32_t>& node_lines,
                    Graph& graph) {
  if (function.find(kComment) == std::string_view::npos) return;
  const std::vector<Comment> comments = FindComments(function, first_line);
  for (size_t i = 0; i < node_lines.size(); ++i) {
    const auto behind = std::ranges::upper_bound(comments, node_lines[i], {}, &Comment::line);
    if (behind != comments.begin()) graph.SetModelLine(NodeId(i), std::prev(behind)->text);
  }
}

}  // namespace culprit::graph::text
