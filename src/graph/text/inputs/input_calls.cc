// SPDX-License-Identifier: Apache-2.0
#include "graph/text/inputs/input_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/string_literal.h"
#include "graph/text/values/storage_expression.h"

namespace culprit::graph::text {

using base::Done;
using base::Result;
using base::Status;

struct InputCalls::Row {
  std::string_view name;
  Status (InputCalls::*read)(const Statement& statement, const CallView& call);
};

constexpr InputCalls::Row InputCalls::kRows[] = {
    {"reader.storage", &InputCalls::ReadStorage},
    {"fill", &InputCalls::ReadFilledStorage},
    {"reader.tensor", &InputCalls::ReadTensor},
    {"reader.symint", &InputCalls::ReadInt},
    {"reader.generator", &InputCalls::ReadGenerator},
    {"reader.const", &InputCalls::ReadConst},
    {"reader.unsupported", &InputCalls::ReadUnsupported},
    {"reader.opaque", &InputCalls::ReadOpaque},
    {"sparse", &InputCalls::ReadSparse},
    {"quantized", &InputCalls::ReadQuantized},
    {"put", &InputCalls::ReadPut},
};

Status InputCalls::Read(const Statement& statement) {
  if (!statement.value) return Done{};
  const CallView call(arena_, statement.value);
  std::vector<std::string_view> known;
  for (const Row& row : kRows) {
    if (row.name == call.name()) return (this->*row.read)(statement, call);
    known.push_back(row.name);
  }
  if (!call.name().starts_with("reader.")) return Done{};
  return source_.Error(statement.offset, fmt::format("unknown reader call '{}'{}", call.name(),
                                                     base::DidYouMean(call.name(), known)));
}

Status InputCalls::ReadStorage(const Statement& statement, const CallView& call) {
  StorageSpec storage;
  const std::optional<ExpressionId> bytes = call.Argument(1, "nbytes");
  const bool named =
      statement.targets.size() == 1 && arena_[statement.targets[0]].kind == ExpressionKind::kName;
  if (!bytes || !named)
    return source_.Error(statement.offset, "expected: name = reader.storage(hash, bytes)");
  if (const auto hash = call.Argument(0, "storage_hash")) {
    if (arena_[*hash].kind == ExpressionKind::kString) storage.hash = CULPRIT_TRY(Text(*hash));
  }
  storage.bytes = CULPRIT_TRY(EvaluateSize(source_, arena_, *bytes, symbols_));
  if (storage.bytes < 0)
    return source_.Error(arena_[*bytes].offset, fmt::format("a storage of {} bytes", storage.bytes));
  if (const auto device = call.Argument(2, "device"); device && arena_[*device].text != "None") {
    storage.device = CULPRIT_TRY(EvaluateDevice(source_, arena_, *device));
  }
  if (const auto hint = call.Argument(3, "dtype_hint"); hint && arena_[*hint].text != "None") {
    storage.dtype_hint = CULPRIT_TRY(Dtype(*hint));
  }
  storage_by_name_[arena_[statement.targets[0]].text] = specs_.storages.size();
  specs_.storages.push_back(std::move(storage));
  return Done{};
}

Status InputCalls::ReadFilledStorage(const Statement& statement, const CallView& call) {
  const std::optional<ExpressionId> storage = call.Positional(0), contents = call.Positional(1);
  if (!storage || !contents)
    return source_.Error(statement.offset, "expected: name = fill(reader.storage(...), contents)");
  CULPRIT_TRY(ReadStorage(statement, CallView(arena_, storage)));
  StorageSpec& spec = specs_.storages.back();
  spec.contents = CULPRIT_TRY(EvaluateContents(source_, arena_, *contents, static_cast<size_t>(spec.bytes)));
  // All numbers are drawn before those that fit are taken.
  const auto* numbers = std::get_if<SeededNumbers>(&spec.contents);
  if (numbers == nullptr) return Done{};
  const auto item = static_cast<int64_t>(c10::elementSize(numbers->dtype));
  if (numbers->count <= (spec.bytes + item - 1) / item) return Done{};
  return source_.Error(arena_[*contents].offset,
                       fmt::format("{} {} more than a storage of {} holds",
                                   base::Counted(static_cast<size_t>(numbers->count), "number"),
                                   numbers->count == 1 ? "is" : "are",
                                   base::Counted(static_cast<size_t>(spec.bytes), "byte")));
}

Result<TensorSpec> InputCalls::Tensor(size_t offset, const CallView& call) {
  TensorSpec tensor;
  const std::optional<ExpressionId> storage = call.Argument(0, "storage");
  const std::optional<ExpressionId> shape = call.Argument(1, "shape");
  if (!storage || !shape) return source_.Error(offset, "expected: reader.tensor(storage, sizes)");
  const auto found = storage_by_name_.find(arena_[*storage].text);
  if (found == storage_by_name_.end()) {
    return source_.Error(arena_[*storage].offset,
                         fmt::format("there is no storage '{}'", arena_[*storage].text));
  }
  tensor.storage = found->second;
  tensor.sizes = CULPRIT_TRY(Sizes(*shape));
  tensor.strides = ContiguousStrides(tensor.sizes);
  if (const auto stride = call.Argument(2, "stride"); stride && arena_[*stride].text != "None") {
    tensor.strides = CULPRIT_TRY(Sizes(*stride));
  }
  if (const auto start = call.Keyword("storage_offset")) {
    tensor.offset = CULPRIT_TRY(EvaluateSize(source_, arena_, *start, symbols_));
  }
  if (const auto dtype = call.Keyword("dtype")) tensor.dtype = CULPRIT_TRY(Dtype(*dtype));
  CULPRIT_TRY(CheckRank(tensor, offset));
  CULPRIT_TRY(CheckReach(tensor, offset));
  return tensor;
}

Status InputCalls::ReadTensor(const Statement& statement, const CallView& call) {
  TensorSpec tensor = CULPRIT_TRY(Tensor(statement.offset, call));
  tensor.requires_grad = call.Flag("requires_grad");
  tensor.is_leaf = call.Flag("is_leaf");
  tensor.is_conjugated = call.Flag("conj") || call.Flag("is_conj");
  tensor.is_negated = call.Flag("neg") || call.Flag("is_neg");
  specs_.inputs.emplace_back(std::move(tensor));
  return Done{};
}

Status InputCalls::ReadInt(const Statement& /*statement*/, const CallView& call) {
  IntSpec spec;
  if (const auto expression = call.Argument(1, "expr"); expression && arena_[*expression].text != "None") {
    spec.expression = CULPRIT_TRY(Text(*expression));
  }
  if (arena_[*call.Argument(0, "val")].text != "None") {
    spec.value = CULPRIT_TRY(EvaluateSize(source_, arena_, *call.Argument(0, "val"), symbols_));
  } else if (const auto value = SizeFromText(spec.expression, symbols_)) {
    spec.value = *value;
  } else {
    // A size that had no value when the script was written.
    specs_.inputs.emplace_back(AbsentSpec{AbsentSpec::Reason::kUnsupported, "symint"});
    return Done{};
  }
  specs_.inputs.emplace_back(std::move(spec));
  return Done{};
}

Status InputCalls::ReadGenerator(const Statement& statement, const CallView& call) {
  GeneratorSpec spec;
  if (const auto type = call.Argument(0, "device_type");
      type && arena_[*type].kind == ExpressionKind::kString) {
    const at::Device device = CULPRIT_TRY(DeviceAt(source_, statement.offset, CULPRIT_TRY(Text(*type))));
    // There is one generator of the CPU, whatever index it was given.
    spec.device = device.is_cpu() ? at::Device(at::kCPU) : device;
  }
  if (const auto index = call.Argument(1, "device_index"); index && arena_[*index].text != "None") {
    const int64_t number = CULPRIT_TRY(EvaluateSize(source_, arena_, *index, symbols_));
    if (number < 0 || number > INT8_MAX)
      return source_.Error(statement.offset, "unknown device of a generator");
    if (!spec.device.is_cpu()) spec.device.set_index(static_cast<at::DeviceIndex>(number));
  }
  specs_.inputs.emplace_back(spec);
  return Done{};
}

Status InputCalls::ReadTuple(const Expression& entry) {
  const bool is_entry = entry.child_count == 4 || entry.child_count == 5;
  if (entry.kind != ExpressionKind::kTuple || !is_entry)
    return source_.Error(entry.offset, "expected (sizes, strides, dtype, device)");
  TensorSpec tensor{.storage = specs_.storages.size()};
  tensor.sizes = CULPRIT_TRY(Sizes(arena_.child(entry, 0)));
  tensor.strides = CULPRIT_TRY(Sizes(arena_.child(entry, 1)));
  tensor.dtype = CULPRIT_TRY(Dtype(arena_.child(entry, 2)));
  tensor.requires_grad = entry.child_count == 5 && arena_.ChildOf(entry, 4).text == "True";
  CULPRIT_TRY(CheckRank(tensor, entry.offset));
  const std::optional<int64_t> reach = ReachOf(tensor);
  if (!reach) return source_.Error(entry.offset, "the tensor is too large");
  StorageSpec storage{.bytes = *reach, .dtype_hint = tensor.dtype};
  storage.device = CULPRIT_TRY(EvaluateDevice(source_, arena_, arena_.child(entry, 3)));
  specs_.storages.push_back(std::move(storage));
  specs_.inputs.emplace_back(std::move(tensor));
  return Done{};
}

Status InputCalls::ReadConst(const Statement& /*statement*/, const CallView& call) {
  return AddAbsent(AbsentSpec::Reason::kConst, call);
}
Status InputCalls::ReadUnsupported(const Statement& /*statement*/, const CallView& call) {
  return AddAbsent(AbsentSpec::Reason::kUnsupported, call);
}
Status InputCalls::ReadOpaque(const Statement& /*statement*/, const CallView& call) {
  return AddAbsent(AbsentSpec::Reason::kOpaque, call);
}

Status InputCalls::AddAbsent(AbsentSpec::Reason reason, const CallView& call) {
  AbsentSpec spec{.reason = reason};
  if (const auto name = call.Argument(0, "name")) spec.name = CULPRIT_TRY(Text(*name));
  specs_.inputs.emplace_back(std::move(spec));
  return Done{};
}

Result<std::string> InputCalls::Text(ExpressionId id) const {
  if (auto text = StringFromText(arena_[id].text)) return *std::move(text);
  return source_.Error(arena_[id].offset, "malformed string");
}

Result<std::vector<int64_t>> InputCalls::Sizes(ExpressionId id) const {
  const Expression& expression = arena_[id];
  const bool is_list = expression.kind == ExpressionKind::kTuple || expression.kind == ExpressionKind::kList;
  if (!is_list) return source_.Error(expression.offset, "expected a tuple of sizes");
  std::vector<int64_t> sizes;
  for (uint32_t i = 0; i < expression.child_count; ++i) {
    const int64_t size = CULPRIT_TRY(EvaluateSize(source_, arena_, arena_.child(expression, i), symbols_));
    if (size < 0) return source_.Error(expression.offset, fmt::format("size {} is negative", size));
    sizes.push_back(size);
  }
  return sizes;
}

Result<at::ScalarType> InputCalls::Dtype(ExpressionId id) const {
  if (const auto dtype = DtypeFromName(arena_[id].text)) return *dtype;
  return source_.Error(arena_[id].offset, UnknownDtype(arena_[id].text));
}

Status InputCalls::CheckRank(const TensorSpec& tensor, size_t offset) const {
  if (tensor.sizes.size() == tensor.strides.size()) return Done{};
  return source_.Error(offset, fmt::format("{} but {}", base::Counted(tensor.sizes.size(), "size"),
                                           base::Counted(tensor.strides.size(), "stride")));
}

Status InputCalls::CheckReach(const TensorSpec& tensor, size_t offset) {
  const std::optional<int64_t> reach = ReachOf(tensor);
  int64_t& bytes = specs_.storages[tensor.storage].bytes;
  if (reach && *reach <= bytes && tensor.offset >= 0) return Done{};
  const bool is_freed = bytes == 0 || enlarged_.contains(tensor.storage);
  if (reach && tensor.offset >= 0 && is_freed) {
    enlarged_.try_emplace(tensor.storage, offset);
    bytes = *reach;
    return Done{};
  }
  base::Diagnostic error =
      source_.Error(offset, fmt::format("a tensor of sizes ({}) and dtype {} does not fit a storage of {}",
                                        fmt::join(tensor.sizes, ", "), NameOf(tensor.dtype),
                                        base::Counted(static_cast<size_t>(bytes), "byte")));
  error.notes = guessed_.Notes();
  return error;
}

std::vector<base::Diagnostic> InputCalls::Warnings() const {
  if (enlarged_.empty()) return {};
  const size_t others = enlarged_.size() - 1;
  std::string message = "the storage of this tensor has 0 bytes; it is made as large as its tensors need";
  if (others > 0) message += fmt::format(", like {} behind it", base::Counted(others, "other storage"));
  return {source_.Error(enlarged_.begin()->second, std::move(message))};
}

}  // namespace culprit::graph::text
