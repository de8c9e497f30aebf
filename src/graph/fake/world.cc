// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/world.h"

#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include "graph/fake/tensors/tensor.h"
#include "graph/tensors/gradness.h"

namespace culprit::graph::fake {
namespace {

void CheckCanBeFake(const at::Tensor& real) {
  TORCH_CHECK_NOT_IMPLEMENTED(real.layout() == at::kStrided && real.has_storage() && !real.is_quantized(),
                              "a ", real.layout(), " tensor of ", real.scalar_type(), " cannot be made fake");
  TORCH_CHECK_NOT_IMPLEMENTED(real.is_cpu(), "a tensor on ", real.device(), " cannot be made fake");
}

/// A part of another tensor that as_strided can make of it too.
bool IsPlainView(const at::Tensor& real) {
  if (!real.is_view()) return false;
  const at::Tensor base(real._base());
  return real.dtype() == base.dtype() && real.key_set() == base.key_set() &&
         real.requires_grad() == base.requires_grad();
}

}  // namespace

at::Tensor World::WithHistoryOf(const at::Tensor& real, at::Tensor fake) {
  if (!IsPlainView(real)) return WithGradness(std::move(fake), real.requires_grad(), real.is_leaf());
  const c10::AutoGradMode grad_mode(true);
  at::Tensor part =
      FakeOf(at::Tensor(real._base())).as_strided(real.sizes(), real.strides(), real.storage_offset());
  MakeAsWritable(part, real);
  return part;
}

at::Tensor World::FakeOf(const at::Tensor& real) {
  if (!real.defined() || IsFake(real)) return real;
  const auto known = tensors_.find(real.unsafeGetTensorImpl());
  if (known != tensors_.end()) return known->second.fake;
  CheckCanBeFake(real);
  at::Tensor fake = WithHistoryOf(real, TensorLike(real, FakeOf(real.storage())));
  tensors_.emplace(real.unsafeGetTensorImpl(), Pair<at::Tensor, at::Tensor>{real, fake});
  return fake;
}

at::Tensor World::FakeOf(const at::Tensor& real, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  CheckCanBeFake(real);
  int64_t last = 0;
  for (size_t i = 0; i < sizes.size(); ++i) last += (sizes[i] - 1) * strides[i];
  const size_t bytes = static_cast<size_t>(last + 1) * real.itemsize();
  at::Tensor fake = TensorLike(real, FakeStorage(bytes, real.storage().resizable()));
  fake.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, 0);
  fake = WithGradness(std::move(fake), real.requires_grad(), real.is_leaf());
  tensors_.emplace(real.unsafeGetTensorImpl(), Pair<at::Tensor, at::Tensor>{real, fake});
  return fake;
}

c10::Storage World::FakeOf(const c10::Storage& real) {
  if (IsFakeStorage(real)) return real;
  auto [place, is_new] = storages_.try_emplace(real.unsafeGetStorageImpl());
  if (is_new) place->second = {real, FakeStorage(real.nbytes(), real.resizable())};
  return place->second.fake;
}

bool World::IsFake(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() && IsFakeStorage(tensor.storage());
}

void World::CountFallback(const c10::OperatorHandle& op) {
  ++fallbacks_[c10::toString(op.operator_name())];
}

const CallPlan& World::PlanOf(const c10::OperatorHandle& op) {
  const c10::FunctionSchema* key = &op.schema();
  const auto known = plans_.find(key);
  return known != plans_.end() ? known->second : plans_.emplace(key, PlanFor(op)).first->second;
}

}  // namespace culprit::graph::fake
