// SPDX-License-Identifier: Apache-2.0
//
// ranks: one rank of a program that several processes run. Each has batches of its own size, and tells what
// it has compiled:
//
//   $ ./start 2 build/ranks
//   rank 0 of 2: batches of 2, 5 and 8, 1 graph
//   rank 1 of 2: batches of 3, 6 and 9, 1 graph
//
// Nothing in it is about ranks: CULPRIT_RANKS=environment, which `start` sets, lets them agree. A program
// with a process group of its own hands it over instead: culprit::Compile(module, {.ranks = group}).
#include <culprit/compile.h>
#include <culprit/errors.h>
#include <torch/script.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace {

constexpr const char* kNet = R"(
def net(x, weight):
    y = torch.relu(torch.matmul(x, weight))
    return y.reshape([x.size(0) * 2, -1]).sum(0)
)";

/// A launcher has set it.
int NumberIn(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? 0 : std::atoi(value);
}

}  // namespace

int main(int argc, char** /*argv*/) try {
  const int rank = NumberIn("RANK");
  torch::jit::CompilationUnit unit;
  unit.define(std::nullopt, kNet, torch::jit::nativeResolver(), nullptr);
  const culprit::CompiledFunction net = culprit::Compile(unit.get_function("net"));
  // With an argument rank 1 has another type, which all ranks hear of.
  const bool is_odd = argc > 1 && rank == 1;
  const at::Tensor weight = torch::ones({4, 4}, is_odd ? torch::kDouble : torch::kFloat);
  for (const int64_t batch : {rank + 2, rank + 5, rank + 8})
    net({torch::ones({batch, 4}, weight.dtype()), weight});
  std::ostringstream line;
  line << "rank " << rank << " of " << NumberIn("WORLD_SIZE") << ": batches of " << rank + 2 << ", "
       << rank + 5 << " and " << rank + 8 << ", " << net.counters().graphs << " graph"
       << (net.counters().graphs == 1 ? "\n" : "s\n");
  std::cout << line.str() << std::flush;
  return 0;
} catch (const culprit::RanksDiffer& error) {
  std::cerr << std::string(error.what()) + "\n";
  return 1;
}
