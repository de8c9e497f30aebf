// SPDX-License-Identifier: Apache-2.0
//
// The text of a model line (graph.h), as PyTorch writes it, and with the module that only captures of Culprit
// know, since many modules share a line:
//
//   net.py:12 in forward, module: features.4.block.2, code: x = self.conv(x)
#pragma once

#include <string>
#include <string_view>

namespace culprit::graph {

struct ModelPlace {
  std::string file;
  size_t line = 0;
  std::string function;
  /// Empty if it is not known, or the model itself.
  std::string module;
  /// Empty if it is not known.
  std::string code;

  std::string ToString() const;
};

/// The module in such a text; empty if it names none.
std::string ModuleOf(std::string_view model_line);

}  // namespace culprit::graph
