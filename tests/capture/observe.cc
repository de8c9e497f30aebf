// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/observe.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <c10/util/Type.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/jit_exception.h>
#include <torch/csrc/jit/runtime/print_handler.h>

#include <mutex>

#include "graph/torch_error.h"
#include "tests/capture/value_text.h"

namespace culprit::tests {
namespace {

using c10::IValue;

/// What the process says while it lives.
class Overheard : public c10::WarningHandler {
 public:
  Overheard() : print_handler_(torch::jit::getPrintHandler()), guard_(this) {
    printed_.clear();
    torch::jit::setPrintHandler(&Print);
  }
  ~Overheard() override { torch::jit::setPrintHandler(print_handler_); }

  void process(const c10::SourceLocation& /*place*/, const std::string& message, bool /*verbatim*/) override {
    warnings_ += message + "\n";
  }

  const std::string& warnings() const { return warnings_; }
  static const std::string& printed() { return printed_; }

 private:
  static void Print(const std::string& text) {
    const std::lock_guard lock(mutex_);
    printed_ += text;
  }

  static inline std::mutex mutex_;
  static inline std::string printed_;
  torch::jit::PrintHandler print_handler_;
  c10::Warning::WarningHandlerGuard guard_;
  // Also what libtorch says once per process.
  c10::Warning::WarnAlways always_;
  std::string warnings_;
};

/// Without the traceback, which a program that was compiled cannot have.
std::string EssentialText(const std::exception& error) {
  if (const auto* thrown = dynamic_cast<const torch::jit::JITException*>(&error)) {
    if (const auto message = thrown->getOriginalMsg()) return *message;
  }
  const std::string text = graph::TorchMessage(error);
  constexpr std::string_view kBeginning = "\nRuntimeError: ";
  const size_t begin = text.rfind(kBeginning);
  return begin == std::string::npos ? text : text.substr(begin + kBeginning.size());
}

std::string ExceptionText(const std::exception& error) {
  std::string python_class;
  if (const auto* thrown = dynamic_cast<const torch::jit::JITException*>(&error))
    python_class = thrown->getPythonClassName().value_or("no class of Python");
  return fmt::format("{} {}: {}", c10::demangle(typeid(error).name()), python_class, EssentialText(error));
}

std::string GeneratorText() {
  const at::Tensor state = at::detail::getDefaultCPUGenerator().get_state();
  const std::string_view bytes(static_cast<const char*>(state.data_ptr()), state.nbytes());
  return fmt::format("{:016x}", std::hash<std::string_view>()(bytes));
}

void CollectTensors(const IValue& value, std::vector<at::Tensor>& tensors) {
  value.visit([&](const IValue& part) {
    if (part.isTensor() && part.toTensor().defined()) tensors.push_back(part.toTensor());
    return part.isObject();
  });
}

std::vector<std::pair<std::string, at::Tensor>> Leaves(const std::vector<IValue>& inputs,
                                                       const std::optional<torch::jit::Module>& module) {
  std::vector<std::pair<std::string, at::Tensor>> leaves;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::vector<at::Tensor> tensors;
    CollectTensors(inputs[i], tensors);
    for (const at::Tensor& tensor : tensors) leaves.emplace_back(fmt::format("input {}", i), tensor);
  }
  if (module) {
    for (const auto& parameter : module->named_parameters())
      leaves.emplace_back(parameter.name, parameter.value);
  }
  std::erase_if(leaves,
                [](const auto& leaf) { return !leaf.second.is_leaf() || !leaf.second.requires_grad(); });
  return leaves;
}

/// Those of the sum of everything in the result that has a history.
void AddGradients(Observation& observation, const IValue& result,
                  const std::vector<std::pair<std::string, at::Tensor>>& leaves) {
  std::vector<at::Tensor> outputs;
  CollectTensors(result, outputs);
  at::Tensor sum;
  for (const at::Tensor& output : outputs) {
    if (!output.requires_grad() || output.is_complex() || output.is_leaf()) continue;
    sum = sum.defined() ? sum + output.to(at::kDouble).sum() : output.to(at::kDouble).sum();
  }
  if (!sum.defined()) return;
  for (const auto& leaf : leaves) leaf.second.mutable_grad() = at::Tensor();
  try {
    sum.backward();
  } catch (const std::exception& error) {
    observation.facts.emplace_back("backward", ExceptionText(error));
  }
  for (const auto& [name, leaf] : leaves) {
    ValueText text;
    observation.facts.emplace_back("gradient of " + name,
                                   leaf.grad().defined() ? text.Of(leaf.grad()) : "none");
    leaf.mutable_grad() = at::Tensor();
  }
}

}  // namespace

Observation Observe(const Callable& call, const std::vector<IValue>& inputs,
                    const std::optional<torch::jit::Module>& module, const ObserveOptions& options) {
  ValueText text;
  for (const IValue& input : inputs) text.Meet(input);
  if (module) text.Meet(module->_ivalue());
  at::Generator(at::detail::getDefaultCPUGenerator()).set_current_seed(options.seed);
  const c10::AutoGradMode grad_mode(!options.no_grad);
  Observation observation;
  std::optional<IValue> result;
  {
    Overheard overheard;
    try {
      result = call(inputs);
    } catch (const std::exception& error) {
      observation.facts.emplace_back("exception", ExceptionText(error));
    }
    observation.facts.emplace_back("printed", overheard.printed());
    observation.facts.emplace_back("warnings", overheard.warnings());
  }
  observation.facts.emplace_back("grad mode", fmt::format("{}", c10::GradMode::is_enabled()));
  observation.facts.emplace_back("generator", GeneratorText());
  text.BeginText();
  for (size_t i = 0; i < inputs.size(); ++i)
    observation.facts.emplace_back(fmt::format("input {}", i), text.Of(inputs[i]));
  if (module) observation.facts.emplace_back("module", text.Of(module->_ivalue()));
  text.BeginText();
  observation.facts.emplace_back("result", result ? text.Of(*result) : "none");
  if (result && options.gradients && !options.no_grad)
    AddGradients(observation, *result, Leaves(inputs, module));
  return observation;
}

std::string Differences(const Observation& expected, const Observation& actual) {
  std::string text;
  const size_t count = std::max(expected.facts.size(), actual.facts.size());
  for (size_t i = 0; i < count; ++i) {
    const std::pair<std::string, std::string> none;
    const auto& wanted = i < expected.facts.size() ? expected.facts[i] : none;
    const auto& found = i < actual.facts.size() ? actual.facts[i] : none;
    if (wanted == found) continue;
    text += fmt::format("expected {}: {}\nactual   {}: {}\n", wanted.first, wanted.second, found.first,
                        found.second);
    // What follows another fact is shifted.
    if (wanted.first != found.first) break;
  }
  return text;
}

}  // namespace culprit::tests
