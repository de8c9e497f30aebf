// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/commented_graph.h"

#include <algorithm>

namespace culprit::graph::text {

std::optional<std::string> UncommentGraph(std::string_view text) {
  std::string uncommented(text);
  bool found = false;
  bool inside = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with("# class ")) inside = true;
    const bool is_blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (!is_blank && !line.starts_with("#")) inside = false;
    if (inside && !is_blank) uncommented[begin] = ' ';
    found = found || inside;
    begin = end + 1;
  }
  return found ? std::optional(std::move(uncommented)) : std::nullopt;
}

}  // namespace culprit::graph::text
