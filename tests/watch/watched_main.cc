// SPDX-License-Identifier: Apache-2.0
//
// watched [--train] [--calls N]: a program as a user would write it, watched as the environment says. It
// calls a small network, prints what comes out, and tells how it ended:
//
//   call 1: -0.25
//   failures 0, suppressed 0, checked 0
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <c10/util/Type.h>
#include <culprit/compile.h>
#include <culprit/errors.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>

namespace {

constexpr const char* kNet = R"(
def net(x, weight):
    y = torch.matmul(x, weight)
    y = torch.sin(y)
    y = torch.relu(y)
    return torch.cos(y)
)";

void Run(bool trains, int calls) {
  torch::jit::CompilationUnit unit;
  unit.define(c10::nullopt, kNet, torch::jit::nativeResolver(), nullptr);
  const auto net = culprit::Compile(unit.get_function("net"));
  for (int call = 1; call <= calls; ++call) {
    const c10::AutoGradMode mode(trains);
    const at::Tensor x = at::arange(12, at::kFloat).reshape({3, 4}).mul(0.3).add(call - 1.5);
    at::Tensor weight = at::arange(16, at::kFloat).reshape({4, 4}).mul(0.1).sub(0.7);
    weight.set_requires_grad(trains);
    const at::Tensor y = net({x, weight}).toTensor();
    double shown = y.detach().sum().item<double>();
    if (trains) {
      y.sum().backward();
      shown = weight.grad().sum().item<double>();
    }
    std::printf("call %d: %.4f\n", call, shown);
    std::fflush(stdout);
  }
  const culprit::CompileCounters counters = net.counters();
  std::printf("failures %zu, suppressed %zu, checked %zu\n", counters.failures, counters.suppressed,
              counters.checked);
}

}  // namespace

int main(int argc, char** argv) {
  bool trains = false;
  int calls = 2;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--train") == 0) trains = true;
    if (std::strcmp(argv[i], "--calls") == 0 && i + 1 < argc) calls = std::stoi(argv[++i]);
  }
  try {
    Run(trains, calls);
  } catch (const culprit::Failure& failure) {
    std::cerr << "exception " << c10::demangle(typeid(failure).name()) << "\nsignature "
              << failure.signature() << "\n"
              << failure.what();
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "exception " << c10::demangle(typeid(error).name()) << "\n" << error.what();
    return 1;
  } catch (...) {
    std::cerr << "exception of no kind\n";
    return 1;
  }
}
