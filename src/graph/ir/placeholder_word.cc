// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/placeholder_word.h"

namespace culprit::graph {

std::string_view ToString(PlaceholderKind kind) {
  switch (kind) {
    case PlaceholderKind::kInput:
      return "input";
    case PlaceholderKind::kParameter:
      return "parameter";
    case PlaceholderKind::kBuffer:
      return "buffer";
  }
  return "";
}

}  // namespace culprit::graph
