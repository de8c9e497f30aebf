// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_inputs.h"

#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include "repro/constant_bytes.h"
#include "repro/cpp/cpp_literal.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Result;
using graph::SeededNumbers;
using graph::TensorSpec;

std::string_view FunctionOf(SeededNumbers::Kind kind) {
  if (kind == SeededNumbers::Kind::kNormal) return "Normal";
  return kind == SeededNumbers::Kind::kUniform ? "Uniform" : "Positive";
}

struct ContentsText {
  int64_t bytes;

  std::string operator()(std::monostate) const { return "at::empty({0}, at::kByte)"; }

  std::string operator()(const graph::InlineNumbers& numbers) const {
    const auto item = static_cast<int64_t>(c10::elementSize(numbers.dtype));
    std::string copy = numbers.bytes;
    return CppNumbers(at::from_blob(copy.data(), {static_cast<int64_t>(copy.size()) / item}, numbers.dtype));
  }

  std::string operator()(const graph::StoredBytes& stored) const {
    return fmt::format("Stored(\"{}\", {})", stored.hash, bytes);
  }

  std::string operator()(const SeededNumbers& numbers) const {
    const std::string dtype = CppDtype(numbers.dtype);
    if (numbers.kind == SeededNumbers::Kind::kInteger)
      return fmt::format("Integers({}, {}, {}, {}, {}U)", dtype, CppInt(numbers.low), CppInt(numbers.high),
                         numbers.count, numbers.seed);
    return fmt::format("{}({}, {}, {}U)", FunctionOf(numbers.kind), dtype, numbers.count, numbers.seed);
  }
};

std::string MemoryText(int64_t bytes, const graph::StorageContents& contents) {
  return fmt::format("Memory({}, {})", bytes, std::visit(ContentsText{bytes}, contents));
}

// storage0, at::kFloat, {2, 3}, {3, 1}, 0
std::string Layout(const std::string& storage, const TensorSpec& tensor) {
  return fmt::format("{}, {}, {}, {}, {}", storage, CppDtype(tensor.dtype), CppInts(tensor.sizes),
                     CppInts(tensor.strides), tensor.offset);
}
std::string Layout(const TensorSpec& tensor) {
  return Layout(fmt::format("storage{}", tensor.storage), tensor);
}

std::string Plain(const TensorSpec& tensor) {
  std::string text = fmt::format("On({})", Layout(tensor));
  if (!tensor.is_conjugated && !tensor.is_negated) return text;
  return fmt::format("Lazy({}, {}, {})", text, tensor.is_conjugated, tensor.is_negated);
}

std::string WithGradness(const std::string& text, at::ScalarType dtype, bool requires_grad, bool is_leaf) {
  const bool differentiable = c10::isFloatingType(dtype) || c10::isComplexType(dtype);
  if (!requires_grad || !differentiable) return text;
  return fmt::format("{}({})", is_leaf ? "Leaf" : "NonLeaf", text);
}

std::string QuantisedText(const TensorSpec& tensor, const std::string& quantiser) {
  return fmt::format("Quantised({}, at::make_{})", Layout(tensor), quantiser);
}

// A type and an expression for its value.
struct InputText {
  std::string type;
  std::string value;
};

struct ToInputText {
  InputText operator()(const TensorSpec& tensor) const {
    return {"at::Tensor", WithGradness(Plain(tensor), tensor.dtype, tensor.requires_grad, tensor.is_leaf)};
  }
  InputText operator()(const graph::SparseCoo& sparse) const {
    const std::string text = fmt::format("Sparse({}, {}, {}, {})", CppInts(sparse.sizes),
                                         Plain(sparse.indices), Plain(sparse.values), sparse.is_coalesced);
    return {"at::Tensor", WithGradness(text, sparse.values.dtype, sparse.requires_grad, sparse.is_leaf)};
  }
  InputText operator()(const graph::QuantisedPerTensor& quantised) const {
    return {"at::Tensor",
            QuantisedText(quantised.tensor,
                          fmt::format("per_tensor_affine_quantizer({}, {}, {})", CppFloat(quantised.scale),
                                      quantised.zero_point, CppDtype(quantised.tensor.dtype)))};
  }
  InputText operator()(const graph::QuantisedPerChannel& quantised) const {
    return {"at::Tensor",
            QuantisedText(quantised.tensor, fmt::format("per_channel_affine_quantizer({}, {}, {}, {})",
                                                        Plain(quantised.scales), Plain(quantised.zero_points),
                                                        quantised.axis, CppDtype(quantised.tensor.dtype)))};
  }
  InputText operator()(const graph::IntSpec& spec) const { return {"int64_t", CppInt(spec.value)}; }
  InputText operator()(const graph::GeneratorSpec& spec) const {
    return {"at::Generator", fmt::format("at::detail::createCPUGenerator({}U)", spec.seed.value_or(0))};
  }
  InputText operator()(const graph::AbsentSpec&) const { return {"c10::IValue", "None"}; }
  InputText operator()(const graph::ConstantSpec& spec) const {
    const std::string text = CppConstant(spec.value, graph::SlotKind::kUnsupported);
    if (spec.value.isString()) return {"std::string", text};
    return {spec.value.isBool() ? "bool" : "double", text};
  }
};

}  // namespace

std::string CppInputs(const graph::Graph& graph, const graph::InputSpecs& specs,
                      const std::vector<std::string>& names) {
  std::string text;
  size_t next_storage = 0;
  for (size_t i = 0; i < specs.inputs.size(); ++i) {
    graph::ForEachTensor(specs.inputs[i], [&](const TensorSpec& tensor) {
      for (; next_storage <= tensor.storage; ++next_storage) {
        const graph::StorageSpec& storage = specs.storages[next_storage];
        text += fmt::format("  const c10::Storage storage{} = {};\n", next_storage,
                            MemoryText(storage.bytes, storage.contents));
      }
    });
    const InputText input = std::visit(ToInputText{}, specs.inputs[i]);
    text += fmt::format("  const {} {} = {};\n", input.type,
                        names[graph::Index(graph.placeholders()[i].value)], input.value);
  }
  return text;
}

Result<std::string> CppTensorConstant(const graph::TensorConstant& constant,
                                      const graph::StorageContents& contents) {
  if (!CanBeWritten(constant.tensor))
    return Diagnostic{{}, "a constant that is sparse, quantised or not on the CPU cannot be written as text"};
  const ConstantBytes kept = BytesOfConstant(constant.tensor);
  graph::StorageContents written = contents;
  if (std::holds_alternative<std::monostate>(contents) && !kept.bytes.empty()) {
    const auto* bytes = reinterpret_cast<const char*>(kept.bytes.data());
    written = graph::InlineNumbers{kept.dtype, {bytes, kept.bytes.size()}};
  }
  const TensorSpec spec{
      .sizes = kept.geometry.sizes, .strides = kept.geometry.strides, .dtype = kept.geometry.dtype};
  const auto bytes = static_cast<int64_t>(kept.bytes.size());
  std::string text = fmt::format("On({})", Layout(MemoryText(bytes, written), spec));
  if (!constant.device.is_cpu()) text += fmt::format(".to(c10::Device(\"{}\"))", constant.device.str());
  return text;
}

}  // namespace culprit::repro
