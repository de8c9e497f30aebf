// SPDX-License-Identifier: Apache-2.0
//
// Results of a graph that ends at a break belong to the program, which goes on. What two of them share is seen only if the
// program writes into one of them later:
//
//   y = torch.relu(x)
//   z = y.view(-1)
//   if bool(y.sum() > 0): ...    the first graph ends here, with y and z
//   y.add_(1)                    now it matters that z is y's memory
//
// libtorch counts the writes into each memory, and views count with their base.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/TensorImpl.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace culprit::explain {

class LaterWrites {
 public:
  /// The graph has just returned these.
  void Note(const std::string& graph, const std::vector<c10::IValue>& outputs);

  /// The graphs whose results were written into since.
  std::set<std::string> Graphs() const;

 private:
  struct Writes {
    c10::VariableVersion counter;
    uint32_t before = 0;
  };

  std::map<std::string, std::vector<Writes>> results_;
};

}  // namespace culprit::explain
