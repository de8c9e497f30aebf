// SPDX-License-Identifier: Apache-2.0
#include "capture/guards/guard.h"

#include <ATen/core/Dict.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "graph/ir/argument.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using Found = std::vector<const IValue*>;

/// What a symbol is, is compared elsewhere: here it is 2 or more.
bool MayBeSymbol(const std::vector<std::optional<size_t>>& symbols, size_t dimension, int64_t size) {
  return dimension < symbols.size() && symbols[dimension] && size >= 2;
}

bool LiesWithSymbols(const TensorLike& like, const at::TensorImpl& tensor) {
  const c10::IntArrayRef sizes = tensor.sizes();
  const c10::IntArrayRef strides = tensor.strides();
  if (sizes.size() != like.sizes.size()) return false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != like.sizes[i] && !MayBeSymbol(like.size_symbols, i, sizes[i])) return false;
    const bool is_free = like.layout || MayBeSymbol(like.stride_symbols, i, strides[i]);
    if (strides[i] != like.strides[i] && !is_free) return false;
  }
  return !like.layout || like.layout->Fits(sizes, strides);
}

bool LiesLike(const TensorLike& like, const at::TensorImpl& tensor) {
  if (!like.size_symbols.empty() || !like.stride_symbols.empty()) return LiesWithSymbols(like, tensor);
  return tensor.sizes() == c10::IntArrayRef(like.sizes) && tensor.strides() == c10::IntArrayRef(like.strides);
}

bool Fits(const TensorLike& like, const IValue& value, const Found&) {
  if (!value.isTensor()) return false;
  const at::TensorImpl& tensor = *value.unsafeToTensorImpl();
  return tensor.key_set() == like.keys && tensor.dtype() == c10::scalarTypeToTypeMeta(like.dtype) &&
         tensor.device() == like.device && tensor.requires_grad() == like.requires_grad &&
         (!like.requires_grad || value.toTensor().is_leaf() == like.is_leaf) &&
         (!like.has_offset || tensor.storage_offset() == like.offset) && LiesLike(like, tensor);
}

bool Fits(const NumberSymbol&, const IValue& value, const Found&) {
  return value.isInt() && value.toInt() >= 2;
}

bool Fits(const FrozenTensor& frozen, const IValue& value, const Found&) {
  return value.isTensor() && value.toTensor().is_same(frozen.tensor) &&
         frozen.tensor._version() == frozen.version;
}

bool Fits(const UndefinedTensor&, const IValue& value, const Found&) {
  return value.isTensor() && !value.toTensor().defined();
}

bool Fits(const Constant& constant, const IValue& value, const Found&) {
  if (constant.value.isEnum()) return value.isEnum() && value == constant.value;
  return graph::SameConstant(constant.value, value);
}

bool Fits(const ListOf& list, const IValue& value, const Found&) {
  return value.isList() && value.toListRef().size() == list.size;
}

bool Fits(const TupleOf& tuple, const IValue& value, const Found&) {
  return value.isTuple() && value.toTupleRef().elements().size() == tuple.size;
}

bool Fits(const DictOf& dict, const IValue& value, const Found&) {
  if (!value.isGenericDict()) return false;
  const c10::impl::GenericDict actual = value.toGenericDict();
  return actual.size() == dict.keys.size() && std::equal(dict.keys.begin(), dict.keys.end(), actual.begin(),
                                                         [](const IValue& key, const auto& entry) {
                                                           return graph::SameConstant(key, entry.key());
                                                         });
}

bool Fits(const ObjectOf& object, const IValue& value, const Found&) {
  return value.isObject() && value.toObjectRef().type().get() == object.type;
}

bool Fits(const SameAs& same, const IValue& value, const Found& found) {
  return value.is(*found[Index(same.source)]);
}

bool Fits(const Opaque& opaque, const IValue& value, const Found&) {
  return value.tagKind() == opaque.kind;
}

std::string WithSymbols(const c10::SmallVector<int64_t, 5>& numbers,
                        const std::vector<std::optional<size_t>>& symbols) {
  std::vector<std::string> words;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const bool is_symbol = i < symbols.size() && symbols[i];
    words.push_back(is_symbol ? fmt::format("s{}", *symbols[i]) : fmt::format("{}", numbers[i]));
  }
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string Words(const TensorLike& like) {
  const std::string strides = like.layout ? like.layout->ToString()
                                          : "with strides " + WithSymbols(like.strides, like.stride_symbols);
  return fmt::format("a {} tensor of {} {}{}{}{}", c10::toString(like.dtype),
                     WithSymbols(like.sizes, like.size_symbols), strides,
                     like.requires_grad ? " that requires grad" : "", like.is_leaf ? "" : " and was computed",
                     like.has_offset ? fmt::format(" and begins at {}", like.offset) : "");
}

struct Describer {
  const std::vector<Guard>& guards;

  std::string operator()(const TensorLike& like) const { return Words(like); }
  std::string operator()(const FrozenTensor& frozen) const {
    return fmt::format("the same tensor, version {}", frozen.version);
  }
  std::string operator()(const UndefinedTensor&) const { return "no tensor"; }
  std::string operator()(const Constant& constant) const { return TextOf(constant.value); }
  std::string operator()(const NumberSymbol& number) const { return fmt::format("s{}", number.symbol); }
  std::string operator()(const ListOf& list) const { return fmt::format("a list of {}", list.size); }
  std::string operator()(const TupleOf& tuple) const { return fmt::format("a tuple of {}", tuple.size); }
  std::string operator()(const DictOf& dict) const {
    std::vector<std::string> keys;
    for (const IValue& key : dict.keys) keys.push_back(TextOf(key));
    return fmt::format("a dict with the keys [{}]", fmt::join(keys, ", "));
  }
  std::string operator()(const ObjectOf& object) const {
    return object.type->name() ? object.type->name()->qualifiedName() : "an object";
  }
  std::string operator()(const SameAs& same) const {
    return "the same as " + guards[Index(same.source)].source.name;
  }
  std::string operator()(const Opaque& opaque) const { return "a " + opaque.kind; }
};

std::string WordsFor(const IValue& value, const ExpectedValue& expected) {
  if (value.isTensor()) {
    if (!value.toTensor().defined()) return "no tensor";
    TensorLike like = LikenessOf(value.toTensor());
    if (const auto* wanted = std::get_if<TensorLike>(&expected)) like.has_offset = wanted->has_offset;
    return Words(like);
  }
  if (value.isList()) return fmt::format("a list of {}", value.toListRef().size());
  if (value.isTuple()) return fmt::format("a tuple of {}", value.toTupleRef().elements().size());
  if (value.isObject()) return value.toObjectRef().name();
  return TextOf(value);
}

/// Whether it would be a symbol, if it were not 0 or 1.
bool FailsForOne(const ExpectedValue& expected, const IValue& value) {
  if (std::holds_alternative<NumberSymbol>(expected)) return value.isInt() && value.toInt() >= 0;
  const auto* like = std::get_if<TensorLike>(&expected);
  if (like == nullptr || !value.isTensor() ||
      value.toTensor().dim() != static_cast<int64_t>(like->sizes.size()))
    return false;
  for (size_t i = 0; i < like->size_symbols.size(); ++i) {
    if (like->size_symbols[i] && value.toTensor().size(static_cast<int64_t>(i)) < 2) return true;
  }
  return false;
}

}  // namespace

TensorLike LikenessOf(const at::Tensor& tensor) {
  TensorLike like;
  like.keys = tensor.key_set();
  like.dtype = tensor.scalar_type();
  like.device = tensor.device();
  like.requires_grad = tensor.requires_grad();
  like.is_leaf = tensor.is_leaf();
  if (tensor.layout() != at::kStrided) return like;
  like.sizes.append(tensor.sizes().begin(), tensor.sizes().end());
  like.strides.append(tensor.strides().begin(), tensor.strides().end());
  like.offset = tensor.storage_offset();
  return like;
}

bool Holds(const ExpectedValue& expected, const IValue& value, const Found& found) {
  return std::visit([&](const auto& content) { return Fits(content, value, found); }, expected);
}

std::string Describe(const ExpectedValue& expected, const std::vector<Guard>& guards) {
  return std::visit(Describer{guards}, expected);
}

std::string DescribeFailure(const Guard& guard, const IValue& value, const std::vector<Guard>& guards) {
  return fmt::format("{} is {}, not {}{}", guard.source.name, WordsFor(value, guard.expected),
                     Describe(guard.expected, guards),
                     FailsForOne(guard.expected, value) ? "; 0 and 1 are captured for themselves" : "");
}

}  // namespace culprit::capture
