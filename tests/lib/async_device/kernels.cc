// SPDX-License-Identifier: Apache-2.0
//
// The operators of the asynchronous device. Its memory is main memory, so a tensor there has a twin on the
// CPU over the same bytes, and work is libtorch's own operator on the twins.
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/resize_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/alloc_cpu.h>
#include <torch/library.h>

#include <algorithm>

#include "graph/tensors/map_tensors.h"
#include "tests/lib/async_device.h"
#include "tests/lib/async_device/work_queue.h"

namespace culprit::tests {
namespace {

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

/// libtorch makes the functional and the in-place forms from these.
constexpr const char* kQueued[] = {
    "add.out",
    "addmm.out",
    "bmm.out",
    "clamp_min.out",
    "cos.out",
    "div.out",
    "eq.Scalar_out",
    "exp.out",
    "fill_.Scalar",
    "gelu.out",
    "log.out",
    "maximum.out",
    "mean.out",
    "mm.out",
    "mul.out",
    "neg.out",
    "pow.Tensor_Scalar_out",
    "reciprocal.out",
    "rsqrt.out",
    "sigmoid.out",
    "sigmoid_backward.grad_input",
    "sin.out",
    "sqrt.out",
    "sub.out",
    "sum.IntList_out",
    "tanh.out",
    "tanh_backward.grad_input",
    "threshold_backward.grad_input",
    "zero_",
};

struct Memory final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    void* data = c10::alloc_cpu(bytes);
    const auto* devices = c10::impl::getDeviceGuardImpl(AsyncDevice::device().type());
    return {data, data, c10::free_cpu, devices->getDevice()};
  }
  c10::DeleterFnPtr raw_deleter() const override { return c10::free_cpu; }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};
Memory memory;

bool IsHere(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == AsyncDevice::device().type();
}

/// Keeps the memory alive, and lies there as the tensor did when it was made.
at::Tensor Twin(const at::Tensor& tensor) {
  if (!IsHere(tensor)) return tensor;
  // Work is done where nobody is in inference mode.
  const c10::InferenceMode off(false);
  const auto keep = [storage = tensor.storage()](void*) {};
  return at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), keep,
                       tensor.options().device(at::kCPU).requires_grad(false));
}

WorkQueue& QueueOf(const at::Tensor& tensor) {
  return tests::QueueOf(tensor.device().index());
}

/// Waits, since it copies to the CPU.
void ComputeOnCpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  at::native::cpu_fallback(op, stack);
}

bool IsEmpty(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().numel() == 0;
}

/// Of an operator that returns what it writes into.
void Queue(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto& arguments = op.schema().arguments();
  const auto first = stack->end() - static_cast<std::ptrdiff_t>(arguments.size());
  torch::jit::Stack twins;
  torch::jit::Stack written;
  for (size_t i = 0; i < arguments.size(); ++i) {
    twins.push_back(graph::MapTensors(first[i], Twin));
    const auto* alias = arguments[i].alias_info();
    if (alias != nullptr && alias->isWrite()) written.push_back(first[i]);
  }
  // It may be meant to be made larger, which cannot wait.
  if (std::any_of(written.begin(), written.end(), IsEmpty)) return ComputeOnCpu(op, stack);
  stack->erase(first, stack->end());
  QueueOf(written.at(0).toTensor()).PushComputation([op, twins]() mutable { op.callBoxed(&twins); });
  stack->insert(stack->end(), written.begin(), written.end());
}

at::Tensor Relu(const at::Tensor& tensor) {
  return at::clamp_min(tensor, 0);
}

at::Tensor Empty(at::IntArrayRef sizes, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                 std::optional<at::Device> device, std::optional<bool>,
                 std::optional<at::MemoryFormat> format) {
  const c10::OptionalDeviceGuard guard(device);
  return at::detail::empty_generic(sizes, &memory, kKeys, c10::dtype_or_default(dtype), format);
}

at::Tensor EmptyStrided(at::IntArrayRef sizes, at::IntArrayRef strides, std::optional<at::ScalarType> dtype,
                        std::optional<at::Layout>, std::optional<at::Device> device, std::optional<bool>) {
  const c10::OptionalDeviceGuard guard(device);
  return at::detail::empty_strided_generic(sizes, strides, &memory, kKeys, c10::dtype_or_default(dtype));
}

/// From, to or between devices.
at::Tensor CopyFrom(const at::Tensor& source, const at::Tensor& target, bool) {
  const bool stays = IsHere(source) && source.device() == target.device();
  if (IsHere(source) && !stays) QueueOf(source).Wait();
  if (!IsHere(target)) {
    target.copy_(Twin(source));
    return target;
  }
  // The caller may write into memory of the CPU as soon as this returns.
  const at::Tensor kept = stays ? Twin(source) : Twin(source).detach().clone();
  QueueOf(target).Push([kept, to = Twin(target)] { to.copy_(kept); });
  return target;
}

const at::Tensor& Resize(const at::Tensor& tensor, at::IntArrayRef sizes,
                         std::optional<at::MemoryFormat> format) {
  QueueOf(tensor).Wait();
  return at::native::resize_(tensor, sizes, format);
}

at::Tensor CopyFromAndResize(const at::Tensor& source, const at::Tensor& target) {
  if (source.sizes() != target.sizes()) target.resize_(source.sizes());
  return CopyFrom(source, target, false);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  for (const char* name : kQueued) m.impl(name, torch::CppFunction::makeFromBoxedFunction<&Queue>());
  m.impl("relu", Relu);
  m.impl("empty.memory_format", Empty);
  m.impl("empty_strided", EmptyStrided);
  m.impl("_copy_from", CopyFrom);
  m.impl("_copy_from_and_resize", CopyFromAndResize);
  m.impl("resize_", Resize);
  m.impl("as_strided", at::native::as_strided_tensorimpl);
  m.impl("view", at::native::view);
  m.impl("_reshape_alias", at::native::_reshape_alias);
  m.impl("set_.source_Storage", [](at::Tensor& tensor, at::Storage source) -> at::Tensor& {
    return at::native::set_(tensor, std::move(source));
  });
  m.impl("set_.source_Storage_storage_offset", at::native::set_storage_cpu_);
}
TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&ComputeOnCpu>());
}

}  // namespace
}  // namespace culprit::tests
