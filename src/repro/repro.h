// SPDX-License-Identifier: Apache-2.0
//
// A repro: a graph, the inputs it fails on, and how it is run. On disk it is one script that Culprit and
// plain Python run, and a store beside it for large tensors:
//
//   repro.py                  graph/text/script/script.h, with a header (header.h) and a part for Python
//   (python_text.h) store/storages/<hash>     store/store.h
#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

#include "graph/ir/graph.h"
#include "repro/header/header.h"

namespace culprit::repro {

struct Repro {
  graph::Graph graph;
  /// One per placeholder.
  std::vector<c10::IValue> inputs;
  Header header;
};

/// Where the data of the repro at `path` is: the folder `store` beside it.
std::string StorePathOf(const std::string& path);

}  // namespace culprit::repro
