// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/call_plan.h"

#include <ATen/core/jit_type.h>

#include "graph/fake/data_dependent.h"

namespace culprit::graph::fake {
namespace {

c10::TypePtr WithoutOptional(const c10::TypePtr& type) {
  const auto optional = type->cast<c10::OptionalType>();
  return optional ? optional->getElementType() : type;
}

bool IsTensors(const c10::TypePtr& type) {
  const auto list = type->cast<c10::ListType>();
  return WithoutOptional(list ? list->getElementType() : type)->kind() == c10::TypeKind::TensorType;
}

/// By a kernel that takes tensors of every backend. A computed kernel for Meta says nothing: the fallback,
/// which throws, is one.
bool IsMadeOfOthers(const c10::OperatorHandle& op) {
  using c10::DispatchKey;
  return op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) ||
         op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd) ||
         op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional);
}

CallRoute RouteOf(const c10::OperatorHandle& op) {
  using c10::DispatchKey;
  if (DependenceOf(op) == DataDependence::kAlways) return CallRoute::kRefuse;
  if (op.hasKernelForDispatchKey(DispatchKey::Meta)) return CallRoute::kMeta;
  // Autograd takes these apart already. They arrive whole where autograd is left out, as in inference mode.
  if (op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) &&
      !op.hasKernelForDispatchKey(DispatchKey::CPU)) {
    return CallRoute::kDecompose;
  }
  return IsMadeOfOthers(op) ? CallRoute::kMeta : CallRoute::kZeros;
}

}  // namespace

CallPlan PlanFor(const c10::OperatorHandle& op) {
  CallPlan plan{.route = RouteOf(op), .asks_arguments = DependenceOf(op) == DataDependence::kOnArguments};
  const auto& arguments = op.schema().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const c10::TypePtr type = WithoutOptional(arguments[i].type());
    if (type->kind() == c10::TypeKind::DeviceObjType) plan.devices.push_back(i);
    const c10::AliasInfo* alias = arguments[i].alias_info();
    if (alias != nullptr && alias->isWrite()) plan.written.push_back(i);
  }
  for (const c10::Argument& result : op.schema().returns()) {
    if (!IsTensors(result.type())) plan.returns_values = true;
  }
  return plan;
}

}  // namespace culprit::graph::fake
