// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "check/model/model.h"
#include "watch/subject/watched_graph.h"

namespace culprit::watch {

/// What the compiled graph is compared with: the graph, or the program that it stands for. That has no twin in
/// float64, and nothing in it can be moved to see what rounding does: the graph has both, and is asked for them if it
/// computes on these inputs what the program computes. Subject and inputs outlive it.
std::unique_ptr<check::Model> ReferenceOf(const WatchedGraph& subject, const backend::Values& inputs);

}  // namespace culprit::watch
