// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/containers.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/class_type.h>

namespace culprit::capture::vm {
namespace {

std::vector<c10::IValue> Pop(torch::jit::Stack& stack, size_t count) {
  std::vector<c10::IValue> values(std::make_move_iterator(stack.end() - static_cast<ptrdiff_t>(count)),
                                  std::make_move_iterator(stack.end()));
  torch::jit::drop(stack, count);
  return values;
}

}  // namespace

void UnpackList(torch::jit::Stack& stack, size_t count) {
  const c10::impl::GenericList list = stack.back().toList();
  TORCH_CHECK(list.size() == count, "Expected ", count, " elements in a list but found ", list.size());
  stack.pop_back();
  for (size_t i = 0; i < count; ++i) stack.push_back(list.get(i));
}

void ConstructTuple(torch::jit::Stack& stack, size_t count) {
  stack.emplace_back(c10::ivalue::Tuple::create(Pop(stack, count)));
}

void ConstructNamedTuple(torch::jit::Stack& stack, c10::TupleTypePtr type, size_t count) {
  stack.emplace_back(c10::ivalue::Tuple::createNamed(Pop(stack, count), std::move(type)));
}

void ConstructList(torch::jit::Stack& stack, const c10::ListType& type, size_t count) {
  c10::impl::GenericList list(type.getElementType());
  list.reserve(count);
  for (c10::IValue& value : Pop(stack, count)) list.push_back(std::move(value));
  stack.emplace_back(std::move(list));
}

void ConstructDict(torch::jit::Stack& stack, const c10::DictType& type, size_t count) {
  c10::impl::GenericDict dict(type.getKeyType(), type.getValueType());
  std::vector<c10::IValue> values = Pop(stack, count);
  dict.reserve(count / 2);
  for (size_t i = 0; i + 1 < count; i += 2)
    dict.insert_or_assign(std::move(values[i]), std::move(values[i + 1]));
  stack.emplace_back(std::move(dict));
}

void SliceTuple(torch::jit::Stack& stack, size_t begin, size_t count) {
  const c10::intrusive_ptr<c10::ivalue::Tuple> tuple = stack.back().toTuple();
  const auto& elements = tuple->elements();
  std::vector<c10::IValue> slice;
  for (size_t i = begin; i < begin + count; ++i) slice.push_back(elements[i]);
  stack.back() = c10::ivalue::Tuple::create(std::move(slice));
}

c10::intrusive_ptr<c10::ivalue::Object> MakeObject(const c10::ClassTypePtr& type) {
  return c10::ivalue::Object::create(c10::StrongTypePtr(type->compilation_unit(), type),
                                     type->numAttributes());
}

void CheckInstance(torch::jit::Stack& stack, c10::ArrayRef<c10::TypePtr> types) {
  const c10::TypePtr type = stack.back().type();
  bool is_one = false;
  for (const c10::TypePtr& candidate : types) is_one = is_one || type->isSubtypeOf(*candidate);
  stack.back() = is_one;
}

}  // namespace culprit::capture::vm
