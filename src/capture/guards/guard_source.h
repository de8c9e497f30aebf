// SPDX-License-Identifier: Apache-2.0
//
// Where a value was found when a capture began, so that the same place can be looked at in a later call:
//
//   x                      an argument, a variable
//   self.layers.0.weight   attributes of objects
//   sizes[1], d['a'], t[0] elements of lists, dicts and tuples
//
// A source knows the one it is a part of, which stands before it in the table.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>

#include "capture/vm/state.h"
#include "graph/ir/graph.h"

namespace culprit::capture {

enum class SourceId : uint32_t {};
constexpr size_t Index(SourceId id) {
  return static_cast<size_t>(id);
}

enum class SourceKind : uint8_t {
  kRegister,
  kStack,
  kEntered,
  kConstant,  // of a code
  kAttribute,
  kElement,  // of a list
  kValue,    // of a dict
  kItem,     // of a tuple
};

struct GuardSource {
  SourceKind kind = SourceKind::kStack;
  /// Register, constant, slot or position.
  uint32_t index = 0;
  /// For registers: the frame. For parts: the source of the whole.
  uint32_t base = 0;
  /// In the words of the program.
  std::string name;
  /// Of a value in a dict.
  c10::IValue key = {};
  /// Of a constant.
  const vm::Code* code = nullptr;
  /// What a tensor there is to its module.
  graph::PlaceholderKind placeholder = graph::PlaceholderKind::kInput;
};

GuardSource RegisterSource(const vm::State& state, size_t frame, size_t index);
GuardSource StackSource(const vm::State& state, size_t index);
GuardSource EnteredSource(size_t index);
GuardSource ConstantSource(const vm::Code& code, size_t index);
/// Parts of the source `whole`, which is in its table at `id`.
GuardSource AttributeSource(const GuardSource& whole, SourceId id, const c10::ClassType& type, size_t slot);
GuardSource ElementSource(const GuardSource& whole, SourceId id, size_t index);
GuardSource ValueSource(const GuardSource& whole, SourceId id, const c10::IValue& key);
GuardSource ItemSource(const GuardSource& whole, SourceId id, size_t index);

/// A value as Python writes it, for people.
std::string TextOf(const c10::IValue& value);

/// What is there now; `whole` is what the source is a part of, if it is.
const c10::IValue* FindSource(const GuardSource& source, const vm::State& state, const c10::IValue* whole);

}  // namespace culprit::capture
