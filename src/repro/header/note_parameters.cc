// SPDX-License-Identifier: Apache-2.0
#include "repro/header/note_parameters.h"

#include <algorithm>

namespace culprit::repro {

void NoteParameters(const graph::Graph& graph, Header& header) {
  const bool has_none = std::ranges::all_of(graph.placeholders(), [](const graph::Placeholder& placeholder) {
    return placeholder.kind == graph::PlaceholderKind::kInput;
  });
  if (has_none) header.settings[kFreezeSetting] = "none";
}

}  // namespace culprit::repro
