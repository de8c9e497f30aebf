// SPDX-License-Identifier: Apache-2.0
#include "bench/fused_programs.h"

#include <ATen/Context.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/serialization/import_source.h>

namespace culprit::bench {
namespace {

constexpr FusedProgram kPrograms[] = {{"add_relu", 3},
                                      {"gelu_residual", 3},
                                      {"chain_of_30", 3},
                                      {"chain_with_functions", 3},
                                      {"ten_tanh", 3},
                                      {"softmax", 2},
                                      {"softmax_short", 2},
                                      {"layer_norm", 2},
                                      {"layer_norm_short", 2},
                                      {"batch_norm", 2},
                                      {"row_mean", 1},
                                      {"sum_of_all", 2},
                                      {"embedding_layer_norm", 2},
                                      {"permute_contiguous", 2},
                                      {"transpose_add", 3}};

constexpr const char* kSource = R"(
def add_relu(x, y):
    return torch.relu(x + y)

def gelu_residual(x, y):
    return torch.gelu(x * 0.5 + 0.25) + y

def chain_of_30(x, y):
    z = x
    for i in range(10):
        z = z * y
        z = z + 0.5
        z = torch.clamp(z, -3.0, 3.0)
    return z

def chain_with_functions(x, y):
    z = x
    for i in range(3):
        z = torch.tanh(z * y)
        z = z * 0.5 + x
        z = torch.sigmoid(z) - y
        z = z * z + 0.125
    return z

def ten_tanh(x, y):
    z = x
    for i in range(10):
        z = torch.tanh(z * y)
    return z

def softmax(x, y):
    return torch.softmax(x, -1)

def softmax_short(x, y):
    return torch.softmax(x, -1)

def layer_norm(x, y):
    return torch.layer_norm(x, [1024])

def layer_norm_short(x, y):
    return torch.layer_norm(x, [64])

def batch_norm(x, y):
    return torch.relu(torch.batch_norm(x, None, None, None, None, True, 0.1, 1e-5, False))

def row_mean(x, y):
    return torch.mean(x, -1)

def sum_of_all(x, y):
    return torch.sum(x * y)

def permute_contiguous(x, y):
    return x.permute([0, 2, 3, 1]).contiguous()

def transpose_add(x, y):
    return x.t() + y

def embedding_layer_norm(x, y):
    return torch.layer_norm(torch.embedding(x, y), [64])
)";

std::vector<int64_t> SizesOf(std::string_view name) {
  if (name.ends_with("_short")) return {16384, 64};
  if (name == "batch_norm" || name == "permute_contiguous") return {16, 64, 32, 32};
  return {1024, 1024};
}

std::vector<c10::IValue> ArgumentsOf(std::string_view name) {
  if (name == "embedding_layer_norm") return {at::randn({30'000, 64}), at::randint(30'000, {16384})};
  return {at::randn(SizesOf(name)), at::randn(SizesOf(name))};
}

}  // namespace

std::span<const FusedProgram> FusedPrograms() {
  return kPrograms;
}

ProgramCall FindFusedProgram(std::string_view name) {
  static torch::jit::CompilationUnit& unit = *[] {
    auto* all = new torch::jit::CompilationUnit;
    all->define(std::nullopt, kSource, torch::jit::nativeResolver(), nullptr);
    return all;
  }();
  at::manual_seed(/*seed=*/3);
  return {&unit.get_function(std::string(name)), ArgumentsOf(name)};
}

}  // namespace culprit::bench
