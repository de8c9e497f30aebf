// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/python_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/serialization/python_print.h>

#include <algorithm>
#include <regex>

#include "backends/torchscript/raise/raise.h"
#include "backends/torchscript/script/build_graph.h"
#include "graph/passes/freeze_placeholders.h"

namespace culprit::backends::torchscript {
namespace {

namespace jit = torch::jit;
using backend::Values;

constexpr size_t kMostOperators = 200;

/// A constant of the program: its name there, and how Python finds its value.
struct NamedTensor {
  std::string name;
  std::string python;
};

/// By name, the placeholders as elements of `args` and the constants as attributes of `mod`.
std::optional<std::string> PythonValueOf(const std::string& name, const graph::Graph& graph) {
  for (size_t i = 0; i < graph.placeholders().size(); ++i) {
    if (graph.value(graph.placeholders()[i].value).name == name) return fmt::format("args[{}]", i);
  }
  for (const graph::TensorConstant& constant : graph.constants()) {
    if (graph.value(constant.value).name == name) return "mod." + name;
  }
  return std::nullopt;
}

/// Tensors that are constants of the TorchScript graph become its last inputs, since text cannot hold them.
/// Nothing if one of them has no name outside.
std::optional<std::vector<NamedTensor>> LiftConstants(jit::Graph& built, const graph::Graph& graph) {
  std::vector<NamedTensor> lifted;
  for (auto it = built.nodes().begin(); it != built.nodes().end();) {
    jit::Node* node = *it++;
    const bool is_tensor =
        node->kind() == c10::prim::Constant && node->output()->type()->isSubtypeOf(*c10::TensorType::get());
    if (!is_tensor) continue;
    const std::string name = node->output()->debugName();
    const std::optional<std::string> python = PythonValueOf(name, graph);
    if (!python) return std::nullopt;
    jit::Value* input = built.addInput();
    input->setType(c10::TensorType::get());
    node->output()->replaceAllUsesWith(input);
    node->destroy();
    input->setDebugName(name);
    lifted.push_back({name, *python});
  }
  return lifted;
}

/// "x", "n: int"; nothing for types that have no short name.
std::optional<std::string> ParameterText(const jit::Value& input) {
  switch (input.type()->kind()) {
    case c10::TypeKind::TensorType:
      return input.debugName();
    case c10::TypeKind::IntType:
      return input.debugName() + ": int";
    case c10::TypeKind::FloatType:
      return input.debugName() + ": float";
    case c10::TypeKind::BoolType:
      return input.debugName() + ": bool";
    default:
      return std::nullopt;
  }
}

/// The statements, one per line, that libtorch writes for the graph; nothing if they are no Python.
std::optional<std::vector<std::string>> BodyOf(const std::shared_ptr<jit::Graph>& built) {
  std::vector<c10::IValue> constants;
  jit::PrintDepsTable dependencies;
  jit::PythonPrint printer(constants, dependencies);
  printer.printFunction(jit::GraphFunction(c10::QualifiedName("program"), built, nullptr));
  const std::string text = printer.str();
  // Names of operators are looked up in Python, which has no function for some of them.
  static const std::regex operator_call(R"(\btorch\.(?!device\b)([A-Za-z_0-9]+)\()");
  std::string body =
      std::regex_replace(text.substr(text.find(":\n") + 2), operator_call, "torch.ops.aten.$1(");
  // Of an empty list.
  static const std::regex annotate_call(R"(\bannotate\()");
  static const std::regex tensor_word(R"(\bTensor\b)");
  body = std::regex_replace(std::regex_replace(body, annotate_call, "torch.jit.annotate("), tensor_word,
                            "torch.Tensor");
  static const std::regex odd_word(R"(\b(CONSTANTS|unchecked_cast|uninitialized)\b|[^.]\bops\.)");
  if (!constants.empty() || std::regex_search(body, odd_word)) return std::nullopt;
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find('\n', begin), body.size());
    const size_t first = body.find_first_not_of(' ', begin);
    if (first < end) lines.push_back(body.substr(first, end - first));
    begin = end + 1;
  }
  return lines;
}

/// What is not as in a fresh Python process (flag_scope.h).
std::string FlagLines(const ScriptSettings& settings) {
  const auto line = [](const char* name, const char* value) {
    return fmt::format("    torch._C.{}({})\n", name, value);
  };
  std::string text;
  if (settings.executor == Executor::kLegacy) text += line("_jit_set_profiling_executor", "False");
  if (settings.executor != Executor::kProfiling) text += line("_jit_set_profiling_mode", "False");
  if (settings.stage == ScriptStage::kLegacyFuser)
    text +=
        line("_jit_set_texpr_fuser_enabled", "False") + line("_jit_override_can_fuse_on_cpu_legacy", "True");
  if (settings.stage == ScriptStage::kNnc) text += line("_jit_set_te_must_use_llvm_cpu", "False");
  return text + line("_jit_override_can_fuse_on_cpu", settings.stage == ScriptStage::kNnc ? "True" : "False");
}

struct PythonProgram {
  std::vector<std::string> parameters;
  std::vector<std::string> body;
  std::vector<NamedTensor> constants;
  /// Which of the arguments it takes.
  std::vector<size_t> taken;
};

std::string Indented(const std::vector<std::string>& lines, size_t indent) {
  std::string text;
  for (const std::string& line : lines) text += std::string(indent, ' ') + line + "\n";
  return text;
}

template <typename Text>
std::string Joined(const std::vector<NamedTensor>& constants, Text text) {
  std::vector<std::string> parts;
  parts.reserve(constants.size());
  for (const NamedTensor& constant : constants) parts.push_back(text(constant));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// A module whose attributes are the constants, for what freezes modules.
std::string FrozenText(const PythonProgram& program, const ScriptSettings& settings) {
  const auto name = [](const NamedTensor& constant) { return constant.name; };
  std::string text = "    class Program(torch.nn.Module):\n";
  if (!program.constants.empty())
    text += fmt::format("        def __init__(self, {}):\n            super().__init__()\n",
                        Joined(program.constants, name));
  for (const NamedTensor& constant : program.constants)
    text +=
        fmt::format("            self.{0} = torch.nn.Parameter({0}, requires_grad=False)\n", constant.name);
  text += fmt::format("{}        def forward({}):\n", program.constants.empty() ? "" : "\n",
                      fmt::join(program.parameters, ", "));
  for (const NamedTensor& constant : program.constants)
    text += fmt::format("            {0} = self.{0}\n", constant.name);
  return text + Indented(program.body, 12) +
         fmt::format("    model = torch.jit.{}(scripted(Program({}).eval()))\n",
                     settings.stage == ScriptStage::kOfi ? "optimize_for_inference" : "freeze",
                     Joined(program.constants, [](const NamedTensor& constant) { return constant.python; }));
}

/// A function, with the constants put into its graph.
std::string PlainText(const PythonProgram& program) {
  std::vector<std::string> parameters = program.parameters;
  for (const NamedTensor& constant : program.constants) parameters.push_back(constant.name);
  std::string text =
      fmt::format("    def program({}):\n{}", fmt::join(parameters, ", "), Indented(program.body, 8));
  if (program.constants.empty()) return text + "    model = scripted(program)\n";
  text += "    graph = scripted(program).graph.copy()\n    graph.setInsertPoint(next(graph.nodes()))\n";
  text += fmt::format("    for constant in ({},):\n",
                      Joined(program.constants, [](const NamedTensor& constant) { return constant.python; }));
  text += fmt::format(
      "        list(graph.inputs())[{0}].replaceAllUsesWith(graph.insertConstant(constant.detach()))\n"
      "        graph.eraseInput({0})\n",
      program.parameters.size());
  return text + "    model = torch._C._create_function_from_graph('program', graph)\n";
}

std::string Tuple(const std::vector<size_t>& numbers) {
  return fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
}

std::string TextOf(const PythonProgram& program, size_t arguments, const ScriptSettings& settings) {
  std::vector<std::string> taken;
  std::vector<size_t> frozen;
  for (const size_t index : program.taken) taken.push_back(fmt::format("args[{}]", index));
  for (size_t i = 0; i < arguments; ++i) {
    if (std::ranges::count(program.taken, i) == 0) frozen.push_back(i);
  }
  const bool uses_types = std::ranges::any_of(
      program.body, [](const std::string& line) { return line.find("annotate(") != std::string::npos; });
  return fmt::format(
      "\n{}def compiled(args):\n{}{}    return lambda *args: model({})\n\ncompiled.calls = {}\n"
      "compiled.frozen = {}\n",
      uses_types ? "from typing import List, Optional\n\n" : "", FlagLines(settings),
      settings.freezes() ? FrozenText(program, settings) : PlainText(program), fmt::join(taken, ", "),
      settings.calls, Tuple(frozen));
}

}  // namespace

std::optional<std::string> PythonText(const graph::Graph& graph, const Values& inputs,
                                      const ScriptSettings& settings) {
  if (graph.nodes().size() > kMostOperators) return std::nullopt;
  backend::SwitchBoard switches({});
  const graph::FrozenGraph frozen =
      settings.freezes() ? FreezePlaceholders(graph, inputs) : graph::KeepPlaceholders(graph);
  BuiltGraph built = BuildGraph(Raise(frozen.graph, switches), graph::TakenInputs(inputs, frozen.kept));
  if (!built.more_inputs.empty()) return std::nullopt;
  PythonProgram program{.taken = frozen.kept};
  if (settings.freezes()) program.parameters.emplace_back("self");
  for (const jit::Value* input : built.graph->inputs()) {
    const std::optional<std::string> text = ParameterText(*input);
    if (!text) return std::nullopt;
    program.parameters.push_back(*text);
  }
  const auto constants = LiftConstants(*built.graph, graph);
  if (!constants) return std::nullopt;
  program.constants = *constants;
  const auto body = BodyOf(built.graph);
  if (!body) return std::nullopt;
  program.body = *body;
  return TextOf(program, graph.placeholders().size(), settings);
}

}  // namespace culprit::backends::torchscript
