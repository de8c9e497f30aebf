// SPDX-License-Identifier: Apache-2.0
#include "graph/text/input_printer.h"
#include "graph/text/script.h"

namespace culprit::graph::text {

base::Result<std::string> PrintScript(const Script& script) {
  std::string text = "import math\n\nimport torch\n\n\n" + CULPRIT_TRY(PrintGraph(script.graph)) + "\n";
  if (script.inputs) text += PrintLoadArgs(script.graph, *script.inputs);
  return text + "\nmod = Repro()\n";
}

}  // namespace culprit::graph::text
