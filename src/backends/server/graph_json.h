// SPDX-License-Identifier: Apache-2.0
//
// A graph as servers get it: placeholders, constants, nodes, outputs, by name.
//
//   {"results": ["add"], "operator": "aten::add.Tensor", "arguments": [{"value": "x"}, 1], "keywords": []}
//
// Keywords are pairs in the order of the schema, which compilers look at (Inductor's patterns do).
// Numbers, texts, None and lists are JSON's; anything else says what it is: {"float": "0.1"},
// {"complex": ["0.0", "1.0"]}, {"dtype": "float32"}, {"device": "cpu"}, {"layout": "strided"},
// {"memory_format": "channels_last"}.
#pragma once

#include <nlohmann/json.hpp>

#include "graph/ir/graph.h"

namespace culprit::backends::server {

/// `constant(i)` describes the i-th constant's tensor.
nlohmann::json GraphToJson(const graph::Graph& graph, const std::function<nlohmann::json(size_t)>& constant);

/// A constant of a graph, or an input that is no tensor. Throws backend::Refusal if it cannot be sent.
nlohmann::json ConstantToJson(const c10::IValue& constant);

}  // namespace culprit::backends::server
