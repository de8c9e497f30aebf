// SPDX-License-Identifier: Apache-2.0
//
// What lies on the stack while a pickle is read (model/files/pickle_reader.h), and the calls that it may
// make.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Storage.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/files/pickle_reader.h"

namespace culprit::model {

class PickleItem {
 public:
  /// Of a value with all that is in it.
  struct Extent {
    size_t depth = 1;
    size_t values = 1;
  };
  struct TypedStorage {
    c10::Storage storage;
    at::ScalarType dtype;
  };

  static PickleItem Mark() { return PickleItem(Content(std::monostate())); }
  static PickleItem Value(c10::IValue value) { return PickleItem(Content(std::move(value))); }
  static PickleItem Global(std::string name) { return PickleItem(Content(std::move(name))); }
  static PickleItem Storage(TypedStorage storage) { return PickleItem(Content(std::move(storage))); }
  static PickleItem Arguments(std::vector<PickleItem> items) { return PickleItem(Content(std::move(items))); }

  bool IsArguments() const { return std::holds_alternative<std::vector<PickleItem>>(content_); }
  bool IsMark() const { return std::holds_alternative<std::monostate>(content_); }
  bool IsValue() const { return std::holds_alternative<c10::IValue>(content_); }
  /// A list or dict, which grows after it is made.
  bool IsContainer() const { return IsValue() && (value().isList() || value().isGenericDict()); }

  const c10::IValue& value() const { return std::get<c10::IValue>(content_); }
  const std::string* global() const { return std::get_if<std::string>(&content_); }
  const TypedStorage* storage() const { return std::get_if<TypedStorage>(&content_); }
  /// Of a tuple, whatever is in it; nothing for all else.
  std::vector<PickleItem> Elements() const;

  const Extent& extent() const { return state_->extent; }
  void set_extent(const Extent& extent) { state_->extent = extent; }
  /// Whether it is part of another value, so that it must not change any more.
  bool is_complete() const { return state_->is_complete; }
  void Complete() const { state_->is_complete = true; }

 private:
  using Content =
      std::variant<std::monostate, c10::IValue, std::string, TypedStorage, std::vector<PickleItem>>;
  /// Shared by all copies of an item.
  struct State {
    Extent extent;
    bool is_complete = false;
  };

  explicit PickleItem(Content content) : content_(std::move(content)), state_(std::make_shared<State>()) {}

  Content content_;
  std::shared_ptr<State> state_;
};

/// function(*arguments), of the few functions that are known.
base::Result<PickleItem> CallPickled(const std::string& path, const PickleItem& function,
                                     const PickleItem& arguments);

/// The storage that a reference in the pickle means.
base::Result<PickleItem> PersistentStorage(const std::string& path, const PickleItem& reference,
                                           const LoadStorage& load);

}  // namespace culprit::model
