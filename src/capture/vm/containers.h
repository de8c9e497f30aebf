// SPDX-License-Identifier: Apache-2.0
//
// Instructions that make or take apart containers. libtorch has the same functions and does not export them.
#pragma once

#include <ATen/core/jit_type.h>
#include <ATen/core/stack.h>

namespace culprit::capture::vm {

void UnpackList(torch::jit::Stack& stack, size_t count);
void ConstructTuple(torch::jit::Stack& stack, size_t count);
void ConstructNamedTuple(torch::jit::Stack& stack, c10::TupleTypePtr type, size_t count);
void ConstructList(torch::jit::Stack& stack, const c10::ListType& type, size_t count);
void ConstructDict(torch::jit::Stack& stack, const c10::DictType& type, size_t count);
void SliceTuple(torch::jit::Stack& stack, size_t begin, size_t count);
/// An object whose attributes are not set yet.
c10::intrusive_ptr<c10::ivalue::Object> MakeObject(const c10::ClassTypePtr& type);
/// Whether the value on top is one of the types.
void CheckInstance(torch::jit::Stack& stack, c10::ArrayRef<c10::TypePtr> types);

}  // namespace culprit::capture::vm
