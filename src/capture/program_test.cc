// SPDX-License-Identifier: Apache-2.0
#include "capture/program.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/ir_emitter.h>

#include "graph/interpreter.h"

namespace culprit::capture {
namespace {

class Eager : public backend::Compiled {
 public:
  explicit Eager(const graph::Graph& graph) : interpreter_(graph) {}
  backend::Values Call(backend::Values& inputs) override { return interpreter_.Run(std::move(inputs)); }

 private:
  graph::Interpreter interpreter_;
};

TEST(Scratch, Runs) {
  auto unit = std::make_shared<torch::jit::CompilationUnit>();
  unit->define(c10::nullopt, R"(
def helper(x: Tensor, n: int):
    if n > 2:
        return x + n
    return x * n
def f(x: Tensor, n: int, out: List[Tensor]):
    y = x
    for i in range(n):
        y = helper(y, i)
    if bool(y.sum() > 0):
        y = y - 1
    l = [1, 2]
    l.append(n)
    out.append(y)
    print(n)
    y = y + torch.tensor([1.0, 2.0])
    assert n < 5, "too big"
    return y, l
)",
               torch::jit::nativeResolver(), nullptr);
  Options options;
  options.compile = [](const Segment& segment, const backend::Values&) {
    return std::make_shared<Eager>(segment.graph);
  };
  options.log = [](const std::string& text) { std::cout << text << "\n"; };
  Program program(unit->get_function(c10::QualifiedName("f")), options);
  for (int64_t n : {4, 4, 3}) {
    c10::List<at::Tensor> list;
    std::cout << program.Call({at::ones({2}), n, list}) << list.size() << "\n";
  }
  for (const auto& s : program.segments())
    std::cout << s->name << " " << s->graph.nodes().size() << " " << (s->end ? s->end->reason : "return")
              << " " << s->capture_seconds * 1e3 << "ms\n";
  try {
    program.Call({at::ones({2}), int64_t{7}, c10::List<at::Tensor>()});
  } catch (const std::exception& e) {
    std::cout << e.what();
  }
}

}  // namespace
}  // namespace culprit::capture
