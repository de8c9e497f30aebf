// SPDX-License-Identifier: Apache-2.0
#include "tests/sizes/sized_program.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "culprit/compile.h"

namespace culprit::tests {
namespace {

using at::Tensor;
using c10::IValue;

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::vector<int64_t> SizesIn(const std::string& text) {
  std::vector<int64_t> sizes;
  for (const std::string& size : Split(text, 'x')) sizes.push_back(std::stoll(size));
  return sizes;
}

void Seed(uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
  generator.set_current_seed(seed);
}

Tensor MakeTensor(std::vector<int64_t> sizes, char layout) {
  std::vector<int64_t> larger = sizes;
  switch (layout) {
    case 'T':
      std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
      return at::randn(sizes).transpose(-1, -2);
    case 'C':
      return at::randn(sizes).contiguous(at::MemoryFormat::ChannelsLast);
    case 'E':
      larger[0] = 1;
      return at::randn(larger).expand(sizes);
    case 'O':
      larger[0] += 2;
      return at::randn(larger).slice(0, 2);
    case 'G':
      larger.back() += 3;
      return at::randn(larger).slice(-1, 0, sizes.back());
    default:
      return at::randn(sizes);
  }
}

IValue MakeArgument(std::string text, bool with_gradients) {
  if (text[0] == 'n') return IValue(static_cast<int64_t>(std::stoll(text.substr(1))));
  if (text[0] == 'i') return at::randint(0, 2, SizesIn(text.substr(1)), at::kLong);
  char layout = ' ';
  if (std::isupper(static_cast<unsigned char>(text.back())) != 0) {
    layout = text.back();
    text.pop_back();
  }
  const Tensor tensor = MakeTensor(SizesIn(text), layout);
  return with_gradients && layout != 'E' ? tensor.detach().requires_grad_() : tensor;
}

/// The same ones for the same text.
std::vector<IValue> MakeArguments(const std::string& call, bool with_gradients) {
  Seed(100);
  std::vector<IValue> arguments;
  for (const std::string& text : Split(call, ',')) arguments.push_back(MakeArgument(text, with_gradients));
  return arguments;
}

/// What a call leaves behind.
struct Left {
  std::vector<Tensor> tensors;
  std::string others;
  std::string error;
};

void Collect(const IValue& value, Left& left) {
  if (value.isTensor()) {
    left.tensors.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const IValue& element : value.toTupleRef().elements()) Collect(element, left);
  } else if (value.isList()) {
    for (const IValue& element : value.toListRef()) Collect(element, left);
  } else {
    std::ostringstream text;
    text << value << ' ';
    left.others += text.str();
  }
}

/// Of a sum in which every element counts otherwise.
void Differentiate(const std::vector<Tensor>& outputs) {
  Tensor sum;
  for (const Tensor& output : outputs) {
    if (!output.requires_grad()) continue;
    const Tensor part = output.mul(output.detach().sin()).sum();
    sum = sum.defined() ? sum.add(part) : part;
  }
  if (sum.defined()) sum.backward();
}

using Function = std::function<IValue(std::vector<IValue>)>;

Left Call(const Function& function, const std::vector<IValue>& arguments, bool with_gradients) {
  Left left;
  Seed(3);
  const c10::AutoGradMode grad_mode(with_gradients);
  try {
    Collect(function(arguments), left);
    if (with_gradients) Differentiate(left.tensors);
    for (const IValue& argument : arguments) {
      if (!argument.isTensor()) continue;
      left.tensors.push_back(argument.toTensor().detach());
      if (with_gradients && argument.toTensor().is_leaf()) left.tensors.push_back(argument.toTensor().grad());
    }
  } catch (const c10::Error& error) {
    left.error = error.what_without_backtrace();
  } catch (const std::exception& error) {
    left.error = error.what();
  }
  return left;
}

bool IsClose(const Tensor& a, const Tensor& b) {
  return at::allclose(a.to(at::kDouble), b.to(at::kDouble), 1e-4, 1e-5, /*equal_nan=*/true);
}

/// NaNs equal each other.
bool HasSameBits(const Tensor& a, const Tensor& b) {
  return at::allclose(a, b, 0, 0, /*equal_nan=*/true);
}

std::string Compare(const Left& expected, const Left& actual, bool exactly) {
  if (expected.error.empty() != actual.error.empty())
    return fmt::format("threw '{}', not '{}'", actual.error, expected.error);
  if (!expected.error.empty()) return "";
  if (expected.others != actual.others) return fmt::format("{}, not {}", actual.others, expected.others);
  if (expected.tensors.size() != actual.tensors.size()) return "another number of tensors";
  for (size_t i = 0; i < expected.tensors.size(); ++i) {
    const Tensor& a = expected.tensors[i];
    const Tensor& b = actual.tensors[i];
    if (a.defined() != b.defined()) return fmt::format("tensor {} is there or not", i);
    if (!a.defined()) continue;
    if (a.sizes() != b.sizes() || a.strides() != b.strides() || a.dtype() != b.dtype())
      return fmt::format("tensor {} is {} {}, not {} {}", i, c10::str(b.sizes()), c10::str(b.strides()),
                         c10::str(a.sizes()), c10::str(a.strides()));
    if (exactly ? !HasSameBits(a, b) : !IsClose(a, b)) return fmt::format("tensor {} has other numbers", i);
  }
  return "";
}

}  // namespace

std::vector<SizedProgram> ReadSizedPrograms(const std::string& path) {
  std::vector<SizedProgram> programs;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("===")) {
      programs.push_back({.calls = Split(line.substr(3), ' ')});
    } else if (!programs.empty()) {
      programs.back().source += line + "\n";
    }
  }
  return programs;
}

SizedRun RunSizedProgram(const SizedProgram& program, const std::string& backend, bool with_gradients) {
  const torch::jit::GraphOptimizerEnabledGuard as_written(false);
  torch::jit::CompilationUnit unit;
  unit.define(std::nullopt, program.source, torch::jit::nativeResolver(), nullptr);
  torch::jit::Function& function = unit.get_function(c10::QualifiedName("f"));
  SizedRun run;
  const CompiledFunction compiled = Compile(
      function, {.backend = backend, .log = [&](const std::string& line) { run.log.push_back(line); }});
  for (const std::string& call : program.calls) {
    const Left expected = Call([&](std::vector<IValue> arguments) { return function(std::move(arguments)); },
                               MakeArguments(call, with_gradients), with_gradients);
    const Left actual = Call([&](std::vector<IValue> arguments) { return compiled(std::move(arguments)); },
                             MakeArguments(call, with_gradients), with_gradients);
    const std::string difference = Compare(expected, actual, backend == "eager");
    if (!difference.empty()) run.differences.push_back(call + ": " + difference);
  }
  run.graphs = compiled.counters().graphs;
  run.as_written = compiled.counters().as_written;
  return run;
}

}  // namespace culprit::tests
