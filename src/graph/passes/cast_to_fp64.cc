// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/cast_to_fp64.h"

#include <c10/core/DefaultDtype.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"
#include "graph/passes/hoist_random.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;

bool IsWidened(at::ScalarType dtype) {
  return Widened(dtype) != dtype;
}

/// As TensorCopies (graph/tensors/tensor_copy.h), with floating tensors widened.
class Fp64Copies {
 public:
  at::Tensor Copy(const at::Tensor& tensor) {
    if (!tensor.defined() || !IsWidened(tensor.scalar_type())) return copies_.Copy(tensor);
    const at::ScalarType widened = Widened(tensor.scalar_type());
    if (!IsPlain(tensor)) return tensor.detach().to(widened);
    Geometry geometry = Geometry::Of(tensor);
    geometry.dtype = widened;
    return TensorOn(Storage(tensor.storage(), c10::toRealValueType(tensor.scalar_type())), geometry);
  }

  c10::IValue Copy(const c10::IValue& value) {
    if (value.isGenerator()) return copies_.Copy(value);
    return MapTensors(value, [this](const at::Tensor& tensor) { return Copy(tensor); });
  }

 private:
  // The whole storage is cast as a row of real numbers, so that every view of it finds its elements at the
  // same offsets and strides.
  const c10::Storage& Storage(const c10::Storage& storage, at::ScalarType real) {
    auto [place, is_new] = widened_.try_emplace({storage.unsafeGetStorageImpl(), real});
    if (is_new) {
      const auto count = static_cast<int64_t>(storage.nbytes() / c10::elementSize(real));
      place->second = TensorOn(storage, {{count}, {1}, 0, real}).to(at::kDouble).storage();
    }
    return place->second;
  }

  TensorCopies copies_;
  std::map<std::pair<const c10::StorageImpl*, at::ScalarType>, c10::Storage> widened_;
};

/// float16 beside int16 on one storage: the elements of one would be cast, and those of the other not.
base::Status CheckSharedMemory(const std::vector<c10::IValue>& values) {
  std::map<const c10::StorageImpl*, at::ScalarType> dtypes;
  std::optional<Diagnostic> error;
  const auto look = [&](const at::Tensor& tensor) {
    if (!tensor.defined() || !IsPlain(tensor)) return tensor;
    const at::ScalarType real = c10::toRealValueType(tensor.scalar_type());
    const at::ScalarType first =
        dtypes.try_emplace(tensor.storage().unsafeGetStorageImpl(), real).first->second;
    if (first != real && (IsWidened(first) || IsWidened(real)) && !error)
      error =
          Diagnostic{{},
                     fmt::format("tensors of the dtypes {} and {} share memory, which they cannot in float64",
                                 c10::toString(first), c10::toString(real))};
    return tensor;
  };
  for (const c10::IValue& value : values) MapTensors(value, look);
  if (error) return *error;
  return base::Done{};
}

bool HasTensorOperand(const Node& node) {
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    const Slot* slot = &node.op->slots()[i];
    while (slot->kind == SlotKind::kList) slot = slot->element.get();
    if (slot->kind == SlotKind::kTensor && !node.arguments[i].is_none()) return true;
  }
  return false;
}

bool LacksDtype(const Node& node) {
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    if (node.op->slots()[i].kind == SlotKind::kDtype && node.arguments[i].is_none()) return true;
  }
  return false;
}

// The factory's arguments for a trial run: on another device, or with every size at most 1. Nothing if one of
// them is a number of a type known only at run time.
std::optional<std::vector<Argument>> TrialArguments(const Graph& graph, const Node& node, bool on_meta) {
  std::vector<Argument> arguments;
  bool known = true;
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    const Slot& slot = node.op->slots()[i];
    Argument argument = MapValues(node.arguments[i], [&](ValueId id) {
      known = known && graph.value(id).kind == ValueKind::kInt;
      return Argument(c10::IValue(int64_t{1}));
    });
    if (slot.kind == SlotKind::kDevice) {
      argument = Argument(c10::IValue(c10::Device(on_meta ? c10::kMeta : c10::kCPU)));
    } else if (slot.kind == SlotKind::kList && !on_meta && argument.is_list()) {
      for (Argument& size : argument.list()) size = Argument(c10::IValue(int64_t{1}));
    }
    arguments.push_back(std::move(argument));
  }
  return known ? std::optional(std::move(arguments)) : std::nullopt;
}

// What a factory without a dtype makes, by trial: full([2], 1) makes integers, full([2], 0.5) floats.
std::optional<at::ScalarType> DtypeMadeBy(const Graph& graph, const Node& node) {
  for (const bool on_meta : {true, false}) {
    std::optional<std::vector<Argument>> arguments = TrialArguments(graph, node, on_meta);
    if (!arguments) return std::nullopt;
    Graph trial;
    trial.SetOutputs({trial.AddNode(*node.op, *std::move(arguments), {"made"}).results[0]});
    try {
      return Interpreter(trial).Run({}).at(0).toTensor().scalar_type();
    } catch (const std::exception&) {
      // Not every factory knows the meta device; what fails on the CPU too fails in the real run as well.
    }
  }
  return std::nullopt;
}

Argument WithWidenedDtype(const Argument& argument) {
  if (!argument.is_constant() || !argument.constant().isInt()) return argument;
  const auto dtype = static_cast<at::ScalarType>(argument.constant().toInt());
  return Argument(c10::IValue(static_cast<int64_t>(Widened(dtype))));
}

Node CastNode(const Graph& graph, Node node) {
  const bool factory = LacksDtype(node) && !HasTensorOperand(node) && node.results.size() == 1;
  const std::optional<at::ScalarType> made = factory ? DtypeMadeBy(graph, node) : std::nullopt;
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    Argument& argument = node.arguments[i];
    if (node.op->slots()[i].kind == SlotKind::kDtype) {
      const bool fill_in = argument.is_none() && made && IsWidened(*made);
      if (fill_in) argument = Argument(c10::IValue(static_cast<int64_t>(*made)));
      argument = WithWidenedDtype(argument);
    } else if (node.op->schema().arguments()[i].name() == "half_to_float") {
      argument = Argument(c10::IValue(false));
    }
  }
  return node;
}

}  // namespace

at::ScalarType Widened(at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
    case at::kBFloat16:
    case at::kFloat:
      return at::kDouble;
    case at::kComplexHalf:
    case at::kComplexFloat:
      return at::kComplexDouble;
    default:
      return dtype;
  }
}

base::Result<Graph> CastToFp64(const Graph& graph) {
  VerifyPass(graph, "before", "CastToFp64");
  Rebuild rebuild(graph);
  rebuild.CopyPlaceholders();
  std::vector<c10::IValue> constants;
  for (const TensorConstant& constant : graph.constants()) constants.emplace_back(constant.tensor);
  CULPRIT_TRY(CheckSharedMemory(constants));
  Fp64Copies copies;
  for (const TensorConstant& constant : graph.constants()) {
    const TensorConstant widened{constant.value, copies.Copy(constant.tensor)};
    rebuild.CopyConstant(widened);
  }
  for (const Node& node : graph.nodes()) {
    const std::string name = node.op->qualified_name();
    if (DrawsRandomNumbers(node))
      return Diagnostic{{}, fmt::format("{} draws other random numbers in float64", name)};
    if (name == "aten::view.dtype")
      return Diagnostic{{}, fmt::format("{} reinterprets bits, which differ in float64", name)};
    rebuild.CopyNode(node.op->is_builtin() ? node : CastNode(graph, node));
  }
  rebuild.CopyOutputs();
  Graph result = std::move(rebuild).Take();
  VerifyPass(result, "behind", "CastToFp64");
  return result;
}

base::Result<std::vector<c10::IValue>> CastInputsToFp64(const std::vector<c10::IValue>& inputs) {
  CULPRIT_TRY(CheckSharedMemory(inputs));
  Fp64Copies copies;
  std::vector<c10::IValue> result;
  result.reserve(inputs.size());
  for (const c10::IValue& input : inputs) result.push_back(copies.Copy(input));
  return result;
}

Fp64Scope::Fp64Scope() : former_(c10::get_default_dtype()) {
  c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
}

Fp64Scope::~Fp64Scope() {
  c10::set_default_dtype(former_);
}

}  // namespace culprit::graph
