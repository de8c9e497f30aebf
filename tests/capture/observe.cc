// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/observe.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/print_handler.h>

#include <mutex>

#include "tests/capture/exception_text.h"
#include "tests/capture/gradients.h"
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

  void process(const c10::Warning& warning) override { warnings_ += warning.msg() + "\n"; }

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
  c10::WarningUtils::WarningHandlerGuard guard_;
  // Also what libtorch says once per process.
  c10::WarningUtils::WarnAlways always_;
  std::string warnings_;
};

std::string GeneratorText() {
  const at::Tensor state = at::detail::getDefaultCPUGenerator().get_state();
  const std::string_view bytes(static_cast<const char*>(state.data_ptr()), state.nbytes());
  return fmt::format("{:016x}", std::hash<std::string_view>()(bytes));
}

/// Switches autocast to bfloat16 on while it lives, if it is wanted.
class Autocast {
 public:
  explicit Autocast(bool wanted) : wanted_(wanted) {
    if (!wanted_) return;
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::increment_nesting();
  }
  ~Autocast() {
    if (!wanted_) return;
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  bool wanted_;
};

}  // namespace

Observation Observe(const Callable& call, const std::vector<IValue>& written_inputs,
                    const std::optional<torch::jit::Module>& module, const ObserveOptions& options) {
  const FormedInputs formed = FormInputs(written_inputs, options.form);
  const std::vector<IValue>& inputs = formed.values;
  ValueText text;
  for (const IValue& input : inputs) text.Meet(input);
  if (module) text.Meet(module->_ivalue());
  at::Generator(at::detail::getDefaultCPUGenerator()).set_current_seed(options.seed);
  const c10::AutoGradMode grad_mode(!options.no_grad);
  Observation observation;
  std::optional<IValue> result;
  {
    Overheard overheard;
    const Autocast autocast(options.autocast);
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
  for (const at::Tensor& base : formed.bases) observation.facts.emplace_back("base", text.Of(base));
  text.BeginText();
  observation.facts.emplace_back("result", result ? text.Of(*result) : "none");
  if (result && options.gradients && !options.no_grad) {
    const std::vector<Fact> gradients =
        Gradients({*result, inputs, formed.bases, Leaves(written_inputs, module)}, options.backward);
    observation.facts.insert(observation.facts.end(), gradients.begin(), gradients.end());
  }
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
