// SPDX-License-Identifier: Apache-2.0
//
// A graph of torch.fx with what its inputs look like. Its text, as torch.fx prints it, is in the dialect of
// repros and is read like one: the live graph is the graph that others will read, and what cannot be kept is
// refused in the same words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "graph/fake/world.h"

namespace culprit::python {

/// A fake input, as Python sees it.
struct TensorShape {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  at::ScalarType dtype = at::kFloat;
};

class FxGraph {
 public:
  /// `text` is a class with a forward.
  static base::Result<FxGraph> Read(const std::string& name, const std::string& text,
                                    std::map<std::string, at::Tensor> constants);

  const graph::Graph& graph() const { return graph_; }
  /// Fakes without memory where there is a shape, else the values.
  void AddInput(const TensorShape& shape);
  void AddInput(c10::IValue value);
  const backend::Values& inputs() const { return inputs_; }

 private:
  explicit FxGraph(graph::Graph graph) : graph_(std::move(graph)) {}

  graph::Graph graph_;
  std::shared_ptr<graph::fake::World> world_ = std::make_shared<graph::fake::World>();
  backend::Values inputs_;
};

}  // namespace culprit::python
