// SPDX-License-Identifier: Apache-2.0
//
// watched [--net NAME] [--train] [--calls N] [--grow] [--catch] [--counters]: a program as a user would write
// it, watched as the environment says. It calls a small network, prints what comes out, and tells how it
// ended:
//
//   call 1: -0.25
//   failures 0, suppressed 0, checked 0
//
// With --grow every call has a row more, with --catch the program goes on after an exception.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <c10/util/Type.h>
#include <culprit/compile.h>
#include <culprit/errors.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <string>

namespace {

const std::map<std::string, const char*> kNets = {
    {"plain", R"(
def net(x, weight):
    y = torch.matmul(x, weight)
    y = torch.sin(y)
    y = torch.relu(y)
    return torch.cos(y)
)"},
    // All of one size.
    {"pointwise", R"(
def net(x, weight):
    y = torch.sin(weight)
    y = torch.relu(y)
    return torch.cos(y)
)"},
    // Computes with sizes, and decides by them.
    {"sized", R"(
def net(x, weight):
    y = torch.matmul(x, weight)
    if x.size(0) > 2:
        y = torch.relu(y.view([x.size(0) * 2, 2]))
    return torch.cos(y.reshape([x.size(0), -1]))
)"},
    // Writes into its input.
    {"writing", R"(
def net(x, weight):
    x.mul_(2)
    y = torch.matmul(x, weight)
    return torch.relu(y)
)"},
    // Fails by itself, which only the numbers show.
    {"failing", R"(
def net(x, weight):
    y = torch.relu(x)
    return torch.index_select(y, 0, torch.add(torch.argmax(x, 1), 100))
)"},
    {"integers", R"(
def net(x, weight):
    y = torch.matmul(x, weight)
    return torch.relu(torch.add(torch.argmax(y, 1), 1))
)"},
};

struct Wanted {
  std::string net = "plain";
  int calls = 2;
  bool trains = false;
  bool grows = false;
  bool catches = false;
  bool shows_counters = false;
};

Wanted ReadCommandLine(int argc, char** argv) {
  Wanted wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--net" && i + 1 < argc) wanted.net = argv[++i];
    if (word == "--calls" && i + 1 < argc) wanted.calls = std::stoi(argv[++i]);
    wanted.trains |= word == "--train";
    wanted.grows |= word == "--grow";
    wanted.catches |= word == "--catch";
    wanted.shows_counters |= word == "--counters";
  }
  return wanted;
}

double Call(const culprit::CompiledFunction& net, const Wanted& wanted, int call) {
  const c10::AutoGradMode mode(wanted.trains);
  const int64_t rows = wanted.grows ? 3 + call : 3;
  const at::Tensor x = at::arange(rows * 4, at::kFloat).reshape({rows, 4}).mul(0.3).add(call - 1.5);
  at::Tensor weight = at::arange(16, at::kFloat).reshape({4, 4}).mul(0.1).sub(0.7);
  weight.set_requires_grad(wanted.trains);
  const at::Tensor y = net({x, weight}).toTensor();
  if (!wanted.trains) return y.sum().item<double>();
  y.sum().backward();
  return weight.grad().sum().item<double>();
}

void Run(const Wanted& wanted) {
  torch::jit::CompilationUnit unit;
  unit.define(std::nullopt, kNets.at(wanted.net), torch::jit::nativeResolver(), nullptr);
  const auto net = culprit::Compile(unit.get_function("net"));
  for (int call = 1; call <= wanted.calls; ++call) {
    try {
      std::printf("call %d: %.4f\n", call, Call(net, wanted, call));
    } catch (const std::exception& error) {
      if (!wanted.catches) throw;
      std::printf("call %d: %s\n", call, c10::demangle(typeid(error).name()).c_str());
    }
    std::fflush(stdout);
  }
  const culprit::CompileCounters counters = net.counters();
  std::printf("failures %zu, suppressed %zu, checked %zu\n", counters.failures, counters.suppressed,
              counters.checked);
  if (wanted.shows_counters)
    std::printf("graphs %zu, recaptures %zu, as written %zu\n", counters.graphs, counters.recaptures,
                counters.as_written);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Run(ReadCommandLine(argc, argv));
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
