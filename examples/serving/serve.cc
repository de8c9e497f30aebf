// SPDX-License-Identifier: Apache-2.0
//
// serve MODEL.pt [BACKEND]: a server in miniature. A request is a line of numbers on standard input, which
// the model gets as a tensor of one row; the answer is a line on standard output, in the same order. A
// request that fails is answered with "error"; what happened goes to standard error, and the next one is
// served.
//
//   $ echo 1 2 3 | serve net.pt
//   0.5 0 2.25 0
//
// Culprit is two lines of it: the include and the call of Compile. With CULPRIT_REPRO_AFTER=aot in the
// environment it watches what it compiled, and the first failure leaves a repro; README.md shows how that
// looks.
#include <culprit/compile.h>
#include <culprit/errors.h>
#include <torch/script.h>

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

at::Tensor ReadRow(const std::string& request) {
  std::istringstream words(request);
  std::vector<float> numbers;
  for (float number = 0; words >> number;) numbers.push_back(number);
  if (!words.eof()) throw std::invalid_argument("not a line of numbers: " + request);
  return torch::tensor(numbers).unsqueeze(0);
}

std::string WriteRow(const at::Tensor& row) {
  const at::Tensor numbers = row.to(torch::kFloat).flatten().contiguous();
  std::ostringstream line;
  for (int64_t i = 0; i < numbers.numel(); ++i) line << (i == 0 ? "" : " ") << numbers.data_ptr<float>()[i];
  return line.str();
}

std::string Answer(const culprit::CompiledModule& model, const std::string& request) {
  try {
    return WriteRow(model.forward({ReadRow(request)}).toTensor());
  } catch (const culprit::Failure& failure) {
    // The compiler is to blame. The last lines name the graph, the repro, and the command that makes it
    // small.
    std::cerr << failure.what() << std::endl;
    return "error: " + failure.signature();
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return "error";
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: serve MODEL.pt [BACKEND]\n";
    return 2;
  }
  const torch::NoGradGuard no_grad;
  torch::jit::Module module = torch::jit::load(argv[1]);
  module.eval();
  culprit::CompileOptions options;
  if (argc == 3) options.backend = argv[2];
  const culprit::CompiledModule model = culprit::Compile(module, options);

  for (std::string request; std::getline(std::cin, request);)
    std::cout << Answer(model, request) << std::endl;
} catch (const std::exception& error) {
  std::cerr << "serve: " << error.what() << "\n";
  return 1;
}
