// SPDX-License-Identifier: Apache-2.0
#include "capture/guards/guard_source.h"

#include <ATen/core/Dict.h>
#include <fmt/format.h>

#include <sstream>

namespace culprit::capture {
namespace {

/// The arguments of a function that is about to begin are on the stack.
std::string NameOnStack(const vm::State& state, size_t index) {
  const vm::Frame& frame = state.frames.back();
  const size_t inputs = frame.code->inputs();
  const bool is_argument = frame.pc == 0 && index + inputs >= state.stack.size();
  return is_argument ? frame.code->NameOfInput(index + inputs - state.stack.size()) : "a temporary";
}

GuardSource Part(SourceKind kind, SourceId whole, size_t index, std::string name) {
  return {kind, static_cast<uint32_t>(index), static_cast<uint32_t>(whole), std::move(name)};
}

}  // namespace

std::string TextOf(const c10::IValue& value) {
  if (value.isString()) return fmt::format("'{}'", value.toStringRef());
  std::ostringstream text;
  text << value;
  return text.str();
}

GuardSource RegisterSource(const vm::State& state, size_t frame, size_t index) {
  return {SourceKind::kRegister, static_cast<uint32_t>(index), static_cast<uint32_t>(frame),
          state.frames[frame].code->NameOfRegister(index)};
}

GuardSource StackSource(const vm::State& state, size_t index) {
  return {SourceKind::kStack, static_cast<uint32_t>(index), 0, NameOnStack(state, index)};
}

GuardSource EnteredSource(size_t index) {
  return {SourceKind::kEntered, static_cast<uint32_t>(index), 0, "the object of a with block"};
}

GuardSource ConstantSource(const vm::Code& code, size_t index) {
  GuardSource source{SourceKind::kConstant, static_cast<uint32_t>(index), 0,
                     fmt::format("constant {} of {}", index, code.name())};
  source.code = &code;
  source.placeholder = graph::PlaceholderKind::kBuffer;
  return source;
}

GuardSource AttributeSource(const GuardSource& whole, SourceId id, const c10::ClassType& type, size_t slot) {
  GuardSource source = Part(SourceKind::kAttribute, id, slot, whole.name + "." + type.getAttributeName(slot));
  if (!type.is_module()) return source;
  if (type.is_parameter(slot)) source.placeholder = graph::PlaceholderKind::kParameter;
  if (type.is_buffer(slot)) source.placeholder = graph::PlaceholderKind::kBuffer;
  return source;
}

GuardSource ElementSource(const GuardSource& whole, SourceId id, size_t index) {
  return Part(SourceKind::kElement, id, index, fmt::format("{}[{}]", whole.name, index));
}

GuardSource ValueSource(const GuardSource& whole, SourceId id, const c10::IValue& key) {
  GuardSource source = Part(SourceKind::kValue, id, 0, fmt::format("{}[{}]", whole.name, TextOf(key)));
  source.key = key;
  return source;
}

GuardSource ItemSource(const GuardSource& whole, SourceId id, size_t index) {
  return Part(SourceKind::kItem, id, index, fmt::format("{}[{}]", whole.name, index));
}

const c10::IValue* FindSource(const GuardSource& source, const vm::State& state, const c10::IValue* whole) {
  switch (source.kind) {
    case SourceKind::kRegister:
      return &state.frames[source.base].registers[source.index];
    case SourceKind::kStack:
      return &state.stack[source.index];
    case SourceKind::kEntered:
      return &state.entered[source.index];
    case SourceKind::kConstant:
      return &source.code->constants()[source.index];
    case SourceKind::kAttribute:
      return &whole->toObjectRef().slots()[source.index];
    case SourceKind::kElement:
      return &whole->toListRef()[source.index];
    case SourceKind::kValue:
      return &whole->toGenericDict().find(source.key)->value();
    case SourceKind::kItem:
      return &whole->toTupleRef().elements()[source.index];
  }
  return nullptr;
}

}  // namespace culprit::capture
