// SPDX-License-Identifier: Apache-2.0
//
// Graphs as text, without what a script has around the calls:
//
//   x, w                              the placeholders, a line of their own
//   select = select.int(x, 0, 1)      operators of aten are written without "torch.ops.aten"
//   return (select,)
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "graph/text/script/script.h"

namespace culprit::tests {

inline constexpr std::string_view kAten = "torch.ops.aten.";

/// Lines of calls may call functions of other libraries as torch.ops.library.name.
inline graph::Graph ShortGraph(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::string script = "class Repro(torch.nn.Module):\n    def forward(self, " + line + "):\n";
  while (std::getline(lines, line)) {
    const size_t call = line.find("= ");
    if (call != std::string::npos && line.find("torch.ops") == std::string::npos)
      line.insert(call + 2, kAten);
    script += "        " + line + "\n";
  }
  base::Result<graph::text::Script> read = graph::text::ReadScript("graph", script);
  if (!read.ok()) throw std::invalid_argument(read.error().Render());
  return std::move(read->graph);
}

/// Only calls and what is returned; a line of the model stands before the calls that come from it.
inline std::string ShortText(const graph::Graph& graph) {
  std::istringstream lines(*graph::text::PrintGraph(graph));
  std::string text;
  bool is_body = false;
  for (std::string line; std::getline(lines, line);) {
    if (is_body) {
      for (size_t at = line.find(kAten); at != std::string::npos; at = line.find(kAten))
        line.erase(at, kAten.size());
      text += line.substr(std::min<size_t>(line.size(), 8)) + "\n";
    }
    is_body = is_body || line.starts_with("    def forward(");
  }
  return text;
}

}  // namespace culprit::tests
