// SPDX-License-Identifier: Apache-2.0
#include "model/files/pickle_reader.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <variant>

#include "base/text.h"
#include "graph/tensors/torch_error.h"
#include "model/files/pickle_calls.h"

namespace culprit::model {
namespace {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;
using c10::IValue;

// Deeper values would end the process when they are destroyed, and larger ones take for ever: a few lists
// that each hold the one before twice are endless to whoever goes through them.
constexpr size_t kDeepestValue = 64;
constexpr size_t kLargestValue = 10'000'000;

/// The instructions of protocol 2, which torch.save() writes.
enum Opcode : uint8_t {
  kProtocol = 0x80,
  kGlobal = 'c',
  kPut = 'q',
  kLongPut = 'r',
  kGet = 'h',
  kLongGet = 'j',
  kMark = '(',
  kText = 'X',
  kInt4 = 'J',
  kInt1 = 'K',
  kInt2 = 'M',
  kLong = 0x8a,
  kFloat = 'G',
  kTrue = 0x88,
  kFalse = 0x89,
  kNone = 'N',
  kTuple = 't',
  kTuple0 = ')',
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kList = ']',
  kAppend = 'a',
  kAppends = 'e',
  kDict = '}',
  kSetItem = 's',
  kSetItems = 'u',
  kCall = 'R',
  kBuild = 'b',
  kNewObject = 0x81,
  kPersistent = 'Q',
  kStop = '.',
};

class Machine {
 public:
  Machine(const std::string& path, std::string_view pickle, const LoadStorage& load, Objects objects)
      : path_(path), rest_(pickle), load_(load), objects_(objects) {}

  Result<IValue> Run() {
    while (true) {
      const auto opcode = CULPRIT_TRY(Take<uint8_t>());
      if (opcode == kStop) break;
      CULPRIT_TRY(Step(opcode));
    }
    const PickleItem item = CULPRIT_TRY(Pop());
    if (!item.IsValue()) return Error("it makes no value");
    return item.value();
  }

 private:
  Diagnostic Error(std::string_view message) const {
    return {{path_}, fmt::format("its contents cannot be read: {}", message)};
  }

  Result<std::string_view> TakeBytes(size_t count) {
    if (count > rest_.size()) return Error("they end too early");
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }

  template <typename Number>
  Result<Number> Take() {
    const std::string_view bytes = CULPRIT_TRY(TakeBytes(sizeof(Number)));
    Number number = {};
    std::memcpy(&number, bytes.data(), sizeof(Number));
    return number;
  }

  Result<std::string_view> TakeLine() {
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return Error("they end too early");
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  void Push(IValue value) { stack_.push_back(PickleItem::Value(std::move(value))); }

  Result<PickleItem> Pop() {
    if (stack_.empty()) return Error("a value is missing");
    PickleItem item = std::move(stack_.back());
    stack_.pop_back();
    return item;
  }

  /// What lies above the last mark, which is taken away too.
  Result<std::vector<PickleItem>> PopToMark() {
    size_t begin = stack_.size();
    while (begin > 0 && !stack_[begin - 1].IsMark()) --begin;
    if (begin == 0) return Error("a mark is missing");
    std::vector<PickleItem> items(stack_.begin() + static_cast<ptrdiff_t>(begin), stack_.end());
    stack_.erase(stack_.begin() + static_cast<ptrdiff_t>(begin) - 1, stack_.end());
    return items;
  }

  Status Step(uint8_t opcode) {
    switch (opcode) {
      case kProtocol:
        CULPRIT_TRY(Take<uint8_t>());
        return Done{};
      case kMark:
        stack_.push_back(PickleItem::Mark());
        return Done{};
      case kNone:
        return Push(IValue()), Done{};
      case kTrue:
      case kFalse:
        return Push(opcode == kTrue), Done{};
      case kInt1:
        return Push(int64_t{CULPRIT_TRY(Take<uint8_t>())}), Done{};
      case kInt2:
        return Push(int64_t{CULPRIT_TRY(Take<uint16_t>())}), Done{};
      case kInt4:
        return Push(int64_t{CULPRIT_TRY(Take<int32_t>())}), Done{};
      case kLong:
        return PushLong();
      case kFloat:
        return Push(std::bit_cast<double>(__builtin_bswap64(CULPRIT_TRY(Take<uint64_t>())))), Done{};
      case kText:
        return Push(std::string(CULPRIT_TRY(TakeBytes(CULPRIT_TRY(Take<uint32_t>()))))), Done{};
      case kGlobal: {
        const std::string module(CULPRIT_TRY(TakeLine()));
        stack_.push_back(PickleItem::Global(module + "." + std::string(CULPRIT_TRY(TakeLine()))));
        return Done{};
      }
      default:
        return StepMemory(opcode);
    }
  }

  Status StepMemory(uint8_t opcode) {
    switch (opcode) {
      case kPut:
        return Remember(CULPRIT_TRY(Take<uint8_t>()));
      case kLongPut:
        return Remember(CULPRIT_TRY(Take<uint32_t>()));
      case kGet:
        return Recall(CULPRIT_TRY(Take<uint8_t>()));
      case kLongGet:
        return Recall(CULPRIT_TRY(Take<uint32_t>()));
      case kCall: {
        const PickleItem arguments = CULPRIT_TRY(Pop());
        stack_.push_back(CULPRIT_TRY(CallPickled(path_, CULPRIT_TRY(Pop()), arguments)));
        return Done{};
      }
      case kPersistent:
        stack_.push_back(CULPRIT_TRY(PersistentStorage(path_, CULPRIT_TRY(Pop()), load_)));
        return Done{};
      case kNewObject:
        CULPRIT_TRY(Pop());
        return NewObject(CULPRIT_TRY(Pop()));
      case kBuild:
        // The attributes that an OrderedDict may have beside its elements.
        CULPRIT_TRY(Pop());
        return Done{};
      default:
        return StepContainer(opcode);
    }
  }

  Status NewObject(const PickleItem& type) {
    if (objects_ == Objects::kSkipped) return Push(IValue()), Done{};
    const std::string name = type.global() != nullptr ? *type.global() : "something";
    return Error(fmt::format("an object of '{}' is neither a tensor nor a container", base::Printable(name)));
  }

  Status StepContainer(uint8_t opcode) {
    switch (opcode) {
      case kTuple:
        return PushTuple(CULPRIT_TRY(PopToMark()));
      case kTuple0:
        return PushTuple({});
      case kTuple1:
      case kTuple2:
      case kTuple3: {
        const size_t count = opcode - kTuple1 + size_t{1};
        if (stack_.size() < count) return Error("a value is missing");
        std::vector<PickleItem> items(stack_.end() - static_cast<ptrdiff_t>(count), stack_.end());
        stack_.erase(stack_.end() - static_cast<ptrdiff_t>(count), stack_.end());
        return PushTuple(items);
      }
      case kList:
        return Push(c10::impl::GenericList(c10::AnyType::get())), Done{};
      case kDict:
        return Push(c10::impl::GenericDict(c10::AnyType::get(), c10::AnyType::get())), Done{};
      case kAppend:
        return Append({CULPRIT_TRY(Pop())});
      case kAppends:
        return Append(CULPRIT_TRY(PopToMark()));
      case kSetItem: {
        PickleItem value = CULPRIT_TRY(Pop());
        return SetItems({CULPRIT_TRY(Pop()), std::move(value)});
      }
      case kSetItems:
        return SetItems(CULPRIT_TRY(PopToMark()));
      default:
        return Error(fmt::format("the instruction {:#04x} is unknown", opcode));
    }
  }

  Status PushLong() {
    const std::string_view bytes = CULPRIT_TRY(TakeBytes(CULPRIT_TRY(Take<uint8_t>())));
    if (bytes.size() > sizeof(int64_t)) return Error("an integer does not fit 64 bits");
    const bool negative = !bytes.empty() && static_cast<int8_t>(bytes.back()) < 0;
    int64_t number = negative ? -1 : 0;
    std::memcpy(&number, bytes.data(), bytes.size());
    return Push(number), Done{};
  }

  Status Remember(uint32_t index) {
    if (stack_.empty()) return Error("a value is missing");
    memory_.insert_or_assign(index, stack_.back());
    return Done{};
  }

  Status Recall(uint32_t index) {
    const auto found = memory_.find(index);
    if (found == memory_.end()) return Error(fmt::format("the value {} is missing", index));
    // A container that is still on the stack would come to contain itself.
    if (found->second.IsContainer() && !found->second.is_complete()) return Error("a value contains itself");
    stack_.push_back(found->second);
    return Done{};
  }

  /// The items as values that a container may hold, whose extent grows by theirs; they cannot change any
  /// more.
  Result<std::vector<IValue>> Complete(const std::vector<PickleItem>& items, PickleItem::Extent& extent) {
    std::vector<IValue> values;
    for (const PickleItem& item : items) {
      if (!item.IsValue()) return Error("something that is no value is in a container");
      item.Complete();
      extent.depth = std::max(extent.depth, item.extent().depth + 1);
      extent.values += item.extent().values;
      if (extent.depth > kDeepestValue)
        return Error(fmt::format("more than {} levels of containers", kDeepestValue));
      if (extent.values > kLargestValue) return Error(fmt::format("more than {} values", kLargestValue));
      values.push_back(item.value());
    }
    return values;
  }

  Status PushTuple(const std::vector<PickleItem>& items) {
    // Tuples hold arguments of calls too, which need not be values.
    const bool all_values =
        std::all_of(items.begin(), items.end(), [](const PickleItem& i) { return i.IsValue(); });
    if (!all_values) {
      const bool nested =
          std::any_of(items.begin(), items.end(), [](const PickleItem& i) { return i.IsArguments(); });
      if (nested) return Error("arguments of calls are nested");
      stack_.push_back(PickleItem::Arguments(items));
      return Done{};
    }
    PickleItem::Extent extent;
    std::vector<IValue> values = CULPRIT_TRY(Complete(items, extent));
    Push(c10::ivalue::Tuple::create(std::move(values)));
    stack_.back().set_extent(extent);
    return Done{};
  }

  /// The container on top of the stack.
  Result<PickleItem*> Top() {
    if (stack_.empty() || !stack_.back().IsContainer() || stack_.back().is_complete())
      return Error("a list or dict is missing");
    return &stack_.back();
  }

  Status Append(const std::vector<PickleItem>& items) {
    PickleItem& top = *CULPRIT_TRY(Top());
    if (!top.value().isList()) return Error("a list is missing");
    PickleItem::Extent extent = top.extent();
    c10::impl::GenericList list = top.value().toList();
    for (IValue& value : CULPRIT_TRY(Complete(items, extent))) list.push_back(std::move(value));
    top.set_extent(extent);
    return Done{};
  }

  Status SetItems(const std::vector<PickleItem>& items) {
    PickleItem& top = *CULPRIT_TRY(Top());
    if (!top.value().isGenericDict() || items.size() % 2 != 0) return Error("a dict is missing");
    PickleItem::Extent extent = top.extent();
    const std::vector<IValue> values = CULPRIT_TRY(Complete(items, extent));
    c10::impl::GenericDict dict = top.value().toGenericDict();
    for (size_t i = 0; i < values.size(); i += 2) {
      const IValue& key = values[i];
      if (!key.isString() && !key.isInt() && !key.isDouble() && !key.isBool())
        return Error("a key is neither a string nor a number");
      dict.insert_or_assign(key, values[i + 1]);
    }
    top.set_extent(extent);
    return Done{};
  }

  const std::string& path_;
  std::string_view rest_;
  const LoadStorage& load_;
  const Objects objects_;
  std::vector<PickleItem> stack_;
  std::unordered_map<uint32_t, PickleItem> memory_;
};

}  // namespace

Result<IValue> ReadPickle(const std::string& path, std::string_view pickle, const LoadStorage& load,
                          Objects objects) {
  try {
    return Machine(path, pickle, load, objects).Run();
  } catch (const std::exception& error) {
    return Diagnostic{{path}, fmt::format("its contents cannot be read: {}", graph::TorchMessage(error))};
  }
}

}  // namespace culprit::model
