// SPDX-License-Identifier: Apache-2.0
//
// A fake tensor is an ordinary CPU tensor, of no class of its own, on a storage that has a size and no
// memory. Everything that asks it for its device, its layout or its strides gets a real tensor's answer. What
// asks for its numbers gets an exception from data_ptr<float>(), but a null pointer from data_ptr().
//
// Fakes, their meta twins and the zeros that stand in for them differ in the storage and the backend alone,
// so that all are made by the one function below.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

namespace culprit::graph::fake {

c10::Storage FakeStorage(size_t bytes, bool resizable);
bool IsFakeStorage(const c10::Storage& storage);

c10::Storage MetaStorage(size_t bytes, bool resizable);
c10::Storage ZeroStorage(size_t bytes, bool resizable);

/// A tensor that lies on `storage` as `pattern` lies on its own: sizes, strides, offset, dtype, conjugation,
/// and whether it is a number that was wrapped. It knows nothing of autograd.
at::Tensor TensorLike(const at::Tensor& pattern, c10::Storage storage);

/// Gives `tensor` the sizes, strides and offset of `pattern` if it has others.
void CopyGeometry(const at::Tensor& pattern, const at::Tensor& tensor);

}  // namespace culprit::graph::fake
