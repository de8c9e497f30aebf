// SPDX-License-Identifier: Apache-2.0
#include "graph/text/input_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "graph/text/call_view.h"
#include "graph/text/literal.h"
#include "graph/text/size_expression.h"
#include "graph/text/statement.h"
#include "graph/text/string_literal.h"

namespace culprit::graph::text {
namespace {

using base::Done;
using base::Result;
using base::Status;

class InputReader {
 public:
  InputReader(const Source& source, const ScriptOutline& outline)
      : source_(source), symbols_(outline.symbols) {}

  Result<InputSpecs> ReadLoadArgs(size_t offset) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, offset));
    const FunctionHeader header = CULPRIT_TRY(ParseFunctionHeader(tokens, arena_));
    std::vector<Statement> statements;
    CULPRIT_TRY(
        ForEachStatement(tokens, arena_, header, /*keep=*/true, [&](const Statement& s) -> Result<bool> {
          statements.push_back(s);
          return true;
        }));
    CULPRIT_TRY(BindSymbols(statements));
    for (const Statement& statement : statements) CULPRIT_TRY(ReadStatement(statement));
    return std::move(specs_);
  }

  // t0 = reader.tensor(buf0, ...) at the top level; args = [t0, ...] says in which order they are the inputs.
  Result<InputSpecs> ReadReaderCalls(size_t offset) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, offset));
    std::vector<Statement> statements;
    std::map<std::string_view, size_t> input_by_name;
    while (tokens.peek().kind != TokenKind::kEnd) {
      Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena_));
      const bool is_list = statement.value && arena_[*statement.value].kind == ExpressionKind::kList;
      statements.push_back(std::move(statement));
      if (is_list) break;
    }
    CULPRIT_TRY(BindSymbols(statements));
    for (const Statement& statement : statements) {
      const size_t before = specs_.inputs.size();
      CULPRIT_TRY(ReadStatement(statement));
      const bool is_input = specs_.inputs.size() > before && !statement.targets.empty();
      if (is_input) input_by_name[arena_[statement.targets[0]].text] = before;
    }
    return InOrder(arena_[*statements.back().value], input_by_name);
  }

  // args = [((4, 4), (4, 1), torch.float32, 'cuda'), ...]
  Result<InputSpecs> ReadArgsList(size_t offset) {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, offset));
    const Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena_));
    const Expression& list = arena_[*statement.value];
    for (uint32_t i = 0; i < list.child_count; ++i) {
      const Expression& entry = arena_.ChildOf(list, i);
      if (entry.kind != ExpressionKind::kTuple || entry.child_count != 4) {
        return source_.Error(entry.offset, "expected (sizes, strides, dtype, device)");
      }
      TensorSpec tensor{.storage = specs_.storages.size()};
      tensor.sizes = CULPRIT_TRY(Sizes(arena_.child(entry, 0)));
      tensor.strides = CULPRIT_TRY(Sizes(arena_.child(entry, 1)));
      tensor.dtype = CULPRIT_TRY(Dtype(arena_.child(entry, 2)));
      StorageSpec storage{.dtype_hint = tensor.dtype};
      storage.device = CULPRIT_TRY(EvaluateDevice(source_, arena_, arena_.child(entry, 3)));
      CULPRIT_TRY(CheckRank(tensor, entry.offset));
      const std::optional<int64_t> reach = ReachOf(tensor);
      if (!reach) return source_.Error(entry.offset, "the tensor is too large");
      storage.bytes = *reach;
      specs_.storages.push_back(storage);
      specs_.inputs.emplace_back(tensor);
    }
    return std::move(specs_);
  }

 private:
  Result<InputSpecs> InOrder(const Expression& list,
                             const std::map<std::string_view, size_t>& input_by_name) {
    std::vector<InputSpec> ordered;
    for (uint32_t i = 0; i < list.child_count; ++i) {
      const Expression& name = arena_.ChildOf(list, i);
      const auto found = input_by_name.find(name.text);
      if (found == input_by_name.end()) {
        return source_.Error(name.offset,
                             fmt::format("'{}' is no input that a reader made", base::Printable(name.text)));
      }
      ordered.push_back(specs_.inputs[found->second]);
    }
    specs_.inputs = std::move(ordered);
    return std::move(specs_);
  }

  // Symbols that the file defines nowhere take the values of the symint lines, in order of appearance.
  Status BindSymbols(const std::vector<Statement>& statements) {
    std::vector<std::string_view> unbound;
    std::vector<int64_t> ints;
    const auto note = [&](std::string_view name) {
      const bool known =
          symbols_.contains(name) || std::find(unbound.begin(), unbound.end(), name) != unbound.end();
      if (!known) unbound.push_back(name);
    };
    for (const Statement& statement : statements) {
      const CallView call(arena_, statement.value);
      if (call.name() == "reader.symint") {
        const std::optional<ExpressionId> value = call.Argument(0, "val");
        if (!value) return source_.Error(statement.offset, "symint needs a value");
        if (arena_[*value].text == "None") continue;
        const int64_t number = CULPRIT_TRY(EvaluateSize(source_, arena_, *value, symbols_));
        const std::optional<ExpressionId> expression = call.Argument(1, "expr");
        const auto text = expression ? StringFromText(arena_[*expression].text) : std::nullopt;
        const bool is_symbol =
            text && !text->empty() && text->find_first_of(" +-*/()%,") == std::string::npos;
        if (is_symbol && !symbols_.contains(*text)) {
          symbols_[*text] = number;
        } else {
          ints.push_back(number);
        }
      } else if (call.name() == "reader.storage") {
        if (const auto bytes = call.Argument(1, "nbytes")) ForEachSymbol(arena_, *bytes, note);
      } else if (call.name() == "reader.tensor") {
        for (const auto argument :
             {call.Argument(1, "shape"), call.Argument(2, "stride"), call.Argument(3, "storage_offset")}) {
          if (argument) ForEachSymbol(arena_, *argument, note);
        }
      }
    }
    std::erase_if(unbound, [&](std::string_view name) { return symbols_.contains(name) || name == "None"; });
    for (size_t i = 0; i < std::min(unbound.size(), ints.size()); ++i) {
      symbols_[std::string(unbound[i])] = ints[i];
      guessed_.push_back(fmt::format("{} = {}", unbound[i], ints[i]));
    }
    return Done{};
  }

  Status ReadStatement(const Statement& statement) {
    if (!statement.value) return Done{};
    const CallView call(arena_, statement.value);
    const std::string_view name = call.name();
    if (name == "reader.storage") return ReadStorage(statement, call);
    if (name == "reader.tensor") return ReadTensor(statement, call);
    if (name == "reader.symint") return ReadInt(call);
    if (name == "reader.generator") return ReadGenerator(statement, call);
    if (name == "reader.const") return ReadAbsent(AbsentSpec::Reason::kConst, call);
    if (name == "reader.unsupported") return ReadAbsent(AbsentSpec::Reason::kUnsupported, call);
    if (name == "reader.opaque") return ReadAbsent(AbsentSpec::Reason::kOpaque, call);
    if (!name.starts_with("reader.")) return Done{};
    constexpr std::array<std::string_view, 7> kKnown = {
        "reader.storage", "reader.tensor",      "reader.symint", "reader.generator",
        "reader.const",   "reader.unsupported", "reader.opaque"};
    return source_.Error(statement.offset,
                         fmt::format("unknown reader call '{}'{}", name, base::DidYouMean(name, kKnown)));
  }

  Status ReadStorage(const Statement& statement, const CallView& call) {
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

  Status ReadTensor(const Statement& statement, const CallView& call) {
    TensorSpec tensor;
    const std::optional<ExpressionId> storage = call.Argument(0, "storage");
    const std::optional<ExpressionId> shape = call.Argument(1, "shape");
    if (!storage || !shape) return source_.Error(statement.offset, "expected: reader.tensor(storage, sizes)");
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
    if (const auto offset = call.Keyword("storage_offset")) {
      tensor.offset = CULPRIT_TRY(EvaluateSize(source_, arena_, *offset, symbols_));
    }
    if (const auto dtype = call.Keyword("dtype")) tensor.dtype = CULPRIT_TRY(Dtype(*dtype));
    tensor.requires_grad = call.Flag("requires_grad");
    tensor.is_leaf = call.Flag("is_leaf");
    tensor.is_conjugated = call.Flag("conj") || call.Flag("is_conj");
    tensor.is_negated = call.Flag("neg") || call.Flag("is_neg");
    CULPRIT_TRY(CheckRank(tensor, statement.offset));
    CULPRIT_TRY(CheckReach(tensor, statement.offset));
    specs_.inputs.emplace_back(std::move(tensor));
    return Done{};
  }

  Status ReadInt(const CallView& call) {
    // A size that had no value when the script was written.
    if (arena_[*call.Argument(0, "val")].text == "None") {
      specs_.inputs.emplace_back(AbsentSpec{AbsentSpec::Reason::kUnsupported, "symint"});
      return Done{};
    }
    IntSpec spec{.value = CULPRIT_TRY(EvaluateSize(source_, arena_, *call.Argument(0, "val"), symbols_))};
    if (const auto expression = call.Argument(1, "expr"); expression && arena_[*expression].text != "None") {
      spec.expression = CULPRIT_TRY(Text(*expression));
    }
    specs_.inputs.emplace_back(std::move(spec));
    return Done{};
  }

  Status ReadGenerator(const Statement& statement, const CallView& call) {
    GeneratorSpec spec;
    if (const auto type = call.Argument(0, "device_type");
        type && arena_[*type].kind == ExpressionKind::kString) {
      const std::optional<at::Device> device = DeviceFromText(CULPRIT_TRY(Text(*type)));
      if (!device) return source_.Error(statement.offset, "unknown device of a generator");
      // There is one generator of the CPU, whatever index it was given.
      spec.device = device->is_cpu() ? at::Device(at::kCPU) : *device;
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

  Status ReadAbsent(AbsentSpec::Reason reason, const CallView& call) {
    AbsentSpec spec{.reason = reason};
    if (const auto name = call.Argument(0, "name")) spec.name = CULPRIT_TRY(Text(*name));
    specs_.inputs.emplace_back(std::move(spec));
    return Done{};
  }

  Result<std::string> Text(ExpressionId id) {
    if (auto text = StringFromText(arena_[id].text)) return *std::move(text);
    return source_.Error(arena_[id].offset, "malformed string");
  }

  Result<std::vector<int64_t>> Sizes(ExpressionId id) {
    const Expression& expression = arena_[id];
    const bool is_list =
        expression.kind == ExpressionKind::kTuple || expression.kind == ExpressionKind::kList;
    if (!is_list) return source_.Error(expression.offset, "expected a tuple of sizes");
    std::vector<int64_t> sizes;
    for (uint32_t i = 0; i < expression.child_count; ++i) {
      const int64_t size = CULPRIT_TRY(EvaluateSize(source_, arena_, arena_.child(expression, i), symbols_));
      if (size < 0) return source_.Error(expression.offset, fmt::format("size {} is negative", size));
      sizes.push_back(size);
    }
    return sizes;
  }

  Result<at::ScalarType> Dtype(ExpressionId id) {
    if (const auto dtype = DtypeFromName(arena_[id].text)) return *dtype;
    return source_.Error(arena_[id].offset, fmt::format("unknown dtype '{}'", arena_[id].text));
  }

  Status CheckRank(const TensorSpec& tensor, size_t offset) {
    if (tensor.sizes.size() == tensor.strides.size()) return Done{};
    return source_.Error(offset,
                         fmt::format("{} sizes but {} strides", tensor.sizes.size(), tensor.strides.size()));
  }

  Status CheckReach(const TensorSpec& tensor, size_t offset) {
    const std::optional<int64_t> reach = ReachOf(tensor);
    const int64_t bytes = specs_.storages[tensor.storage].bytes;
    if (reach && *reach <= bytes && tensor.offset >= 0) return Done{};
    base::Diagnostic error = source_.Error(
        offset, fmt::format("a tensor of sizes ({}) and dtype {} does not fit a storage of {} bytes",
                            fmt::join(tensor.sizes, ", "), NameOf(tensor.dtype), bytes));
    if (!guessed_.empty()) {
      error.notes.push_back(
          fmt::format("sizes that the file does not define were taken from its symint lines: {}",
                      fmt::join(guessed_, ", ")));
    }
    return error;
  }

  const Source& source_;
  Symbols symbols_;
  std::vector<std::string> guessed_;
  ExpressionArena arena_;
  std::map<std::string_view, size_t> storage_by_name_;
  InputSpecs specs_;
};

// `load_args._version = N`
Status CheckVersion(const Source& source, const ScriptOutline& outline,
                    std::vector<base::Diagnostic>& warnings) {
  if (!outline.load_args_version) {
    warnings.push_back(source.Error(*outline.load_args, "load_args has no version; it is read as version 0"));
    return Done{};
  }
  ExpressionArena arena;
  TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source, *outline.load_args_version));
  const Statement statement = CULPRIT_TRY(ParseStatement(tokens, arena));
  if (!statement.value) return Done{};
  const int64_t version = CULPRIT_TRY(EvaluateSize(source, arena, *statement.value, {}));
  if (version > 0) {
    warnings.push_back(source.Error(
        statement.offset, fmt::format("load_args has version {}, newer than the known version 0", version)));
  }
  return Done{};
}

}  // namespace

Result<std::optional<InputSpecs>> ReadInputs(const Source& source, const ScriptOutline& outline,
                                             std::vector<base::Diagnostic>& warnings) {
  InputReader reader(source, outline);
  if (outline.load_args) {
    CULPRIT_TRY(CheckVersion(source, outline, warnings));
    return std::optional(CULPRIT_TRY(reader.ReadLoadArgs(*outline.load_args)));
  }
  if (outline.reader_calls) return std::optional(CULPRIT_TRY(reader.ReadReaderCalls(*outline.reader_calls)));
  if (outline.args_list) return std::optional(CULPRIT_TRY(reader.ReadArgsList(*outline.args_list)));
  return std::optional<InputSpecs>();
}

}  // namespace culprit::graph::text
