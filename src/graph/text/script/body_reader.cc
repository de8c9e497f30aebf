// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/body_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "graph/text/calls/evaluator.h"
#include "graph/text/script/class_attributes.h"
#include "graph/text/script/constant_reader.h"
#include "graph/text/script/model_lines.h"
#include "graph/text/script/name_values.h"
#include "graph/text/script/problems.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/statement.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::graph::text {
namespace {

using base::Done;
using base::Result;
using base::Status;

class BodyReader {
 public:
  BodyReader(const Source& source, const ScriptOutline& outline, std::optional<InputSpecs> inputs,
             const ReadOptions& options)
      : source_(source), outline_(outline), options_(options), calls_(script_.graph, options.for_cpu) {
    script_.inputs = std::move(inputs);
  }

  Result<Script> Run() {
    TokenStream tokens = CULPRIT_TRY(TokenStream::Open(source_, outline_.forward));
    const FunctionHeader header = CULPRIT_TRY(ParseFunctionHeader(tokens, arena_));
    CULPRIT_TRY(AddPlaceholders(header));
    CULPRIT_TRY(AddConstants());
    CULPRIT_TRY(ReadClassAttributes(source_, outline_, scope_, script_.inputs, script_.graph));
    bool returned = false;
    Problems problems;
    const Status status = ForEachStatement(
        tokens, arena_, header, /*keep=*/false, [&](const Statement& statement) -> Result<bool> {
          returned = statement.kind == Statement::Kind::kReturn;
          if (Status read = ReadStatement(statement); !read.ok()) {
            problems.Add(std::move(read).error());
            for (const ExpressionId target : statement.targets) Forget(target);
          }
          script_.node_lines.resize(script_.graph.nodes().size(), source_.LineAt(statement.offset));
          return !returned;
        });
    if (!status.ok()) problems.Add(status.error());
    if (!returned && status.ok()) problems.Add(NothingReturned(tokens.peek().offset, header.is_empty));
    if (problems.empty() && no_python_) return *std::move(no_python_);
    if (!problems.empty()) return std::move(problems).Take();
    names_.Apply(script_.graph);
    ReadModelLines(source_.text().substr(outline_.forward), source_.LineAt(outline_.forward),
                   script_.node_lines, script_.graph);
    return std::move(script_);
  }

 private:
  base::Diagnostic NothingReturned(size_t end, bool has_no_body) const {
    base::Diagnostic error = source_.Error(
        outline_.forward, has_no_body ? "forward has no body" : "forward does not return anything");
    const bool is_last = source_.text().find_first_not_of(" \t\r\n", end) == std::string_view::npos;
    if (is_last) error.notes.emplace_back("the file ends inside forward; has it been cut off?");
    return error;
  }

  // What is no number, a string for example, goes only where a graph does not look.
  static ValueKind KindOf(const ConstantSpec& constant) {
    if (constant.value.isDouble()) return ValueKind::kFloat;
    return constant.value.isBool() ? ValueKind::kBool : ValueKind::kTensor;
  }

  ValueId AddPlaceholder(const Parameter& parameter) {
    const size_t index = script_.graph.placeholders().size();
    ValueKind kind = ValueKind::kTensor;
    bool known = !parameter.annotation.empty();
    if (parameter.annotation == "int" || parameter.annotation.starts_with("Sym(")) kind = ValueKind::kInt;
    if (const auto annotated = ValueKindFromString(parameter.annotation)) kind = *annotated;
    if (script_.inputs && index < script_.inputs->inputs.size()) {
      const InputSpec& spec = script_.inputs->inputs[index];
      known = !std::holds_alternative<AbsentSpec>(spec);
      if (std::holds_alternative<IntSpec>(spec)) kind = ValueKind::kInt;
      if (std::holds_alternative<GeneratorSpec>(spec)) kind = ValueKind::kGenerator;
      if (const auto* constant = std::get_if<ConstantSpec>(&spec)) kind = KindOf(*constant);
    }
    const ValueId id = script_.graph.AddPlaceholder("", PlaceholderKind::kInput, kind);
    if (!known) calls_.MayBeInt(id);
    return id;
  }

  Status AddPlaceholders(const FunctionHeader& header) {
    for (const Parameter& parameter : header.parameters) {
      if (parameter.name == "self") continue;
      if (scope_.names.contains(parameter.name)) {
        return source_.Error(parameter.offset,
                             fmt::format("two placeholders are named '{}'", parameter.name));
      }
      const ValueId id = AddPlaceholder(parameter);
      names_.Want(id, parameter.name);
      scope_.names[parameter.name] = Binding::Single(id);
    }
    const size_t count = script_.graph.placeholders().size();
    if (script_.inputs && script_.inputs->inputs.size() != count) {
      const size_t described = script_.inputs->inputs.size();
      return source_.Error(
          outline_.forward,
          fmt::format("forward has {}, but {} {} described", base::Counted(count, "placeholder"),
                      base::Counted(described, "input"), described == 1 ? "is" : "are"));
    }
    return Done{};
  }

  // Constants without data become placeholders, which come before all other constants, as they do in a text.
  Status AddConstants() {
    std::vector<DeclaredConstant> constants;
    if (outline_.init) {
      const std::unordered_set<std::string_view> needed(outline_.attributes_used.begin(),
                                                        outline_.attributes_used.end());
      constants = CULPRIT_TRY(ReadConstants(source_, *outline_.init,
                                            {.max_bytes = options_.max_constant_bytes, .load = options_.load},
                                            needed));
    }
    AddAbsentConstants(constants);
    for (const DeclaredConstant& constant : constants) {
      if (constant.problem) {
        scope_.unknown_attributes.insert(constant.name);
        if (!no_python_) no_python_ = constant.problem;
      }
      if (!constant.data) continue;
      if (constant.data->is_random) script_.random_constants.push_back(constant.name);
      if (constant.data->missing)
        script_.missing_constants.push_back({constant.name, *constant.data->missing});
      AddConstant(constant.name, constant.data->tensor, constant.data->device, constant.data->contents);
    }
    for (const auto& [name, tensor] : options_.constants) AddConstant(name, tensor, tensor.device(), {});
    return Done{};
  }

  void AddConstant(const std::string& name, const at::Tensor& tensor, at::Device device,
                   const StorageContents& contents) {
    const ValueId id = script_.graph.AddConstant("", tensor, device);
    script_.constant_contents.push_back(contents);
    names_.Want(id, name);
    scope_.attributes[name] = id;
  }

  // Constants without data, shape or type can only be given from outside.
  void AddAbsentConstants(const std::vector<DeclaredConstant>& constants) {
    std::vector<std::string> names;
    std::optional<size_t> first_offset;
    const auto add = [&](const std::string& name, size_t offset) {
      if (scope_.attributes.contains(name)) return;
      AddAbsentConstant(name);
      names.push_back(name);
      if (!first_offset) first_offset = offset;
    };
    std::unordered_set<std::string_view> declared;
    for (const DeclaredConstant& constant : constants) declared.insert(constant.name);
    for (const auto& [name, tensor] : options_.constants) declared.insert(name);
    for (const std::string_view attribute : outline_.attributes_used) {
      // How torch.export nests inputs and outputs, and what it asserts: no tensors.
      const bool is_export = attribute == "_in_spec" || attribute == "_out_spec" || attribute == "_guards_fn";
      if (!is_export && !declared.contains(attribute)) add(std::string(attribute), outline_.forward);
    }
    for (const DeclaredConstant& constant : constants) {
      if (!constant.data && !constant.problem) add(constant.name, constant.offset);
    }
    if (names.empty()) return;
    script_.warnings.push_back(source_.Error(
        *first_offset, names.size() == 1
                           ? fmt::format("buffer '{}' has no data; it is an input now", names.front())
                           : fmt::format("{} buffers have no data; they are inputs now: {}", names.size(),
                                         base::FirstOf(names))));
  }

  void AddAbsentConstant(const std::string& name) {
    const ValueId id = script_.graph.AddPlaceholder("", PlaceholderKind::kBuffer);
    std::string plain = name;
    std::replace(plain.begin(), plain.end(), '.', '_');
    names_.Want(id, plain);
    scope_.attributes[name] = id;
    if (script_.inputs)
      script_.inputs->inputs.emplace_back(AbsentSpec{AbsentSpec::Reason::kUnsupported, name});
  }

  Status ReadStatement(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::kPass:
        return Done{};
      case Statement::Kind::kDelete:
        return Delete(statement.targets.front());
      case Statement::Kind::kReturn:
        return Return(statement);
      case Statement::Kind::kExpression:
        if (arena_[*statement.value].kind == ExpressionKind::kString) return Done{};
        CULPRIT_TRY(Evaluate(*statement.value));
        return Done{};
      case Statement::Kind::kAssign:
        break;
    }
    if (arena_[*statement.value].text == "None") {
      for (const ExpressionId target : statement.targets) CULPRIT_TRY(Delete(target));
      return Done{};
    }
    const Binding value = CULPRIT_TRY(Evaluate(*statement.value));
    for (const ExpressionId target : statement.targets) CULPRIT_TRY(Assign(target, value));
    return Done{};
  }

  Result<Binding> Evaluate(ExpressionId id) {
    return Evaluator(source_, arena_, scope_, calls_).Evaluate(id);
  }

  // Names that were never defined may be deleted too: FX writes such tails for values it has optimised away.
  Status Delete(ExpressionId target) {
    const Expression& expression = arena_[target];
    if (expression.kind == ExpressionKind::kName) {
      scope_.names[expression.text] = {};
      return Done{};
    }
    for (uint32_t i = 0; i < expression.child_count; ++i) CULPRIT_TRY(Delete(arena_.child(expression, i)));
    return Done{};
  }

  // The names that a statement would have defined, had it been understood.
  void Forget(ExpressionId target) {
    const Expression& expression = arena_[target];
    if (expression.kind == ExpressionKind::kName)
      scope_.names[expression.text] = Binding{{}, false, /*is_unknown=*/true};
    for (uint32_t i = 0; i < expression.child_count; ++i) Forget(arena_.child(expression, i));
  }

  Status Assign(ExpressionId target, const Binding& value) {
    const Expression& expression = arena_[target];
    if (expression.kind == ExpressionKind::kName) {
      scope_.names[expression.text] = value;
      const bool single = value.items.size() == 1 && value.items.front().is_value();
      if (single) names_.Want(value.items.front().value(), expression.text);
      if (value.is_tuple) names_.HintAll(value.items, expression.text);
      return Done{};
    }
    const bool unpacks =
        expression.kind == ExpressionKind::kTuple || expression.kind == ExpressionKind::kList;
    if (!unpacks) return source_.Error(expression.offset, "cannot assign to this");
    return Unpack(expression, value);
  }

  Status Unpack(const Expression& targets, const Binding& value) {
    const std::vector<Argument>& items = value.elements();
    if (items.size() != targets.child_count) {
      return source_.Error(targets.offset,
                           fmt::format("{} but {}", base::Counted(targets.child_count, "name"),
                                       base::Counted(items.size(), "result")));
    }
    for (uint32_t i = 0; i < targets.child_count; ++i) {
      CULPRIT_TRY(Assign(arena_.child(targets, i), Binding::Single(items[i])));
    }
    return Done{};
  }

  Status Return(const Statement& statement) {
    std::vector<Argument> outputs;
    if (statement.value) {
      const Expression& expression = arena_[*statement.value];
      const Binding value = CULPRIT_TRY(Evaluate(*statement.value));
      outputs = value.elements();
      for (const Argument& output : outputs) {
        if (output.is_list()) return source_.Error(expression.offset, "outputs of a graph cannot be nested");
      }
    }
    script_.graph.SetOutputs(std::move(outputs));
    return Done{};
  }

  const Source& source_;
  const ScriptOutline& outline_;
  const ReadOptions& options_;
  Script script_;
  ExpressionArena arena_;
  NameScope scope_;
  CallBuilder calls_;
  NameValues names_;
  /// Of the first attribute that is not Python. It is told if nobody else says more.
  std::optional<base::Diagnostic> no_python_;
};

}  // namespace

Result<Script> ReadBody(const Source& source, const ScriptOutline& outline, std::optional<InputSpecs> inputs,
                        const ReadOptions& options) {
  return BodyReader(source, outline, std::move(inputs), options).Run();
}

}  // namespace culprit::graph::text
