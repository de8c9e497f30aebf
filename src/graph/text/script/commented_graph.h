// SPDX-License-Identifier: Apache-2.0
//
// Scripts of AOTInductor load the graph from another file and show it in comments:
//
//   # class Repro(torch.nn.Module):
//   #     def forward(self, x):
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace culprit::graph::text {

/// The text with a blank in place of each # in front of such a class, so that all places stay where they are;
/// nothing if there is none.
std::optional<std::string> UncommentGraph(std::string_view text);

}  // namespace culprit::graph::text
