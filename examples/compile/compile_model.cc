// SPDX-License-Identifier: Apache-2.0
//
// compile_model NET.pt BACKEND: the module itself and what a backend makes of it, on the same input.
#include <torch/script.h>

#include <culprit/compile.h>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: compile_model NET.pt BACKEND\n";
    return 2;
  }
  const torch::NoGradGuard no_grad;
  torch::jit::Module module = torch::jit::load(argv[1]);
  module.eval();
  culprit::CompileOptions options;
  options.backend = argv[2];
  auto fast = culprit::Compile(module, options);

  const at::Tensor x = torch::ones({2, 3});
  const at::Tensor plain = module.forward({x}).toTensor();
  const at::Tensor compiled = fast.forward({x}).toTensor();
  const culprit::CompileCounters counters = fast.get_method("forward").counters();
  std::cout << counters.graphs << " graph, " << counters.operators << " operators, "
            << (plain.allclose(compiled) ? "the same numbers" : "OTHER NUMBERS") << "\n";
}
