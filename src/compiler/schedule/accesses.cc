// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/accesses.h"

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
      for (const loops::Store& store : stage.stores) {
        VisitPlace(store.index);
        Visit(store.value);
      }
    }
    return std::move(accesses_);
  }

 private:
  void VisitPlace(ExprId place) {
    if (std::optional<Affine> affine = AffineOf(kernel_.body, place))
      accesses_.affine.push_back(*std::move(affine));
    else
      Visit(place);
  }

  void Visit(ExprId id) {
    if (seen_[Index(id)]) return;
    seen_[Index(id)] = true;
    const Expression& expression = kernel_.body[id];
    if (expression.op == Op::kIndex)
      accesses_.is_used_otherwise[static_cast<size_t>(expression.integer)] = true;
    if (expression.op == Op::kLoad) {
      VisitPlace(expression.operands[0]);
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

int Accesses::Neighbours(uint32_t variable) const {
  int neighbours = 0;
  for (const Affine& place : affine) neighbours += static_cast<int>(place.coefficient(variable) == 1);
  return neighbours;
}

int64_t Accesses::Distance(uint32_t variable) const {
  int64_t distance = 0;
  for (const Affine& place : affine) distance += std::abs(place.coefficient(variable));
  return distance;
}

Accesses AccessesOf(const loops::Kernel& kernel) {
  return Finder(kernel).Run();
}

}  // namespace culprit::compiler::schedule
