// SPDX-License-Identifier: Apache-2.0
#include "explain/later_writes.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

namespace culprit::explain {

void LaterWrites::Note(const std::string& graph, const std::vector<c10::IValue>& outputs) {
  std::vector<Writes>& results = results_[graph];
  const auto note = [&](const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined() || value.toTensor().is_inference()) return false;
    const c10::VariableVersion& counter = value.toTensor().unsafeGetTensorImpl()->version_counter();
    results.push_back({counter, counter.current_version()});
    return false;
  };
  for (const c10::IValue& output : outputs) output.visit(note);
}

std::set<std::string> LaterWrites::Graphs() const {
  std::set<std::string> written;
  for (const auto& [graph, results] : results_) {
    const auto is_more = [](const Writes& writes) {
      return writes.counter.current_version() > writes.before;
    };
    if (std::ranges::any_of(results, is_more)) written.insert(graph);
  }
  return written;
}

}  // namespace culprit::explain
