// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/arrange/accesses.h"

#include <cstdlib>

namespace culprit::compiler::schedule {
namespace {

using loops::Expression;
using loops::ExprId;
using loops::Op;

class Finder {
 public:
  explicit Finder(const loops::Kernel& kernel) : kernel_(kernel), seen_(kernel.body.expressions().size()) {
    accesses_.is_used_otherwise.resize(kernel.extents.size());
  }

  Accesses Run() {
    for (const loops::Stage& stage : kernel_.stages) {
      if (stage.kind != loops::LoopKind::kPointwise) Visit(stage.combined);
      for (const loops::BufferStore& store : stage.stores) {
        VisitPlace(store.index, true);
        Visit(store.value);
      }
    }
    return std::move(accesses_);
  }

 private:
  void VisitPlace(ExprId place, bool is_stored) {
    const std::optional<Affine> affine = AffineOf(kernel_.body, place);
    if (!affine) return Visit(place);
    double elements = 1;
    for (const auto& [variable, coefficient] : affine->coefficients)
      elements *= static_cast<double>(kernel_.body[kernel_.extents[variable]].integer);
    accesses_.affine.push_back(*affine);
    accesses_.elements.push_back(elements);
    accesses_.is_stored.push_back(is_stored);
  }

  void Visit(ExprId id) {
    if (seen_[Index(id)]) return;
    seen_[Index(id)] = true;
    const Expression& expression = kernel_.body[id];
    if (expression.op == Op::kIndex)
      accesses_.is_used_otherwise[static_cast<size_t>(expression.integer)] = true;
    if (expression.op == Op::kLoad) {
      VisitPlace(expression.operands[0], false);
      if (expression.masked) Visit(expression.operands[1]);
      return;
    }
    for (const ExprId operand : expression.operands) Visit(operand);
  }

  const loops::Kernel& kernel_;
  std::vector<bool> seen_;
  Accesses accesses_;
};

}  // namespace

double Accesses::Neighbours(uint32_t variable) const {
  double neighbours = 0;
  for (size_t i = 0; i < affine.size(); ++i)
    if (affine[i].coefficient(variable) == 1) neighbours += elements[i];
  return neighbours;
}

double Accesses::StoredNeighbours(uint32_t variable) const {
  double neighbours = 0;
  for (size_t i = 0; i < affine.size(); ++i)
    if (is_stored[i] && affine[i].coefficient(variable) == 1) neighbours += elements[i];
  return neighbours;
}

double Accesses::Distance(uint32_t variable) const {
  double distance = 0;
  for (size_t i = 0; i < affine.size(); ++i)
    distance += static_cast<double>(std::abs(affine[i].coefficient(variable))) * elements[i];
  return distance;
}

Accesses AccessesOf(const loops::Kernel& kernel) {
  return Finder(kernel).Run();
}

}  // namespace culprit::compiler::schedule
