// SPDX-License-Identifier: Apache-2.0
#include "graph/analysis/structural_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <unordered_map>

#include "base/internal_error.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::graph {
namespace {

// Every piece is preceded by a tag or a length, so that no two different graphs give the same bytes.
class Hasher {
 public:
  Hasher() : state_(XXH3_createState(), &XXH3_freeState) { XXH3_128bits_reset(state_.get()); }

  template <typename T>
  requires std::is_trivially_copyable_v<T> &&(!std::is_pointer_v<T>)void Add(const T& value) {
    XXH3_128bits_update(state_.get(), &value, sizeof(value));
  }
  void AddBytes(const void* data, size_t size) {
    Add(static_cast<uint64_t>(size));
    if (size > 0) XXH3_128bits_update(state_.get(), data, size);
  }
  void AddText(std::string_view text) { AddBytes(text.data(), text.size()); }

  Hash128 Digest() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return {hash.high64, hash.low64};
  }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

// All NaNs are one constant, as in Argument::operator==.
void AddFloat(Hasher& hasher, double value) {
  hasher.Add(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
}

void AddConstant(Hasher& hasher, const c10::IValue& constant) {
  if (constant.isNone()) {
    hasher.Add('n');
  } else if (constant.isBool()) {
    hasher.Add(constant.toBool() ? 't' : 'f');
  } else if (constant.isInt()) {
    hasher.Add('i');
    hasher.Add(constant.toInt());
  } else if (constant.isDouble()) {
    hasher.Add('d');
    AddFloat(hasher, constant.toDouble());
  } else if (constant.isComplexDouble()) {
    hasher.Add('c');
    AddFloat(hasher, constant.toComplexDouble().real());
    AddFloat(hasher, constant.toComplexDouble().imag());
  } else if (constant.isString()) {
    hasher.Add('s');
    hasher.AddText(constant.toStringRef());
  } else {
    CULPRIT_CHECK(constant.isDevice(), "a {} is no constant of a graph", constant.tagKind());
    hasher.Add('D');
    hasher.AddText(constant.toDevice().str());
  }
}

void AddTensor(Hasher& hasher, const at::Tensor& tensor) {
  hasher.Add(static_cast<int8_t>(tensor.scalar_type()));
  hasher.AddText(tensor.device().str());
  hasher.Add(static_cast<int8_t>(tensor.layout()));
  hasher.AddBytes(tensor.sizes().data(), tensor.sizes().size() * sizeof(int64_t));
  if (tensor.layout() != at::kStrided) {
    const at::Tensor coalesced = tensor.detach().coalesce();
    AddTensor(hasher, coalesced.indices());
    AddTensor(hasher, coalesced.values());
    return;
  }
  hasher.AddBytes(tensor.strides().data(), tensor.strides().size() * sizeof(int64_t));
  const at::Tensor data = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous();
  hasher.AddBytes(data.data_ptr(), data.nbytes());
}

/// Storages are numbered as they appear, and their bytes count once.
class InputHasher {
 public:
  explicit InputHasher(Hasher& hasher) : hasher_(hasher) {}

  void Add(const c10::IValue& input) {
    if (input.isTensor()) {
      AddTensorInput(input.toTensor());
    } else if (input.isGenerator()) {
      hasher_.Add('g');
      AddTensor(hasher_, at::Tensor(input.toGenerator().getIntrusivePtr()->get_state()));
    } else if (input.isList()) {
      hasher_.Add('l');
      hasher_.Add(static_cast<uint64_t>(input.toListRef().size()));
      for (const c10::IValue& element : input.toListRef()) Add(element);
    } else {
      AddConstant(hasher_, input);
    }
  }

 private:
  void AddTensorInput(const at::Tensor& tensor) {
    hasher_.Add('T');
    if (!tensor.defined()) return;
    hasher_.Add(tensor.requires_grad());
    hasher_.Add(tensor.is_leaf());
    if (!IsPlain(tensor) || !tensor.device().is_cpu()) return AddTensor(hasher_, tensor);
    hasher_.Add(static_cast<int8_t>(tensor.scalar_type()));
    hasher_.Add(tensor.is_conj());
    hasher_.Add(tensor.is_neg());
    hasher_.AddBytes(tensor.sizes().data(), tensor.sizes().size() * sizeof(int64_t));
    hasher_.AddBytes(tensor.strides().data(), tensor.strides().size() * sizeof(int64_t));
    hasher_.Add(tensor.storage_offset());
    const c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
    const auto [number, is_new] = storages_.try_emplace(storage, storages_.size());
    hasher_.Add(static_cast<uint64_t>(number->second));
    if (is_new) hasher_.AddBytes(storage->data(), storage->nbytes());
  }

  Hasher& hasher_;
  std::unordered_map<const c10::StorageImpl*, size_t> storages_;
};

class GraphHasher {
 public:
  explicit GraphHasher(const Graph& graph) : graph_(graph), numbers_(graph.values().size(), 0) {}

  Hasher& Run() {
    hasher_.Add(static_cast<uint64_t>(graph_.placeholders().size()));
    for (const Placeholder& placeholder : graph_.placeholders()) {
      Number(placeholder.value);
      hasher_.Add(placeholder.kind);
      hasher_.Add(graph_.value(placeholder.value).kind);
    }
    hasher_.Add(static_cast<uint64_t>(graph_.constants().size()));
    for (const TensorConstant& constant : graph_.constants()) {
      Number(constant.value);
      hasher_.AddText(constant.device.str());
      AddTensor(hasher_, constant.tensor);
    }
    for (const Node& node : graph_.nodes()) AddNode(node);
    hasher_.Add('o');
    for (const Argument& output : graph_.outputs()) AddArgument(output);
    return hasher_;
  }

 private:
  void Number(ValueId id) { numbers_[Index(id)] = next_number_++; }

  void AddNode(const Node& node) {
    hasher_.Add('N');
    hasher_.AddText(node.op->name());
    hasher_.AddText(node.op->overload());
    for (const Argument& argument : node.arguments) AddArgument(argument);
    for (const ValueId result : node.results) Number(result);
  }

  void AddArgument(const Argument& argument) {
    if (argument.is_value()) {
      hasher_.Add('v');
      hasher_.Add(numbers_[Index(argument.value())]);
    } else if (argument.is_list()) {
      hasher_.Add('l');
      hasher_.Add(static_cast<uint64_t>(argument.list().size()));
      for (const Argument& element : argument.list()) AddArgument(element);
    } else {
      AddConstant(hasher_, argument.constant());
    }
  }

  const Graph& graph_;
  std::vector<uint32_t> numbers_;
  uint32_t next_number_ = 0;
  Hasher hasher_;
};

}  // namespace

std::string Hash128::ToString() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

Hash128 StructuralHash(const Graph& graph) {
  return GraphHasher(graph).Run().Digest();
}

Hash128 StructuralHash(const Graph& graph, const std::vector<c10::IValue>& inputs) {
  GraphHasher graph_hasher(graph);
  Hasher& hasher = graph_hasher.Run();
  InputHasher input_hasher(hasher);
  for (const c10::IValue& input : inputs) input_hasher.Add(input);
  return hasher.Digest();
}

}  // namespace culprit::graph
