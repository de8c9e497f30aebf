// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graph/text/script/script.h"

namespace culprit::graph::text {

/// As users read it; "no error" if there is none.
inline std::string ErrorOf(const std::string& text, const ReadOptions& options = {}) {
  const base::Result<Script> script = ReadScript("net.py", text, options);
  return script.ok() ? "no error" : script.error().Render();
}

/// The error of a graph with one input that is read so.
inline std::string ErrorOfLoadArgs(const std::string& lines) {
  return ErrorOf("class Repro:\n    def forward(self, x):\n        return (x,)\ndef load_args(reader):\n" +
                 lines + "load_args._version = 0\n");
}

}  // namespace culprit::graph::text
