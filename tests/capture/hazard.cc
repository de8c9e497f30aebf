// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/hazard.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <sstream>

#include "model/inputs/convert_to.h"
#include "model/inputs/input_text.h"

namespace culprit::tests {
namespace {

using base::Diagnostic;
using base::Result;

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> SplitArguments(const std::string& text) {
  std::vector<std::string> arguments;
  if (Trimmed(text).empty()) return arguments;
  constexpr std::string_view kSeparator = " ; ";
  size_t begin = 0;
  for (size_t end = text.find(kSeparator); end != std::string::npos; end = text.find(kSeparator, begin)) {
    arguments.push_back(Trimmed(text.substr(begin, end - begin)));
    begin = end + kSeparator.size();
  }
  arguments.push_back(Trimmed(text.substr(begin)));
  return arguments;
}

}  // namespace

Result<Hazard> ParseHazard(const std::string& path, const std::string& text) {
  Hazard hazard{.path = path};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("#");) {
    if (line.starts_with("# hazard: ")) hazard.description = line.substr(10);
    if (line.starts_with("# call:")) hazard.calls.push_back(SplitArguments(line.substr(7)));
    if (line == "# train") hazard.train = true;
    if (line == "# no_grad") hazard.no_grad = true;
    if (line == "# autocast") hazard.autocast = true;
  }
  if (hazard.description.empty()) return Diagnostic{{path}, "does not say which hazard it is"};
  if (hazard.calls.empty()) return Diagnostic{{path}, "is never called"};
  return hazard;
}

Callable PlainInterpreter(const model::Entry& entry) {
  auto& function = torch::jit::toGraphFunction(*entry.function);
  const auto code = std::make_shared<torch::jit::Code>(function.graph(), function.name());
  return [code](std::vector<c10::IValue> inputs) {
    // What it calls would be optimised otherwise.
    const torch::jit::GraphOptimizerEnabledGuard off(false);
    torch::jit::Stack stack = std::move(inputs);
    // Forked work runs at once: whoever waits for it would go on in another thread, with the modes of that.
    const auto run_now = [](std::function<void()> work) { work(); };
    torch::jit::InterpreterState(*code, run_now).run(stack);
    return stack.empty() ? c10::IValue() : stack.back();
  };
}

Result<std::vector<Observation>> RunHazard(const Hazard& hazard, const MakeCallable& make) {
  model::LoadedModel model = CULPRIT_TRY(model::LoadModel(hazard.path));
  std::optional<torch::jit::Module> module = model.module();
  if (module) module->train(hazard.train);
  const model::Entry entry = CULPRIT_TRY(model.FindEntry());
  const Callable callable = make(entry);
  std::vector<Observation> observations;
  for (const Variant& variant : hazard.variants) {
    for (const std::vector<std::string>& call : hazard.calls) {
      const auto inputs = CULPRIT_TRY(model::ReadInputs(call, {.name = hazard.path}));
      const auto bound = CULPRIT_TRY(model::BindInputs(inputs, entry.function->getSchema(), entry.self));
      observations.push_back(Observe(callable, bound, module,
                                     {.seed = observations.size(),
                                      .no_grad = hazard.no_grad,
                                      .autocast = hazard.autocast,
                                      .gradients = hazard.gradients,
                                      .backward = variant.backward,
                                      .form = variant.form}));
    }
  }
  return observations;
}

}  // namespace culprit::tests
