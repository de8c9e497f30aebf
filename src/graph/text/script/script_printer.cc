// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "graph/text/inputs/input_printer.h"
#include "graph/text/script/script.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {
namespace {

// In several lines where that reads back the same.
std::string HeaderToText(const std::string& header) {
  const std::string lines = fmt::format("r'''{}'''", header);
  const bool plain = header.find("'''") == std::string::npos && header.find('\r') == std::string::npos &&
                     header.ends_with('\n');
  return plain && StringFromText(lines) == header ? lines : StringToText(header);
}

}  // namespace

base::Result<std::string> PrintScript(const Script& script, const ScriptFrame& frame) {
  std::string text = frame.opening + "import math\n\nimport torch\n\n";
  if (script.header) text += fmt::format("culprit = {}\n\n", HeaderToText(*script.header));
  text += "\n" + CULPRIT_TRY(PrintGraph(script.graph, script.constant_contents)) + "\n";
  if (script.inputs) text += PrintLoadArgs(script.graph, *script.inputs);
  return text + frame.definitions + "\nmod = Repro()\n" + frame.main;
}

}  // namespace culprit::graph::text
